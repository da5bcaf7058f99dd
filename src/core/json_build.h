/* Builds JSON documents safely without memory: these functions return NULL for NULL, as most of jansson's do (json_pack
 * of a NULL is NULL), so only the finished document needs a check. */
#ifndef CM_CORE_JSON_BUILD_H
#define CM_CORE_JSON_BUILD_H

#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include <catmint/error.h>

/* Appends `value` and returns `array`; NULL, with the array freed, if that fails or `array` is NULL. */
json_t *cm_json_append(json_t *array, json_t *value);
/* Sets a member of an object, likewise. */
json_t *cm_json_set(json_t *object, const char *key, json_t *value);
/* Another object that shares the members of `object`. jansson's own copy loses members when memory is short. */
json_t *cm_json_copy(const json_t *object);
/* A JSON text of any bytes, such as a path; text that is not UTF-8 is written as in text.h. */
json_t *cm_json_text(const char *text);

/* Parses `size` bytes with jansson's `flags`. CM_BAD_INPUT with the location of the error, followed by `expected` ("the
 * manifest of a sweep"; NULL: nothing). `file` may be NULL. */
cm_status cm_json_parse(const char *file, const char *text, size_t size, size_t flags, const char *expected,
                        json_t **document, cm_error *error);
/* Parses a file, likewise; a file that cannot be read is CM_BAD_INPUT, too. */
cm_status cm_json_load(const char *path, size_t flags, const char *expected, json_t **document, cm_error *error);
/* Writes the document with the layout of json_writer.h, and frees it. `document` NULL: CM_NO_MEMORY. Errors of the
 * stream stay in the stream. */
cm_status cm_json_print(json_t *document, FILE *stream, cm_error *error);
/* Writes the whole file or leaves it as it was, and frees the document. `document` NULL: CM_NO_MEMORY. */
cm_status cm_json_save(const json_t *document, const char *path, cm_error *error);

#endif
