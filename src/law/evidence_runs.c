/* Repetitions of noisy events, which the noise of sums is made of. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "law/evidence.h"

cm_status cm_evidence_keep_runs(cm_evidence *evidence, cm_usable_event *event, size_t repetitions, cm_error *error)
{
    bool noisy = event->norm > 0.0 && event->noise > cm_the_rules.least * evidence->problem.tolerance;
    if (!noisy || repetitions < 2 || (evidence->repetitions > 0 && repetitions != evidence->repetitions))
        return CM_OK;
    size_t count = evidence->row_capacity * repetitions;
    event->runs = cm_arena_allocate(&evidence->arena, count * sizeof *event->runs);
    if (event->runs == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        event->runs[i] = NAN;
    evidence->repetitions = repetitions;
    return CM_OK;
}

void cm_evidence_take_runs(const cm_evidence *evidence, cm_usable_event *event, size_t first, size_t kernels,
                           const double *vectors, size_t repetitions)
{
    for (size_t k = 0; k < kernels && event->runs != NULL && repetitions == evidence->repetitions; k++)
        for (size_t r = 0; r < repetitions; r++)
            event->runs[(first + k) * repetitions + r] = vectors[r * kernels + k];
}

cm_status cm_evidence_make_noise(cm_evidence *evidence, cm_error *error)
{
    size_t count = evidence->problem.rows + evidence->free_count;
    cm_noise_row *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL)
        return cm_error_no_memory(error);
    for (size_t r = 0; r < count; r++)
        rows[r] = evidence->rows[r].runs;
    cm_sum_noise_free(evidence->noise);
    evidence->noise = NULL;
    evidence->problem.errors_of = NULL;
    cm_status status = cm_sum_noise_create(&evidence->problem, rows, evidence->problem.trust, count,
                                           evidence->repetitions, &evidence->noise, error);
    free(rows);
    return status;
}
