/* Joins tables of counts: a row for each quantity of any of them, and the runs of each as columns. */
#include "formulas/evaluate/evaluation.h"

static cm_status check_counts(const cm_table *counts, cm_error *error)
{
    for (size_t row = 0; row < counts->row_count; row++)
        for (size_t run = 0; run < counts->value_columns; run++)
            if (cm_table_values(counts, row)[run] < 0.0)
                return cm_error_set(error, CM_BAD_INPUT, counts->file, counts->lines[row], 0,
                                    "a count of '%.100s' is negative, expected 0 or more",
                                    cm_table_text(counts, row, 0));
    return CM_OK;
}

/* ---- columns ---- */

/* "32" for "runs/32.json". */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
}

static char *name_of(const cm_counts_file *file, const cm_table *table, size_t run)
{
    char *name = file->name != NULL ? strdup(file->name) : stem_of(file->path), *both = NULL;
    if (name == NULL || table->value_columns == 1)
        return name;
    int length = asprintf(&both, "%s %s", name, table->value_names[run]);
    free(name);
    return length >= 0 ? both : NULL;
}

/* CM_BAD_INPUT if an earlier column has the name of this one. */
static cm_status check_name(const cm_table *joined, size_t column, const char *file, cm_error *error)
{
    for (size_t other = 0; other < column; other++)
        if (strcmp(joined->value_names[other], joined->value_names[column]) == 0)
            return cm_error_set(error, CM_BAD_INPUT, file, 0, 0,
                                "another table has a run '%.100s', too, expected another name",
                                joined->value_names[column]);
    return CM_OK;
}

/* Names the columns of all tables. */
static cm_status name_columns(const cm_counts_file *files, cm_table *const *tables, size_t count, cm_table *joined,
                              cm_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += tables[i]->value_columns;
    if (!CM_ALLOCATE(joined->value_names, total))
        return cm_error_no_memory(error);
    joined->value_columns = total;
    for (size_t i = 0, column = 0; i < count; i++)
        for (size_t run = 0; run < tables[i]->value_columns; run++, column++) {
            joined->value_names[column] = name_of(&files[i], tables[i], run);
            if (joined->value_names[column] == NULL)
                return cm_error_no_memory(error);
        }
    return CM_OK;
}

/* ---- rows ---- */

/* Allocates the rows, filled with NaN. */
static cm_status make_rows(cm_table *const *tables, size_t count, cm_table *joined, cm_error *error)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += tables[i]->row_count;
    joined->text_columns = 1;
    if (!CM_ALLOCATE(joined->lines, most) || !CM_ALLOCATE(joined->texts, most) ||
        !CM_ALLOCATE(joined->values, most * joined->value_columns) || !CM_ALLOCATE(joined->reasons, most))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < most * joined->value_columns; i++)
        joined->values[i] = NAN;
    return CM_OK;
}

/* The row of that name, which is added if it is new. */
static cm_status find_joined_row(cm_table *joined, cm_name_index *names, const char *name, size_t *row, cm_error *error)
{
    if (cm_name_index_find(names, name, row))
        return CM_OK;
    *row = joined->row_count;
    joined->texts[*row] = strdup(name);
    if (joined->texts[*row] == NULL)
        return cm_error_no_memory(error);
    joined->row_count++;
    return cm_name_index_add(names, joined->texts[*row], *row, error);
}

/* Copies the values of all tables. */
static cm_status fill_rows(cm_table *const *tables, size_t count, cm_table *joined, cm_error *error)
{
    cm_name_index *names = NULL;
    cm_status status = cm_name_index_create(&names, error);
    for (size_t i = 0, column = 0; i < count && status == CM_OK; column += tables[i++]->value_columns)
        for (size_t k = 0; k < tables[i]->row_count && status == CM_OK; k++) {
            size_t row = 0;
            status = find_joined_row(joined, names, cm_table_text(tables[i], k, 0), &row, error);
            if (status != CM_OK)
                break;
            memcpy(joined->values + row * joined->value_columns + column, cm_table_values(tables[i], k),
                   tables[i]->value_columns * sizeof(double));
            if (joined->reasons[row] == NULL && tables[i]->reasons != NULL && tables[i]->reasons[k] != NULL)
                joined->reasons[row] = strdup(tables[i]->reasons[k]); /* without memory, none is said */
        }
    cm_name_index_free(names);
    return status;
}

