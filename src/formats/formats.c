/* The table of formats. */
#include "formats/format.h"

extern const cm_foreign_format cm_format_papi, cm_format_papi_user, cm_format_likwid, cm_format_perf,
    cm_format_perf_python, cm_format_perfmon, cm_format_arm, cm_format_rocprofv3, cm_format_rocprof,
    cm_format_rocprof_compute, cm_format_ncu_section, cm_format_csv;

/* In the order in which they are listed. */
static const cm_foreign_format *const formats[] = {
    &cm_format_papi,        &cm_format_papi_user,       &cm_format_likwid,      &cm_format_perf,
    &cm_format_perf_python, &cm_format_perfmon,         &cm_format_arm,         &cm_format_rocprofv3,
    &cm_format_rocprof,     &cm_format_rocprof_compute, &cm_format_ncu_section, &cm_format_csv};

const cm_foreign_format *cm_foreign_format_get(size_t index)
{
    return index < CM_COUNT_OF(formats) ? formats[index] : NULL;
}

const cm_foreign_format *cm_foreign_format_find(const char *name)
{
    for (size_t i = 0; i < CM_COUNT_OF(formats); i++)
        if (formats[i]->read != NULL && strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}
