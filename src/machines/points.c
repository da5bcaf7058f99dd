/* Programs that are held against a machine: a table of them, or what `catmint count` wrote of one. */
#include <math.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "machines/roofline.h"
#include "tables/counts.h"

enum { NAME, FLOPS, L1_BYTES, MEMORY_BYTES, SECONDS, CORES, COLUMNS };

static const char *const columns[COLUMNS] = {"name", "flops", "l1_bytes", "memory_bytes", "seconds", "cores"};

static cm_status read_field(const cm_csv *csv, const cm_csv_row *row, size_t field, bool may_be_blank, double *value,
                            cm_error *error)
{
    *value = NAN;
    if (may_be_blank && row->fields[field][0] == '\0')
        return CM_OK;
    cm_status status = cm_csv_number(csv, row, field, value, error);
    if (status == CM_OK && !(*value > 0.0))
        status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0, "%s is %g, expected more than 0",
                              columns[field], *value);
    return status;
}

static cm_status take_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_roofline *roofline = data;
    cm_point point = {.name = cm_arena_text(&roofline->arena, row->fields[NAME])};
    if (point.name == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_csv_name(csv, row, NAME, error);
    if (status == CM_OK)
        status = read_field(csv, row, FLOPS, false, &point.flops, error);
    if (status == CM_OK)
        status = read_field(csv, row, L1_BYTES, true, &point.l1_bytes, error);
    if (status == CM_OK)
        status = read_field(csv, row, MEMORY_BYTES, true, &point.memory_bytes, error);
    if (status == CM_OK)
        status = read_field(csv, row, SECONDS, false, &point.seconds, error);
    if (status == CM_OK)
        status = cm_csv_size(csv, row, CORES, &point.cores, error);
    if (status == CM_OK && (point.cores == 0 || point.cores > CM_MOST_CORES))
        status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0, "expected 1 core or more");
    if (status == CM_OK && isnan(point.l1_bytes) && isnan(point.memory_bytes))
        status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0,
                              "expected l1_bytes, memory_bytes or both");
    return status == CM_OK ? cm_roofline_add_point(roofline, &point, error) : status;
}

/* ---- counts ---- */

/* Of the whole program, NaN where it was not counted. */
static double counted(const cm_table *table, const char *name)
{
    for (size_t row = 0; row < table->row_count; row++)
        if (strcmp(cm_table_text(table, row, 0), name) == 0)
            return cm_table_values(table, row)[0];
    return NAN;
}

/* Nothing is not known: what is divided by it would be beyond all. */
static double counted_above_zero(const cm_table *table, const char *name)
{
    double value = counted(table, name);
    return value > 0.0 ? value : NAN;
}

/* All operations, or those of both precisions; half precision where it is known beside them. */
static double operations_of(const cm_table *table)
{
    double all = counted(table, "FP Ops."), half = counted(table, "HP Ops.");
    if (!isnan(all))
        return all;
    return counted(table, "SP Ops.") + counted(table, "DP Ops.") + (isnan(half) ? 0.0 : half);
}

/* The file's name without folders and ending. */
static const char *program_of(cm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = cm_arena_text(arena, slash != NULL ? slash + 1 : path);
    char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (dot != NULL && dot != name)
        *dot = '\0';
    return name;
}

static cm_status check_counted(const cm_point *point, const char *path, cm_error *error)
{
    const char *lacks = NULL;
    if (!(point->seconds > 0.0))
        lacks = "no time but the emulator's: write a table of programs, with the time of a run without it";
    else if (!(point->flops > 0.0))
        lacks = "no floating-point operations: count FP Ops., or SP Ops. and DP Ops.";
    else if (isnan(point->l1_bytes) && isnan(point->memory_bytes))
        lacks = "no bytes: count Load Bytes and Store Bytes, or Memory Bytes";
    return lacks == NULL ? CM_OK : cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "it has %s", lacks);
}

static cm_status add_counted(cm_roofline *roofline, const char *path, const cm_table *table, cm_error *error)
{
    cm_point point = {.name = program_of(&roofline->arena, path),
                      .flops = operations_of(table),
                      .l1_bytes = counted(table, "Load Bytes") + counted(table, "Store Bytes"),
                      .memory_bytes = counted_above_zero(table, "Memory Bytes"),
                      .seconds = counted(table, "seconds"),
                      .cores = 1};
    if (point.name == NULL)
        return cm_error_no_memory(error);
    cm_status status = check_counted(&point, path, error);
    return status == CM_OK ? cm_roofline_add_point(roofline, &point, error) : status;
}

cm_status cm_roofline_add_points(cm_roofline *roofline, const char *path, cm_error *error)
{
    cm_table *table = NULL;
    if (!cm_is_json(path))
        return cm_csv_each(path, COLUMNS, columns, take_row, roofline, error);
    cm_status status = cm_counts_table_load(path, &table, error);
    if (status == CM_OK)
        status = add_counted(roofline, path, table, error);
    cm_table_free(table);
    return status;
}
