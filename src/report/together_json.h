/* What is known of whether events can be counted together, as JSON. */
#ifndef CM_REPORT_TOGETHER_JSON_H
#define CM_REPORT_TOGETHER_JSON_H

#include <jansson.h>

#include "discovery/benchmark_result.h"
#include "discovery/together.h"

/* Adds to a definition's object "together" and "refuse_each_other", the events that do; NULL without memory. */
json_t *cm_json_set_together(json_t *json, const cm_benchmark_result *result, const cm_event_group *group);
/* All that was tried: its events, what became of them, those that refuse each other. NULL without memory. */
json_t *cm_json_tried_together(const cm_tried_sets *tried);
/* "cannot be counted together: A, B refuse each other", of such an object; free with free(). NULL where it is not so,
 * or memory is short. */
char *cm_together_refusal(const json_t *json);

#endif
