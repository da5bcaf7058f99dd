#include "tables/tables.h"

typedef struct table_loader {
    cm_csv *csv;
    cm_table *table;
    cm_name_index *names;
    size_t capacity; /* rows */
} table_loader;

/* Makes space for one more row. */
static cm_status reserve_row(table_loader *work, cm_error *error)
{
    cm_table *table = work->table;
    if (table->row_count < work->capacity)
        return CM_OK;
    size_t capacity = cm_grow_capacity(table->row_count + 1);
    if (!CM_RESIZE(table->lines, capacity) || !CM_RESIZE(table->texts, capacity * table->text_columns) ||
        !CM_RESIZE(table->values, capacity * table->value_columns))
        return cm_error_no_memory(error);
    work->capacity = capacity;
    return CM_OK;
}

/* Reads one row; its name must be new. */
static cm_status read_table_row(table_loader *work, const cm_csv_row *row, cm_error *error)
{
    cm_table *table = work->table;
    size_t first;
    cm_status status = cm_csv_name(work->csv, row, 0, error);
    if (status == CM_OK && cm_name_index_find(work->names, row->fields[0], &first))
        status =
            cm_error_set(error, CM_BAD_INPUT, table->file, row->line, 0, "%s '%s' appears twice, first in line %zu",
                         cm_csv_header(work->csv).fields[0], row->fields[0], table->lines[first]);
    CM_THEN(status, reserve_row(work, error));
    if (status != CM_OK)
        return status;
    size_t index = table->row_count++;
    char **texts = table->texts + index * table->text_columns;
    for (size_t i = 0; i < table->text_columns; i++)
        texts[i] = strdup(row->fields[i]);
    for (size_t i = 0; i < table->text_columns; i++)
        if (texts[i] == NULL)
            return cm_error_no_memory(error);
    table->lines[index] = row->line;
    for (size_t i = 0; i < table->value_columns && status == CM_OK; i++)
        status = cm_csv_number(work->csv, row, table->text_columns + i,
                               &table->values[index * table->value_columns + i], error);
    return status == CM_OK ? cm_name_index_add(work->names, texts[0], index, error) : status;
}

/* Reads the header: text columns, then names of values. */
static cm_status read_table_header(const table_loader *work, const char *const *columns, const char *optional,
                                   cm_error *error)
{
    cm_table *table = work->table;
    cm_csv_row header = cm_csv_header(work->csv);
    table->file = strdup(cm_csv_path(work->csv));
    if (table->file == NULL)
        return cm_error_no_memory(error);
    table->header_line = header.line;
    cm_status status = cm_csv_expect(work->csv, table->text_columns, columns, true, error);
    if (status != CM_OK)
        return status;
    if (optional != NULL && header.count > table->text_columns &&
        strcmp(header.fields[table->text_columns], optional) == 0)
        table->text_columns++;
    if (header.count == table->text_columns)
        return cm_error_set(error, CM_BAD_INPUT, table->file, header.line, 0, "no symbol follows the column '%s'",
                            header.fields[table->text_columns - 1]);
    table->value_columns = header.count - table->text_columns;
    return cm_names_create(table->value_columns, header.fields + table->text_columns, &table->value_names, error);
}

/* Reads the whole table; CM_BAD_INPUT if it has no rows. */
static cm_status read_whole_table(table_loader *work, const char *const *columns, const char *optional, cm_error *error)
{
    cm_status status = read_table_header(work, columns, optional, error);
    cm_csv_row row;
    while (cm_csv_more(work->csv, &row, &status, error))
        status = read_table_row(work, &row, error);
    if (status == CM_OK && work->table->row_count == 0)
        return cm_error_set(error, CM_BAD_INPUT, work->table->file, work->table->header_line, 0,
                            "no %s follows the header", columns[0]);
    return status;
}

cm_status cm_table_read(cm_csv *csv, size_t text_columns, const char *const *columns, const char *optional,
                        cm_table **table, cm_error *error)
{
    table_loader work = {.csv = csv};
    cm_status status = cm_name_index_create(&work.names, error);
    if (status == CM_OK) {
        if (!CM_ALLOCATE(work.table, 1))
            status = cm_error_no_memory(error);
    }
    if (status == CM_OK) {
        work.table->text_columns = text_columns;
        status = read_whole_table(&work, columns, optional, error);
    }
    cm_name_index_free(work.names);
    CM_HAND_OVER(status, table, work.table, cm_table_free);
    return status;
}

cm_status cm_table_load(const char *path, size_t text_columns, const char *const *columns, const char *optional,
                        cm_table **table, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, cm_table_read(csv, text_columns, columns, optional, table, error));
    cm_csv_close(csv);
    return status;
}

void cm_table_free(cm_table *table)
{
    if (table == NULL)
        return;
    cm_free_list(table->texts, table->row_count * table->text_columns);
    for (size_t i = 0; i < table->row_count && table->reasons != NULL; i++)
        free(table->reasons[i]);
    CM_FREE(table->reasons, table->lines, table->values);
    cm_free_list(table->value_names, table->value_columns);
    CM_FREE(table->of_regions, table->counted_by, table->file, table);
}
