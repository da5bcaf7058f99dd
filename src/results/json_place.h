/* Where in the text of a JSON document a value stands: jansson does not keep it. */
#ifndef CM_RESULTS_JSON_PLACE_H
#define CM_RESULTS_JSON_PLACE_H

#include <stddef.h>

/* A step from a value to one in it. */
typedef struct cm_json_step {
    const char *key; /* of an object; NULL: of an array */
    size_t index;
} cm_json_step;

/* 1-based line and column, in characters, of the value at the end of the path, or of as much of the path as there is.
 * `text` is a JSON document, NUL behind it. */
void cm_json_place(const char *text, const cm_json_step *path, size_t depth, size_t *line, size_t *column);

#endif
