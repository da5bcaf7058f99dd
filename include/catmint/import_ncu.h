/* Imports the counts of NVIDIA's ncu (Nsight Compute) and of AMD's rocprofv3 for kernels of catmint. ncu's CSV has a
 * launch a row (--page raw) or a metric a row, that of rocprofv3 a counter a row. */
#ifndef CATMINT_IMPORT_NCU_H
#define CATMINT_IMPORT_NCU_H

#include <stddef.h>

#include <catmint/error.h>
#include <catmint/import_table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_ncu_import_options {
    size_t size; /* of this structure */
    const char *path;
    const char *directory; /* output directory for <benchmark>.csv; made if it is missing */
    const char *benchmark; /* benchmark of the kernels; NULL: gpu-flops */
    size_t iterations;     /* of the loop of each thread; 0: not known, counts are per thread for its whole loop */
    void (*note)(const char *text, void *data); /* called with a line for everything that was recognised or left out;
                                                 * may be NULL */
    void *note_data;
    size_t more_count; /* further files: other repetitions, or other metrics */
    const char *const *more;
} cm_ncu_import_options;
CM_OPTIONS_DEFAULT(cm_ncu_import_options)

/* Writes a measurement table of the metrics that are counts, as events of PAPI's components cuda (cuda:::NAME:stat=sum)
 * and rocp_sdk (rocp_sdk:::NAME).
 * Launches of one kernel are repetitions; counts are divided by the threads of a launch, or by AMD's wavefronts, if the
 * file has its grid and block, and by the iterations. An event that was not counted in each launch is left out.
 * CM_BAD_INPUT with the line if the file is no such CSV, has none of the benchmark's kernels, or has a kernel with
 * launches of different sizes; CM_IO. `summary` may be NULL. */
CM_API cm_status cm_import_ncu(const cm_ncu_import_options *options, cm_table_import_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
