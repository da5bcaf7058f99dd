/* The software PMU executes the same in every batch, because each run gets the same seed whatever is counted. So one
 * batch keeps the facts of its runs, and the batches behind it count these without stepping the kernels again. */
#include "sweep/run/run.h"

enum { MOST_BYTES = 256 << 20 };

struct cm_replay {
    size_t bytes;
    uint64_t *facts;          /* [thread][repetition][kernel][fact], shared with the teams */
    const cm_batch *recorder; /* the batch that keeps facts now; NULL: none does */
    bool complete;            /* a batch has kept all */
};

static bool has_kernels_of_gpu(const cm_sweep_benchmark *benchmark)
{
    for (size_t i = 0; i < benchmark->kernel_count; i++)
        if (cm_kernel_is_of_gpu(benchmark->kernels[i]))
            return true;
    return false;
}

/* The bytes of all facts of the benchmark's runs. */
static size_t count_bytes(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    size_t threads = benchmark->threads != 0 ? benchmark->threads : 1;
    return threads * cm_sweep_repetitions(state, benchmark) * benchmark->kernel_count * cm_fact_count() *
           sizeof(uint64_t);
}

bool cm_replay_is_possible(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    return cm_counting_software_pmu(state->counting) != NULL && benchmark->quiet == NULL &&
           !has_kernels_of_gpu(benchmark) && cm_sweep_longest_plan(state) >= 2 &&
           count_bytes(state, benchmark) <= MOST_BYTES;
}

cm_replay *cm_replay_create(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    const size_t bytes = count_bytes(state, benchmark);
    if (!cm_replay_is_possible(state, benchmark))
        return NULL;
    cm_replay *created = calloc(1, sizeof *created);
    if (created == NULL)
        return NULL;
    *created = (cm_replay){.bytes = bytes, .facts = cm_team_memory_create(bytes)};
    if (created->facts != NULL)
        return created;
    free(created);
    return NULL;
}

void cm_replay_free(cm_replay *replay)
{
    if (replay != NULL)
        cm_team_memory_free(replay->facts, replay->bytes);
    free(replay);
}

/* The number of the batch's sets whose events the model counts. */
static size_t count_sets_of_model(const cm_batch *batch)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->active_count; i++) {
        const cm_event_record *first = &batch->state->counting->events[batch->active[i].events[0]];
        count += first->software || first->raw != NULL;
    }
    return count;
}

/* Whether the model counts all events of the batch. Others, of the kernel, are counted while kernels are stepped. */
static bool is_of_model(const cm_batch *batch)
{
    return count_sets_of_model(batch) == batch->active_count;
}

bool cm_replay_waits(const cm_replay *replay, const cm_batch *batch)
{
    return replay != NULL && !replay->complete && replay->recorder != NULL && replay->recorder != batch &&
           is_of_model(batch);
}

void cm_replay_begin(cm_replay *replay, cm_batch *batch)
{
    batch->replay = NULL;
    if (replay == NULL)
        return;
    if (!replay->complete && replay->recorder == NULL && count_sets_of_model(batch) > 0)
        replay->recorder = batch;
    if (replay->recorder == batch || (replay->complete && is_of_model(batch)))
        batch->replay = replay;
}

void cm_replay_end(cm_replay *replay, const cm_batch *batch, bool counted)
{
    if (replay == NULL || replay->recorder != batch)
        return;
    replay->recorder = NULL;
    replay->complete = counted;
}

bool cm_replay_is_complete(const cm_batch *batch)
{
    return batch->replay != NULL && batch->replay->complete;
}

static uint64_t *facts_of(const cm_batch *batch, size_t run)
{
    return batch->replay->facts + run * cm_fact_count();
}

void cm_replay_keep(const cm_batch *batch, size_t run)
{
    uint64_t restarts = 0;
    const uint64_t *facts = batch->replay != NULL ? cm_model_counts_facts(&restarts) : NULL;
    if (facts != NULL)
        memcpy(facts_of(batch, run), facts, cm_fact_count() * sizeof *facts);
}

void cm_replay_run(const cm_batch *batch, size_t run)
{
    cm_model_counts_add(facts_of(batch, run));
}
