/* PAPI's tables of derived events, and its names of metrics and events. */
#ifndef CM_FORMATS_PAPI_PAPI_H
#define CM_FORMATS_PAPI_PAPI_H

#include <stdio.h>

#include <catmint/error.h>

#include "formats/writer.h"
#include "formulas/formulas.h"

enum {
    /* PAPI_EVENTS_IN_DERIVED_EVENT up to PAPI 7.2, which silently drops further terms; later it is 12. */
    CM_PAPI_OLD_TERMS = 8,
};

cm_status cm_papi_read(cm_formulas *formulas, cm_error *error);
/* Write presets, and user events. */
cm_status cm_papi_write(cm_writing *writing, FILE *stream, cm_error *error);
cm_status cm_papi_write_user(cm_writing *writing, FILE *stream, cm_error *error);

const char *cm_papi_preset(const cm_writing_item *item, char *name, size_t size);
/* Copies the name without a core's component. */
const char *cm_papi_event(const char *event, char *name, size_t size);

/* ---- patch.c: changes definitions in PAPI's own table of presets ---- */

/* Writes, as a unified diff, the changes to PAPI's table `path` that make the presets of `table`, which cm_papi_write
 * wrote, valid for the PMUs. A preset defined in sections of these PMUs alone is replaced there. Others are added in a
 * section of their own, behind the last section that names one of the PMUs, so that they take precedence; or at the end
 * of the table if no section does. A definition that is the same does not change. *changed: the number of changed
 * presets. CM_IO, CM_NO_MEMORY. */
cm_status cm_papi_patch(const char *table, const char *path, const char *const *pmus, size_t pmu_count, FILE *stream,
                        size_t *changed, cm_error *error);

#endif
