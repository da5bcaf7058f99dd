/* Kernels timed on one core to all. */
#include "machines/timed.h"

#include "core/system.h"

enum {
    CLOCK_TURNS = 2000,          /* some 25 microseconds */
    AHEAD_NS = 200000,           /* so that all members are waiting when it comes */
    TIMING_TIMEOUT_SECONDS = 60, /* a repetition takes milliseconds */
    FASTEST_GROWTH = 8,
    TRIES = 6, /* tries of a repetition, on average: other programs may need the cores, too */
};

/* largest share of its time for which a repetition may lose the core */
static const double disturbance = 0.02;

/* Beginning and end of a member's try, the time of the clock's additions, and whether it lost its core. */
struct moment {
    uint64_t begin, end, clock;
    bool disturbed;
};

/* The shared memory of the members: turns and starts that they agree on, and their measurements. */
struct board {
    _Atomic uint64_t *turns;  /* of each timing, the fewest that a member chose */
    _Atomic uint64_t *starts; /* of each try of a timing in a round */
    struct moment *moments;   /* of each member in each of these */
};

/* Tries of one timing in one round. */
static size_t try_count(const cm_timing_options *options)
{
    return TRIES * options->repetitions;
}

struct timing_work {
    const cm_timing_options *options;
    cm_timing *timings;
    size_t count;
    uint64_t began;
    struct board board;
};

static size_t first_try(const struct timing_work *work, size_t round, size_t timing)
{
    return (round * work->count + timing) * try_count(work->options);
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static uint64_t time_turns(const cm_timed_kernel *kernel, const cm_timed_memory *memory, uint64_t turns)
{
    uint64_t begin = now();
    kernel->body(turns, memory);
    return now() - begin;
}

/* The turns that take so many seconds, found by runs that grow; the last brings caches and clock to steady state. */
static uint64_t choose_turns(const cm_timed_kernel *kernel, const cm_timed_memory *memory, double seconds)
{
    const double wanted = 1e9 * seconds;
    uint64_t turns = 1;
    for (;;) {
        double taken = fmax(1.0, (double)time_turns(kernel, memory, turns));
        if (taken >= 0.5 * wanted)
            return (uint64_t)fmax(1.0, (double)turns * wanted / taken);
        turns = (uint64_t)((double)turns * fmin(FASTEST_GROWTH, fmax(1.0, 0.7 * wanted / taken))) + 1;
    }
}

static void keep_fewest(_Atomic uint64_t *fewest, uint64_t turns)
{
    uint64_t before = atomic_load(fewest);
    while ((before == 0 || turns < before) && !atomic_compare_exchange_weak(fewest, &before, turns))
        continue;
}

/* Waits for the common start, which the first member to arrive sets a little ahead. */
static void wait_for_start(_Atomic uint64_t *start)
{
    uint64_t none = 0;
    atomic_compare_exchange_strong(start, &none, now() + AHEAD_NS);
    while (now() < atomic_load(start))
        continue;
}

/* Runs the kernel between two chains of additions; the faster gives the clock, as disturbances only slow one. */
static void try_once(const cm_timed_kernel *kernel, uint64_t turns, const cm_timed_memory *memory,
                     struct moment *moment)
{
    uint64_t used = read_clock(CLOCK_THREAD_CPUTIME_ID);
    moment->begin = now();
    kernel->body(turns, memory);
    moment->end = now();
    uint64_t after = time_turns(cm_timed_clock(), memory, CLOCK_TURNS);
    moment->clock = after < moment->clock ? after : moment->clock;
    double taken = (double)(now() - moment->begin);
    used = read_clock(CLOCK_THREAD_CPUTIME_ID) - used;
    moment->disturbed = (double)used < (1.0 - disturbance) * taken;
}

static bool is_disturbed(const struct moment *moments, size_t size)
{
    for (size_t m = 0; m < size; m++)
        if (moments[m].disturbed)
            return true;
    return false;
}

/* Whether the time for a timing in a round is over: each has an equal part, and the rest that earlier ones left. */
static bool is_time_share_over(const struct timing_work *work, size_t round, size_t timing)
{
    const double part = (double)(round * work->count + timing + 1) / (double)(work->options->rounds * work->count);
    return work->options->budget > 0.0 && (double)(now() - work->began) > 1e9 * part * work->options->budget;
}

/* Tries until the wanted number went undisturbed, or the tries or the time are used up. The first member decides about
 * the time, and puts an end in place of the start. */
static cm_status repeat_timing(const struct timing_work *work, size_t round, size_t timing,
                               const cm_timed_memory *memory, cm_team_member *member, cm_error *error)
{
    cm_status status = CM_OK;
    size_t good = 0;
    for (size_t i = 0; i < try_count(work->options) && good < work->options->repetitions; i++) {
        size_t number = first_try(work, round, timing) + i;
        struct moment *moments = &work->board.moments[number * member->size];
        cm_team_alive(member, false);
        if (member->number == 0 && i > 0 && is_time_share_over(work, round, timing))
            atomic_store(&work->board.starts[number], UINT64_MAX);
        status = cm_team_barrier(member, error);
        if (status != CM_OK || atomic_load(&work->board.starts[number]) == UINT64_MAX)
            return status;
        moments[member->number].clock = time_turns(cm_timed_clock(), memory, CLOCK_TURNS);
        wait_for_start(&work->board.starts[number]);
        try_once(work->timings[timing].kernel, atomic_load(&work->board.turns[timing]), memory,
                 &moments[member->number]);
        status = cm_team_barrier(member, error);
        if (status != CM_OK)
            return status;
        good += !is_disturbed(moments, member->size);
    }
    return status;
}

/* Chooses the turns in the first round; in later ones only brings caches and clock to their steady state. */
static void warm_up(const struct timing_work *work, size_t round, size_t timing, const cm_timed_memory *memory)
{
    const cm_timing *wanted = &work->timings[timing];
    _Atomic uint64_t *turns = &work->board.turns[timing];
    if (round == 0)
        keep_fewest(turns,
                    wanted->turns != 0 ? wanted->turns : choose_turns(wanted->kernel, memory, work->options->seconds));
    if (wanted->turns != 0)
        wanted->kernel->body(1, memory);
    else if (round > 0)
        wanted->kernel->body(atomic_load(turns), memory);
}

/* Works on every timing once, together with the other members. */
static cm_status work_round(const struct timing_work *work, size_t round, const cm_arrays *arrays,
                            cm_team_member *member, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < work->count && status == CM_OK; i++) {
        _Atomic uint64_t *first = &work->board.starts[first_try(work, round, i)];
        if (member->number == 0 && round > 0 && is_time_share_over(work, round, i))
            atomic_store(first, UINT64_MAX);
        status = cm_team_barrier(member, error);
        if (status != CM_OK)
            break;
        cm_team_alive(member, true);
        if (atomic_load(first) == UINT64_MAX)
            continue;
        const cm_timed_memory memory = cm_arrays_fill(arrays, work->timings[i].bytes);
        status = cm_team_barrier(member, error);
        if (status != CM_OK)
            break;
        warm_up(work, round, i, &memory);
        status = repeat_timing(work, round, i, &memory, member, error);
    }
    return status;
}

