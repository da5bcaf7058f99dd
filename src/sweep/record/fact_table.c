/* The table of kernels' facts beside the counts of a sweep. */
#include "sweep/record/record.h"

enum { MOST_REPETITIONS = 100000 }; /* of an option: a manifest with more is no sweep's */

static uint64_t *count_place(const cm_fact_counts *table, size_t repetition, size_t kernel)
{
    return table->counts + (repetition * table->kernel_count + kernel) * cm_fact_count();
}

const uint64_t *cm_fact_counts_of(const cm_fact_counts *table, size_t repetition, size_t kernel)
{
    return count_place(table, repetition, kernel);
}

/* Takes the kernels, and makes room. */
static cm_status prepare_table(const cm_rows *rows, size_t repetitions, cm_fact_counts *table, cm_error *error)
{
    table->kernel_count = rows->kernel_count;
    table->repetitions = repetitions;
    table->iterations = calloc(table->kernel_count + 1, sizeof *table->iterations);
    table->counts = calloc(repetitions * table->kernel_count * cm_fact_count() + 1, sizeof *table->counts);
    return table->iterations != NULL && table->counts != NULL
               ? cm_names_create(table->kernel_count, rows->kernels, &table->kernels, error)
               : cm_error_no_memory(error);
}

/* Takes a fact's counts in one repetition, or in all. */
static cm_status take_counts(const cm_rows *rows, size_t fact, cm_fact_counts *table, cm_error *error)
{
    const size_t repetition = rows->row.repetition, first = repetition > 0 ? repetition - 1 : 0,
                 end = repetition > 0 ? repetition : table->repetitions;
    if (repetition > table->repetitions)
        return CM_CSV_FAULT(rows->csv, rows->row.line, error,
                            "repetition %zu, expected at most %zu, as the manifest says", repetition,
                            table->repetitions);
    for (size_t k = 0; k < table->kernel_count; k++) {
        if (rows->values[k] >= 0x1p63)
            return CM_CSV_FAULT(rows->csv, rows->row.line, error, "column '%s': %g is no count of a fact",
                                table->kernels[k], rows->values[k]);
        for (size_t r = first; r < end; r++)
            count_place(table, r, k)[fact] = (uint64_t)rows->values[k];
    }
    return CM_OK;
}

/* Takes a row of iterations, or of the counts of one fact. */
static cm_status take_row(const cm_rows *rows, bool *known, cm_fact_counts *table, cm_error *error)
{
    const ptrdiff_t fact = cm_fact_find(rows->row.event);
    if (rows->row.has_iterations) {
        memcpy(table->iterations, rows->values, table->kernel_count * sizeof *table->iterations);
        return CM_OK;
    }
    if (fact < 0)
        return CM_CSV_FAULT(rows->csv, rows->row.line, error, "'%.80s' is no fact, expected counts of facts alone",
                            rows->row.event);
    known[fact] = true;
    return take_counts(rows, (size_t)fact, table, error);
}

cm_status cm_fact_counts_load(const char *path, size_t repetitions, bool *known, cm_fact_counts *table, cm_error *error)
{
    cm_rows rows;
    *table = (cm_fact_counts){0};
    if (repetitions == 0 || repetitions > MOST_REPETITIONS)
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                            "manifest.json in the same directory must give 1 to %d repetitions", MOST_REPETITIONS);
    cm_status status = cm_rows_open(path, &rows, error);
    CM_THEN(status, prepare_table(&rows, repetitions, table, error));
    while (status == CM_OK && (status = cm_rows_next(&rows, error)) == CM_OK && rows.found)
        status = take_row(&rows, known, table, error);
    cm_rows_close(&rows);
    return status;
}

void cm_fact_counts_drop(cm_fact_counts *table, const bool *keep)
{
    size_t kept = 0, to = 0, all = table->kernel_count;
    for (size_t i = 0; i < table->repetitions * all; i++)
        if (keep[i % all])
            memmove(table->counts + to++ * cm_fact_count(), table->counts + i * cm_fact_count(),
                    cm_fact_count() * sizeof *table->counts);
    for (size_t k = 0; k < all; k++) {
        char *name = table->kernels[k];
        if (!keep[k]) {
            free(name);
            continue;
        }
        table->kernels[kept] = name;
        table->iterations[kept++] = table->iterations[k];
    }
    table->kernel_count = kept;
}

void cm_fact_counts_clear(cm_fact_counts *table)
{
    cm_free_list(table->kernels, table->kernel_count);
    CM_FREE(table->iterations, table->counts);
    *table = (cm_fact_counts){0};
}
