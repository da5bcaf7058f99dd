#include "sweep/plan/plan.h"

#include <sys/mman.h>

/* STEPPED_CODE: the pieces of code that the software PMU keeps decoded, each with some kilobytes. */
enum { UNROLL = 64, LEVELS = CM_CACHE_LEVELS + 1, STEPPED_CODE = 1 << 17 };

/* Nanoseconds an access may take: latencies of a busy machine, rounded up; under the software PMU two stepped
 * instructions. They only serve to refuse chains that would take far too long. */
static const double latencies[LEVELS] = {5, 20, 80, 250};
static const double stepping = 400;

/* Sets the limits; the default leaves most of the memory to other processes. */
static cm_status find_limits(cm_sweep_state *state, cm_error *error)
{
    if (state->cores.topology != NULL)
        return CM_OK;
    size_t threads = state->options->uncore ? 1 : state->options->threads;
    cm_status status = cm_cores_find(state->counting->core.cpus, threads, &state->cores, error);
    if (status != CM_OK)
        return status;
    if (state->options->max_buffer != 0)
        state->max_buffer = state->options->max_buffer;
    if (state->max_buffer == 0)
        state->max_buffer = cm_free_memory() / 4 / state->cores.count;
    return CM_OK;
}

/* Whether the system allows written memory to be executed. */
static bool may_execute(size_t page)
{
    void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    bool may = mprotect(memory, page, PROT_READ | PROT_EXEC) == 0;
    munmap(memory, page);
    return may;
}

/* CM_UNSUPPORTED if the kernel needs a chain of code that cannot run here. */
static cm_status check_code(const cm_geometry *geometry, const cm_placement *placement, bool software, cm_error *error)
{
    if ((placement->kind & CM_CHAIN_CODE) == 0)
        return CM_OK;
    if (software && placement->extent / placement->stride > STEPPED_CODE)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "a chain of %zu pieces of code is longer than the %d that the software PMU keeps",
                       placement->extent / placement->stride, STEPPED_CODE);
    if (!may_execute(geometry->page))
        return CM_FAIL(error, CM_UNSUPPORTED, "the system refuses executable memory");
    return CM_OK;
}

/* Once around the chain if time allows: a part of it need not be typical. */
static uint64_t choose_iterations(const cm_kernel *kernel, const cm_placement *placement, bool software)
{
    uint64_t least = software ? kernel->software_iterations : kernel->iterations;
    uint64_t length = (placement->extent / placement->stride + UNROLL - 1) / UNROLL * UNROLL;
    return software || length < least ? least : length;
}

static double chain_seconds(const cm_sweep_state *state, const cm_kernel *kernel, const cm_placement *placement,
                            double iterations)
{
    bool software = cm_counting_software_pmu(state->counting) != NULL;
    double passes = (double)placement->extent / (double)placement->stride * cm_warm_up_passes(kernel);
    return 1e-9 * (software ? stepping : latencies[kernel->level - 1]) * (passes + iterations);
}

double cm_sweep_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    double seconds = 0.0;
    for (size_t i = 0; i < benchmark->kernel_count; i++)
        if (benchmark->kernels[i]->level != 0)
            seconds += chain_seconds(state, benchmark->kernels[i], &benchmark->placements[i], benchmark->iterations[i]);
    return seconds;
}

double cm_sweep_longest_chain_seconds(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    double longest = 0.0;
    for (size_t i = 0; i < benchmark->kernel_count; i++)
        if (benchmark->kernels[i]->level != 0)
            longest = fmax(longest, chain_seconds(state, benchmark->kernels[i], &benchmark->placements[i],
                                                  benchmark->iterations[i]));
    return longest;
}

/* Places the chain of a kernel and chooses its iterations; CM_UNSUPPORTED if it cannot, or takes too long. */
static cm_status place_chain(cm_sweep_state *state, const cm_kernel *kernel, const cm_geometry *geometry,
                             cm_placement *placement, double *iterations, cm_error *error)
{
    bool software = cm_counting_software_pmu(state->counting) != NULL;
    cm_status status = cm_place_kernel(geometry, kernel, state->max_buffer, placement, error);
    CM_THEN(status, check_code(geometry, placement, software, error));
    CM_THEN(status, cm_sweep_try_huge(state, geometry, placement, error));
    if (status != CM_OK)
        return status;
    *iterations = (double)choose_iterations(kernel, placement, software);
    double seconds = chain_seconds(state, kernel, placement, *iterations);
    if (seconds > state->options->max_kernel_seconds)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "a chain of %.1f MiB takes up to %.1f s, the limit is %g s (--max-kernel-seconds)",
                       (double)placement->extent / 0x1p20, seconds, state->options->max_kernel_seconds);
    return CM_OK;
}

/* Names in one line the kernels that are left out for the same reason. */
static void write_left_out(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark, size_t first)
{
    for (size_t i = first, end; i < benchmark->left_out_count; i = end) {
        for (end = i + 1; end < benchmark->left_out_count; end++)
            if (strcmp(benchmark->left_out[end].reason, benchmark->left_out[i].reason) != 0)
                break;
        bool several = end - i > 1;
        cm_sweep_write_message(state, "%s: %s%s%s left out: %s", benchmark->name, benchmark->left_out[i].kernel->name,
                               several ? " to " : " is", several ? benchmark->left_out[end - 1].kernel->name : "",
                               benchmark->left_out[i].reason);
    }
}

