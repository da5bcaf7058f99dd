#include "tables/tables.h"

enum { EVENT, REPETITION, THREAD, FIXED_COLUMNS };

cm_status cm_rows_open(const char *path, cm_rows *rows, cm_error *error)
{
    static const char *const columns[FIXED_COLUMNS] = {"event", "repetition", "thread"};
    *rows = (cm_rows){0};
    cm_status status = cm_csv_open(path, &rows->csv, error);
    CM_THEN(status, cm_csv_expect(rows->csv, FIXED_COLUMNS, columns, true, error));
    if (status != CM_OK)
        return status;
    const cm_csv_row header = cm_csv_header(rows->csv);
    if (header.count == FIXED_COLUMNS)
        return cm_error_set(error, CM_BAD_INPUT, path, header.line, 0, "no kernel follows the column 'thread'");
    rows->kernel_count = header.count - FIXED_COLUMNS;
    rows->kernels = header.fields + FIXED_COLUMNS;
    return CM_OK;
}

cm_status cm_rows_head(const cm_rows *rows, cm_measurements *head, cm_error *error)
{
    head->file = strdup(cm_csv_path(rows->csv));
    if (head->file == NULL)
        return cm_error_no_memory(error);
    head->header_line = cm_csv_header(rows->csv).line;
    head->kernel_count = rows->kernel_count;
    return cm_names_create(rows->kernel_count, rows->kernels, &head->kernels, error);
}

cm_status cm_rows_next(cm_rows *rows, cm_error *error)
{
    return cm_csv_next(rows->csv, &rows->row, &rows->found, error);
}

bool cm_rows_has_iterations(const cm_rows *rows)
{
    return strcmp(rows->row.fields[EVENT], "iterations") == 0;
}

cm_status cm_rows_key(const cm_rows *rows, size_t *repetition, size_t *thread, cm_error *error)
{
    cm_status status = cm_csv_name(rows->csv, &rows->row, EVENT, error);
    CM_THEN(status, cm_csv_size(rows->csv, &rows->row, REPETITION, repetition, error));
    return status == CM_OK ? cm_csv_size(rows->csv, &rows->row, THREAD, thread, error) : status;
}

cm_status cm_rows_values(const cm_rows *rows, double *values, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < rows->kernel_count; i++) {
        status = cm_csv_number(rows->csv, &rows->row, FIXED_COLUMNS + i, &values[i], error);
        if (status == CM_OK && values[i] < 0.0)
            status = CM_CSV_FAULT(rows->csv, rows->row.line, error, "column '%s': %s is negative, counts are not",
                                  rows->kernels[i], rows->row.fields[FIXED_COLUMNS + i]);
    }
    return status;
}

cm_status cm_rows_iterations(const cm_rows *rows, double *values, cm_error *error)
{
    cm_status status = cm_rows_values(rows, values, error);
    for (size_t i = 0; status == CM_OK && i < rows->kernel_count; i++)
        if (values[i] == 0.0)
            status = CM_CSV_FAULT(rows->csv, rows->row.line, error, "column '%s': 0 iterations, expected more",
                                  rows->kernels[i]);
    return status;
}