/* Runs all rounds in a member of the team, on arrays as large as the largest. */
static cm_status time_rounds(cm_team_member *member, void *data, cm_error *error)
{
    const struct timing_work *work = data;
    cm_arrays arrays = {0};
    size_t most = 0;
    for (size_t i = 0; i < work->count; i++)
        most = work->timings[i].bytes > most ? work->timings[i].bytes : most;
    cm_status status = cm_arrays_map(&arrays, most, error);
    for (size_t round = 0; round < work->options->rounds && status == CM_OK; round++)
        status = work_round(work, round, &arrays, member, error);
    cm_arrays_unmap(&arrays);
    return status;
}

static bool watch_timing(size_t steps, void *data)
{
    const struct timing_work *work = data;
    if (work->options->progress != NULL)
        work->options->progress(steps, work->options->rounds * work->count, work->options->data);
    return work->options->stop == NULL || *work->options->stop == 0;
}

cm_reading cm_reading_of(double *samples, size_t count)
{
    if (count == 0)
        return (cm_reading){NAN, NAN, NAN};
    double median = cm_median(samples, count);
    return (cm_reading){median, samples[0], samples[count - 1]};
}

double cm_reading_spread(const cm_reading *reading)
{
    return 0.5 * (reading->highest - reading->lowest) / reading->median;
}