unsigned cm_warm_up_passes(const cm_kernel *kernel)
{
    return kernel->level <= CM_CACHE_LEVELS ? 2 : 1; /* memory needs no warming */
}

const cm_kernel *cm_warm_up_kernel(const cm_kernel *kernel)
{
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const cm_kernel *other = cm_kernel_get(i);
        if (other->level == kernel->level && other->chain == kernel->chain &&
            strcmp(other->benchmark, kernel->benchmark) == 0)
            return other;
    }
    return kernel;
}

/* Whether only chains of the first level are left of the first kernel's kind: nothing would miss, and reads would pass
 * for hits. Chains of another kind are controls, and all of a benchmark that begins without one. */
static bool first_level_alone(const cm_sweep_benchmark *benchmark, size_t count, const cm_kernel *first)
{
    if (first->level == 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (benchmark->kernels[i]->level > 1 && ((benchmark->kernels[i]->chain ^ first->chain) & CM_CHAIN_CODE) == 0)
            return false;
    return true;
}

/* Whether two kernels differ only in the cache that is to have the lines of their pages: on a machine one of them runs.
 */
static bool stand_in(const cm_kernel *kernel, const cm_kernel *other)
{
    const unsigned place = kernel->chain & CM_CHAIN_PLACE, others = other->chain & CM_CHAIN_PLACE;
    return (kernel->chain & CM_CHAIN_PAGES) != 0 && ((kernel->chain ^ other->chain) & ~(unsigned)CM_CHAIN_PLACE) == 0 &&
           place != 0 && others != 0 && place != others && kernel->level == other->level && kernel->body == other->body;
}

/* Whether one of the first `count` kernels of the benchmark stands in for this one. */
static bool is_replaced(const cm_sweep_benchmark *benchmark, size_t count, const cm_kernel *kernel)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = stand_in(kernel, benchmark->kernels[i]);
    return found;
}

/* Forgets the kernels, from `first` on, that were left out and for which another one runs; if none does, the last
 * reason is said. */
static void forget_replaced(cm_sweep_benchmark *benchmark, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < benchmark->left_out_count; i++) {
        bool replaced = is_replaced(benchmark, benchmark->kernel_count, benchmark->left_out[i].kernel);
        for (size_t j = i + 1; j < benchmark->left_out_count && !replaced; j++)
            replaced = stand_in(benchmark->left_out[i].kernel, benchmark->left_out[j].kernel);
        if (!replaced)
            benchmark->left_out[kept++] = benchmark->left_out[i];
    }
    benchmark->left_out_count = kept;
}

cm_status cm_sweep_place_chains(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    bool any = false;
    cm_geometry geometry;
    const cm_pmu_model *model = cm_counting_model(state->counting);
    if (model != NULL) {
        cm_model_geometry(cm_pmu_model_machine(model), &geometry);
        state->cache_levels = cm_geometry_levels(&geometry);
    }
    for (size_t i = 0; i < benchmark->kernel_count; i++)
        any = any || benchmark->kernels[i]->level != 0;
    if (!any)
        return CM_OK;
    const cm_kernel *first = benchmark->kernels[0];
    cm_error reason = {0};
    const cm_status limits = find_limits(state, &reason);
    if (limits != CM_OK && first->level != 0) {
        CM_FAIL(error, limits, "%s", reason.text);
        return limits;
    }
    if (model == NULL && limits == CM_OK)
        cm_cores_geometry(&state->cores, &geometry);
    state->line = geometry.line;
    state->cache_levels = cm_geometry_levels(&geometry);
    size_t kept = 0, first_left_out = benchmark->left_out_count;
    benchmark->threads = first->level != 0 ? state->cores.count : 0;
    for (size_t i = 0; i < benchmark->kernel_count; i++) {
        const cm_kernel *kernel = benchmark->kernels[i];
        double iterations = benchmark->iterations[i];
        cm_placement placement = {0};
        if (is_replaced(benchmark, kept, kernel))
            continue;
        if (kernel->level == 0 ||
            (limits == CM_OK && place_chain(state, kernel, &geometry, &placement, &iterations, &reason) == CM_OK)) {
            benchmark->kernels[kept] = kernel;
            benchmark->iterations[kept] = iterations;
            benchmark->placements[kept++] = placement;
            continue;
        }
        cm_left_out *out = &benchmark->left_out[benchmark->left_out_count++];
        out->kernel = kernel;
        snprintf(out->reason, sizeof out->reason, "%.255s", reason.text);
    }
    benchmark->kernel_count = kept;
    forget_replaced(benchmark, first_left_out);
    const bool alone = first_level_alone(benchmark, kept, first);
    if (alone || limits != CM_OK || !state->options->brief)
        write_left_out(state, benchmark, first_left_out);
    if (alone)
        return CM_FAIL(error, CM_UNSUPPORTED, "no kernel of %s fits this machine beyond the first cache: %s",
                       benchmark->name, reason.text);
    return CM_OK;
}
