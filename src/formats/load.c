/* Loads a file of formulas of any format. */
#include <limits.h>
#include <unistd.h>

#include "formats/format.h"

static int compare_faults(const void *a, const void *b)
{
    const cm_formula_fault *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return (left->column > right->column) - (left->column < right->column);
}

/* Reads and links the formulas of a file; `format` NULL: recognised. The caller frees *formulas. */
static cm_status load_file(const char *path, const char *format, const char *place, const cm_formula_columns *columns,
                           cm_formulas **formulas, cm_error *error)
{
    cm_formulas *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return cm_error_no_memory(error);
    const cm_foreign_format *row = format != NULL ? cm_foreign_format_find(format) : NULL;
    loaded->file = strdup(path);
    cm_status status = loaded->file != NULL ? cm_name_index_create(&loaded->names, error) : cm_error_no_memory(error);
    if (status == CM_OK && (loaded->place = cm_formulas_keep(loaded, place, strlen(place))) == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK && format == NULL)
        status = cm_foreign_format_recognise(path, &row, error);
    if (status == CM_OK && row == NULL)
        status = cm_error_set(error, CM_BAD_ARGUMENT, path, 0, 0, "'%.200s' is not a format of formulas", format);
    if (status == CM_OK) {
        loaded->format = row->name;
        loaded->rules = &row->rules;
        loaded->columns = columns;
        status = row->read(loaded, error);
        loaded->columns = NULL;
    }
    CM_THEN(status, cm_formulas_link(loaded, error));
    if (status == CM_OK && loaded->fault_count > 1)
        qsort(loaded->faults, loaded->fault_count, sizeof *loaded->faults, compare_faults);
    CM_HAND_OVER(status, formulas, loaded, cm_formulas_free);
    return status;
}

cm_status cm_formulas_load(const char *path, const char *format, cm_formulas **formulas, cm_error *error)
{
    return load_file(path, format, path, NULL, formulas, error);
}

cm_status cm_formulas_load_for(const char *path, const char *format, const char *place, cm_formulas **formulas,
                               cm_error *error)
{
    return load_file(path, format, place, NULL, formulas, error);
}

/* Whether a file or directory by which projects' trees are known lies beside the path, or above it. */
static bool is_in_tree(const char *path)
{
    static const char *const marks[] = {"papi_internal.h",   "libpfm4/lib",       "../../src/includes",
                                        "../events",         "../../events",      "../mapfile.csv",
                                        "../../mapfile.csv", "basic_counters.xml"};
    const char *slash = strrchr(path, '/');
    char name[PATH_MAX];
    bool found = false;
    for (size_t i = 0; i < CM_COUNT_OF(marks) && !found; i++) {
        int length = snprintf(name, sizeof name, "%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, marks[i]);
        found = (size_t)length < sizeof name && access(name, F_OK) == 0;
    }
    return found;
}

const char *cm_formulas_place(const char *path, const char *other)
{
    return is_in_tree(path) || !is_in_tree(other) ? path : other;
}

cm_status cm_formulas_load_table(const char *path, const cm_formula_columns *columns, cm_formulas **formulas,
                                 cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_formula_columns, columns, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (columns->metric == NULL || columns->formula == NULL)
        return cm_error_set(error, CM_BAD_ARGUMENT, path, 0, 0,
                            "a table needs a column of metrics and one of formulas");
    return load_file(path, "csv", path, columns, formulas, error);
}

cm_status cm_foreign_format_is_meant(const char *path, bool *meant, cm_error *error)
{
    const cm_foreign_format *format = NULL;
    cm_error none;
    cm_status status = cm_foreign_format_recognise(path, &format, &none);
    *meant = status == CM_IO || (status == CM_OK && format->mark == NULL);
    if (status == CM_OK && format->mark != NULL)
        status = cm_foreign_format_find_mark(path, format->mark, meant, &none);
    if (status == CM_OK && format->mark != NULL && *meant) { /* the mark may stand in another's text */
        cm_formulas *formulas = NULL;
        status = cm_formulas_load(path, NULL, &formulas, &none);
        *meant = status != CM_BAD_INPUT || strncmp(none.text, CM_NO_METRICS, strlen(CM_NO_METRICS)) != 0;
        cm_formulas_free(formulas);
    }
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}
