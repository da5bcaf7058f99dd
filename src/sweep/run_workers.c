/* Batches counted side by side, each by a worker: a team of one, forked for the batch and bound to a core of its own. A
 * worker that is lost costs nothing but its batch's work: the batch is parted until those to blame are alone. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/error.h"
#include "counting/trial.h"
#include "sweep/batch.h"
#include "sweep/run_workers.h"
#include "sweep/team.h"
#include "sweep/time_pass.h"

/* A run of a kernel may take so many times what the longest kernel takes, and at least so many seconds. */
static const double patience_factor = 20.0, least_patience = 2.0;
static const struct timespec pause_between = {0, 300000};

struct worker {
    struct crew *crew;
    cm_batch batch;
    cm_team_job job;
    cm_team *team; /* NULL: idle */
    cm_team_loss loss;
    size_t steps; /* kernels run */
};

struct crew {
    cm_sweep_state *state;
    cm_sweep_benchmark *benchmark;
    cm_cores cores;
    double patience;
    size_t next;    /* number of the sets that are counted next */
    size_t settled; /* repetitions of batches that are over */
    size_t count;
    struct worker *workers;
};

/* ---- in a worker ---- */

/* The software PMU needs no warming up: what its models keep between kernels is part of what they model. */
static void warm_up(cm_batch *batch, const cm_kernel *kernel, cm_kernel_data *data)
{
    if (cm_counting_software_pmu(batch->state->counting) == NULL)
        kernel->body(kernel->software_iterations, data);
}

static cm_status work(cm_team_member *member, void *data, cm_error *error)
{
    cm_batch *batch = &((struct worker *)data)->batch;
    cm_sweep_benchmark *benchmark = batch->benchmark;
    cm_software_pmu *software = cm_counting_software_pmu(batch->state->counting);
    cm_status status = cm_batch_open(batch, error);
    for (size_t r = 0; status == CM_OK && r < batch->state->options->repetitions; r++) {
        if (software != NULL)
            cm_software_pmu_seed(software, r + 1);
        for (size_t kernel = 0; status == CM_OK && kernel < benchmark->kernel_count; kernel++) {
            warm_up(batch, benchmark->kernels[kernel], &benchmark->data);
            status = cm_batch_count(batch, 0, r, kernel, &benchmark->data, error);
            cm_team_alive(member, true);
        }
    }
    return status;
}

static cm_status bind(size_t member, const void *data, cm_error *error)
{
    (void)member;
    const struct worker *worker = data;
    const cm_cores *cores = &worker->crew->cores;
    return cores->count != 0 ? cm_cores_bind((size_t)(worker - worker->crew->workers), cores, error) : CM_OK;
}

/* ---- what becomes of a batch ---- */

static size_t longest_plan(const cm_sweep_state *state)
{
    size_t longest = 0;
    for (size_t i = 0; i < state->plan_count; i++)
        longest = state->plans[i].count > longest ? state->plans[i].count : longest;
    return longest;
}

/* Behind all that is planned, where no other component has a set. */
static cm_status plan_alone(cm_sweep_state *state, size_t component, size_t count, const size_t *events,
                            cm_error *error)
{
    cm_plan *plan = &state->plans[component];
    size_t longest = longest_plan(state);
    cm_status status = CM_OK;
    while (status == CM_OK && plan->count < longest)
        status = cm_plan_add(plan, 0, events, error);
    return status == CM_OK ? cm_plan_add(plan, count, events, error) : status;
}

static cm_status blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                       cm_error *error)
{
    char outcome[CM_ERROR_TEXT_SIZE + 32];
    const char *name = loss->signal != 0 ? sigabbrev_np(loss->signal) : NULL;
    if (name != NULL)
        snprintf(outcome, sizeof outcome, "crashed (SIG%s)", name);
    else if (loss->signal != 0)
        snprintf(outcome, sizeof outcome, "crashed (signal %d)", loss->signal);
    else if (loss->silent)
        snprintf(outcome, sizeof outcome, "timed out");
    else
        snprintf(outcome, sizeof outcome, "refused (%s)", failure->text);
    state->progress.failures++;
    cm_sweep_say(state, "%s: %s", cm_counting_event(state->counting, event).name, outcome);
    cm_status status = cm_event_failed(state->counting, event, outcome, failure->text, error);
    return status == CM_OK ? cm_sweep_record_failure(state, event, error) : status;
}

/* Sets of several components are parted first, then a set in two; what is alone is to blame. */
static cm_status part(struct worker *worker, const cm_error *failure, cm_error *error)
{
    cm_batch *batch = &worker->batch;
    cm_sweep_state *state = batch->state;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < batch->active_count; i++) {
        const cm_active_set *active = &batch->active[i];
        size_t half = batch->active_count > 1 || active->count == 1 ? active->count : active->count / 2;
        state->plans[active->component].sets[batch->number].count = 0;
        if (batch->active_count == 1 && active->count == 1)
            return blame(state, active->events[0], &worker->loss, failure, error);
        status = plan_alone(state, active->component, half, active->events, error);
        if (status == CM_OK && half < active->count)
            status = plan_alone(state, active->component, active->count - half, active->events + half, error);
    }
    return status;
}

