/* Metrics of perf. */
#ifndef CM_FORMATS_PERF_PERF_H
#define CM_FORMATS_PERF_PERF_H

#include "formats/writer.h"
#include "formulas/formulas.h"

cm_status cm_perf_read(cm_formulas *formulas, cm_error *error);
/* Reads Python that defines metrics with metric.py, without executing it. */
cm_status cm_perf_read_python(cm_formulas *formulas, cm_error *error);
cm_status cm_perf_write(cm_writing *writing, FILE *stream, cm_error *error);

/* Whether perf gives the name's value: #literals, times, and functions of events. */
bool cm_perf_is_variable(const char *name);

/* Writes A.B for A:B. */
const char *cm_perf_event(const char *event, char *name, size_t size);
/* Writes cpu_core@A.B@ for A.B. */
void cm_perf_event_on_core(const char *core, char *name, size_t size);

#endif
