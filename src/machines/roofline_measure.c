/* Measures a roofline: the kernels and sizes to time, and the figures made of the times. */
#include "machines/roofline.h"

enum { AGAIN = 3, ROOFLINE_ROUNDS = 4, ROOFLINE_REPETITIONS = 9, LEAST_MEMORY = 64 << 20 };

/* duration of a repetition */
static const double seconds = 0.002;
/* share of the time that is kept for figures that contradict others */
static const double kept = 0.2;

/* Timings, and the ceiling that each measures. */
struct plan {
    size_t count;
    cm_timing *timings;
    cm_ceiling *ceilings;
};

/* Appends one timing with its ceiling. */
static cm_status add_timing(struct plan *plan, const cm_timing *timing, const cm_ceiling *ceiling, cm_error *error)
{
    if (!CM_GROW_BY_ONE(plan->timings, plan->count) || !CM_GROW_BY_ONE(plan->ceilings, plan->count))
        return cm_error_no_memory(error);
    plan->timings[plan->count] = *timing;
    plan->ceilings[plan->count] = *ceiling;
    plan->ceilings[plan->count].operation = timing->kernel->operation;
    plan->ceilings[plan->count].vectors = timing->kernel->vectors;
    plan->ceilings[plan->count].precision = timing->kernel->precision;
    plan->count++;
    return CM_OK;
}

/* Additions, multiplications and their mixtures; divisions and roots, which are slow by nature, in double precision. */
static bool is_arithmetic(const cm_timed_kernel *kernel)
{
    static const char *const names[] = {"add", "mul", "add_mul", "fma", "div", "sqrt"};
    enum { OF_ANY_PRECISION = 4, NAMES = CM_COUNT_OF(names) };
    if (kernel->kind != CM_TIMED_RATE)
        return false;
    return CM_HAS(kernel->operation, names, (kernel->precision == CM_DOUBLE ? NAMES : OF_ANY_PRECISION));
}

/* Plans the arithmetic of each precision, and the matrix product. */
static cm_status plan_flops(struct plan *plan, size_t cores, unsigned precisions, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < cm_timed_kernel_count && status == CM_OK; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        if (is_arithmetic(kernel) && cm_timed_available(kernel) && (precisions & 1u << kernel->precision) != 0)
            status = add_timing(plan, &(cm_timing){.kernel = kernel, .bytes = CM_TIMED_STEP},
                                &(cm_ceiling){.kind = CM_CEILING_FLOPS, .level = "", .cores = cores}, error);
    }
    if (status == CM_OK && (precisions & 1u << CM_DOUBLE) != 0)
        status = add_timing(plan, &(cm_timing){.kernel = &cm_product_kernel, .bytes = CM_PRODUCT_BYTES},
                            &(cm_ceiling){.kind = CM_CEILING_FLOPS, .level = "", .cores = cores}, error);
    return status;
}

/* The size of a cache for one core of the team; the last level is divided among those that share it. */
static double cache_share(const cm_geometry *geometry, size_t level)
{
    bool last = level + 1 == CM_CACHE_LEVELS || geometry->caches[level + 1] == 0;
    return (double)geometry->caches[level] / (last && geometry->sharers > 0 ? (double)geometry->sharers : 1.0);
}

double cm_level_bytes(const cm_geometry *geometry, size_t level)
{
    double last = 0.0, below = 0.0;
    for (size_t i = 0; i < CM_CACHE_LEVELS && geometry->caches[i] != 0; i++)
        last = cache_share(geometry, i);
    if (level == CM_CACHE_LEVELS)
        return fmax(LEAST_MEMORY, CM_TIMED_CACHES * last);
    if (level > 0)
        below = (double)geometry->caches[level - 1];
    return geometry->caches[level] == 0 ? 0.0 : fmax(0.5 * cache_share(geometry, level), 1.5 * below);
}

