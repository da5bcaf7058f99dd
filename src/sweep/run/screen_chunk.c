#include "sweep/run/run.h"

/* A run has this part of the software PMU's iterations, but no fewer than LEAST: enough to distinguish codes. */
enum { PART = 16, LEAST = 8 };

static const uint64_t generator = UINT64_C(0x9e3779b97f4a7c15), chain_seed = UINT64_C(0x2545f4914f6cdd1d);

/* Codes counted at the same time. */
struct screen_set {
    cm_raw_set *set;
    size_t size;
    size_t *members; /* their indices in the chunk */
};

struct screening {
    cm_screen_chunk *chunk;
    size_t first, end; /* the codes of the chunk that are counted now */
    cm_team_member *member;
    size_t set_count;
    struct screen_set *sets;
    size_t *members;   /* of all sets */
    long long *counts; /* of one set */
};

/* ---- in the process that counts ---- */

static cm_status begin_screen_set(struct screening *screening, size_t used, cm_error *error)
{
    struct screen_set *set = &screening->sets[screening->set_count];
    *set = (struct screen_set){.members = screening->members + used};
    int code = cm_raw_set_create(screening->chunk->state->counting, &set->set);
    screening->set_count += code == 0;
    return code == 0 ? CM_OK : cm_error_no_memory(error);
}

/* Adds a code to the last set, or to a new one if that is full. */
static cm_status place_code(struct screening *screening, size_t at, size_t *used, cm_error *error)
{
    cm_screened *screened = &screening->chunk->codes[at];
    struct screen_set *last = screening->set_count != 0 ? &screening->sets[screening->set_count - 1] : NULL;
    int code = last != NULL ? cm_raw_set_add(last->set, &screened->code) : EINVAL;
    if (code != 0 && (last == NULL || last->size != 0)) {
        cm_status status = begin_screen_set(screening, *used, error);
        if (status != CM_OK)
            return status;
        last = &screening->sets[screening->set_count - 1];
        code = cm_raw_set_add(last->set, &screened->code);
    }
    if (code != 0 && (cm_source_is_short(code, code) || cm_source_is_short_of_files(code, code)))
        return cm_source_short(code, code, error);
    if (code != 0)
        screened->outcome = CM_SCREEN_REFUSED;
    else
        last->size++, screening->members[(*used)++] = at;
    return CM_OK;
}

/* Makes sets of all codes without an outcome. */
static cm_status make_sets(struct screening *screening, cm_error *error)
{
    size_t most = screening->end - screening->first + 1, used = 0;
    screening->sets = calloc(most + 1, sizeof *screening->sets);
    screening->members = calloc(most, sizeof *screening->members);
    screening->counts = calloc(most, sizeof *screening->counts);
    bool made = screening->sets != NULL && screening->members != NULL && screening->counts != NULL;
    cm_status status = made ? CM_OK : cm_error_no_memory(error);
    for (size_t i = screening->first; status == CM_OK && i < screening->end; i++) {
        cm_team_alive(screening->member, false);
        if (screening->chunk->codes[i].outcome == CM_SCREEN_UNKNOWN)
            status = place_code(screening, i, &used, error);
    }
    return status;
}

/* Refuses all codes of a set that does not count. */
static void refuse_set(struct screening *screening, struct screen_set *set)
{
    for (size_t i = 0; i < set->size; i++)
        screening->chunk->codes[set->members[i]].outcome = CM_SCREEN_REFUSED;
    set->size = 0;
}

static void take_counts(struct screening *screening, const struct screen_set *set, const long long *counts)
{
    for (size_t i = 0; i < set->size; i++) {
        cm_screened *screened = &screening->chunk->codes[set->members[i]];
        screened->outcome =
            counts[i] != 0 || screened->outcome == CM_SCREEN_COUNTED ? CM_SCREEN_COUNTED : CM_SCREEN_SILENT;
        screened->sums[0] = cm_checksum(screened->sums[0], &counts[i], sizeof counts[i]);
        screened->sums[1] = screened->sums[1] * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)counts[i] + 1;
    }
}

/* Counts one set over a run of a kernel. */
static cm_status count_set(struct screening *screening, struct screen_set *set, cm_kernel_call *call, cm_error *error)
{
    if (set->size == 0)
        return CM_OK;
    cm_team_alive(screening->member, false);
    if (cm_raw_set_start(set->set) != 0) {
        refuse_set(screening, set);
        return CM_OK;
    }
    cm_status status = cm_counting_run(screening->chunk->state->counting, cm_kernel_call_run, call, error);
    int code = cm_raw_set_stop(set->set, screening->counts);
    if (status == CM_OK && code == 0)
        take_counts(screening, set, screening->counts);
    else if (status == CM_OK)
        refuse_set(screening, set);
    return status;
}

/* Whether the kernel is not run: of the chains of a level and kind, the first is enough. */
static bool is_left_out(const cm_sweep_benchmark *benchmark, const cm_kernel *kernel)
{
    for (size_t i = 0; kernel->level != 0 && i < benchmark->kernel_count; i++) {
        const cm_kernel *other = benchmark->kernels[i];
        bool alike = other->level == kernel->level && ((other->chain ^ kernel->chain) & ~CM_CHAIN_PLACE) == 0;
        if (alike && (other->chain & CM_CHAIN_PLACE) < (kernel->chain & CM_CHAIN_PLACE))
            return true;
    }
    return false;
}

