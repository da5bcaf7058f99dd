#include "sweep/plan/plan.h"

enum { MEMORY_LEVEL = 4 }; /* level of a chain */

void cm_quiet_body(uint64_t turns, cm_kernel_data *data)
{
    (void)data;
    for (uint64_t left = turns; left > 0; left--)
        __asm__ volatile("" : "+r"(left));
}

static bool leaves_caches(const cm_sweep_benchmark *benchmark)
{
    for (size_t i = 0; i < benchmark->kernel_count; i++)
        if (benchmark->kernels[i]->level == MEMORY_LEVEL &&
            (benchmark->kernels[i]->chain & ~(unsigned)CM_CHAIN_PLACE) == 0)
            return true;
    return false;
}

/* Turns of mixtures and of rare misses take long beside the lines that they move, so that the lines of others would be
 * most of the count. Of runs, of prefetches by instruction and of wrong paths, nobody knows the lines that come from
 * memory, if they are counted as any line is. */
static bool tells_little(const cm_kernel *kernel)
{
    return (kernel->chain & (CM_CHAIN_RUNS | CM_CHAIN_THIRDS)) != 0 || strstr(kernel->name, "mixture") != NULL ||
           strstr(kernel->name, "+hint_") != NULL || strstr(kernel->name, "+rare") != NULL ||
           strstr(kernel->name, "+fifth") != NULL;
}

/* Takes the kernels out that add little to the others. */
static void leave_out_some(cm_sweep_benchmark *benchmark)
{
    size_t kept = 0;
    for (size_t i = 0; i < benchmark->kernel_count; i++) {
        if (tells_little(benchmark->kernels[i]))
            continue;
        benchmark->kernels[kept] = benchmark->kernels[i];
        benchmark->iterations[kept] = benchmark->iterations[i];
        benchmark->buffers[kept] = benchmark->buffers[i];
        benchmark->placements[kept++] = benchmark->placements[i];
    }
    benchmark->kernel_count = kept;
}

/* Doubles the arrays, so that each kernel gets a quiet one; false without memory. */
static bool double_arrays(cm_sweep_benchmark *benchmark)
{
    size_t count = benchmark->kernel_count;
    const cm_kernel **kernels = realloc(benchmark->kernels, (2 * count + 1) * sizeof *kernels);
    benchmark->kernels = kernels != NULL ? kernels : benchmark->kernels;
    double *iterations = realloc(benchmark->iterations, (2 * count + 1) * sizeof *iterations);
    benchmark->iterations = iterations != NULL ? iterations : benchmark->iterations;
    void **buffers = realloc(benchmark->buffers, (2 * count + 1) * sizeof *buffers);
    benchmark->buffers = buffers != NULL ? buffers : benchmark->buffers;
    cm_placement *placements = realloc(benchmark->placements, (2 * count + 1) * sizeof *placements);
    benchmark->placements = placements != NULL ? placements : benchmark->placements;
    benchmark->quiet = calloc(count + 1, sizeof *benchmark->quiet);
    benchmark->quiet_names = calloc(count + 1, sizeof *benchmark->quiet_names);
    return kernels != NULL && iterations != NULL && buffers != NULL && placements != NULL && benchmark->quiet != NULL &&
           benchmark->quiet_names != NULL;
}

/* Makes the quiet kernel that follows a kernel. */
static cm_status make_quiet(cm_sweep_benchmark *benchmark, size_t kernel, cm_error *error)
{
    const cm_kernel *before = benchmark->kernels[kernel];
    char **name = &benchmark->quiet_names[kernel];
    if (asprintf(name, CM_QUIET_MARK "%s", before->name) < 0) {
        *name = NULL;
        return cm_error_no_memory(error);
    }
    benchmark->quiet[kernel] = (cm_kernel){.name = *name,
                                           .benchmark = before->benchmark,
                                           .iterations = before->iterations,
                                           .software_iterations = before->software_iterations,
                                           .body = cm_quiet_body};
    return CM_OK;
}

/* Moves kernels apart, from the last one on, so that none is overwritten. */
static void spread_kernels(cm_sweep_benchmark *benchmark)
{
    for (size_t i = benchmark->kernel_count; i-- > 0;) {
        benchmark->kernels[2 * i + 1] = &benchmark->quiet[i];
        benchmark->kernels[2 * i] = benchmark->kernels[i];
        benchmark->iterations[2 * i] = benchmark->iterations[2 * i + 1] = benchmark->iterations[i];
        benchmark->buffers[2 * i] = benchmark->buffers[i];
        benchmark->buffers[2 * i + 1] = NULL;
        benchmark->placements[2 * i] = benchmark->placements[i];
        benchmark->placements[2 * i + 1] = (cm_placement){0};
    }
    benchmark->kernel_count *= 2;
}

cm_status cm_quiet_kernels_add(cm_sweep_benchmark *benchmark, cm_error *error)
{
    leave_out_some(benchmark);
    if (!leaves_caches(benchmark))
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "no kernel of %s goes through memory, which events of a socket need: expected dcache or "
                       "dcache-write, with room for their chains (--max-buffer)",
                       benchmark->name);
    cm_status status = double_arrays(benchmark) ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < benchmark->kernel_count; i++)
        status = make_quiet(benchmark, i, error);
    if (status == CM_OK)
        spread_kernels(benchmark);
    return status;
}

void cm_quiet_kernels_clear(cm_sweep_benchmark *benchmark)
{
    for (size_t i = 0; benchmark->quiet_names != NULL && benchmark->quiet_names[i] != NULL; i++)
        free(benchmark->quiet_names[i]);
    CM_FREE(benchmark->quiet_names, benchmark->quiet);
}
