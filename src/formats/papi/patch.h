/* Changes definitions in PAPI's own table of presets. */
#ifndef CM_FORMATS_PAPI_PATCH_H
#define CM_FORMATS_PAPI_PATCH_H

#include <stdio.h>

#include <catmint/error.h>

/* Writes, as a unified diff, the changes to PAPI's table `path` that make the presets of `table`, which cm_papi_write
 * wrote, valid for the PMUs. A preset defined in sections of these PMUs alone is replaced there. Others are added in a
 * section of their own, behind the last section that names one of the PMUs, so that they take precedence; or at the end
 * of the table if no section does. A definition that is the same does not change. *changed: the number of changed
 * presets. CM_IO, CM_NO_MEMORY. */
cm_status cm_papi_patch(const char *table, const char *path, const char *const *pmus, size_t pmu_count, FILE *stream,
                        size_t *changed, cm_error *error);

#endif
