/* The parts of a selected event for resampling: its mean, and its representations without one repetition each. */
#include "analysis/state.h"

static size_t rank_of(const cm_analysis *analysis, size_t event)
{
    size_t rank = 0;
    while (rank < analysis->selected_count && analysis->selected[rank] != event)
        rank++;
    return rank;
}

/* For two repetitions or more. `scratch`: R + 2 measurement vectors and a representation. */
static void leave_each_out(const cm_analysis *analysis, const double *counts, size_t repetitions, bool with_offset,
                           double *left_out, double *scratch)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    double *rest = scratch, *mean = rest + (repetitions - 1) * kernels;
    double *residual = mean + kernels, *step = residual + kernels;
    for (size_t r = 0; r < repetitions; r++) {
        memcpy(rest, counts, r * kernels * sizeof *rest);
        memcpy(rest + r * kernels, counts + (r + 1) * kernels, (repetitions - r - 1) * kernels * sizeof *rest);
        cm_mean_vector(rest, repetitions - 1, kernels, mean);
        cm_least_squares_solve(analysis->basis, mean, left_out + r * symbols, residual, step);
        if (with_offset)
            (void)cm_take_offset(analysis, residual, left_out + r * symbols);
    }
}

cm_status cm_analysis_add_repetitions(cm_analysis *analysis, size_t event, const double *vectors, size_t repetitions,
                                      cm_error *error)
{
    size_t rank = analysis != NULL && analysis->pivoted ? rank_of(analysis, event) : 0;
    if (analysis == NULL || !analysis->pivoted || vectors == NULL || repetitions == 0 ||
        rank == analysis->selected_count || analysis->repetitions[rank] != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "repetitions can be added once to a selected event, after the pivoting");
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    double *counts = malloc(repetitions * kernels * sizeof *counts);
    double *scratch = malloc((cm_analysis_scratch_size(analysis, repetitions)) * sizeof *scratch);
    double *left_out = malloc(repetitions * symbols * sizeof *left_out);
    double *mean = cm_arena_allocate(&analysis->arena, kernels * sizeof *mean);
    cm_status status = CM_OK;
    if (counts == NULL || scratch == NULL || left_out == NULL || mean == NULL) {
        free(left_out);
        status = cm_error_no_memory(error);
        goto done;
    }
    if (analysis->thresholds.quantum != 0.0)
        cm_round_to_quantum(vectors, repetitions * kernels, analysis->thresholds.quantum, counts);
    else
        memcpy(counts, vectors, repetitions * kernels * sizeof *counts);
    cm_mean_vector(counts, repetitions, kernels, mean);
    if (repetitions >= 2)
        leave_each_out(analysis, counts, repetitions, analysis->events[event].offset != 0.0, left_out, scratch);
    analysis->events[event].mean = mean;
    analysis->left_out[rank] = left_out;
    analysis->repetitions[rank] = repetitions;
done:
    free(counts);
    free(scratch);
    return status;
}
