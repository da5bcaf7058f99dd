#include <stdlib.h>

#include "core/error.h"
#include "sweep/record/record.h"
#include "sweep/run/run.h"

/* CM_UNSUPPORTED if a count is negative: an error code, which no table takes. */
static cm_status refuse_negative(const cm_batch *batch, const cm_active_set *active, cm_error *error)
{
    size_t kernels = batch->benchmark->kernel_count;
    size_t repetitions = cm_sweep_repetitions(batch->state, batch->benchmark);
    for (size_t i = 0; i < batch->threads * repetitions * kernels * active->count; i++) {
        size_t run = i / active->count;
        if (active->counts[i] < 0)
            return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "counted %lld in kernel %s, repetition %zu",
                                active->counts[i], batch->benchmark->kernels[run % kernels]->name,
                                run / kernels % repetitions + 1);
    }
    return CM_OK;
}

/* Adds the counts of an event to the journal. */
static cm_status write_event(const cm_batch *batch, const cm_active_set *active, size_t event, double *row,
                             cm_error *error)
{
    size_t kernels = batch->benchmark->kernel_count;
    size_t runs = batch->threads * cm_sweep_repetitions(batch->state, batch->benchmark) * kernels;
    for (size_t i = 0; i < runs; i++)
        row[i] = (double)active->counts[i * active->count + event];
    cm_sweep_benchmark *benchmark = batch->benchmark;
    batch->state->progress.events++;
    return cm_journal_add_counts(batch->state->journal, benchmark->name,
                                 cm_sweep_key(batch->state, active->events[event]), runs, row,
                                 &benchmark->kept[active->events[event]], error);
}

cm_status cm_batch_write(cm_batch *batch, cm_error *error)
{
    size_t runs =
        batch->threads * cm_sweep_repetitions(batch->state, batch->benchmark) * batch->benchmark->kernel_count;
    double *row = malloc((runs + 1) * sizeof *row);
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
