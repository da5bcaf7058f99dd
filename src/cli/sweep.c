/* catmint sweep: kernels counted under events, into a directory. */
#include "cli/sweeping.h"

enum { PATH_SIZE = 4096 };

/* Fills the options of the sweep. */
static void fill_options(const cli_options *options, const cli_list *benchmarks, cli_progress *progress,
                         cm_sweep_options *sweep)
{
    cm_sweep_options_default(sweep);
    sweep->benchmarks = benchmarks->items;
    sweep->benchmark_count = benchmarks->count;
    sweep->events = options->events.items;
    sweep->events_count = options->events.count;
    sweep->events_file = options->events_file;
    sweep->components = options->components.items;
    sweep->component_count = options->components.count;
    if (options->qualifiers != SIZE_MAX)
        sweep->qualifiers = options->qualifiers;
    sweep->raw = options->raw;
    sweep->root = options->root;
    sweep->uncore = options->uncore;
    sweep->anyway = options->anyway;
    sweep->shard = options->shard;
    sweep->shards = options->shards;
    if (options->repetitions > 0)
        sweep->repetitions = options->repetitions;
    sweep->resume = options->resume;
    sweep->replace = options->replace;
    sweep->promising_first = options->budget > 0.0;
    sweep->workers = options->workers;
    sweep->threads = options->threads;
    sweep->max_buffer = options->max_buffer;
    if (options->max_kernel_seconds > 0.0)
        sweep->max_kernel_seconds = options->max_kernel_seconds;
    sweep->brief = !options->verbose && options->max_buffer == 0 && options->max_kernel_seconds == 0.0;
    sweep->message = cli_progress_message;
    sweep->message_data = progress;
    sweep->progress = cli_progress_show;
    sweep->progress_data = progress;
    sweep->stop = cli_interrupt_flag();
    sweep->enough = cli_interrupt_expiry();
}

