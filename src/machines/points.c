/* Programs as points of a roofline: a table, counts of runs, or `catmint count` of a program and its regions. */
#include "machines/roofline.h"

enum { NAME, FLOPS, L1_BYTES, MEMORY_BYTES, SECONDS, CORES, POINT_COLUMNS };

static const char *const point_columns[POINT_COLUMNS] = {"name",         "flops",   "l1_bytes",
                                                         "memory_bytes", "seconds", "cores"};

/* A positive number; NaN for a blank field that may be blank. */
static cm_status read_field(const cm_csv *csv, const cm_csv_row *row, size_t field, bool may_be_blank, double *value,
                            cm_error *error)
{
    *value = NAN;
    if (may_be_blank && row->fields[field][0] == '\0')
        return CM_OK;
    cm_status status = cm_csv_number(csv, row, field, value, error);
    if (status == CM_OK && !(*value > 0.0))
        status = CM_CSV_FAULT(csv, row->line, error, "%s is %g, expected more than 0", point_columns[field], *value);
    return status;
}

/* Adds the point of a row; an error names a wrong field. */
static cm_status take_point(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_roofline *roofline = data;
    cm_point point = {.name = cm_arena_text(&roofline->arena, row->fields[NAME])};
    if (point.name == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_csv_name(csv, row, NAME, error);
    CM_THEN(status, read_field(csv, row, FLOPS, false, &point.flops, error));
    CM_THEN(status, read_field(csv, row, L1_BYTES, true, &point.l1_bytes, error));
    CM_THEN(status, read_field(csv, row, MEMORY_BYTES, true, &point.memory_bytes, error));
    CM_THEN(status, read_field(csv, row, SECONDS, false, &point.seconds, error));
    CM_THEN(status, cm_csv_size(csv, row, CORES, &point.cores, error));
    if (status == CM_OK && (point.cores == 0 || point.cores > CM_MOST_CORES))
        status = CM_CSV_FAULT(csv, row->line, error, "expected 1 core or more");
    if (status == CM_OK && isnan(point.l1_bytes) && isnan(point.memory_bytes))
        status = CM_CSV_FAULT(csv, row->line, error, "expected l1_bytes, memory_bytes or both");
    return status == CM_OK ? cm_roofline_add_point(roofline, &point, error) : status;
}

/* ---- counts ---- */

enum { REASON = 256 };

/* The count of the scope or run in that column, NaN if it was not counted. */
static double counted(const cm_table *table, size_t column, const char *name)
{
    for (size_t row = 0; row < table->row_count; row++)
        if (strcmp(cm_table_text(table, row, 0), name) == 0)
            return cm_table_values(table, row)[column];
    return NAN;
}

/* NaN for zero: a figure divided by it would exceed every limit. */
static double above_zero(double value)
{
    return value > 0.0 ? value : NAN;
}

/* All operations, or those of single and double precision, with half precision if it is known. */
static double operations_of(const cm_table *table, size_t column)
{
    double all = counted(table, column, "FP Ops."), half = counted(table, column, "HP Ops.");
    if (!isnan(all))
        return all;
    return counted(table, column, "SP Ops.") + counted(table, column, "DP Ops.") + (isnan(half) ? 0.0 : half);
}

/* The file's name without directories and extension. */
static const char *program_of(cm_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = cm_arena_text(arena, slash != NULL ? slash + 1 : path);
    char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (dot != NULL && dot != name)
        *dot = '\0';
    return name;
}

static bool is_of_region(const cm_table *table, size_t column)
{
    return table->of_regions != NULL && table->of_regions[column];
}

static const char *lacks_time(const cm_table *table, size_t column)
{
    const bool emulated = table->counted_by != NULL && strncmp(table->counted_by, "emulated", 8) == 0;
    if (table->of_regions == NULL)
        return "no time: it wants a row seconds, above 0";
    if (is_of_region(table, column) && !emulated)
        return "no seconds of its own: write a table of programs, with its time";
    return "no time but the emulator's: write a table of programs, with the time of a run without it";
}

/* A figure that a point needs and this one lacks; NULL: none. */
static const char *lacking_figure(const cm_table *table, size_t column, const cm_point *point)
{
    if (!(point->seconds > 0.0))
        return lacks_time(table, column);
    if (!(point->flops > 0.0))
        return "no floating-point operations: count FP Ops., or SP Ops. and DP Ops.";
    if (isnan(point->l1_bytes) && isnan(point->memory_bytes))
        return "no bytes: count Load Bytes and Store Bytes, or Memory Bytes";
    return NULL;
}

/* Lists a point as left out, with the reason. */
static cm_status leave_out(cm_roofline *roofline, const char *path, const char *text, cm_error *error)
{
    if (!CM_GROW_BY_ONE(roofline->left_out, roofline->left_out_count))
        return cm_error_no_memory(error);
    const cm_unused_point one = {cm_arena_text(&roofline->arena, path), cm_arena_text(&roofline->arena, text)};
    if (one.file == NULL || one.why == NULL)
        return cm_error_no_memory(error);
    roofline->left_out[roofline->left_out_count++] = one;
    return CM_OK;
}

/* Adds the column as a point. A figure that a program lacks is an error; a region is left out and noted. */
static cm_status add_column(cm_roofline *roofline, const char *path, const cm_table *table, size_t column,
                            cm_error *error)
{
    /* The column of the program itself is the first scope that is no region; threads and intervals follow it. */
    const bool whole = table->of_regions != NULL && column == 0 && !table->of_regions[0];
    const char *name = table->value_names[column];
    cm_point point = {.name = whole ? program_of(&roofline->arena, path) : cm_arena_text(&roofline->arena, name),
                      .flops = operations_of(table, column),
                      .l1_bytes =
                          above_zero(counted(table, column, "Load Bytes") + counted(table, column, "Store Bytes")),
                      .memory_bytes = above_zero(counted(table, column, "Memory Bytes")),
                      .seconds = counted(table, column, "seconds"),
                      .cores = 1};
    char text[REASON];
    if (point.name == NULL)
        return cm_error_no_memory(error);
    const char *lacks = lacking_figure(table, column, &point);
    if (lacks == NULL)
        return cm_roofline_add_point(roofline, &point, error);
    if (whole)
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "it has %s", lacks);
    snprintf(text, sizeof text, "%s '%.64s' is no point, it has %s", is_of_region(table, column) ? "region" : "run",
             name, lacks);
    return leave_out(roofline, path, text, error);
}