static cm_status settle(struct worker *worker, cm_error *error)
{
    cm_error failure = {0};
    cm_status status = cm_team_end(worker->team, NULL, &failure);
    worker->team = NULL;
    worker->crew->settled += worker->batch.state->options->repetitions;
    if (status == CM_OK)
        status = cm_batch_write(&worker->batch, &failure);
    if (status == CM_UNSUPPORTED)
        status = part(worker, &failure, &failure);
    cm_batch_end(&worker->batch);
    if (status != CM_OK && error != NULL)
        *error = failure;
    return status;
}

/* ---- the crew ---- */

static void show_progress(struct crew *crew)
{
    cm_sweep_state *state = crew->state;
    size_t steps = 0, benchmark = (size_t)(crew->benchmark - state->benchmarks);
    for (size_t i = 0; i < crew->count; i++)
        steps += crew->workers[i].team != NULL ? crew->workers[i].steps : 0;
    size_t repetitions = longest_plan(state) * state->options->repetitions;
    state->progress.total = repetitions * state->benchmark_count;
    size_t done = crew->settled + steps / crew->benchmark->kernel_count;
    state->progress.done = repetitions * benchmark + (done < repetitions ? done : repetitions);
    state->progress.seconds = cm_sweep_seconds(state);
    if (state->options->progress != NULL)
        state->options->progress(&state->progress, state->options->progress_data);
}

static bool watch(size_t steps, void *data)
{
    struct worker *worker = data;
    worker->steps = steps;
    return !cm_sweep_stopped(worker->crew->state);
}

/* Gives an idle worker the next batch, if there is one that holds anything. */
static cm_status employ(struct crew *crew, struct worker *worker, cm_error *error)
{
    cm_status status = CM_OK;
    while (status == CM_OK && worker->batch.active_count == 0 && crew->next < longest_plan(crew->state)) {
        worker->batch.number = crew->next++;
        status = cm_batch_begin(&worker->batch, error);
        if (status == CM_OK && worker->batch.active_count == 0)
            crew->settled += crew->state->options->repetitions;
    }
    if (status != CM_OK || worker->batch.active_count == 0)
        return status;
    worker->loss = (cm_team_loss){0};
    worker->steps = 0;
    return cm_team_start(&worker->job, &worker->team, error);
}

static cm_status run_crew(struct crew *crew, cm_error *error)
{
    cm_status status = CM_OK;
    for (bool busy = true; status == CM_OK && busy;) {
        busy = false;
        bool settled = false;
        for (size_t i = 0; status == CM_OK && i < crew->count; i++) {
            struct worker *worker = &crew->workers[i];
            if (worker->team != NULL && !cm_team_poll(worker->team)) {
                status = settle(worker, error);
                settled = true;
            }
            if (status == CM_OK && worker->team == NULL)
                status = employ(crew, worker, error);
            busy = busy || worker->team != NULL;
        }
        show_progress(crew);
        if (status == CM_OK && busy && !settled)
            nanosleep(&pause_between, NULL);
    }
    return status;
}

static cm_status hire(struct crew *crew, cm_error *error)
{
    size_t wanted = crew->state->options->workers;
    cm_cores one = {0};
    /* Without cores to be bound to, workers run where the system puts them. */
    if (cm_cores_find(1, &one, NULL) == CM_OK && (wanted == 0 || wanted > one.available))
        wanted = wanted == 0 ? one.available : wanted;
    size_t available = one.available;
    cm_cores_clear(&one);
    wanted = wanted == 0 ? 1 : wanted;
    if (wanted <= available && cm_cores_find(wanted, &crew->cores, NULL) != CM_OK)
        cm_cores_clear(&crew->cores);
    crew->workers = calloc(wanted, sizeof *crew->workers);
    if (crew->workers == NULL)
        return cm_error_no_memory(error);
    crew->count = wanted;
    for (size_t i = 0; i < wanted; i++) {
        struct worker *worker = &crew->workers[i];
        worker->crew = crew;
        worker->batch = (cm_batch){.state = crew->state, .benchmark = crew->benchmark, .threads = 1};
        worker->batch.active = calloc(crew->state->plan_count + 1, sizeof *worker->batch.active);
        if (worker->batch.active == NULL)
            return cm_error_no_memory(error);
        worker->job = (cm_team_job){.size = 1,
                                    .bind = bind,
                                    .bind_data = worker,
                                    .work = work,
                                    .data = worker,
                                    .patience = crew->patience,
                                    .watch = watch,
                                    .loss = &worker->loss};
    }
    return CM_OK;
}

cm_status cm_sweep_run_workers(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    struct crew crew = {.state = state, .benchmark = benchmark};
    double pass = 0.0, longest = 0.0;
    cm_status status = cm_time_pass(state, benchmark, &pass, &longest, error);
    crew.patience = patience_factor * longest > least_patience ? patience_factor * longest : least_patience;
    if (status == CM_OK)
        status = hire(&crew, error);
    if (status == CM_OK)
        status = run_crew(&crew, error);
    for (size_t i = 0; i < crew.count; i++) {
        if (crew.workers[i].team != NULL)
            cm_team_end(crew.workers[i].team, NULL, NULL);
        if (crew.workers[i].batch.active != NULL)
            cm_batch_end(&crew.workers[i].batch);
        free(crew.workers[i].batch.active);
    }
    free(crew.workers);
    cm_cores_clear(&crew.cores);
    return status;
}
