#include "discovery/vectors.h"

#include <stdbool.h>
#include <stdlib.h>

#include <catmint/analysis.h>

#include "core/error.h"

void cm_vectors_of(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                   double *threads, double *vectors)
{
    size_t columns = table->kernel_count, count = event->thread_count;
    for (size_t repetition = 0; repetition < event->repetition_count; repetition++) {
        const double *counts = event->values + repetition * count * columns;
        double *vector = vectors + repetition * choice->count;
        for (size_t kernel = 0; kernel < choice->count; kernel++) {
            size_t column = choice->columns[kernel];
            for (size_t thread = 0; thread < count && count != 1; thread++)
                threads[thread] = counts[thread * columns + column];
            vector[kernel] = count != 1 ? cm_median(threads, count) : counts[column];
            if (table->iterations != NULL)
                vector[kernel] /= table->iterations[column];
        }
    }
}

cm_status cm_vectors_create(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                            double **vectors, cm_error *error)
{
    double *threads = malloc((event->thread_count + 1) * sizeof *threads);
    *vectors = malloc((event->repetition_count * choice->count + 1) * sizeof **vectors);
    bool made = threads != NULL && *vectors != NULL;
    if (made)
        cm_vectors_of(event, table, choice, threads, *vectors);
    free(threads);
    return made ? CM_OK : cm_error_no_memory(error);
}
