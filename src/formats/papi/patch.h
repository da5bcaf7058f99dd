/* PAPI's own table of presets, with other definitions in it. */
#ifndef CM_FORMATS_PAPI_PATCH_H
#define CM_FORMATS_PAPI_PATCH_H

#include <stdio.h>

#include <catmint/error.h>

/* Writes what changes in PAPI's table `path` where the presets of `table`, which cm_papi_write wrote, hold for the
 * PMUs: a unified diff. A preset that sections of these PMUs alone define is replaced there. Others go behind the last
 * section that names one of them, into one of their own, which for them holds against what stands before it; or to the
 * end of the table where none does. A definition that is there already does not change. *changed: presets that do.
 * CM_IO, CM_NO_MEMORY. */
cm_status cm_papi_patch(const char *table, const char *path, const char *const *pmus, size_t pmu_count, FILE *stream,
                        size_t *changed, cm_error *error);

#endif
