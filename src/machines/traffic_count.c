/* Streams on one core or several at once, counted by the first of them: its socket's events count for all. */
#include "machines/timed.h"
#include "sweep/run/run.h"

enum { BUSY, QUIET, STATES, TRAFFIC_TIMEOUT_SECONDS = 60 };

struct traffic_work {
    const cm_traffic *traffic;
    const cm_timing_options *options;
    const cm_timing *timings;
    size_t count;
    long long *counts; /* [timing][repetition][state][event], shared by the members */
};

/* A stream as an argument of cm_counting_run. */
struct stream {
    const cm_timed_kernel *kernel;
    uint64_t turns;
    cm_timed_memory memory;
};

static void run_stream(void *argument)
{
    const struct stream *stream = argument;
    stream->kernel->body(stream->turns, &stream->memory);
}

static long long *counts_of(const struct traffic_work *work, size_t timing, size_t repetition, size_t state)
{
    return &work->counts[((timing * work->options->repetitions + repetition) * STATES + state) *
                         work->traffic->event_count];
}

/* The number of turns that take the time; under a model, one pass through the arrays. */
static uint64_t turns_of(const struct traffic_work *work, size_t timing)
{
    const double rate = work->timings[timing].rate.median / (double)work->options->cores->count;
    if (cm_counting_model(work->traffic->counting) != NULL)
        return 1;
    return (uint64_t)fmax(1.0, ceil(rate * work->options->seconds));
}

static cm_status open_set(const cm_traffic *traffic, cm_event_set **set, cm_error *error)
{
    cm_status status = cm_event_set_create(traffic->counting, traffic->component, set, error);
    for (size_t i = 0; status == CM_OK && i < traffic->event_count; i++)
        status = cm_event_set_add(*set, traffic->events[i], error);
    return status;
}

/* Counts the same time again, in which the counting core runs a loop without memory and the others wait. */
static cm_status count_quiet(const struct traffic_work *work, cm_event_set *set, double ticks, long long *counts,
                             cm_error *error)
{
    cm_kernel_call call = {.body = cm_quiet_body};
    cm_status status = CM_OK;
    bool tried_enough = false;
    for (size_t attempt = 1; status == CM_OK && !tried_enough; attempt++) {
        double took = 0.0;
        status = cm_event_set_start(set, error);
        CM_THEN(status, cm_quiet_time(work->traffic->counting, &call, ticks, &took, error));
        CM_THEN(status, cm_event_set_stop(set, counts, error));
        tried_enough = cm_quiet_was_enough(ticks, took, attempt);
    }
    return status;
}

/* Counts a repetition, from the first member's beginning to the last's end. `set`: the first's, NULL for others. */
static cm_status count_once(const struct traffic_work *work, struct stream *stream, size_t timing, size_t repetition,
                            cm_event_set *set, cm_team_member *member, cm_error *error)
{
    cm_counting *counting = work->traffic->counting;
    cm_status status = cm_team_barrier(member, error);
    const double start = cm_counting_ticks(counting);
    if (status == CM_OK && set != NULL)
        status = cm_event_set_start(set, error);
    CM_THEN(status, cm_team_barrier(member, error));
    CM_THEN(status, cm_counting_run(counting, run_stream, stream, error));
    CM_THEN(status, cm_team_barrier(member, error));
    if (status != CM_OK || set == NULL)
        return status;
    status = cm_event_set_stop(set, counts_of(work, timing, repetition, BUSY), error);
    const double ticks = cm_counting_ticks(counting) - start;
    return status == CM_OK ? count_quiet(work, set, ticks, counts_of(work, timing, repetition, QUIET), error) : status;
}

/* Counts all repetitions after one pass that fills the caches: from then on each new line evicts one. */
static cm_status count_stream(const struct traffic_work *work, size_t timing, const cm_arrays *arrays,
                              cm_event_set *set, cm_team_member *member, cm_error *error)
{
    struct stream stream = {work->timings[timing].kernel, 1, cm_arrays_fill(arrays, work->timings[timing].bytes)};
    cm_status status = cm_counting_run(work->traffic->counting, run_stream, &stream, error);
    stream.turns = turns_of(work, timing);
    for (size_t r = 0; status == CM_OK && r < work->options->repetitions; r++) {
        status = count_once(work, &stream, timing, r, set, member, error);
        cm_team_alive(member, false);
    }
    cm_team_alive(member, true);
    return status;
}

/* The work of one member: counts all streams if it is the first, else only runs them. */
static cm_status run_streams(cm_team_member *member, void *data, cm_error *error)
{
    const struct traffic_work *work = data;
    cm_arrays arrays = {0};
    cm_event_set *set = NULL;
    size_t most = 0;
    for (size_t i = 0; i < work->count; i++)
        most = work->timings[i].bytes > most ? work->timings[i].bytes : most;
    cm_status status = cm_arrays_map(&arrays, most, error);
    if (status == CM_OK && member->number == 0)
        status = open_set(work->traffic, &set, error);
    for (size_t i = 0; status == CM_OK && i < work->count; i++)
        status = count_stream(work, i, &arrays, set, member, error);
    cm_event_set_free(set);
    cm_arrays_unmap(&arrays);
    return status;
}

static bool watch_traffic(size_t steps, void *data)
{
    const struct traffic_work *work = data;
    (void)steps;
    return work->options->stop == NULL || *work->options->stop == 0;
}

/* The bytes that each stream moved, from its counts and from the bytes that its kernel asks for. */
static cm_status work_out(const struct traffic_work *work, cm_moved *moved, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < work->count; i++) {
        const double bytes = cm_timed_bytes(work->timings[i].kernel, work->timings[i].bytes) *
                             (double)turns_of(work, i) * (double)work->options->cores->count;
        status = cm_traffic_work_out(work->traffic, counts_of(work, i, 0, BUSY), work->options->repetitions, bytes,
                                     &moved[i], error);
    }
    return status;
}

cm_status cm_traffic_count(const cm_traffic *traffic, const cm_timing_options *options, const cm_timing *timings,
                           size_t count, cm_moved *moved, cm_error *error)
{
    struct traffic_work work = {traffic, options, timings, count, NULL};
    const size_t bytes =
        work.count * work.options->repetitions * STATES * work.traffic->event_count * sizeof *work.counts;
    work.counts = cm_team_memory_create(bytes);
    if (work.counts == NULL)
        return cm_error_no_memory(error);
    const cm_team_job job = {.size = options->cores->count,
                             .bind = cm_cores_bind,
                             .bind_data = options->cores,
                             .work = run_streams,
                             .data = &work,
                             .timeout = TRAFFIC_TIMEOUT_SECONDS,
                             .watch = watch_traffic};
    cm_status status = cm_team_run(&job, NULL, error);
    CM_THEN(status, work_out(&work, moved, error));
    cm_team_memory_free(work.counts, bytes);
    return status == CM_INTERRUPTED ? CM_FAIL(error, status, "the measurement was interrupted") : status;
}
