/* The table of formats. */
#include "formats/writer.h"

#include <string.h>

static const cm_export_row rows[CM_EXPORT_FORMATS] = {
    [CM_EXPORT_TO_PAPI] = {"papi", false, true, cm_export_preset, cm_export_papi_event, cm_export_papi, NULL},
    [CM_EXPORT_TO_PAPI_USER] = {"papi-user", false, true, cm_export_identifier, cm_export_papi_event,
                                cm_export_papi_user, NULL},
    [CM_EXPORT_TO_LIKWID] = {"likwid", true, true, cm_export_plain_metric, cm_export_likwid_event, NULL,
                             cm_export_likwid},
    [CM_EXPORT_TO_PERF] = {"perf", false, true, cm_export_identifier, cm_export_perf_event, cm_export_perf, NULL},
    [CM_EXPORT_TO_CSV] = {"csv", false, false, cm_export_plain_metric, cm_export_csv_event, cm_export_csv, NULL},
};

const cm_export_row *cm_export_find_row(cm_export_format format)
{
    return &rows[format];
}

const char *cm_export_format_name(cm_export_format format)
{
    return rows[format].name;
}

bool cm_export_format_parse(const char *name, cm_export_format *format)
{
    for (size_t i = 0; i < CM_EXPORT_FORMATS; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *format = (cm_export_format)i;
            return true;
        }
    return false;
}
