#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "sweep/batch.h"

/* A count below zero is an error that travels as a count: no table takes it. Returns whether there was one. */
static bool find_negative(const cm_batch *batch, const cm_active_set *active, size_t event, char *reason, size_t size)
{
    size_t kernels = batch->benchmark->kernel_count;
    size_t repetitions = batch->state->options->repetitions;
    for (size_t i = 0; i < batch->threads * repetitions * kernels; i++) {
        long long count = active->counts[i * active->count + event];
        if (count >= 0)
            continue;
        snprintf(reason, size, "counted %lld in kernel %s, repetition %zu", count,
                 batch->benchmark->kernels[i % kernels]->name, i / kernels % repetitions + 1);
        return true;
    }
    return false;
}

/* Of the kept counts; those of an event given up are not for the record. */
static cm_status write_event(const cm_batch *batch, const cm_active_set *active, size_t event, double *row,
                             cm_error *error)
{
    size_t kernels = batch->benchmark->kernel_count;
    cm_native_event native = cm_counting_event(batch->state->counting, active->events[event]);
    if (!native.countable)
        return CM_OK;
    size_t runs = batch->threads * batch->state->options->repetitions * kernels;
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
    size_t runs = batch->threads * batch->state->options->repetitions * batch->benchmark->kernel_count;
    double *row = malloc((runs + 1) * sizeof *row);
    cm_status status = row != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < batch->active_count; i++) {
        const cm_active_set *active = &batch->active[i];
        cm_planned_set *planned = &batch->state->plans[active->component].sets[batch->number];
        /* Backwards, so that taking one out leaves the places before it as they are. */
        for (size_t event = active->count; status == CM_OK && event-- > 0;) {
            char reason[256];
            if (find_negative(batch, active, event, reason, sizeof reason))
                status = cm_sweep_give_up(batch->state, planned, event, reason, error);
        }
    }
    for (size_t i = 0; status == CM_OK && i < batch->active_count; i++) {
        const cm_active_set *active = &batch->active[i];
        for (size_t event = 0; status == CM_OK && event < active->count; event++)
            status = write_event(batch, active, event, row, error);
    }
    free(row);
    return status == CM_OK ? cm_journal_commit(batch->state->journal, error) : status;
}
