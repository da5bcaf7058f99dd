#include "sweep/run/run.h"

/* Runs all planned sets over the kernels of one benchmark and writes their counts. */
static cm_status run_benchmark(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_error *error)
{
    cm_status status = CM_OK;
    state->progress.benchmark = benchmark->name;
    state->progress.events = 0;
    if (state->resumed) {
        state->counted = benchmark->kept;
        for (size_t i = 0; i < state->plan_count; i++)
            cm_plan_clear(&state->plans[i]);
        status = cm_sweep_plan(state, error);
    }
    return status == CM_OK ? cm_worker_pool_run(state, benchmark, error) : status;
}

/* Finds and places the benchmarks of the options; those that cannot run are left out, unless there is only one. */
static cm_status find_benchmarks(cm_sweep_state *state, cm_error *error)
{
    const cm_sweep_options *options = state->options;
    bool software = cm_counting_software_pmu(state->counting) != NULL;
    if (options->benchmark_count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "no benchmark is named");
    for (size_t i = 0; i < options->benchmark_count; i++) {
        for (size_t j = 0; j < i; j++)
            if (strcmp(options->benchmarks[i], options->benchmarks[j]) == 0)
                return CM_FAIL(error, CM_BAD_ARGUMENT, "the benchmark %s is named twice", options->benchmarks[i]);
        cm_sweep_benchmark *benchmark = &state->benchmarks[state->benchmark_count++];
        cm_status status =
            cm_sweep_benchmark_find(options->benchmarks[i], software, state->extension, benchmark, error);
        CM_THEN(status, cm_sweep_check_gpu(state, benchmark, error));
        CM_THEN(status, cm_sweep_place_chains(state, benchmark, error));
        if (status == CM_OK && options->uncore)
            status = cm_quiet_kernels_add(benchmark, error);
        if (status == CM_UNSUPPORTED && options->benchmark_count > 1) {
            cm_sweep_benchmark_clear(benchmark); /* reported already; the others can be swept */
            state->benchmark_count--;
        } else if (status != CM_OK) {
            return status;
        }
    }
    return state->benchmark_count > 0 ? CM_OK : CM_UNSUPPORTED;
}

static cm_status make_room(cm_sweep_state *state, cm_error *error)
{
    state->plan_count = cm_counting_component_count(state->counting);
    state->plans = calloc(state->plan_count + 1, sizeof *state->plans);
    return state->plans != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_sweep_prepare(cm_sweep_state *state, cm_error *error)
{
    if (!(state->options->max_kernel_seconds > 0.0))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "the time limit of a kernel is not above 0 s");
    if (state->options->shard > state->options->shards)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "shard %zu of %zu does not exist", state->options->shard,
                       state->options->shards);
    if (state->options->raw != NULL && state->options->shard != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "codes cannot be swept in shards: only a sweep of all shows which ones count the same");
    state->benchmarks = calloc(state->options->benchmark_count + 1, sizeof *state->benchmarks);
    cm_status status = state->benchmarks != NULL ? cm_sweep_open_codes(state, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_sweep_open_uncore(state, error));
    CM_THEN(status, cm_sweep_check_architecture(state, error));
    CM_THEN(status, find_benchmarks(state, error));
    CM_THEN(status, cm_sweep_screen(state, error));
    CM_THEN(status, make_room(state, error));
    CM_THEN(status, cm_sweep_select(state, error));
    CM_THEN(status, cm_conflicts_create(state->event_count, &state->conflicts, error));
    CM_THEN(status, cm_sweep_plan(state, error));
    return status;
}

void cm_sweep_release(cm_sweep_state *state)
{
    cm_device_cores_release(&state->device_cores);
    cm_doctor_free(state->doctor);
    json_decref(state->screening);
    json_decref(state->kept);
    free(state->screened);
    for (size_t i = 0; i < state->benchmark_count; i++)
        cm_sweep_benchmark_clear(&state->benchmarks[i]);
    for (size_t i = 0; state->plans != NULL && i < state->plan_count; i++)
        cm_plan_clear(&state->plans[i]);
    cm_cores_clear(&state->cores);
    cm_conflicts_free(state->conflicts);
    CM_FREE(state->benchmarks, state->plans, state->selected);
    cm_labels_clear(&state->labels);
}

