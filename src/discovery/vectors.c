#include "discovery/vectors.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <catmint/analysis.h>

#include "analysis/conditions.h"
#include "analysis/spread.h"
#include "analysis/linear.h"
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

/* What an empty run counts, the median over repetitions, and its standard deviation. */
static double empty_run(const cm_measurement *event, const cm_measurements *table, ptrdiff_t column, double *room,
                        double *deviation)
{
    double *runs = room + event->thread_count, mean;
    for (size_t r = 0; r < event->repetition_count; r++)
        runs[r] = column != CM_NO_COLUMN ? run_of(event, table, r, (size_t)column, room) : 0.0;
    cm_runs(runs, event->repetition_count, 0.0, &mean, deviation);
    return cm_median(runs, event->repetition_count);
}

/* The standard deviation of a run of a kernel that counts none of the event; a few repetitions may agree by chance, all
 * such kernels do not. */
static double silent_deviation(const cm_measurement *event, const cm_measurements *table,
                               const cm_kernel_choice *choice, double *room, const double *vectors)
{
    double *runs = room + event->thread_count, squares = 0.0;
    double largest = choice->rough ? cm_vector_largest(vectors, event->repetition_count * choice->count) : 0.0;
    size_t silent = 0, repetitions = event->repetition_count;
    for (size_t kernel = 0; kernel < choice->count && table->iterations != NULL; kernel++) {
        double iterations = table->iterations[choice->columns[kernel]], mean, deviation;
        for (size_t r = 0; r < repetitions; r++)
            runs[r] = vectors[r * choice->count + kernel] * iterations;
        cm_runs(runs, repetitions, largest * iterations, &mean, &deviation);
        if (!cm_is_silent(mean))
            continue;
        squares += deviation * deviation;
        silent++;
    }
    return silent > 0 ? sqrt(squares / (double)silent) : 0.0;
}

double cm_vectors_of(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                     double *room, double *vectors)
{
    double deviation, empty = empty_run(event, table, choice->empty, room, &deviation);
    for (size_t repetition = 0; repetition < event->repetition_count; repetition++) {
        double *vector = vectors + repetition * choice->count;
        for (size_t kernel = 0; kernel < choice->count; kernel++) {
            size_t column = choice->columns[kernel];
            ptrdiff_t quiet = choice->quiet[kernel];
            vector[kernel] = run_of(event, table, repetition, column, room) - empty;
            if (quiet != CM_NO_COLUMN)
                vector[kernel] -= run_of(event, table, repetition, (size_t)quiet, room);
            if (table->iterations != NULL)
                vector[kernel] /= table->iterations[column];
        }
    }
    if (choice->empty == CM_NO_COLUMN)
        return cm_slack_of(0.0);
    return cm_slack_of(fmax(deviation, silent_deviation(event, table, choice, room, vectors)));
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
