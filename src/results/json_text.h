/* JSON as text that people can read too: short values on one line, doubles as short as they read back the same. */
#ifndef CM_RESULTS_JSON_TEXT_H
#define CM_RESULTS_JSON_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/* Keys in the order in which they were set, a newline at the end. False where memory is short; the stream's own errors
 * stay in the stream. */
bool cm_json_write(const json_t *value, FILE *stream);

#endif
