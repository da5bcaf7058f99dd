/* Derived metrics of AMD's profilers for GPUs. */
#ifndef CM_FORMATS_ROCM_ROCM_H
#define CM_FORMATS_ROCM_ROCM_H

#include "formats/writer.h"
#include "formulas/formulas.h"

/* Writes counters of rocprofv3 (--extra-counters). */
cm_status cm_rocm_write_counters(cm_writing *writing, FILE *stream, cm_error *error);
/* Writes a panel of rocprof-compute (--config-dir). */
cm_status cm_rocm_write_panel(cm_writing *writing, FILE *stream, cm_error *error);

/* Read their output, and the profilers' own files. */
cm_status cm_rocm_read_counters(cm_formulas *formulas, cm_error *error);
cm_status cm_rocm_read_panel(cm_formulas *formulas, cm_error *error);
/* Reads derived counters of rocprof (metrics.xml, derived_counters.xml). */
cm_status cm_rocm_read_xml(cm_formulas *formulas, cm_error *error);

/* Writes SQ_WAVES for "rocm:::SQ_WAVES:device=0". */
const char *cm_rocm_event(const char *event, char *name, size_t size);

/* Writes text in double quotes for YAML. */
void cm_rocm_write_quoted(const char *text, FILE *stream);

#endif