/* Opens the table of a benchmark. */
static cm_status open_table(const cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_directory *directory,
                            cm_error *error)
{
    const char *path = NULL;
    const char **names = calloc(benchmark->kernel_count + 1, sizeof *names);
    char name[256], provenance[1024];
    json_t *foreign = cm_sweep_describe_foreign(state);
    int length = snprintf(name, sizeof name, "%s.csv", benchmark->name);
    snprintf(provenance, sizeof provenance, "Benchmark %s, swept by catmint on the PMU %s. Raw counts.%s%s",
             benchmark->name, cm_counting_pmu(state->counting), foreign != NULL ? "\n" CM_NOT_COMPARABLE_MARK : "",
             foreign != NULL ? json_string_value(foreign) : "");
    json_decref(foreign);
    cm_status status = CM_OK;
    if (names == NULL)
        status = cm_error_no_memory(error);
    else if (length < 0 || (size_t)length >= sizeof name)
        status = CM_FAIL(error, CM_BAD_ARGUMENT, "the name of the benchmark is too long");
    for (size_t i = 0; status == CM_OK && i < benchmark->kernel_count; i++)
        names[i] = benchmark->kernels[i]->name;
    CM_THEN(status, cm_directory_file(directory, name, &path, error));
    CM_THEN(status, cm_measurements_writer_create(path, provenance, benchmark->kernel_count, names,
                                                  benchmark->iterations, &benchmark->writer, error));
    free(names);
    return status;
}

static cm_status write_table(cm_sweep_state *state, cm_sweep_benchmark *benchmark, cm_directory *directory,
                             cm_error *error)
{
    cm_status status = open_table(state, benchmark, directory, error);
    CM_THEN(status, cm_sweep_write_table(state, benchmark, error));
    CM_THEN(status, cm_measurements_writer_finish(benchmark->writer, error));
    return status;
}

/* Sweeps the benchmarks in turn; after an early end writes the tables as far as they were counted. */
static cm_status sweep_benchmarks(cm_sweep_state *state, cm_directory *directory, cm_error *error)
{
    cm_status status = CM_OK;
    size_t done = 0;
    while (status == CM_OK && done < state->benchmark_count) {
        status = run_benchmark(state, &state->benchmarks[done], error);
        CM_THEN(status, cm_journal_commit(state->journal, error));
        CM_THEN(status, write_table(state, &state->benchmarks[done], directory, error));
        done += status == CM_OK;
    }
    if (status != CM_INTERRUPTED)
        return status;
    status = cm_sweep_end_early(state, error);
    for (size_t i = done; status == CM_OK && i < state->benchmark_count; i++)
        if (cm_sweep_count_kept(state, &state->benchmarks[i]) > 0)
            status = write_table(state, &state->benchmarks[i], directory, error);
    return status;
}

/* Writes the manifest at the commit, because it lists all other files. */
static cm_status write_record(const cm_sweep_state *state, cm_directory *opened, cm_error *error)
{
    cm_status status = cm_sweep_write_events(state, opened, error);
    if (status == CM_OK)
        status = cm_journal_commit(state->journal, error); /* the last addition to it */
    json_t *manifest = status == CM_OK ? cm_sweep_describe(state) : NULL;
    if (status == CM_OK && manifest == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_sweep_keep_tables(state, opened, manifest, error));
    if (status == CM_OK && !state->ended_early)
        status = cm_measured_end_journal(state->options->directory, manifest, error);
    CM_THEN(status, cm_directory_commit(opened, manifest, error));
    json_decref(manifest);
    return status;
}

