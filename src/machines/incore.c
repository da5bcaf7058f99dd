/* One core's latencies and throughputs, measured by the clock of additions. */
#include "machines/roofline.h"

enum { INCORE_ROUNDS = 4, INCORE_REPETITIONS = 15, LOAD_REPETITIONS = 25, COUNTED = 5, PASSES = 4 };

static const double timed_seconds = 0.001, load_seconds = 0.5, counted_seconds = 0.01;

/* One measurement. */
struct run {
    const cm_incore_options *options;
    cm_cores cores;
    cm_incore *incore;
    cm_traffic traffic;
    bool counts; /* the session counts, until it fails */
    size_t pass; /* of PASSES, for progress */
};

void cm_incore_free(cm_incore *incore)
{
    if (incore == NULL)
        return;
    cm_arena_clear(&incore->arena);
    CM_FREE(incore->instructions, incore->clocks, incore->stores, incore->known, incore->kernels, incore);
}

static void show_pass_progress(size_t done, size_t all, void *data)
{
    const struct run *run = data;
    if (run->options->progress != NULL)
        run->options->progress(run->pass * all + done, PASSES * all, run->options->data);
}

static cm_status time_on(struct run *run, size_t rounds, size_t repetitions, double each, cm_timing *timings,
                         size_t count, cm_error *error)
{
    const cm_timing_options options = {&run->cores,        rounds, repetitions, each, 0.0, run->options->stop,
                                       show_pass_progress, run};
    return count > 0 ? cm_time_kernels(&options, timings, count, error) : CM_OK;
}

/* ---- instructions ---- */

static cm_instruction *find_instruction(cm_incore *incore, const char *operation, const char *vectors)
{
    for (size_t i = 0; i < incore->instruction_count; i++)
        if (strcmp(incore->instructions[i].operation, operation) == 0 &&
            strcmp(incore->instructions[i].vectors, vectors) == 0)
            return &incore->instructions[i];
    return NULL;
}

/* Chains of two instructions and mixtures are no instruction, and have no row. */
static bool times_one_instruction(const cm_timed_kernel *kernel)
{
    return (kernel->kind == CM_TIMED_RATE || kernel->kind == CM_TIMED_CHAIN) && kernel->precision == CM_DOUBLE &&
           strcmp(kernel->operation, "add_mul") != 0 && cm_timed_available(kernel);
}

/* Adds a row for each instruction, in the order of the kernels, without figures yet. */
static cm_status list_instructions(cm_incore *incore, cm_error *error)
{
    for (size_t i = 0; i < cm_timed_kernel_count; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        if (!times_one_instruction(kernel) || kernel->kind != CM_TIMED_RATE)
            continue;
        if (!CM_GROW_BY_ONE(incore->instructions, incore->instruction_count))
            return cm_error_no_memory(error);
        incore->instructions[incore->instruction_count++] = (cm_instruction){
            .operation = kernel->operation,
            .vectors = kernel->vectors,
            .bytes = kernel->bytes,
            .latency = {NAN, NAN, NAN},
            .throughput = {NAN, NAN, NAN},
            .undisturbed = SIZE_MAX,
            .known = cm_known_figure_find(incore, kernel->operation, kernel->vectors),
        };
    }
    return CM_OK;
}

/* Instructions per cycle from the cycles of a turn; the most cycles give the lowest rate. */
static cm_reading a_cycle(const cm_reading *cycles, double count)
{
    return (cm_reading){count / cycles->median, count / cycles->highest, count / cycles->lowest};
}

static cm_reading divide_reading(const cm_reading *cycles, double count)
{
    return (cm_reading){cycles->median / count, cycles->lowest / count, cycles->highest / count};
}

/* Writes the timing into the instruction's row, as throughput or latency. */
static void take_instruction(cm_incore *incore, const cm_timing *timing)
{
    const cm_timed_kernel *kernel = timing->kernel;
    cm_instruction *row = find_instruction(incore, kernel->operation, kernel->vectors);
    if (row == NULL)
        return;
    if (kernel->kind == CM_TIMED_RATE)
        row->throughput = a_cycle(&timing->cycles, kernel->count);
    else
        row->latency = divide_reading(&timing->cycles, kernel->count);
    row->undisturbed = timing->undisturbed < row->undisturbed ? timing->undisturbed : row->undisturbed;
}

