/* Breaks JSON into lines: a container that fits on the rest of its line stays there; otherwise each member of an
 * object, and each container in an array, begins a line, and the other members of an array fill lines. */
#ifndef CM_CORE_JSON_LAYOUT_H
#define CM_CORE_JSON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cm_json_layout cm_json_layout;

/* NULL without memory. */
cm_json_layout *cm_json_layout_create(FILE *stream);
/* Writes the pending text. False if memory was short. */
bool cm_json_layout_finish(cm_json_layout *layout);

void cm_json_layout_begin(cm_json_layout *layout, bool object);
void cm_json_layout_end(cm_json_layout *layout);
/* Adds quoted text. `measured` is its length for line breaks: keys count without quotes. */
void cm_json_layout_key(cm_json_layout *layout, const char *text, size_t length, size_t measured);
void cm_json_layout_scalar(cm_json_layout *layout, const char *text, size_t length, size_t measured);

#endif
