/* Loading a file of formulas, of any format. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "formulas/formulas.h"

static int compare_faults(const void *a, const void *b)
{
    const cm_formula_fault *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return (left->column > right->column) - (left->column < right->column);
}

static cm_status read_file(cm_formulas *formulas, cm_error *error)
{
    switch (formulas->format) {
    case CM_FORMULAS_CSV: return cm_read_formula_csv(formulas, error);
    case CM_FORMULAS_PAPI: return cm_read_papi_table(formulas, error);
    case CM_FORMULAS_LIKWID: return cm_read_likwid_group(formulas, error);
    case CM_FORMULAS_PERF: return cm_read_perf_metrics(formulas, error);
    case CM_FORMULAS_PERFMON: return cm_read_perfmon_metrics(formulas, error);
    case CM_FORMULAS_AUTO: break;
    }
    return cm_error_set(error, CM_BAD_ARGUMENT, formulas->file, 0, 0, "unknown format of formulas");
}

cm_status cm_formulas_load(const char *path, cm_formula_format format, cm_formulas **formulas, cm_error *error)
{
    cm_formulas *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return cm_error_no_memory(error);
    loaded->format = format;
    loaded->file = strdup(path);
    cm_status status = loaded->file != NULL ? cm_name_index_create(&loaded->names, error) : cm_error_no_memory(error);
    if (status == CM_OK && format == CM_FORMULAS_AUTO)
        status = cm_formulas_recognise(path, &loaded->format, error);
    if (status == CM_OK)
        status = read_file(loaded, error);
    if (status == CM_OK)
        status = cm_formulas_link(loaded, error);
    if (status == CM_OK && loaded->fault_count > 1)
        qsort(loaded->faults, loaded->fault_count, sizeof *loaded->faults, compare_faults);
    if (status == CM_OK)
        *formulas = loaded;
    else
        cm_formulas_free(loaded);
    return status;
}
