/* Where in the text of a JSON document a value stands: jansson does not keep it. */
#ifndef CM_CORE_JSON_LOCATION_H
#define CM_CORE_JSON_LOCATION_H

#include <stddef.h>

/* A step from a value to one in it. */
typedef struct cm_json_step {
    const char *key; /* of an object; NULL: of an array */
    size_t index;
} cm_json_step;

/* Where the document's value begins. */
const char *cm_json_begin(const char *text);
/* The member or element of the value that begins at `at`; NULL where there is none. */
const char *cm_json_find(const char *at, const cm_json_step *step);
/* The element behind the one that begins at `at`; NULL where it is the last. */
const char *cm_json_next(const char *at);
/* Where in the text of a string, which begins with its quote at `at`, a character of what it stands for begins. */
const char *cm_json_character(const char *at, size_t character);

/* 1-based line and column, in characters, of the value at the end of the path, or of as much of the path as there is.
 * `text` is a JSON document, NUL behind it. */
void cm_json_locate(const char *text, const cm_json_step *path, size_t depth, size_t *line, size_t *column);

#endif
