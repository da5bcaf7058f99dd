/* The counts of a batch, event by event, for the journal. */
#include "sweep/run/run.h"

/* CM_UNSUPPORTED if a count is negative: an error code, which no table takes. */
static cm_status refuse_negative(const cm_batch *batch, const cm_active_set *active, cm_error *error)
{
    size_t kernels = batch->benchmark->kernel_count;
    size_t repetitions = cm_sweep_repetitions(batch->state, batch->benchmark);
    for (size_t i = 0; i < batch->threads * repetitions * kernels * active->count; i++) {
        size_t run = i / active->count;
        if (active->counts[i] < 0)
            return CM_FAIL(error, CM_UNSUPPORTED, "counted %lld in kernel %s, repetition %zu", active->counts[i],
                           batch->benchmark->kernels[run % kernels]->name, run / kernels % repetitions + 1);
    }
    return CM_OK;
}

/* Adds an event and its rows to the journal. */
static cm_status write_event(const cm_batch *batch, const cm_active_set *active, size_t event, double *row,
                             cm_error *error)
{
    cm_sweep_state *state = batch->state;
    cm_sweep_benchmark *benchmark = batch->benchmark;
    size_t kernels = benchmark->kernel_count, repetitions = cm_sweep_repetitions(state, benchmark);
    size_t index = active->events[event];
    cm_status status = CM_OK;
    cm_journal_add_event(state->journal, benchmark->name, cm_sweep_key(state, index), &benchmark->kept[index]);
    state->progress.events++;
    for (size_t i = 0; status == CM_OK && i < batch->threads * repetitions; i++) {
        size_t repetition = i / batch->threads, thread = i % batch->threads;
        size_t run = (thread * repetitions + repetition) * kernels;
        for (size_t k = 0; k < kernels; k++)
            row[k] = (double)active->counts[(run + k) * active->count + event];
        status = cm_journal_add_row(state->journal, cm_sweep_label(state, index), repetition + 1, thread, kernels, row,
                                    error);
    }
    return status;
}

cm_status cm_batch_write(cm_batch *batch, cm_error *error)
{
    double *row = malloc((batch->benchmark->kernel_count + 1) * sizeof *row);
    cm_status status = row != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < batch->active_count; i++)
        status = refuse_negative(batch, &batch->active[i], error);
    for (size_t i = 0; status == CM_OK && i < batch->active_count; i++) {
        const cm_active_set *active = &batch->active[i];
        for (size_t event = 0; status == CM_OK && event < active->count; event++)
            status = write_event(batch, active, event, row, error);
    }
    free(row);
    return status == CM_OK ? cm_journal_commit(batch->state->journal, error) : status;
}
