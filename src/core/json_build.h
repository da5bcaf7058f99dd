/* JSON documents in memory and in files, with an eye on memory. Most of jansson hands NULL on when it is short:
 * json_pack of a NULL is NULL. These do so too, so that only the whole needs a look. */
#ifndef CM_CORE_JSON_BUILD_H
#define CM_CORE_JSON_BUILD_H

#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include <catmint/error.h>

/* Appends and gives `array`; NULL, with the array gone, where that fails or `array` is NULL already. */
json_t *cm_json_append(json_t *array, json_t *value);
/* The same for a member of an object. */
json_t *cm_json_set(json_t *object, const char *key, json_t *value);
/* Another object with the members of `object`, which they share: jansson's own copies lose some where memory is short.
 */
json_t *cm_json_copy(const json_t *object);
/* A text that need not be UTF-8, as paths are: one that is not is written as text.h shows it. */
json_t *cm_json_text(const char *text);

/* The document of `size` bytes, with flags of jansson. CM_BAD_INPUT with the location of what is wrong, behind which
 * stands `expected` ("the manifest of a sweep"; NULL: nothing). `file` may be NULL. */
cm_status cm_json_parse(const char *file, const char *text, size_t size, size_t flags, const char *expected,
                        json_t **document, cm_error *error);
/* The same from a file; one that cannot be read is CM_BAD_INPUT, too. */
cm_status cm_json_load(const char *path, size_t flags, const char *expected, json_t **document, cm_error *error);
/* Writes the document, as json_writer.h lays it out, and frees it. `document` NULL: CM_NO_MEMORY. Errors of the stream
 * stay in the stream. */
cm_status cm_json_print(json_t *document, FILE *stream, cm_error *error);
/* Whole or not at all. `document` NULL: CM_NO_MEMORY. */
cm_status cm_json_save(const json_t *document, const char *path, cm_error *error);

#endif
