/* What the law looks at, so that whoever has the results may ask it again. */
#ifndef CM_REPORT_SIGHT_JSON_H
#define CM_REPORT_SIGHT_JSON_H

#include <jansson.h>

#include "core/json_writer.h"
#include "discovery/benchmark_result.h"

/* Of a benchmark: {"interference", "kernels"}; null where the law judged nothing. NULL: memory is short. */
json_t *cm_json_sight(const cm_benchmark_result *result);
/* Of an event, where it was looked at: the member "law" of what is being written. */
void cm_json_put_event_sight(const cm_benchmark_result *result, size_t event, cm_json_writer *writer);

#endif
