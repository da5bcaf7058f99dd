/* A benchmark in a sweep: its kernels, and their iterations and buffers. */
#ifndef CM_SWEEP_PLAN_BENCHMARK_H
#define CM_SWEEP_PLAN_BENCHMARK_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <catmint/kernels.h>
#include <catmint/tables.h>

#include "sweep/plan/placement.h"

/* ---- extension: kernels outside the registry, swept as those in it ---- */

typedef struct cm_sweep_extension {
    const char *benchmark; /* their benchmark; the registry has none of this name */
    size_t kernel_count;
    const cm_kernel *const *kernels;
    void *const *buffers;   /* one a kernel, the buffer of its data; NULL: none */
    const json_t *options;  /* further members of the manifest's options; a resumed sweep must have the same */
    const json_t *manifest; /* further members of the manifest, which are not compared */
} cm_sweep_extension;

/* ---- benchmark ---- */

/* A kernel that is not run. */
typedef struct cm_left_out {
    const cm_kernel *kernel;
    char reason[256]; /* "" for lack of an instruction set */
} cm_left_out;

/* A benchmark's kernels, split into those that run here and those that cannot. */
typedef struct cm_sweep_benchmark {
    const char *name;
    size_t kernel_count;
    const cm_kernel **kernels;
    double *iterations;       /* one a kernel that runs; depends on the PMU */
    void **buffers;           /* likewise, its buffer; NULL: none, or its chain; for a GPU's kernel its description */
    cm_placement *placements; /* likewise, of its chain if it has one */
    size_t threads;           /* processes that run the kernels at the same time; 0: each by itself */
    size_t left_out_count;
    cm_left_out *left_out;
    cm_measurements_writer *writer;
    cm_kernel *quiet; /* after each kernel an idle one of the same duration, with a name of its own; NULL: none */
    char **quiet_names;
    long *kept; /* one an event of the session: the offset of its counts in the journal, 0: not counted yet */
    cm_kernel_data data;
} cm_sweep_benchmark;

/* Finds the kernels of a benchmark, in the registry or in `extension` (may be NULL); CM_BAD_ARGUMENT if it has none at
 * all, CM_UNSUPPORTED if none runs here. Free with cm_sweep_benchmark_clear, also after a failure. */
cm_status cm_sweep_benchmark_find(const char *name, bool software, const cm_sweep_extension *extension,
                                  cm_sweep_benchmark *benchmark, cm_error *error);
void cm_sweep_benchmark_clear(cm_sweep_benchmark *benchmark);

#endif