static size_t array_bytes(const cm_timed_kernel *kernel, double bytes)
{
    double each = bytes / cm_timed_operation_find(kernel->operation)->arrays;
    return CM_TIMED_STEP * (size_t)fmax(1.0, floor(each / CM_TIMED_STEP));
}

/* Plans the timing of a stream through arrays of this size, as a figure of a level of caches. */
static cm_status plan_stream(struct plan *plan, const cm_timing *timing, cm_ceiling_kind kind, size_t level,
                             size_t cores, cm_error *error)
{
    const cm_timed_operation *operation = cm_timed_operation_find(timing->kernel->operation);
    return add_timing(plan, timing,
                      &(cm_ceiling){.kind = kind,
                                    .level = cm_level_name(level),
                                    .bytes = (double)operation->arrays * (double)timing->bytes,
                                    .cores = cores},
                      error);
}

/* Plans every stream in each level that the machine has. */
static cm_status plan_streams(struct plan *plan, const cm_geometry *geometry, size_t cores, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t level = 0; level <= CM_CACHE_LEVELS; level++) {
        double bytes = cm_level_bytes(geometry, level);
        for (size_t i = 0; i < cm_timed_kernel_count && bytes > 0.0 && status == CM_OK; i++) {
            const cm_timed_kernel *kernel = &cm_timed_kernels[i];
            if (kernel->kind == CM_TIMED_STREAM && cm_timed_available(kernel))
                status = plan_stream(plan, &(cm_timing){.kernel = kernel, .bytes = array_bytes(kernel, bytes)},
                                     CM_CEILING_BANDWIDTH, level, cores, error);
        }
    }
    return status;
}

/* The triad of the widest vectors; NULL: there is none. */
static const cm_timed_kernel *find_triad(void)
{
    const cm_timed_kernel *widest = NULL;
    for (size_t i = 0; i < cm_timed_kernel_count; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        if (kernel->kind == CM_TIMED_STREAM && strcmp(kernel->operation, "triad") == 0 && cm_timed_available(kernel) &&
            (widest == NULL || kernel->bytes > widest->bytes))
            widest = kernel;
    }
    return widest;
}

/* The level that holds so many bytes. */
static size_t level_that_holds(const cm_geometry *geometry, double bytes)
{
    for (size_t level = 0; level < CM_CACHE_LEVELS; level++)
        if (geometry->caches[level] != 0 && bytes <= cache_share(geometry, level))
            return level;
    return CM_CACHE_LEVELS;
}

/* STREAM as papers modify it: every size does the same operations, as many as two passes through the largest arrays.
 * From a quarter of the first cache to the size for memory, two sizes an octave. */
static cm_status plan_sweep(struct plan *plan, const cm_geometry *geometry, size_t cores, cm_error *error)
{
    const cm_timed_kernel *triad = find_triad();
    const double most = cm_level_bytes(geometry, CM_CACHE_LEVELS);
    double least = geometry->caches[0] != 0 ? 0.25 * (double)geometry->caches[0] : 0.25 * (1 << 15);
    cm_status status = CM_OK;
    for (double bytes = least; triad != NULL && bytes <= most && status == CM_OK; bytes *= sqrt(2.0)) {
        cm_timing timing = {.kernel = triad, .bytes = array_bytes(triad, bytes)};
        timing.turns = (uint64_t)fmax(1.0, round(2.0 * (double)array_bytes(triad, most) / (double)timing.bytes));
        status = plan_stream(plan, &timing, CM_CEILING_SIZE, level_that_holds(geometry, bytes), cores, error);
    }
    return status;
}

static cm_reading scaled_reading(const cm_reading *reading, double by)
{
    return (cm_reading){by * reading->median, by * reading->lowest, by * reading->highest};
}

