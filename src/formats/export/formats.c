/* The formats that definitions can be exported to. */
#include "formats/export/export.h"

static bool is_written(const cm_foreign_format *format)
{
    return format->write != NULL || format->save != NULL;
}

const cm_foreign_format *cm_export_find_format(const char *name)
{
    const cm_foreign_format *format = NULL;
    for (size_t i = 0; name != NULL && (format = cm_foreign_format_get(i)) != NULL; i++)
        if (is_written(format) && strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

static void describe_format(const cm_foreign_format *format, cm_export_format *described)
{
    *described = (cm_export_format){.name = format->name,
                                    .content = format->content,
                                    .directory = format->save != NULL,
                                    .takes_cpus = format->takes_cpus,
                                    .takes_counters = format->takes_counters};
}

bool cm_export_format_get(size_t index, cm_export_format *described)
{
    const cm_foreign_format *format = NULL;
    for (size_t i = 0; (format = cm_foreign_format_get(i)) != NULL; i++)
        if (is_written(format) && index-- == 0) {
            describe_format(format, described);
            return true;
        }
    return false;
}

bool cm_export_format_find(const char *name, cm_export_format *described)
{
    const cm_foreign_format *format = cm_export_find_format(name);
    if (format != NULL)
        describe_format(format, described);
    return format != NULL;
}
