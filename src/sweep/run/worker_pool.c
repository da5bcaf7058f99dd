/* Counts batches in forked teams: if all that the benchmark uses is private to a core, several batches side by side,
 * each by a worker, a team of one on its own core; otherwise one batch after the other, by a team of all cores. A lost
 * team loses only its batch's counts: the batch is split until the events that cause this are alone. */
#include "sweep/run/run.h"

/* A team may be silent for this factor times the longest gap of a pass, and at least so many seconds; more if the gap
 * is an estimate of chains, which leaves out how long their memory takes. */
static const double timeout_factor = 20.0, least_timeout = 2.0, least_of_chains = 5.0;
static const long shortest_pause = 100000, longest_pause = 6400000; /* nanoseconds */

struct worker {
    cm_batch batch; /* first, because the team's work gets its address */
    struct pool *pool;
    cm_team_job job;
    cm_team *team; /* NULL: idle */
    cm_team_loss loss;
    size_t steps; /* kernels run */
};

struct pool {
    cm_sweep_state *state;
    cm_sweep_benchmark *benchmark;
    cm_cores cores;
    cm_replay *replay; /* NULL: each batch steps its kernels, or hardware counts */
    double timeout;
    size_t next;      /* index of the next sets */
    size_t completed; /* repetitions of finished batches */
    size_t count;
    struct worker *workers;
};

static cm_status bind_member(size_t member, const void *data, cm_error *error)
{
    (void)member;
    const struct worker *worker = data;
    const cm_cores *cores = &worker->pool->cores;
    return cores->count != 0 ? cm_cores_bind((size_t)(worker - worker->pool->workers), cores, error) : CM_OK;
}

/* Whether the same batch is counted again in new processes: after a loss to the outside, and after the first failure of
 * a single event. */
static bool count_again(cm_batch *batch, const cm_team_loss *loss, cm_status status)
{
    if (loss->outside)
        return ++batch->outside_losses < CM_OUTSIDE_LOSSES;
    return status == CM_UNSUPPORTED && !loss->unstarted && cm_batch_is_alone(batch) && batch->failures++ == 0;
}

/* Ends a worker's team: writes the counts, or splits the batch. */
static cm_status complete_worker(struct worker *worker, cm_error *error)
{
    const cm_team_loss *loss = &worker->loss;
    cm_error failure = {0}, reason = {0};
    cm_status status = cm_team_end(worker->team, NULL, &failure);
    worker->team = NULL;
    cm_replay_end(worker->pool->replay, &worker->batch, status == CM_OK);
    CM_THEN(status, cm_batch_write(&worker->batch, &failure));
    if (status != CM_OK && count_again(&worker->batch, loss, status))
        return CM_OK;
    worker->pool->completed += cm_sweep_repetitions(worker->batch.state, worker->batch.benchmark);
    if (status != CM_OK && loss->outside)
        status = cm_team_outside_error(&failure, &reason);
    else if (status == CM_UNSUPPORTED && !loss->unstarted)
        status = cm_batch_bisect(&worker->batch, loss, &failure, &reason);
    else
        reason = failure;
    cm_batch_end(&worker->batch);
    if (status != CM_OK && error != NULL)
        *error = reason;
    return status;
}

/* Updates and shows the progress. */
static void show_progress(struct pool *pool)
{
    cm_sweep_state *state = pool->state;
    size_t steps = 0, benchmark = (size_t)(pool->benchmark - state->benchmarks);
    for (size_t i = 0; i < pool->count; i++)
        steps += pool->workers[i].team != NULL ? pool->workers[i].steps : 0;
    size_t sets = cm_sweep_longest_plan(state), before = 0;
    state->progress.total = 0;
    for (size_t i = 0; i < state->benchmark_count; i++) {
        before += i < benchmark ? sets * cm_sweep_repetitions(state, &state->benchmarks[i]) : 0;
        state->progress.total += sets * cm_sweep_repetitions(state, &state->benchmarks[i]);
    }
    size_t repetitions = sets * cm_sweep_repetitions(state, pool->benchmark);
    size_t done = pool->completed + steps / pool->benchmark->kernel_count;
    state->progress.done = before + (done < repetitions ? done : repetitions);
    cm_sweep_note_pace(state, pool->benchmark, done);
    cm_sweep_show_progress(state);
}

static bool watch_steps(size_t steps, void *data)
{
    struct worker *worker = data;
    worker->steps = steps;
    return !cm_sweep_stopped(worker->pool->state);
}

/* Gives an idle worker its batch again, or the next one that has events. */
static cm_status employ_worker(struct pool *pool, struct worker *worker, cm_error *error)
{
    cm_status status = CM_OK;
    if (cm_sweep_stopped(pool->state))
        return CM_FAIL(error, CM_INTERRUPTED, "the sweep was interrupted");
    while (status == CM_OK && worker->batch.active_count == 0 && pool->next < cm_sweep_longest_plan(pool->state)) {
        worker->batch.number = pool->next++;
        status = cm_batch_begin(&worker->batch, error);
        if (status == CM_OK && worker->batch.active_count == 0)
            pool->completed += cm_sweep_repetitions(pool->state, pool->benchmark);
    }
    if (status != CM_OK || worker->batch.active_count == 0)
        return status;
    if (cm_replay_waits(pool->replay, &worker->batch))
        return CM_OK;
    cm_replay_begin(pool->replay, &worker->batch);
    worker->loss = (cm_team_loss){0};
    worker->steps = 0;
    return cm_team_start(&worker->job, &worker->team, error);
}