cli_exit cli_check_sweep(const char *directory, const cli_options *options, void *data)
{
    (void)data;
    cm_sweep_options sweep;
    cm_error error;
    cli_list benchmarks;
    cli_exit code = cli_choose_benchmarks(options, &benchmarks);
    if (code != CLI_DONE)
        return code;
    fill_options(options, &benchmarks, NULL, &sweep);
    sweep.directory = directory;
    cm_status status = cm_kept_check(directory, NULL, 0, &error);
    CM_THEN(status, cm_sweep_check(&sweep, &error));
    cli_list_free(&benchmarks);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

/* Says how to resume, if the sweep is in the user's own directory. */
static cli_exit fail_resumable(const cm_error *error, const cm_sweep_summary *summary, const cm_sweep_options *sweep,
                               const cli_options *options, bool results_follow)
{
    const char *directory = sweep->directory;
    char quoted[CLI_QUOTED_SIZE];
    cli_exit code = cli_fail_writing(error);
    if (code == CLI_INTERRUPTED && cli_interrupt_expired())
        cli_write_expired(sweep, options);
    if (code != CLI_IMPOSSIBLE || options->out == NULL || !summary->resumable)
        return code;
    if (results_follow)
        cli_write("the counts so far are kept in %s; 'catmint sweep --out %s --resume' with the same options for "
                  "counting counts the rest",
                  directory, cli_quote(options->out, quoted));
    else
        cli_write("the counts so far are kept in %s; the same command with --resume counts the rest", directory);
    return code;
}

/* Sweeps the benchmarks that fit the budget, and reports failures. */
static cli_exit sweep_with(cm_counting *counting, const char *directory, const cli_options *options,
                           cli_list *benchmarks, bool results_follow)
{
    cli_progress progress = cli_progress_begin();
    cm_sweep_options sweep;
    fill_options(options, benchmarks, &progress, &sweep);
    sweep.directory = directory;
    cm_sweep_summary summary;
    cm_error error;
    cli_exit kept = cli_keep_budget(counting, options, results_follow, benchmarks, &sweep);
    if (kept != CLI_DONE)
        return kept;
    cm_status status = cli_sweep_in_time(counting, options, results_follow, &sweep, &summary, &error);
    cli_progress_end(&progress);
    if (status != CM_OK)
        return fail_resumable(&error, &summary, &sweep, options, results_follow);
    if (summary.ended_early)
        cli_write_expired(&sweep, options);
    if (!results_follow)
        cli_write("%zu %s counted, %zu unavailable, %zu %s left out for lack of an instruction set", summary.counted,
                  cm_plural(summary.counted, "event", "events"), summary.unavailable, summary.kernels_left_out,
                  cm_plural(summary.kernels_left_out, "kernel", "kernels"));
    if (summary.unknown != 0)
        cli_write("%zu %s of %s %s no event", summary.unknown, cm_plural(summary.unknown, "line", "lines"),
                  options->events_file, cm_plural(summary.unknown, "matches", "match"));
    if (summary.components_failed != 0)
        cli_write("%zu %s left out; 'catmint events' gives advice", summary.components_failed,
                  cm_plural(summary.components_failed, "component failed to initialise and was",
                            "components failed to initialise and were"));
    if (summary.given_up != 0)
        cli_write("%zu %s crashed, hung or failed; events.csv of the sweep says why", summary.given_up,
                  cm_plural(summary.given_up, "event", "events"));
    bool whole = summary.unknown == 0 && summary.components_failed == 0 && !summary.ended_early;
    return whole && summary.given_up == 0 ? CLI_DONE : CLI_PARTLY;
}

/* Tries the definitions as event sets, and records which fit. Faulty tables are reported by their analysis. */
static cli_exit try_definitions(cm_counting *counting, const char *directory, const cli_options *options)
{
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_error error;
    cli_analyze_options(options, &analyze);
    analyze.benchmarks = NULL;
    analyze.benchmark_count = 0;
    analyze.note = NULL;
    analyze.counting = counting;
    cm_status status = cm_results_analyze_create(directory, &analyze, &results, &error);
    cm_results_free(results);
    return status == CM_OK || status == CM_BAD_INPUT ? CLI_DONE : cli_fail_writing(&error);
}

/* Whether the PMU counts the facts of a model, of which nobody takes definitions. */
static bool counts_facts(const cm_counting *counting)
{
    static const char end[] = "-facts";
    const char *pmu = cm_counting_pmu(counting);
    size_t length = strlen(pmu);
    return length >= sizeof end && strcmp(pmu + length - (sizeof end - 1), end) == 0;
}

cli_exit cli_sweep_into(const char *directory, const cli_options *options, cli_list *benchmarks, bool results_follow)
{
    cm_counting *counting = NULL;
    cm_error error;
    if (cli_open_pmu(options, false, &counting, &error) != CM_OK)
        return cli_fail(&error);
    if (!results_follow)
        cli_write("counting on %s: %s", cm_counting_pmu(counting), cm_counting_reason(counting));
    cli_exit code = sweep_with(counting, directory, options, benchmarks, results_follow);
    bool programs_follow = results_follow && options->programs != 0 && !options->uncore && cm_validation_available();
    if ((code == CLI_DONE || code == CLI_PARTLY) && options->shard == 0 && !programs_follow &&
        !counts_facts(counting)) {
        cli_exit tried = try_definitions(counting, directory, options);
        code = tried == CLI_DONE ? code : tried;
    }
    cm_counting_close(counting);
    return code;
}

static void print_seconds(double seconds)
{
    char text[32];
    fputs(cli_show_duration(seconds, text, sizeof text), stdout);
}

/* Prints "5", or "5 to 15" if some benchmarks are counted more often. */
static void print_repetitions(const cm_sweep_forecast *forecast)
{
    size_t fewest = SIZE_MAX, most = 0;
    for (size_t i = 0; i < forecast->benchmark_count; i++) {
        size_t repetitions = forecast->benchmarks[i].repetitions;
        fewest = repetitions < fewest ? repetitions : fewest;
        most = repetitions > most ? repetitions : most;
    }
    printf("%zu", fewest);
    if (most > fewest)
        printf(" to %zu", most);
}

/* Prints the tables of components and benchmarks. */
static void print_forecast(const cm_sweep_forecast *forecast)
{
    printf("%zu %s selected, %zu can be counted\n\n", forecast->selected,
           cm_plural(forecast->selected, "event", "events"), forecast->countable);
    printf("%-20s %10s %10s %12s\n", "Component", "Events", "Sets", "Largest set");
    for (size_t i = 0; i < forecast->component_count; i++) {
        const cm_sweep_forecast_part *part = &forecast->components[i];
        cli_write_cell(part->name, 20);
        printf(" %10zu %10zu %12zu\n", part->events, part->sets, part->largest);
    }
    printf("\n%-20s %10s %10s %12s  %s\n", "Benchmark", "Kernels", "Sets", "Runs", "Estimated");
    for (size_t i = 0; i < forecast->benchmark_count; i++) {
        const cm_sweep_forecast_part *part = &forecast->benchmarks[i];
        cli_write_cell(part->name, 20);
        printf(" %10zu %10zu %12zu  ", part->kernels, part->sets, part->runs);
        print_seconds(part->seconds);
        putchar('\n');
    }
    printf("\n%zu %s of kernels in ", forecast->runs, cm_plural(forecast->runs, "run", "runs"));
    print_repetitions(forecast);
    fputs(" repetitions, about ", stdout);
    print_seconds(forecast->seconds);
    putchar('\n');
}

/* Prints a forecast instead of sweeping. */
static cli_exit dry_run(const cli_options *options)
{
    cm_counting *counting = NULL;
    cm_error error;
    cli_progress progress = cli_progress_begin();
    cli_list benchmarks;
    cm_sweep_options sweep;
    cm_sweep_forecast *forecast = NULL;
    cli_exit code = cli_choose_benchmarks(options, &benchmarks);
    if (code != CLI_DONE)
        return code;
    fill_options(options, &benchmarks, &progress, &sweep);
    cm_status status = cli_open_pmu(options, false, &counting, &error);
    CM_THEN(status, cm_sweep_forecast_create(counting, &sweep, &forecast, &error));
    if (status == CM_OK)
        print_forecast(forecast); /* while the session is open, which owns the components' names */
    cm_sweep_forecast_free(forecast);
    cm_counting_close(counting);
    cli_list_free(&benchmarks);
    return status == CM_OK ? cli_finish_stdout(CLI_DONE) : cli_fail(&error);
}

/* Forecasts each type of cores, whose counters may differ. */
static cli_exit dry_run_cores(const cli_options *options)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cli_exit code = cli_find_cores(options, types, &count);
    if (code == CLI_DONE && count == 0)
        return dry_run(options);
    for (size_t i = 0; i < count && code == CLI_DONE; i++) {
        cli_options chosen = *options;
        chosen.core = types[i].name;
        printf("%sOn cores of the type %s:\n\n", i > 0 ? "\n" : "", types[i].name);
        code = dry_run(&chosen);
    }
    return code;
}

