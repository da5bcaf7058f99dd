/* The kernels of a benchmark that run here. */
#include "cat-kernels/gpu/run.h"
#include "sweep/plan/plan.h"

/* Any number would do. It is the same in every sweep, so that a sweep can be repeated. */
static const uint64_t first_generator = 0x9e3779b97f4a7c15u;

/* CM_BAD_ARGUMENT with the names of all benchmarks. */
static cm_status unknown_benchmark(const char *name, cm_error *error)
{
    const char **known = calloc(cm_kernel_count() + 1, sizeof *known);
    for (size_t i = 0; i < cm_kernel_count() && known != NULL; i++)
        known[i] = cm_kernel_get(i)->benchmark;
    cm_status status =
        known != NULL ? cm_refuse_benchmark(name, known, cm_kernel_count(), error) : cm_error_no_memory(error);
    free(known);
    return status;
}

/* Adds a kernel of this benchmark to those that run here, or to those left out. */
static void take_kernel(cm_sweep_benchmark *benchmark, const cm_kernel *kernel, void *buffer, bool software)
{
    if (strcmp(kernel->benchmark, benchmark->name) != 0)
        return;
    if (!cm_kernel_available(kernel)) {
        benchmark->left_out[benchmark->left_out_count++].kernel = kernel;
        return;
    }
    benchmark->iterations[benchmark->kernel_count] =
        (double)(software ? kernel->software_iterations : kernel->iterations);
    benchmark->buffers[benchmark->kernel_count] = buffer;
    benchmark->kernels[benchmark->kernel_count++] = kernel;
}

cm_status cm_sweep_benchmark_find(const char *name, bool software, const cm_sweep_extension *extension,
                                  cm_sweep_benchmark *benchmark, cm_error *error)
{
    size_t registered = cm_kernel_count(), all = registered + (extension != NULL ? extension->kernel_count : 0);
    *benchmark = (cm_sweep_benchmark){.name = name, .data = {.generator = first_generator}};
    benchmark->kernels = calloc(all + 1, sizeof(const cm_kernel *));
    benchmark->left_out = calloc(all + 1, sizeof *benchmark->left_out);
    benchmark->iterations = calloc(all + 1, sizeof *benchmark->iterations);
    benchmark->buffers = calloc(all + 1, sizeof *benchmark->buffers);
    benchmark->placements = calloc(all + 1, sizeof *benchmark->placements);
    if (benchmark->kernels == NULL || benchmark->left_out == NULL || benchmark->iterations == NULL ||
        benchmark->buffers == NULL || benchmark->placements == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < registered; i++)
        take_kernel(benchmark, cm_kernel_get(i), cm_gpu_description(cm_kernel_get(i)), software);
    for (size_t i = 0; i < all - registered; i++)
        take_kernel(benchmark, extension->kernels[i], extension->buffers != NULL ? extension->buffers[i] : NULL,
                    software);
    if (benchmark->kernel_count == 0 && benchmark->left_out_count == 0)
        return unknown_benchmark(name, error);
    if (benchmark->kernel_count == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "this CPU cannot run any kernel of %s", name);
    return CM_OK;
}

void cm_sweep_benchmark_clear(cm_sweep_benchmark *benchmark)
{
    CM_FREE(benchmark->kernels, benchmark->left_out, benchmark->iterations, benchmark->buffers, benchmark->placements);
    cm_measurements_writer_free(benchmark->writer);
    free(benchmark->kept);
    cm_quiet_kernels_clear(benchmark);
    *benchmark = (cm_sweep_benchmark){0};
}