/* Waits before the workers are looked at again, longer each time until one is done. */
static void wait_for_workers(long *pause, bool completed)
{
    if (completed) {
        *pause = shortest_pause;
        return;
    }
    nanosleep(&(struct timespec){0, *pause}, NULL);
    if (*pause < longest_pause)
        *pause *= 2;
}

/* Runs workers until all sets are counted. */
static cm_status run_pool(struct pool *pool, cm_error *error)
{
    cm_status status = CM_OK;
    long pause = shortest_pause;
    for (bool busy = true; status == CM_OK && busy;) {
        busy = false;
        bool completed = false;
        for (size_t i = 0; status == CM_OK && i < pool->count; i++) {
            struct worker *worker = &pool->workers[i];
            if (worker->team != NULL && !cm_team_poll(worker->team)) {
                status = complete_worker(worker, error);
                completed = true;
                show_progress(pool);
            }
            if (status == CM_OK && worker->team == NULL)
                status = employ_worker(pool, worker, error);
            busy = busy || worker->team != NULL || worker->batch.active_count != 0; /* it counts, or waits for facts */
        }
        show_progress(pool);
        if (status == CM_OK && busy)
            wait_for_workers(&pause, completed);
    }
    return status;
}

/* The number of workers, one a core. If no core can be bound, the system places them. On hardware, kernels on chains
 * are counted by one: others would evict the lines of its chains from a cache that cores share. */
static size_t find_cores(struct pool *pool)
{
    bool share = cm_counting_software_pmu(pool->state->counting) == NULL &&
                 cm_sweep_longest_chain_seconds(pool->state, pool->benchmark) > 0.0;
    size_t wanted = share ? 1 : pool->state->options->workers;
    const char *cpus = pool->state->counting->core.cpus;
    cm_cores one = {0};
    size_t available = cm_cores_find(cpus, 1, &one, NULL) == CM_OK ? one.available : 0;
    cm_cores_clear(&one);
    if (wanted == 0)
        wanted = available != 0 ? available : 1;
    if (wanted <= available && cm_cores_find(cpus, wanted, &pool->cores, NULL) != CM_OK)
        cm_cores_clear(&pool->cores);
    return wanted;
}

/* Makes the workers, with their jobs. */
static cm_status start_workers(struct pool *pool, cm_error *error)
{
    size_t threads = pool->benchmark->threads, count = threads != 0 ? 1 : find_cores(pool);
    if (!CM_ALLOCATE(pool->workers, count))
        return cm_error_no_memory(error);
    pool->count = count;
    for (size_t i = 0; i < count; i++) {
        struct worker *worker = &pool->workers[i];
        worker->pool = pool;
        worker->batch = (cm_batch){.state = pool->state, .benchmark = pool->benchmark};
        worker->batch.threads = threads != 0 ? threads : 1;
        if (!CM_ALLOCATE(worker->batch.active, pool->state->plan_count + 1))
            return cm_error_no_memory(error);
        worker->job = cm_batch_job(&worker->batch);
        if (threads == 0) {
            worker->job.bind = bind_member;
            worker->job.bind_data = worker;
        }
        worker->job.timeout = pool->timeout;
        worker->job.watch = watch_steps;
        worker->job.loss = &worker->loss;
    }
    return CM_OK;
}

/* Sets the timeout, and the expected seconds of a pass, NaN if they are unknown. The registry's kernels are known to
 * end when the software PMU steps them, so they are timed only if hardware runs them. */
static cm_status set_timeout(struct pool *pool, double *pass, cm_error *error)
{
    double longest_gap = cm_sweep_longest_chain_seconds(pool->state, pool->benchmark);
    double least = longest_gap > 0.0 ? least_of_chains : least_timeout;
    cm_status status = CM_OK;
    *pass =
        pool->benchmark->threads != 0 && longest_gap > 0.0 ? cm_sweep_chain_seconds(pool->state, pool->benchmark) : NAN;
    if (pool->replay == NULL || pool->state->extension != NULL) {
        status = cm_time_pass(pool->state, pool->benchmark, pass, &longest_gap, error);
        least = least_timeout;
    }
    pool->timeout = fmax(timeout_factor * longest_gap, least);
    return status;
}

cm_status cm_worker_pool_run(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    struct pool pool = {.state = state, .benchmark = benchmark};
    double pass = 0.0;
    pool.replay = cm_replay_create(state, benchmark);
    cm_status status = set_timeout(&pool, &pass, error);
    CM_THEN(status, start_workers(&pool, error));
    if (status == CM_OK) {
        state->pace_began = cm_sweep_seconds(state);
        cm_pace_begin(&state->pace, pass / (double)pool.count,
                      cm_sweep_longest_plan(state) * cm_sweep_repetitions(state, benchmark), state->progress.left);
    }
    CM_THEN(status, run_pool(&pool, error));
    for (size_t i = 0; i < pool.count; i++) {
        if (pool.workers[i].team != NULL)
            cm_team_end(pool.workers[i].team, NULL, NULL);
        if (pool.workers[i].batch.active != NULL)
            cm_batch_end(&pool.workers[i].batch);
        free(pool.workers[i].batch.active);
    }
    free(pool.workers);
    cm_replay_free(pool.replay);
    cm_cores_clear(&pool.cores);
    return status;
}