/* Before counting: reports obstacles to writing the result. */
static cm_status open_directory(const cm_sweep_options *options, cm_directory **opened, cm_error *error)
{
    char **names = calloc(options->benchmark_count + 1, sizeof *names);
    size_t count = 0;
    cm_status status = names != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < options->benchmark_count; i++) {
        if (!cm_is_bare_name(options->benchmarks[i]))
            continue; /* an unknown benchmark is reported later */
        if (asprintf(&names[count], "%s.csv", options->benchmarks[i]) < 0)
            status = cm_error_no_memory(error);
        else
            count++;
    }
    CM_THEN(status, cm_measured_begin(options->directory, (const char *const *)names, count, true, opened, error));
    if (status == CM_OK && !options->resume)
        cm_measured_drop_journal(options->directory);
    cm_free_list(names, count);
    return status;
}

cm_status cm_sweep_check(const cm_sweep_options *options, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_sweep_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_directory *directory = NULL;
    cm_status status = open_directory(options, &directory, error);
    cm_directory_free(directory);
    return status;
}

cm_status cm_sweep(cm_counting *counting, const cm_sweep_options *options, cm_sweep_summary *summary, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_sweep_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    return cm_sweep_extended(counting, options, NULL, summary, error);
}

cm_status cm_sweep_extended(cm_counting *counting, const cm_sweep_options *options, const cm_sweep_extension *extension,
                            cm_sweep_summary *summary, cm_error *error)
{
    cm_sweep_state state = {.counting = counting,
                            .options = options,
                            .extension = extension,
                            .started = time(NULL),
                            .keeps_screening = options->raw != NULL};
    clock_gettime(CLOCK_MONOTONIC, &state.clock);
    state.progress.left = NAN;
    cm_directory *opened = NULL;
    cm_status status = open_directory(options, &opened, error);
    /* Records disturbances before the sweep's own load. Without the kernel's files they are unknown. */
    const cm_doctor_options doctor = {.size = sizeof doctor, .counting = counting};
    CM_THEN(status, cm_doctor_create(&doctor, &state.doctor, error) == CM_NO_MEMORY ? CM_NO_MEMORY : CM_OK);
    CM_THEN(status, cm_sweep_take_over_limits(&state, error));
    CM_THEN(status, cm_sweep_prepare(&state, error));
    CM_THEN(status, cm_sweep_find_kept(&state, error));
    CM_THEN(status, cm_sweep_open_journal(&state, error));
    if (status == CM_OK)
        cm_directory_clean(opened);
    state.whole_plan = status == CM_OK ? cm_sweep_longest_plan(&state) : 0;
    CM_THEN(status, sweep_benchmarks(&state, opened, error));
    CM_THEN(status, write_record(&state, opened, error));
    if (status == CM_OK && summary != NULL)
        *summary = cm_sweep_summarise(&state);
    if (status != CM_OK)
        cm_directory_name_file(opened, error);
    if (state.journal != NULL)
        cm_journal_commit(state.journal, NULL); /* failures noted since the last set */
    bool finished = status == CM_OK && !state.ended_early;
    cm_journal_close(state.journal, finished || (state.journal != NULL && cm_journal_is_empty(state.journal)));
    if (finished && state.keeps_screening)
        cm_screen_file_remove(options->directory);
    if (status != CM_OK && summary != NULL)
        *summary =
            (cm_sweep_summary){.resumable = cm_measured_has_journal(options->directory) ||
                                            (state.keeps_screening && cm_screen_file_is_there(options->directory))};
    cm_sweep_release(&state);
    cm_directory_free(opened);
    return status;
}

bool cm_is_incomplete_sweep(const char *directory)
{
    cm_measured *measured = NULL;
    bool incomplete = cm_measured_open(directory, &measured, NULL) == CM_OK && cm_measured_incomplete(measured) != NULL;
    cm_measured_free(measured);
    return incomplete;
}

bool cm_is_unfinished_sweep(const char *directory)
{
    cm_measured *measured = NULL;
    bool unfinished = cm_measured_open(directory, &measured, NULL) == CM_OK && cm_measured_is_unfinished(measured);
    cm_measured_free(measured);
    return unfinished;
}
