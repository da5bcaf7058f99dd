/* Programs as controls: rows of the evidence beside those of kernels. */
#include "verify/validation/validation.h"

/* ---- rows ---- */

/* One iteration of a program, as the facts of a kernel. */
static cm_kernel_facts *describe_program(cm_evidence *evidence, const cm_program_table *table, size_t program)
{
    size_t count = cm_fact_count();
    cm_kernel_facts *kernel = cm_arena_allocate(&evidence->arena, sizeof *kernel);
    double *values = cm_arena_allocate(&evidence->arena, 3 * count * sizeof *values);
    char *name = cm_arena_text(&evidence->arena, table->programs[program]);
    if (kernel == NULL || values == NULL || name == NULL)
        return NULL;
    *kernel = (cm_kernel_facts){name, name, CM_KERNEL_CONTROL, values, values + count, values + 2 * count};
    for (size_t i = 0; i < count; i++) {
        kernel->values[i] = table->facts[program * count + i] / table->iterations[program];
        kernel->chances[i] = 0.0;
        kernel->ranges[i] = table->ranges[program * count + i] / table->iterations[program];
    }
    return kernel;
}

/* Makes room in front of the rows that no verdict looks at. */
static cm_status insert_rows(cm_evidence *evidence, size_t count, cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    size_t at = problem->rows, behind = evidence->free_count;
    cm_status status = cm_evidence_grow(evidence, at + count + behind, error);
    if (status != CM_OK)
        return status;
    memmove(evidence->rows + at + count, evidence->rows + at, behind * sizeof *evidence->rows);
    memmove(problem->kernels + at + count, problem->kernels + at, behind * sizeof *problem->kernels);
    memmove(problem->iterations + at + count, problem->iterations + at, behind * sizeof *problem->iterations);
    memmove(problem->hits + at + count, problem->hits + at, behind * sizeof *problem->hits);
    memmove(problem->trust + at + count, problem->trust + at, behind * sizeof *problem->trust);
    memmove(problem->payloads + at + count, problem->payloads + at, behind * sizeof *problem->payloads);
    return CM_OK;
}

/* Adds each chosen program to the evidence as a kernel of its own. */
static cm_status add_rows(cm_evidence *evidence, const cm_program_table *table, const bool *chosen, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < table->program_count; i++) {
        const cm_kernel_facts *kernel = chosen[i] ? describe_program(evidence, table, i) : NULL;
        if (chosen[i])
            status = kernel != NULL
                         ? cm_evidence_add_row(evidence, table->programs[i], kernel, table->iterations[i], error)
                         : cm_error_no_memory(error);
        evidence->problem.programs += chosen[i] && status == CM_OK;
    }
    return status;
}

/* ---- counts ---- */

/* An event that was not counted in the programs says nothing there, nor does one with an offset: that is of kernels. */
static cm_status extend_event(cm_evidence *evidence, size_t place, size_t first, const cm_program_table *table,
                              const bool *chosen, cm_error *error)
{
    cm_usable_event *event = &evidence->problem.events[place];
    cm_event_analysis judged = cm_analysis_event(evidence->problem.analysis, event->index);
    size_t rows = evidence->problem.rows, behind = evidence->free_count, row = first;
    size_t found = cm_program_table_find(table, judged.event);
    double *mean = cm_arena_allocate(&evidence->arena, 2 * (rows + behind + 1) * sizeof *mean);
    if (mean == NULL)
        return cm_error_no_memory(error);
    double *deviation = mean + rows + behind + 1;
    bool known = found < table->event_count && judged.offset == 0.0;
    memcpy(mean, event->mean, first * sizeof *mean);
    memcpy(deviation, event->error, first * sizeof *mean);
    for (size_t i = 0; i < table->program_count; i++) {
        size_t at = found * table->program_count + i;
        if (!chosen[i])
            continue;
        mean[row] = known ? table->counts[at] / table->iterations[i] : NAN;
        deviation[row++] = known ? table->errors[at] / table->iterations[i] : 0.0;
    }
    memcpy(mean + rows, event->mean + first, behind * sizeof *mean);
    memcpy(deviation + rows, event->error + first, behind * sizeof *mean);
    event->mean = mean;
    event->error = deviation;
    return CM_OK;
}

/* ---- meanings ---- */

/* By the facts: a program's sum may decide a range that one kernel leaves open. `buffer`: two numbers a program. */
static cm_status mean_on_programs(cm_evidence *evidence, size_t metric, size_t first, const cm_program_table *table,
                                  const bool *chosen, double *buffer, cm_error *error)
{
    const char *meaning = evidence->signatures->metrics[metric].meaning;
    size_t metrics = evidence->signatures->metric_count, row = first;
    double *ranges = buffer + table->program_count;
    cm_status status = cm_validation_means(meaning != NULL ? meaning : "", table, buffer, ranges, error);
    for (size_t i = 0; status == CM_OK && i < table->program_count; i++) {
        if (!chosen[i])
            continue;
        double *means = evidence->rows[row++].means;
        means[metric] = buffer[i] / table->iterations[i];
        means[metrics + metric] = ranges[i] / table->iterations[i];
    }
    return status;
}

/* Sets the metrics' expected values on the rows of programs, which begin at `first`. */
static cm_status mean_all(cm_evidence *evidence, size_t first, const cm_program_table *table, const bool *chosen,
                          cm_error *error)
{
    size_t metrics = evidence->signatures->metric_count;
    double *buffer = calloc(2 * table->program_count + 1, sizeof *buffer);
    cm_status status = buffer != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t r = first; status == CM_OK && r < evidence->problem.rows; r++) {
        evidence->rows[r].means = cm_arena_allocate(&evidence->arena, 2 * (metrics + 1) * sizeof *buffer);
        status = evidence->rows[r].means != NULL ? CM_OK : cm_error_no_memory(error);
    }
    for (size_t m = 0; status == CM_OK && m < metrics; m++)
        status = mean_on_programs(evidence, m, first, table, chosen, buffer, error);
    free(buffer);
    return status;
}

/* ---- all ---- */

/* Extends the evidence by the chosen programs, from row `first` on, and makes its targets anew. */
static cm_status extend_rows(cm_evidence *evidence, size_t first, const cm_program_table *table, const bool *chosen,
                             cm_error *error)
{
    cm_status status = mean_all(evidence, first, table, chosen, error);
    for (size_t i = 0; status == CM_OK && i < evidence->problem.event_count; i++)
        status = extend_event(evidence, i, first, table, chosen, error);
    cm_evidence_free_targets(evidence);
    CM_THEN(status, cm_evidence_make_targets(evidence, error));
    return status;
}

cm_status cm_evidence_add_programs(cm_evidence *evidence, const cm_program_table *table, const bool *chosen,
                                   cm_error *error)
{
    size_t first = evidence->problem.rows, count = 0;
    for (size_t i = 0; i < table->program_count; i++)
        count += chosen[i];
    cm_status status = insert_rows(evidence, count, error);
    CM_THEN(status, add_rows(evidence, table, chosen, error));
    CM_THEN(status, extend_rows(evidence, first, table, chosen, error));
    return status == CM_OK ? cm_evidence_make_noise(evidence, error) : status;
}