/* Latency of a square root. A chain of square roots alone comes to 1, on which some cores are faster, so each is
 * multiplied by a number; the latency of the multiplication is subtracted. */
static void take_square_root(cm_incore *incore, const cm_timing *timing)
{
    cm_instruction *root = find_instruction(incore, "sqrt", timing->kernel->vectors);
    const cm_instruction *product = find_instruction(incore, "mul", timing->kernel->vectors);
    if (root == NULL || product == NULL || isnan(product->latency.median))
        return;
    const cm_reading pair = divide_reading(&timing->cycles, 0.5 * timing->kernel->count);
    root->latency = (cm_reading){pair.median - product->latency.median, pair.lowest - product->latency.highest,
                                 pair.highest - product->latency.lowest};
    root->undisturbed = timing->undisturbed < root->undisturbed ? timing->undisturbed : root->undisturbed;
}

/* Measures latencies and throughputs of all instructions on one core. */
static cm_status measure_instructions(struct run *run, cm_error *error)
{
    size_t count = 0;
    cm_status status = list_instructions(run->incore, error);
    cm_timing *timings = calloc(cm_timed_kernel_count + 1, sizeof *timings);
    if (timings == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < cm_timed_kernel_count; i++)
        if (times_one_instruction(&cm_timed_kernels[i]))
            timings[count++] = (cm_timing){.kernel = &cm_timed_kernels[i], .bytes = CM_TIMED_STEP};
    run->cores.count = 1;
    CM_THEN(status, time_on(run, run->incore->rounds, run->incore->repetitions, timed_seconds, timings, count, error));
    for (size_t i = 0; i < count && status == CM_OK; i++)
        take_instruction(run->incore, &timings[i]);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        if (strcmp(timings[i].kernel->operation, "sqrt_mul") == 0)
            take_square_root(run->incore, &timings[i]);
    free(timings);
    return status;
}

/* ---- the clock under load ---- */

/* The next number of cores: 1, 2, 4 and so on, then all; 0 after these. */
static size_t next_doubled_team(size_t cores, size_t all)
{
    return cores == all ? 0 : 2 * cores < all ? 2 * cores : all;
}

static cm_status add_clock(cm_incore *incore, const cm_timing *timing, size_t cores, cm_error *error)
{
    if (!CM_GROW_BY_ONE(incore->clocks, incore->clock_count))
        return cm_error_no_memory(error);
    incore->clocks[incore->clock_count++] =
        (cm_load_clock){timing->kernel->vectors, cores, timing->undisturbed, timing->clock};
    return CM_OK;
}