/* Sweeps one type of cores. */
static cli_exit sweep_core(const char *directory, const cli_options *options, void *data)
{
    (void)data;
    cli_list benchmarks;
    if (options->core != NULL)
        cli_write("on cores of the type %s", options->core);
    cli_exit code = cli_choose_benchmarks(options, &benchmarks);
    CM_THEN(code, cli_sweep_into(directory, options, &benchmarks, false));
    cli_list_free(&benchmarks);
    return code;
}

/* Sweeps a shard in a directory of its own, because all processes of a job get the same DIR. */
static cli_exit sweep_shard(const cli_options *options)
{
    char directory[PATH_SIZE];
    int length = snprintf(directory, sizeof directory, "%s", options->out);
    if (options->shard != 0 && mkdir(options->out, 0777) != 0 && errno != EEXIST)
        return cli_end(CLI_IMPOSSIBLE, "%s: the directory cannot be made: %s", options->out, strerror(errno));
    if (options->shard != 0)
        length =
            snprintf(directory, sizeof directory, "%s/shard-%zu-of-%zu", options->out, options->shard, options->shards);
    if (length < 0 || (size_t)length >= sizeof directory)
        return cli_end(CLI_USAGE, "%s: the path is too long", options->out);
    char quoted[CLI_QUOTED_SIZE];
    struct stat status;
    if (options->shard != 0 && lstat(directory, &status) == 0 && S_ISLNK(status.st_mode))
        return cli_end(CLI_IMPOSSIBLE,
                       "%s: it is a symbolic link, expected a directory: remove it, or name another --out", directory);
    cli_exit code = cli_on_cores(directory, options, cli_check_sweep, NULL);
    CM_THEN(code, cli_on_cores(directory, options, sweep_core, NULL));
    cli_note_kept(directory);
    if ((code == CLI_DONE || code == CLI_PARTLY) && options->shard == 0)
        cli_write("measurements are in %s; 'catmint analyze %s' turns them into metrics", directory,
                  cli_quote(directory, quoted));
    else if (code == CLI_DONE || code == CLI_PARTLY)
        cli_write("shard %zu of %zu is in %s; once all are there, 'catmint analyze %s' turns them into metrics",
                  options->shard, options->shards, directory, cli_quote(options->out, quoted));
    return code;
}

/* Whether an option chooses events or kernels, or the number of repetitions. */
static bool chooses_counts(const cli_options *options)
{
    return options->benchmarks.count > 0 || options->events.count > 0 || options->events_file != NULL ||
           options->components.count > 0 || options->raw != NULL || options->uncore || options->shards > 0 ||
           options->repetitions > 0 || options->budget > 0.0 || options->resume || options->dry_run;
}

/* Takes the counts from facts. */
static cli_exit sweep_facts(const cli_options *options)
{
    const char *model = cli_software_model(options);
    char quoted[CLI_QUOTED_SIZE];
    if (model == NULL || options->out == NULL)
        return cli_end(CLI_USAGE, "--facts needs --pmu software:MODEL and --out DIR");
    if (chooses_counts(options))
        return cli_end(
            CLI_USAGE,
            "--facts takes all counts that the facts give, and excludes options that choose some of them, or count "
            "again: --benchmark, --component, --events, --repetitions and the like");
    cli_exit code = cli_take_facts(model, options, options->out);
    if (code == CLI_DONE)
        cli_write("counts of %s are in %s; 'catmint analyze %s' turns them into metrics", model, options->out,
                  cli_quote(options->out, quoted));
    return code;
}

cli_exit cli_sweep(const cli_options *options)
{
    if (options->out == NULL && !options->dry_run)
        return cli_end(CLI_USAGE,
                       "sweep needs --out DIR, a directory for the measurements; see 'catmint sweep --help'");
    cli_options chosen = *options;
    if (options->facts != NULL)
        return sweep_facts(options);
    cli_exit code = cli_choose_shard(&chosen);
    CM_THEN(code, options->dry_run ? dry_run_cores(&chosen) : sweep_shard(&chosen));
    return code;
}
