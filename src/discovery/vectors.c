#include "discovery/vectors.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/analysis.h>

#include "core/error.h"

void cm_vectors_of(const cm_measurement *event, const cm_measurements *table, double *threads, double *vectors)
{
    size_t kernels = table->kernel_count, count = event->thread_count;
    for (size_t repetition = 0; repetition < event->repetition_count; repetition++) {
        const double *counts = event->values + repetition * count * kernels;
        double *vector = vectors + repetition * kernels;
        for (size_t kernel = 0; kernel < kernels && count != 1; kernel++) {
            for (size_t thread = 0; thread < count; thread++)
                threads[thread] = counts[thread * kernels + kernel];
            vector[kernel] = cm_median(threads, count);
        }
        if (count == 1)
            memcpy(vector, counts, kernels * sizeof *vector);
        for (size_t kernel = 0; kernel < kernels && table->iterations != NULL; kernel++)
            vector[kernel] /= table->iterations[kernel];
    }
}

cm_status cm_vectors_create(const cm_measurement *event, const cm_measurements *table, double **vectors,
                            cm_error *error)
{
    double *threads = malloc((event->thread_count + 1) * sizeof *threads);
    *vectors = malloc((event->repetition_count * table->kernel_count + 1) * sizeof **vectors);
    bool made = threads != NULL && *vectors != NULL;
    if (made)
        cm_vectors_of(event, table, threads, *vectors);
    free(threads);
    return made ? CM_OK : cm_error_no_memory(error);
}