/* Turns turns a second into FLOP/s or B/s. */
static void scale_ceiling(const cm_timing *timing, cm_ceiling *ceiling)
{
    double each = ceiling->kind == CM_CEILING_FLOPS ? cm_timed_flops(timing->kernel, timing->bytes)
                                                    : cm_timed_bytes(timing->kernel, timing->bytes);
    ceiling->rate = scaled_reading(&timing->rate, each);
    ceiling->rounds = scaled_reading(&timing->rounds, each);
    ceiling->clock = timing->clock;
    ceiling->undisturbed = timing->undisturbed;
}

struct progress {
    const cm_roofline_options *options;
    size_t part, parts;
    double began; /* seconds on the clock */
};

/* The time that is left for this part, less a share; 0: there is no limit, and below 1e-6 none is left. */
static double time_left(const struct progress *progress, double less)
{
    const double budget = progress->options->budget, parts = (double)(progress->parts - progress->part);
    return budget > 0.0 ? fmax(1e-9, (1.0 - less) * (budget - (cm_clock_seconds() - progress->began)) / parts) : 0.0;
}

static void show_progress(size_t done, size_t all, void *data)
{
    const struct progress *progress = data;
    if (progress->options->progress != NULL)
        progress->options->progress(progress->part * all + done, progress->parts * all, progress->options->data);
}

/* The triad is a point in its own roofline: its operations a second, the bytes that it loads and stores, and from
 * memory also the memory traffic, in which a line is read before it is written. */
static cm_status add_triad(cm_roofline *roofline, size_t cores, size_t level, cm_error *error)
{
    enum { FLOPS = 2, BYTES = 24, NAME = 32 };
    char name[NAME];
    const cm_ceiling *triad = cm_roofline_stream(roofline, cores, "triad", cm_level_name(level));
    if (triad == NULL)
        return CM_OK;
    snprintf(name, sizeof name, "triad, %s", cm_level_name(level));
    const double turns = triad->rate.median / BYTES;
    const cm_point point = {.name = cm_arena_text(&roofline->arena, name),
                            .flops = FLOPS * turns,
                            .l1_bytes = BYTES * turns,
                            .memory_bytes = level == CM_CACHE_LEVELS ? CM_TRIAD_MOVES * BYTES * turns : NAN,
                            .seconds = 1.0,
                            .cores = cores};
    return point.name != NULL ? cm_roofline_add_point(roofline, &point, error) : cm_error_no_memory(error);
}

static bool is_time_over(const struct progress *progress)
{
    const double left = time_left(progress, 0.0);
    return left > 0.0 && left < 1e-6;
}

/* Measures the contradicted figures from `first` on again: something disturbed them, so the faster one stays. */
static cm_status measure_again(cm_roofline *roofline, cm_timing_options *options, const struct plan *plan, size_t first,
                               const struct progress *progress, cm_error *error)
{
    cm_timing *timings = calloc(plan->count + 1, sizeof *timings);
    size_t *places = calloc(plan->count + 1, sizeof *places), count = 0;
    cm_status status = timings != NULL && places != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < plan->count; i++)
        if (cm_ceiling_contradicted_by(roofline, &roofline->ceilings[first + i]) != NULL) {
            timings[count] = plan->timings[i];
            places[count++] = i;
        }
    options->budget = time_left(progress, 0.0);
    options->progress = NULL; /* no more than was announced */
    if (status == CM_OK && count > 0)
        status = cm_time_kernels(options, timings, count, error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        cm_ceiling *ceiling = &roofline->ceilings[first + places[i]], faster = *ceiling;
        scale_ceiling(&timings[i], &faster);
        if (faster.rate.median > ceiling->rate.median)
            *ceiling = faster;
    }
    CM_FREE(timings, places);
    return status;
}

