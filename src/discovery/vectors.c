#include "discovery/vectors.h"

#include <stdbool.h>
#include <stdlib.h>

#include <catmint/analysis.h>

#include "analysis/conditions.h"
#include "core/error.h"

/* One run: the median over its threads. */
static double run_of(const cm_measurement *event, const cm_measurements *table, size_t repetition, size_t column,
                     double *threads)
{
    size_t count = event->thread_count;
    const double *counts = event->values + repetition * count * table->kernel_count;
    for (size_t thread = 0; thread < count && count != 1; thread++)
        threads[thread] = counts[thread * table->kernel_count + column];
    return count != 1 ? cm_median(threads, count) : counts[column];
}

/* What an empty run counts, the median over repetitions; by how many counts runs may be off it. */
static double empty_run(const cm_measurement *event, const cm_measurements *table, ptrdiff_t column, double *room,
                        double *slack)
{
    double *runs = room + event->thread_count;
    for (size_t r = 0; r < event->repetition_count; r++)
        runs[r] = column != CM_NO_COLUMN ? run_of(event, table, r, (size_t)column, room) : 0.0;
    *slack = cm_slack_of(runs, event->repetition_count);
    return cm_median(runs, event->repetition_count);
}

double cm_vectors_of(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                     double *room, double *vectors)
{
    double slack, empty = empty_run(event, table, choice->empty, room, &slack);
    for (size_t repetition = 0; repetition < event->repetition_count; repetition++) {
        double *vector = vectors + repetition * choice->count;
        for (size_t kernel = 0; kernel < choice->count; kernel++) {
            size_t column = choice->columns[kernel];
            vector[kernel] = run_of(event, table, repetition, column, room) - empty;
            if (table->iterations != NULL)
                vector[kernel] /= table->iterations[column];
        }
    }
    return slack;
}

cm_status cm_vectors_create(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                            double **vectors, double *slack, cm_error *error)
{
    double *room = malloc((event->thread_count + event->repetition_count + 1) * sizeof *room), found = 0.0;
    *vectors = malloc((event->repetition_count * choice->count + 1) * sizeof **vectors);
    bool made = room != NULL && *vectors != NULL;
    if (made)
        found = cm_vectors_of(event, table, choice, room, *vectors);
    if (slack != NULL)
        *slack = found;
    free(room);
    return made ? CM_OK : cm_error_no_memory(error);
}
