/* Loads a file of formulas of any format. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "formats/format.h"

static int compare_faults(const void *a, const void *b)
{
    const cm_formula_fault *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return (left->column > right->column) - (left->column < right->column);
}

cm_status cm_formulas_load(const char *path, const char *format, cm_formulas **formulas, cm_error *error)
{
    cm_formulas *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return cm_error_no_memory(error);
    const cm_foreign_format *row = format != NULL ? cm_foreign_format_find(format) : NULL;
    loaded->file = strdup(path);
    cm_status status = loaded->file != NULL ? cm_name_index_create(&loaded->names, error) : cm_error_no_memory(error);
    if (status == CM_OK && format == NULL)
        status = cm_foreign_format_recognise(path, &row, error);
    if (status == CM_OK && row == NULL)
        status = cm_error_set(error, CM_BAD_ARGUMENT, path, 0, 0, "'%.200s' is not a format of formulas", format);
    if (status == CM_OK) {
        loaded->format = row->name;
        loaded->rules = &row->rules;
        status = row->read(loaded, error);
    }
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