/* Measures all ceilings on these cores, and adds them and the triad's points to the roofline. */
static cm_status measure_on(cm_roofline *roofline, const cm_roofline_options *options, const cm_cores *cores,
                            struct progress *progress, cm_error *error)
{
    struct plan plan = {0};
    cm_geometry geometry;
    cm_cores_geometry(cores, &geometry);
    cm_status status = plan_flops(&plan, cores->count, options->precisions, error);
    CM_THEN(status, plan_streams(&plan, &geometry, cores->count, error));
    CM_THEN(status, plan_sweep(&plan, &geometry, cores->count, error));
    const size_t first = roofline->ceiling_count;
    cm_timing_options timing = {
        cores,         roofline->rounds, roofline->repetitions, seconds, time_left(progress, kept), options->stop,
        show_progress, progress};
    CM_THEN(status, cm_time_kernels(&timing, plan.timings, plan.count, error));
    for (size_t i = 0; i < plan.count && status == CM_OK; i++) {
        scale_ceiling(&plan.timings[i], &plan.ceilings[i]);
        status = cm_roofline_add_ceiling(roofline, &plan.ceilings[i], error);
    }
    const bool once = roofline->rounds == 1; /* nothing is measured again */
    for (size_t i = 0; i < AGAIN && !once && !is_time_over(progress) && status == CM_OK; i++)
        status = measure_again(roofline, &timing, &plan, first, progress, error);
    for (size_t level = 0; level <= CM_CACHE_LEVELS && status == CM_OK; level++)
        status = add_triad(roofline, cores->count, level, error);
    memcpy(roofline->caches, geometry.caches, sizeof roofline->caches);
    CM_FREE(plan.timings, plan.ceilings);
    return status;
}

static cm_status describe_machine(cm_roofline *roofline, cm_error *error)
{
    cm_machine machine;
    cm_machine_read(&machine);
    roofline->processor = cm_arena_text(&roofline->arena, machine.model_name);
    return roofline->processor != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Measures everything on one core, and then on all of them if there are more. */
static cm_status measure_ceilings(cm_roofline *roofline, const cm_roofline_options *options, cm_cores *cores,
                                  cm_error *error)
{
    const size_t all = cores->available;
    struct progress progress = {options, 0, all > 1 ? 2 : 1, cm_clock_seconds()};
    cm_status status = describe_machine(roofline, error);
    for (; progress.part < progress.parts && status == CM_OK; progress.part++) {
        cores->count = progress.part == 0 ? 1 : all;
        status = measure_on(roofline, options, cores, &progress, error);
    }
    return status;
}

/* Whether the processor computes in all of the requested precisions. */
static cm_status check_precisions(unsigned precisions, cm_error *error)
{
    unsigned known = 0;
    for (size_t i = 0; i < cm_timed_kernel_count; i++)
        if (is_arithmetic(&cm_timed_kernels[i]) && cm_timed_available(&cm_timed_kernels[i]))
            known |= 1u << cm_timed_kernels[i].precision;
    for (unsigned i = 0; known != 0 && i < CM_PRECISIONS; i++)
        if ((precisions & ~known & 1u << i) != 0)
            return CM_FAIL(error, CM_UNSUPPORTED, "this processor has no arithmetic in %s precision",
                           cm_float_precision_name((cm_float_precision)i));
    return CM_OK;
}

cm_status cm_roofline_measure(const cm_roofline_options *options, cm_roofline **roofline, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_roofline_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_roofline_options wanted = *options;
    cm_cores cores = {0};
    if (check_precisions(options->precisions, error) != CM_OK)
        return CM_UNSUPPORTED;
    if (wanted.precisions == 0)
        wanted.precisions = ~0u;
    cm_roofline *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->rounds = wanted.rounds != 0 ? wanted.rounds : ROOFLINE_ROUNDS;
    made->repetitions = wanted.repetitions != 0 ? wanted.repetitions : ROOFLINE_REPETITIONS;
    cm_status status = cm_cores_find_all(wanted.processors != NULL ? wanted.processors : "", &cores, error);
    CM_THEN(status, measure_ceilings(made, &wanted, &cores, error));
    cm_cores_clear(&cores);
    CM_HAND_OVER(status, roofline, made, cm_roofline_free);
    return status;
}
