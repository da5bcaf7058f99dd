#include "sweep/merge_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/tables.h>

#include "core/csv.h"
#include "core/error.h"

enum { EVENT, REPETITION, THREAD, COLUMNS };
static const char *const columns[COLUMNS] = {"event", "repetition", "thread"};
static const char reserved[] = "iterations";

/* One table that is being read. */
struct table {
    cm_csv *csv;
    cm_csv_row row;
    bool found; /* a row that waits */
};

struct merging {
    size_t count;
    struct table *tables;
    size_t kernel_count;
    double *row, *iterations;
    bool divided; /* the tables have iterations */
    cm_measurements_writer *writer;
};

static cm_status read_values(const struct merging *merging, const struct table *table, double *values, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < merging->kernel_count; i++) {
        status = cm_csv_number(table->csv, &table->row, COLUMNS + i, &values[i], error);
        if (status == CM_OK && values[i] < 0.0)
            status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(table->csv), table->row.line, 0,
                                  "column '%s': %s is negative, counts are not",
                                  cm_csv_header(table->csv).fields[COLUMNS + i], table->row.fields[COLUMNS + i]);
    }
    return status;
}

static cm_status read_iterations(const struct merging *merging, const struct table *table, double *values,
                                 cm_error *error)
{
    cm_status status = read_values(merging, table, values, error);
    for (size_t i = 0; status == CM_OK && i < merging->kernel_count; i++)
        if (values[i] == 0.0)
            status =
                cm_error_set(error, CM_BAD_INPUT, cm_csv_path(table->csv), table->row.line, 0,
                             "column '%s': 0 iterations, expected more", cm_csv_header(table->csv).fields[COLUMNS + i]);
    return status;
}

static cm_status check_name(const struct table *table, cm_error *error)
{
    if (strcmp(table->row.fields[EVENT], reserved) == 0)
        return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(table->csv), table->row.line, 0,
                            "a second row of iterations, or one that is not the first");
    return cm_csv_name(table->csv, &table->row, EVENT, error);
}

static cm_status next(struct table *table, cm_error *error)
{
    return cm_csv_next(table->csv, &table->row, &table->found, error);
}

/* The row `iterations` stands first where catmint writes it. */
static cm_status take_iterations(struct merging *merging, struct table *table, bool first, cm_error *error)
{
    cm_status status = next(table, error);
    bool divided = status == CM_OK && table->found && strcmp(table->row.fields[EVENT], reserved) == 0;
    if (status != CM_OK)
        return status;
    bool same = divided == merging->divided;
    if (divided && first) {
        merging->divided = true;
        status = read_iterations(merging, table, merging->iterations, error);
    } else if (divided && same) {
        status = read_values(merging, table, merging->row, error);
        for (size_t i = 0; status == CM_OK && i < merging->kernel_count; i++)
            same = same && merging->row[i] == merging->iterations[i];
    }
    if (status == CM_OK && !first && !same)
        return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(table->csv), table->row.line, 0,
                            "its iterations are others than in the first table");
    return status == CM_OK && divided ? next(table, error) : status;
}

static cm_status open_table(struct merging *merging, const char *path, size_t index, cm_error *error)
{
    struct table *table = &merging->tables[index];
    cm_status status = cm_csv_open(path, &table->csv, error);
    if (status == CM_OK)
        status = cm_csv_expect(table->csv, COLUMNS, columns, true, error);
    if (status != CM_OK)
        return status;
    cm_csv_row header = cm_csv_header(table->csv), first = cm_csv_header(merging->tables[0].csv);
    if (header.count == COLUMNS)
        return cm_error_set(error, CM_BAD_INPUT, path, header.line, 0, "no kernel follows the column 'thread'");
    if (index == 0) {
        merging->kernel_count = header.count - COLUMNS;
        merging->row = calloc(header.count, sizeof *merging->row);
        merging->iterations = calloc(header.count, sizeof *merging->iterations);
        if (merging->row == NULL || merging->iterations == NULL)
            return cm_error_no_memory(error);
    }
    bool same = header.count == first.count;
    for (size_t i = 0; same && i < header.count; i++)
        same = strcmp(header.fields[i], first.fields[i]) == 0;
    if (!same)
        return cm_error_set(error, CM_BAD_INPUT, path, header.line, 0,
                            "its kernels are others than in the first table");
    return take_iterations(merging, table, index == 0, error);
}

static cm_status copy_row(struct merging *merging, struct table *table, cm_error *error)
{
    size_t repetition = 0, thread = 0;
    cm_status status = check_name(table, error);
    if (status == CM_OK)
        status = cm_csv_size(table->csv, &table->row, REPETITION, &repetition, error);
    if (status == CM_OK)
        status = cm_csv_size(table->csv, &table->row, THREAD, &thread, error);
    if (status == CM_OK)
        status = read_values(merging, table, merging->row, error);
    if (status == CM_OK)
        status = cm_measurements_writer_add(merging->writer, table->row.fields[EVENT], repetition, thread, merging->row,
                                            error);
    return status == CM_OK ? next(table, error) : status;
}

static cm_status copy_all(struct merging *merging, const cm_merged_event *events, size_t event_count, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < event_count; i++) {
        struct table *table = &merging->tables[events[i].source];
        while (status == CM_OK && table->found && strcmp(table->row.fields[EVENT], events[i].name) == 0)
            status = copy_row(merging, table, error);
    }
    for (size_t i = 0; i < merging->count; i++)
        while (status == CM_OK && merging->tables[i].found)
            status = copy_row(merging, &merging->tables[i], error);
    return status;
}

cm_status cm_merge_tables(const char *const *paths, size_t count, const cm_merged_event *events, size_t event_count,
                          const char *path, cm_error *error)
{
    struct merging merging = {.count = count, .tables = calloc(count, sizeof *merging.tables)};
    cm_status status = merging.tables != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = open_table(&merging, paths[i], i, error);
    if (status == CM_OK)
        status = cm_measurements_writer_create(path, cm_csv_provenance(merging.tables[0].csv), merging.kernel_count,
                                               cm_csv_header(merging.tables[0].csv).fields + COLUMNS,
                                               merging.divided ? merging.iterations : NULL, &merging.writer, error);
    if (status == CM_OK)
        status = copy_all(&merging, events, event_count, error);
    if (status == CM_OK)
        status = cm_measurements_writer_finish(merging.writer, error);
    cm_measurements_writer_free(merging.writer);
    for (size_t i = 0; merging.tables != NULL && i < count; i++)
        cm_csv_close(merging.tables[i].csv);
    free(merging.tables);
    free(merging.row);
    free(merging.iterations);
    return status;
}
