/* The benchmarks and their thresholds. */
#include <catmint/tables.h>

#include "analysis/numerics.h"
#include "core/csv.h"

enum { NAME, TAU, ALPHA, RESIDUAL, QUANTUM, BENCHMARK_DESCRIPTION, BENCHMARK_COLUMNS };
static const char *const benchmark_columns[BENCHMARK_COLUMNS] = {"benchmark", "tau",     "alpha",
                                                                 "residual",  "quantum", "description"};

/* CM_BAD_INPUT if a threshold is out of range. */
static cm_status check_ranges(const cm_csv *csv, size_t line, const double *numbers, cm_error *error)
{
    for (size_t i = TAU; i <= QUANTUM; i++)
        if (numbers[i] < 0.0)
            return CM_CSV_FAULT(csv, line, error, "%s is negative", benchmark_columns[i]);
    if (numbers[ALPHA] == 0.0 || numbers[ALPHA] >= 1.0)
        return CM_CSV_FAULT(csv, line, error, "alpha is %g, expected between 0 and 1", numbers[ALPHA]);
    if (numbers[RESIDUAL] >= 1.0)
        return CM_CSV_FAULT(csv, line, error, "residual is %g, expected less than 1", numbers[RESIDUAL]);
    if (numbers[QUANTUM] != 0.0 && (numbers[QUANTUM] < CM_SMALLEST_VALUE || numbers[QUANTUM] > CM_LARGEST_VALUE))
        return CM_CSV_FAULT(csv, line, error, "quantum is %g, expected 0, or 1e-100 to 1e100", numbers[QUANTUM]);
    return CM_OK;
}

/* Reads one benchmark. */
static cm_status read_benchmark(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_benchmarks *benchmarks = data;
    double numbers[BENCHMARK_COLUMNS] = {0};
    cm_status status = cm_csv_name(csv, row, NAME, error);
    for (size_t i = TAU; i <= QUANTUM && status == CM_OK; i++)
        status = cm_csv_number(csv, row, i, &numbers[i], error);
    CM_THEN(status, check_ranges(csv, row->line, numbers, error));
    if (status != CM_OK)
        return status;
    if (cm_benchmarks_find(benchmarks, row->fields[NAME]) != NULL)
        return CM_CSV_FAULT(csv, row->line, error, "benchmark '%s' appears twice", row->fields[NAME]);
    if (!CM_GROW_BY_ONE(benchmarks->items, benchmarks->count))
        return cm_error_no_memory(error);
    cm_benchmark *item = &benchmarks->items[benchmarks->count++];
    *item = (cm_benchmark){.name = strdup(row->fields[NAME]),
                           .tau = numbers[TAU],
                           .alpha = numbers[ALPHA],
                           .residual = numbers[RESIDUAL],
                           .quantum = numbers[QUANTUM],
                           .description = strdup(row->fields[BENCHMARK_DESCRIPTION])};
    return item->name != NULL && item->description != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_benchmarks_load(const char *path, cm_benchmarks **benchmarks, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status != CM_OK)
        return status;
    cm_benchmarks *loaded = calloc(1, sizeof *loaded);
    status = loaded != NULL ? cm_csv_each_row(csv, BENCHMARK_COLUMNS, benchmark_columns, read_benchmark, loaded, error)
                            : cm_error_no_memory(error);
    if (status == CM_OK && loaded->count == 0)
        status = CM_CSV_FAULT(csv, cm_csv_header(csv).line, error, "no benchmark follows the header");
    cm_csv_close(csv);
    CM_HAND_OVER(status, benchmarks, loaded, cm_benchmarks_free);
    return status;
}

void cm_benchmarks_free(cm_benchmarks *benchmarks)
{
    if (benchmarks == NULL)
        return;
    for (size_t i = 0; i < benchmarks->count; i++) {
        CM_FREE(benchmarks->items[i].name, benchmarks->items[i].description);
    }
    CM_FREE(benchmarks->items, benchmarks);
}

const cm_benchmark *cm_benchmarks_find(const cm_benchmarks *benchmarks, const char *name)
{
    return CM_FIND_ITEM(name, name, benchmarks->items, benchmarks->count);
}
