/* Exports definitions of a hybrid processor, each of which holds on cores of one type. */
#include "formats/export/export.h"

/* Whether the user wants its definitions: by --core, or by its PMU among the CPUs. */
static bool is_wanted(const cm_export *export, const cm_core_type *core)
{
    const cm_export_options *options = export->options;
    bool wanted = options->cpu_count == 0 || options->core != NULL || core->pmu[0] == '\0';
    for (size_t i = 0; i < options->cpu_count; i++)
        wanted = wanted || strcmp(options->cpus[i], core->pmu) == 0;
    return wanted && (options->core == NULL || strcmp(options->core, core->name) == 0);
}

/* CM_BAD_ARGUMENT if no type is wanted, or several that the format cannot distinguish. */
static cm_status check_types(const cm_export *export, size_t wanted, cm_error *error)
{
    const cm_core_type *first = cm_definitions_core(export->definitions, 0);
    const cm_foreign_format *format = export->format;
    if (wanted == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "the definitions are of none of these cores, expected a type of cores such as %s%s%s",
                       first->name, first->pmu[0] != '\0' ? ", whose PMU is " : "", first->pmu);
    if (wanted > 1 && format->name_on_core == NULL && !format->takes_cpus)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "%s cannot express the type of cores of a definition: choose one, as in --core %s", format->name,
                       first->name);
    return CM_OK;
}

cm_status cm_export_each_core(cm_export *export, cm_export_core take, cm_error *error)
{
    size_t count = cm_definitions_core_count(export->definitions), wanted = 0;
    if (count == 0 && export->options->core != NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "the definitions hold on all cores, found the type of cores '%.100s'",
                       export->options->core);
    if (count == 0)
        return take(export, NULL, error);
    for (size_t i = 0; i < count; i++)
        wanted += is_wanted(export, cm_definitions_core(export->definitions, i));
    cm_status status = check_types(export, wanted, error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        if (is_wanted(export, cm_definitions_core(export->definitions, i)))
            status = take(export, cm_definitions_core(export->definitions, i), error);
    return status;
}