/* Adds the columns of a table as points; fails if none can be one, with the reason of the first. */
static cm_status add_counted(cm_roofline *roofline, const char *path, const cm_table *table, cm_error *error)
{
    const size_t points = roofline->point_count, left_out = roofline->left_out_count;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < table->value_columns; i++)
        if (table->of_regions == NULL || i == 0 || table->of_regions[i])
            status = add_column(roofline, path, table, i, error);
    if (status != CM_OK || roofline->point_count > points)
        return status;
    return cm_error_set(error, CM_BAD_INPUT, path, table->header_line, 0, "%s", roofline->left_out[left_out].why);
}

static cm_status add_programs(cm_roofline *roofline, cm_csv *csv, cm_error *error)
{
    const size_t points = roofline->point_count;
    cm_status status = cm_csv_each_row(csv, POINT_COLUMNS, point_columns, take_point, roofline, error);
    if (status != CM_OK || roofline->point_count > points)
        return status;
    return CM_CSV_FAULT(csv, cm_csv_header(csv).line, error, "no program follows the header");
}

/* Reads a table of programs, or of counts, as its first column shows. */
static cm_status add_rows(cm_roofline *roofline, cm_csv *csv, cm_error *error)
{
    static const char *const events[] = {"event"};
    const cm_csv_row header = cm_csv_header(csv);
    cm_table *table = NULL;
    if (strcmp(header.fields[0], "scope") == 0)
        return CM_CSV_FAULT(csv, header.line, error,
                            "counts that catmint count writes as CSV have no seconds: count with --format json");
    if (strcmp(header.fields[0], events[0]) != 0)
        return add_programs(roofline, csv, error);
    cm_status status = cm_table_read(csv, 1, events, NULL, &table, error);
    CM_THEN(status, add_counted(roofline, cm_csv_path(csv), table, error));
    cm_table_free(table);
    return status;
}

static cm_status add_document(cm_roofline *roofline, const char *path, cm_error *error)
{
    cm_table *table = NULL;
    cm_status status = cm_counts_table_load(path, &table, error);
    CM_THEN(status, add_counted(roofline, path, table, error));
    cm_table_free(table);
    return status;
}

cm_status cm_roofline_add_points(cm_roofline *roofline, const char *path, cm_error *error)
{
    cm_csv *csv = NULL;
    if (cm_is_json(path))
        return add_document(roofline, path, error);
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, add_rows(roofline, csv, error));
    cm_csv_close(csv);
    return status;
}
