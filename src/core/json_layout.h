/* Where lines of JSON break: a container that fits on the rest of its line stays there, else each member of an object
 * and each container in an array begins a line, and other members of an array fill lines. */
#ifndef CM_CORE_JSON_LAYOUT_H
#define CM_CORE_JSON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cm_json_layout cm_json_layout;

/* NULL where memory is short. */
cm_json_layout *cm_json_layout_create(FILE *stream);
/* Writes what is left. False where memory was short. */
bool cm_json_layout_finish(cm_json_layout *layout);

void cm_json_layout_begin(cm_json_layout *layout, bool object);
void cm_json_layout_end(cm_json_layout *layout);
/* Texts as they are to be written, quoted; `measured` is what they count of a line: keys without quotes. */
void cm_json_layout_key(cm_json_layout *layout, const char *text, size_t length, size_t measured);
void cm_json_layout_scalar(cm_json_layout *layout, const char *text, size_t length, size_t measured);

#endif
