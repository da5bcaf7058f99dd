/* Importing what NVIDIA's ncu (Nsight Compute) counted while kernels of catmint ran: its CSV, a launch a row (--page
 * raw) or a metric a row. */
#ifndef CATMINT_IMPORT_NCU_H
#define CATMINT_IMPORT_NCU_H

#include <stddef.h>

#include <catmint/error.h>
#include <catmint/import_table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_ncu_import_options {
    const char *path;
    const char *directory; /* where <benchmark>.csv goes; made where it is missing */
    const char *benchmark; /* whose kernels they are; NULL: gpu-flops */
    size_t iterations;     /* of the loop of each thread; 0: not known, counts are of one thread's whole loop */
    void (*note)(const char *text, void *data); /* what was understood, and what was left out; may be NULL */
    void *note_data;
} cm_ncu_import_options;

/* Writes a measurement table of the metrics that are counts, as events of PAPI's component cuda
 * (cuda:::NAME:stat=sum). Launches of one kernel are repetitions; counts are divided by the threads of a launch, where
 * the file has its grid and block, and by the iterations. An event with a launch in which it was not counted is left
 * out. CM_BAD_INPUT with the line for what is no such CSV, has none of the benchmark's kernels, or a kernel with
 * launches of different sizes; CM_IO. `summary` may be NULL. */
CM_API cm_status cm_import_ncu(const cm_ncu_import_options *options, cm_table_import_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