/* Counts all sets over a kernel, each with the same random branches and the same interference. */
static cm_status screen_kernel(struct screening *screening, const cm_sweep_benchmark *benchmark, size_t number,
                               cm_chase *chase, cm_error *error)
{
    const cm_kernel *kernel = benchmark->kernels[number];
    cm_software_pmu *software = cm_counting_software_pmu(screening->chunk->state->counting);
    uint64_t iterations = kernel->software_iterations / PART;
    cm_kernel_data data = {.buffer = benchmark->threads != 0 ? chase->chain : benchmark->buffers[number]};
    cm_status status = CM_OK;
    if (kernel->level != 0) {
        if (chase->chain == NULL)
            status = cm_chase_open(chase, benchmark->placements, benchmark->kernel_count, software, error);
        CM_THEN(status, cm_chase_build(chase, &benchmark->placements[number], chain_seed + number, error));
        data.buffer = chase->chain;
        const cm_placement *placement = &benchmark->placements[number];
        uint64_t length = placement->extent / placement->stride * cm_warm_up_passes(kernel);
        cm_kernel_call call = {cm_warm_up_kernel(kernel)->body, length, &data};
        CM_THEN(status, cm_counting_run(screening->chunk->state->counting, cm_kernel_call_run, &call, error));
    }
    for (size_t i = 0; status == CM_OK && i < screening->set_count; i++) {
        cm_kernel_call call = {kernel->body, iterations > LEAST ? iterations : LEAST, &data};
        data.generator = kernel->level != 0 ? data.generator : generator;
        if (software != NULL)
            cm_software_pmu_seed(software, number + 1);
        status = count_set(screening, &screening->sets[i], &call, error);
    }
    return status;
}

/* Counts all sets over the kernels of a benchmark. */
static cm_status count_benchmark(struct screening *screening, const cm_sweep_benchmark *benchmark, cm_error *error)
{
    cm_chase chase = {0};
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < benchmark->kernel_count; i++)
        if (!is_left_out(benchmark, benchmark->kernels[i]))
            status = screen_kernel(screening, benchmark, i, &chase, error);
    cm_chase_close(&chase);
    return status;
}

/* The work of the process: counts all sets over all benchmarks. */
static cm_status count_chunk(cm_team_member *member, void *data, cm_error *error)
{
    struct screening *screening = data;
    const cm_sweep_state *state = screening->chunk->state;
    screening->member = member;
    cm_status status = make_sets(screening, error);
    for (size_t i = 0; status == CM_OK && i < state->benchmark_count; i++)
        status = count_benchmark(screening, &state->benchmarks[i], error);
    for (size_t i = 0; i < screening->set_count; i++)
        cm_raw_set_free(screening->sets[i].set);
    CM_FREE(screening->sets, screening->members, screening->counts);
    return status;
}

/* ---- in the sweep ---- */

static bool go_on(size_t steps, void *data)
{
    (void)steps;
    return !cm_sweep_stopped(((const struct screening *)data)->chunk->state);
}

/* Counts a part in a process of its own; CM_OK with `lost` if codes ended that process. */
static cm_status count_part(cm_screen_chunk *chunk, size_t first, size_t end, bool *lost, cm_error *error)
{
    struct screening screening = {.chunk = chunk, .first = first, .end = end};
    cm_team_loss loss = {0};
    cm_error failure = {0};
    cm_team_job job = {
        .size = 1, .work = count_chunk, .data = &screening, .timeout = CM_TRIAL_SECONDS, .watch = go_on, .loss = &loss};
    cm_status status = cm_team_run(&job, NULL, &failure);
    *lost = status != CM_OK && cm_team_lost(&loss) && !cm_team_blameless(&loss);
    if (status != CM_OK && !*lost && error != NULL)
        *error = failure;
    return *lost ? CM_OK : status;
}

/* Splits lost parts into halves; the borders of the waiting ones are on a stack, the next one on top. */
cm_status cm_screen_chunk_count(cm_screen_chunk *chunk, cm_error *error)
{
    size_t ends[CM_SCREEN_CHUNK_OF_MODELS], depth = 1, first = 0;
    cm_status status = CM_OK;
    ends[0] = chunk->count;
    while (status == CM_OK && depth != 0 && first < chunk->count) {
        size_t end = ends[depth - 1];
        bool lost = false;
        status = count_part(chunk, first, end, &lost, error);
        if (status == CM_OK && lost)
            for (size_t i = first; i < end; i++)
                if (chunk->codes[i].outcome != CM_SCREEN_EXCLUDED)
                    chunk->codes[i] = (cm_screened){.code = chunk->codes[i].code};
        if (status == CM_OK && lost && end - first > 1) {
            ends[depth++] = first + (end - first) / 2;
            continue;
        }
        if (lost)
            chunk->codes[first].outcome = CM_SCREEN_CRASHED;
        first = end;
        depth--;
    }
    return status;
}