/* Measures the clock under multiply-adds of each vector width on the run's cores. */
static cm_status measure_clocks_on(struct run *run, cm_error *error)
{
    enum { MOST = 8 };
    cm_timing timings[MOST];
    size_t count = 0;
    for (size_t i = 0; i < cm_timed_kernel_count && count < MOST; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        if (times_one_instruction(kernel) && kernel->kind == CM_TIMED_RATE && strcmp(kernel->operation, "fma") == 0)
            timings[count++] = (cm_timing){.kernel = kernel, .bytes = CM_TIMED_STEP};
    }
    cm_status status =
        time_on(run, 1, LOAD_REPETITIONS, run->incore->load_seconds / LOAD_REPETITIONS, timings, count, error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = add_clock(run->incore, &timings[i], run->cores.count, error);
    return status;
}

/* ---- traffic of memory ---- */

bool cm_incore_can_count(const cm_definitions *definitions)
{
    cm_traffic traffic;
    return cm_traffic_find(definitions, &traffic);
}

static cm_status note_uncounted(struct run *run, const char *why, cm_error *error)
{
    run->incore->uncounted = cm_arena_text(&run->incore->arena, why);
    return run->incore->uncounted != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Notes why something cannot be counted; the rest is measured. Other failures are returned. */
static cm_status heed_reason(struct run *run, cm_status status, const cm_error *reason, cm_error *error)
{
    run->counts = status == CM_OK;
    if (status == CM_UNSUPPORTED)
        return note_uncounted(run, reason->text, error);
    if (status != CM_OK && error != NULL)
        *error = *reason;
    return status;
}

/* Opens the counting of memory traffic; without a PMU for it, a note says why and the measurement goes on. */
static cm_status open_traffic(struct run *run, cm_error *error)
{
    const cm_incore_options *options = run->options;
    cm_error reason = {0};
    if (options->definitions == NULL)
        return CM_OK;
    if (options->counting == NULL && cm_incore_can_count(options->definitions))
        return note_uncounted(run, options->no_counting != NULL ? options->no_counting : "nothing counts here", error);
    cm_status status = cm_traffic_open(options->definitions, options->counting, &run->traffic, &reason);
    return heed_reason(run, status, &reason, error);
}

/* Counts the streams' traffic on the timed cores, with arrays beyond the caches of the processor or model. */
static cm_status count_stores(struct run *run, const cm_timing *timings, cm_store_rates *rates, cm_error *error)
{
    cm_incore *incore = run->incore;
    cm_timing streams[CM_STORE_STREAMS];
    cm_error reason = {0};
    const size_t repetitions = incore->repetitions < COUNTED ? incore->repetitions : COUNTED;
    const cm_timing_options options = {
        .cores = &run->cores, .repetitions = repetitions, .seconds = counted_seconds, .stop = run->options->stop};
    const char *obstacle = run->counts ? cm_traffic_obstacle(&run->traffic, &run->cores) : NULL;
    if (!run->counts || obstacle != NULL)
        return obstacle != NULL ? note_uncounted(run, obstacle, error) : CM_OK;
    for (size_t i = 0; i < CM_STORE_STREAMS; i++) {
        streams[i] = timings[i];
        streams[i].bytes = cm_traffic_bytes(&run->traffic, timings[i].bytes);
    }
    cm_status status = cm_traffic_count(&run->traffic, &options, streams, CM_STORE_STREAMS, rates->moved, &reason);
    if (status == CM_OK) {
        incore->counted = repetitions;
        incore->counted_on = cm_arena_text(&incore->arena, cm_counting_pmu(run->options->counting));
        return incore->counted_on != NULL ? CM_OK : cm_error_no_memory(error);
    }
    return heed_reason(run, status, &reason, error);
}

/* ---- stores ---- */

double cm_store_traffic(const cm_store_rates *rates, bool past_caches)
{
    return rates->load.median / (past_caches ? rates->store_nt.median : rates->store.median);
}

static cm_reading bandwidth_of(const cm_timing *timing)
{
    const double bytes = cm_timed_bytes(timing->kernel, timing->bytes);
    return (cm_reading){bytes * timing->rate.median, bytes * timing->rate.lowest, bytes * timing->rate.highest};
}

/* Adds a row of rates for one width of vectors. */
static cm_status add_stores(cm_incore *incore, const cm_timing timings[CM_STORE_STREAMS], size_t cores, cm_error *error)
{
    if (!CM_GROW_BY_ONE(incore->stores, incore->store_count))
        return cm_error_no_memory(error);
    size_t undisturbed = timings[0].undisturbed;
    for (size_t i = 1; i < CM_STORE_STREAMS; i++)
        undisturbed = timings[i].undisturbed < undisturbed ? timings[i].undisturbed : undisturbed;
    incore->stores[incore->store_count++] = (cm_store_rates){timings[0].kernel->vectors,
                                                             cores,
                                                             undisturbed,
                                                             bandwidth_of(&timings[CM_STREAM_LOAD]),
                                                             bandwidth_of(&timings[CM_STREAM_STORE]),
                                                             bandwidth_of(&timings[CM_STREAM_STORE_NT]),
                                                             {cm_nothing_moved, cm_nothing_moved, cm_nothing_moved}};
    return CM_OK;
}

/* Measures stores by vectors of each width that has non-temporal stores. */
static cm_status measure_stores_on(struct run *run, cm_error *error)
{
    cm_geometry geometry;
    cm_cores_geometry(&run->cores, &geometry);
    const size_t bytes = (size_t)cm_level_bytes(&geometry, CM_CACHE_LEVELS) / CM_TIMED_STEP * CM_TIMED_STEP;
    cm_status status = CM_OK;
    for (size_t i = 0; i < cm_timed_kernel_count && status == CM_OK; i++) {
        const cm_timed_kernel *past = &cm_timed_kernels[i];
        if (strcmp(past->operation, "store_nt") != 0 || !cm_timed_available(past))
            continue;
        cm_timing timings[CM_STORE_STREAMS] = {
            {.kernel = cm_timed_find(CM_TIMED_STREAM, "load", CM_DOUBLE, past->vectors), .bytes = bytes},
            {.kernel = cm_timed_find(CM_TIMED_STREAM, "store", CM_DOUBLE, past->vectors), .bytes = bytes},
            {.kernel = past, .bytes = bytes},
        };
        status = time_on(run, run->incore->rounds, run->incore->repetitions, timed_seconds, timings, CM_STORE_STREAMS,
                         error);
        CM_THEN(status, add_stores(run->incore, timings, run->cores.count, error));
        CM_THEN(status, count_stores(run, timings, &run->incore->stores[run->incore->store_count - 1], error));
    }
    return status;
}

static cm_status on_teams(struct run *run, cm_status (*measure)(struct run *run, cm_error *error), cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t cores = 1; cores != 0 && status == CM_OK; cores = next_doubled_team(cores, run->cores.available)) {
        run->cores.count = cores;
        status = measure(run, error);
    }
    run->pass++;
    return status;
}

/* ---- streaming kernels ---- */

static cm_status measure_kernels(struct run *run, cm_error *error)
{
    const cm_timing_options options = {&run->cores, run->incore->rounds, run->incore->repetitions, timed_seconds,
                                       0.0,         run->options->stop,  show_pass_progress,       run};
    if (run->options->kernels_directory == NULL)
        return CM_OK;
    run->cores.count = 1;
    return cm_streaming_measure(run->incore, &options, run->options->kernels_directory, error);
}

/* ---- all ---- */

/* Fills in the options or their defaults, the processor's name and the known figures to compare with. */
static cm_status prepare_run(struct run *run, cm_error *error)
{
    cm_incore *incore = run->incore;
    cm_machine machine;
    char *path = NULL;
    cm_machine_read(&machine);
    incore->rounds = run->options->rounds != 0 ? run->options->rounds : INCORE_ROUNDS;
    incore->repetitions = run->options->repetitions != 0 ? run->options->repetitions : INCORE_REPETITIONS;
    incore->load_seconds = run->options->load_seconds > 0.0 ? run->options->load_seconds : load_seconds;
    incore->processor = cm_arena_text(&incore->arena, machine.model_name);
    if (incore->processor == NULL)
        return cm_error_no_memory(error);
    cm_status status = run->options->known == NULL ? cm_data_path("data/instructions.csv", &path, error) : CM_OK;
    CM_THEN(status, cm_known_figures_load(path != NULL ? path : run->options->known, &machine, incore, error));
    free(path);
    return status;
}

cm_status cm_incore_measure(const cm_incore_options *options, cm_incore **incore, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_incore_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    struct run run = {.options = options, .incore = calloc(1, sizeof *run.incore)};
    cm_status status = run.incore != NULL ? prepare_run(&run, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_cores_find_all(options->processors != NULL ? options->processors : "", &run.cores, error));
    if (status == CM_OK && cm_timed_clock() == NULL)
        status = CM_FAIL(error, CM_UNSUPPORTED, "catmint has no timed kernels for this processor");
    CM_THEN(status, open_traffic(&run, error));
    CM_THEN(status, measure_instructions(&run, error));
    run.pass++;
    CM_THEN(status, on_teams(&run, measure_clocks_on, error));
    CM_THEN(status, on_teams(&run, measure_stores_on, error));
    CM_THEN(status, measure_kernels(&run, error));
    cm_traffic_clear(&run.traffic);
    cm_cores_clear(&run.cores);
    CM_HAND_OVER(status, incore, run.incore, cm_incore_free);
    return status;
}
