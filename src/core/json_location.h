/* Finds values in the text of a JSON document, because jansson does not keep their positions. */
#ifndef CM_CORE_JSON_LOCATION_H
#define CM_CORE_JSON_LOCATION_H

#include <stddef.h>

/* A step from a value to one of its members or elements. */
typedef struct cm_json_step {
    const char *key; /* in an object; NULL: in an array */
    size_t index;
} cm_json_step;

/* The start of the document's value. */
const char *cm_json_begin(const char *text);
/* The member or element of the value that begins at `at`; NULL if there is none. */
const char *cm_json_find(const char *at, const cm_json_step *step);
/* The element behind the one that begins at `at`; NULL if that is the last. */
const char *cm_json_next(const char *at);
/* The start, in the text of a string whose quote is at `at`, of a character of its value. */
const char *cm_json_character(const char *at, size_t character);

/* 1-based line and column, in characters, of the value at the end of the path, or of the longest part of the path that
 * exists. `text` is a JSON document that ends in NUL. */
void cm_json_locate(const char *text, const cm_json_step *path, size_t depth, size_t *line, size_t *column);

#endif