/* The figures of one repetition: turns of all members a second, and the slowest member's clock. */
static void read_moments(const struct moment *moments, size_t size, uint64_t turns, double *rate, double *clock)
{
    uint64_t begin = UINT64_MAX, end = 0, slowest = 1;
    for (size_t m = 0; m < size; m++) {
        begin = moments[m].begin < begin ? moments[m].begin : begin;
        end = moments[m].end > end ? moments[m].end : end;
        slowest = moments[m].clock > slowest ? moments[m].clock : slowest;
    }
    *rate = 1e9 * (double)size * (double)turns / fmax(1.0, (double)(end - begin));
    *clock = 1e9 * CLOCK_TURNS * (double)cm_timed_clock()->count / (double)slowest;
}

enum { RATE, CLOCK, CYCLES, FIGURES };

/* Reads the disturbed tries of a timing in a round, or the undisturbed ones, and returns their number. `samples` holds
 * all tries of each figure. */
static size_t read_tries(const struct timing_work *work, size_t round, size_t timing, bool disturbed, double *samples)
{
    const size_t all = try_count(work->options), size = work->options->cores->count;
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct moment *moments = &work->board.moments[(first_try(work, round, timing) + i) * size];
        if (moments[0].end == 0 || is_disturbed(moments, size) != disturbed)
            continue;
        double *rate = &samples[RATE * all + count], *clock = &samples[CLOCK * all + count];
        read_moments(moments, size, work->timings[timing].turns, rate, clock);
        samples[CYCLES * all + count++] = (double)size * *clock / *rate;
    }
    return count;
}

/* Takes the figures of the round with the most tries, and returns their number. After the tries' figures, `samples`
 * holds a median of each round. */
static size_t read_fullest_round(const struct timing_work *work, size_t timing, bool disturbed, double *samples)
{
    const size_t all = try_count(work->options);
    cm_timing *read = &work->timings[timing];
    cm_reading *const readings[FIGURES] = {&read->rate, &read->clock, &read->cycles};
    double *medians = &samples[FIGURES * all];
    size_t most = 0, rounds = 0;
    for (size_t round = 0; round < work->options->rounds; round++) {
        const size_t count = read_tries(work, round, timing, disturbed, samples);
        if (count == 0)
            continue;
        const cm_reading rate = cm_reading_of(samples, count);
        medians[rounds++] = rate.median;
        if (count < most || (count == most && rate.median <= read->rate.median))
            continue;
        for (size_t i = 0; i < FIGURES; i++)
            *readings[i] = cm_reading_of(&samples[i * all], count);
        most = count;
    }
    read->rounds = cm_reading_of(medians, rounds);
    return most;
}

/* Turns the members' measurements into the figures of each timing. */
static cm_status read_board(struct timing_work *work, cm_error *error)
{
    double *samples = calloc(FIGURES * try_count(work->options) + work->options->rounds, sizeof *samples);
    if (samples == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < work->count; i++) {
        cm_timing *timing = &work->timings[i];
        timing->turns = atomic_load(&work->board.turns[i]);
        timing->undisturbed = read_fullest_round(work, i, false, samples);
        if (timing->undisturbed == 0)
            read_fullest_round(work, i, true, samples);
    }
    free(samples);
    return CM_OK;
}

cm_status cm_time_kernels(const cm_timing_options *options, cm_timing *timings, size_t count, cm_error *error)
{
    const size_t runs = options->rounds * count * try_count(options), size = options->cores->count;
    const size_t bytes = (count + runs) * sizeof(uint64_t) + runs * size * sizeof(struct moment);
    if (cm_timed_clock() == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "catmint has no timed kernels for this processor");
    void *memory = cm_team_memory_create(bytes);
    if (memory == NULL)
        return cm_error_no_memory(error);
    struct timing_work work = {options, timings, count, now(), {memory, NULL, NULL}};
    work.board.starts = work.board.turns + count;
    work.board.moments = (struct moment *)(void *)(work.board.starts + runs);
    const cm_team_job job = {.size = size,
                             .bind = cm_cores_bind,
                             .bind_data = options->cores,
                             .work = time_rounds,
                             .data = &work,
                             .timeout = TIMING_TIMEOUT_SECONDS,
                             .watch = watch_timing};
    size_t failed;
    cm_status status = cm_team_run(&job, &failed, error);
    CM_THEN(status, read_board(&work, error));
    cm_team_memory_free(memory, bytes);
    return status == CM_INTERRUPTED ? CM_FAIL(error, status, "the measurement was interrupted") : status;
}