/* ---- sums ---- */

/* `seconds` is the row of count's documents, be it an event's name for the formulas. */
static bool is_variable(const cm_formulas *set, const char *name)
{
    bool found = strcmp(name, "seconds") == 0;
    for (size_t i = 0; i < set->quantity_count && !found; i++)
        found = set->quantities[i].kind == CM_QUANTITY_VARIABLE && strcmp(set->quantities[i].name, name) == 0;
    return found;
}

/* Makes one column of all: the sum of an event's counts, the largest of a variable's values, NaN if one is missing. */
static cm_status add_up_runs(cm_table *joined, const cm_formulas *set, cm_error *error)
{
    for (size_t row = 0; row < joined->row_count; row++) {
        const double *values = cm_table_values(joined, row);
        bool largest = is_variable(set, cm_table_text(joined, row, 0)), missing = false;
        double whole = 0.0;
        for (size_t run = 0; run < joined->value_columns; run++) {
            missing |= isnan(values[run]);
            whole = largest ? fmax(whole, values[run]) : whole + values[run];
        }
        joined->values[row] = missing ? NAN : whole;
    }
    for (size_t run = 0; run < joined->value_columns; run++)
        free(joined->value_names[run]);
    joined->value_columns = 1;
    joined->value_names[0] = strdup("sum");
    return joined->value_names[0] != NULL ? CM_OK : cm_error_no_memory(error);
}

/* CM_BAD_INPUT if two runs have one name, or a sum would take several runs of a table. */
static cm_status check_columns(const cm_counts_file *files, cm_table *const *tables, size_t count,
                               const cm_table *joined, bool summed, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0, column = 0; i < count && status == CM_OK; i++)
        for (size_t run = 0; run < tables[i]->value_columns && status == CM_OK; run++, column++)
            if (!summed)
                status = check_name(joined, column, files[i].path, error);
            else if (run > 0)
                status = cm_error_set(error, CM_BAD_INPUT, files[i].path, 0, 0,
                                      "the table has %zu runs, expected one: a sum adds tables of one run each",
                                      tables[i]->value_columns);
    return status;
}

/* Joins the tables; `summed`: of whose formulas, NULL if runs stay apart. */
static cm_status join_tables(const cm_counts_file *files, cm_table *const *tables, size_t count,
                             const cm_formulas *summed, cm_table **joined, cm_error *error)
{
    cm_table *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->file = strdup(files[0].path);
    cm_status status = made->file != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, name_columns(files, tables, count, made, error));
    CM_THEN(status, check_columns(files, tables, count, made, summed != NULL, error));
    CM_THEN(status, make_rows(tables, count, made, error));
    CM_THEN(status, fill_rows(tables, count, made, error));
    if (status == CM_OK && summed != NULL)
        status = add_up_runs(made, summed, error);
    CM_HAND_OVER(status, joined, made, cm_table_free);
    return status;
}

cm_status cm_counts_load_checked(const char *path, cm_table **table, cm_error *error)
{
    cm_table *loaded = NULL;
    cm_status status = cm_counts_table_load(path, &loaded, error);
    CM_THEN(status, check_counts(loaded, error));
    CM_HAND_OVER(status, table, loaded, cm_table_free);
    return status;
}

cm_status cm_counts_load_joined(const cm_counts_file *files, size_t count, const cm_formulas *summed, cm_table **table,
                                cm_error *error)
{
    cm_table **tables = calloc(count, sizeof *tables);
    cm_status status = tables != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_counts_load_checked(files[i].path, &tables[i], error);
    CM_THEN(status, join_tables(files, tables, count, summed, table, error));
    for (size_t i = 0; i < count && tables != NULL; i++)
        cm_table_free(tables[i]);
    free(tables);
    return status;
}
