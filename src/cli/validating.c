/* Counts a validation in stages: programs; if these refute definitions, the same programs with all events, and fresh
 * ones for the definitions solved with them; workloads. */
#include "cli/sweeping.h"

struct work {
    const char *directory;
    const cli_options *options;
    cm_counting *counting;
    size_t repetitions;
    cm_results *results; /* from the stages so far */
    bool judged;         /* the results are judged by all that was counted */
    bool noted;          /* analysis has a note for the user, which the command's own analysis prints */
    bool partly;         /* some could not be counted */
};

/* Whose judged results are wanted. */
struct wanted {
    const char *directory;
    cm_results **judged; /* NULL: not wanted */
};

size_t cli_program_count(const cli_options *options)
{
    return options->programs != SIZE_MAX ? options->programs : CM_VALIDATION_PROGRAMS;
}

/* Whether the budget is used up, which its owner reports. */
static bool is_expiry(const cm_error *error)
{
    return error->status == CM_INTERRUPTED && cli_interrupt_expired();
}

/* Says how to resume, if the sweep is in the user's own directory. */
static cli_exit fail_counting(const cm_error *error, const cm_sweep_summary *summary, const struct work *work)
{
    const cli_options *options = work->options;
    char quoted[CLI_QUOTED_SIZE];
    if (is_expiry(error))
        return CLI_INTERRUPTED;
    cli_exit code = cli_fail_writing(error);
    if (summary->resumable && (options->out != NULL || options->operands.count != 0))
        cli_write("the counts so far are kept in %s; 'catmint validate %s --resume' with these options counts the rest",
                  work->directory, cli_quote(work->directory, quoted));
    return code;
}

/* Counts these events in the programs of a stage. */
static cli_exit count_events(struct work *work, cm_validation_stage stage, const char *const *events, size_t count)
{
    cli_progress progress = cli_progress_begin();
    cm_sweep_summary summary = {0};
    cm_error error;
    const cm_validation_options validation = {.size = sizeof validation,
                                              .directory = work->directory,
                                              .stage = stage,
                                              .seed = work->options->seed,
                                              .programs = cli_program_count(work->options),
                                              .repetitions = work->repetitions,
                                              .events = events,
                                              .event_count = count,
                                              .workers = work->options->workers,
                                              .resume = work->options->resume,
                                              .progress = cli_progress_show,
                                              .progress_data = &progress,
                                              .message = cli_progress_message,
                                              .message_data = &progress,
                                              .stop = cli_interrupt_flag()};
    cm_status status = cm_validation_count(work->counting, &validation, &summary, &error);
    cli_progress_end(&progress);
    work->partly |= summary.given_up != 0;
    return status == CM_OK ? CLI_DONE : fail_counting(&error, &summary, work);
}

/* Whether a resumed validation has finished this stage. */
static bool is_stage_counted(const struct work *work, cm_validation_stage stage, const char *const *events,
                             size_t count)
{
    cm_program_table *table = NULL;
    cm_error error;
    if (!work->options->resume || cm_program_table_load(work->directory, stage, &table, &error) != CM_OK)
        return false;
    bool same = table != NULL &&
                (stage == CM_STAGE_WORKLOADS || (table->seed == cm_validation_seed(stage, work->options->seed) &&
                                                 table->program_count == cli_program_count(work->options)));
    for (size_t i = 0; i < count && same; i++)
        same = CM_FIND(events[i], table->events, table->event_count) < table->event_count;
    cm_program_table_free(table);
    return same;
}

/* Counts a stage; *needed: it has anything to count. */
static cli_exit count_stage(struct work *work, cm_validation_stage stage, bool *needed)
{
    const char **events = NULL;
    size_t count = 0;
    cm_error error;
    bool all = work->options->all_events && stage == CM_STAGE_PROGRAMS;
    cm_status status = all ? cm_results_measured_events(work->results, &events, &count, &error)
                           : cm_results_events_to_validate(work->results, stage, &events, &count, &error);
    if (status != CM_OK)
        return cli_fail(&error);
    *needed = count != 0;
    cli_exit code = count != 0 && !is_stage_counted(work, stage, events, count)
                        ? count_events(work, stage, events, count)
                        : CLI_DONE;
    free(events);
    return code;
}

static void hear_note(const char *text, void *data)
{
    (void)text;
    *(bool *)data = true;
}

/* Analyses the directory; work->results are the new results. */
static cli_exit analyze_directory(struct work *work)
{
    cm_analyze_options analyze;
    cm_error error;
    cli_analyze_options(work->options, &analyze);
    analyze.note = hear_note;
    analyze.note_data = &work->noted;
    analyze.counting = work->counting;
    cm_results_free(work->results);
    work->results = NULL;
    if (cm_results_analyze_create(work->directory, &analyze, &work->results, &error) != CM_OK)
        return is_expiry(&error) ? CLI_INTERRUPTED : cli_fail_writing(&error); /* analysis writes, too */
    return CLI_DONE;
}

/* Counts the stage if the results of earlier stages need it, and judges them by it. */
static cli_exit count_and_judge(struct work *work, cm_validation_stage stage)
{
    bool needed = false;
    cli_exit code = count_stage(work, stage, &needed);
    if (code == CLI_DONE && needed)
        code = analyze_directory(work);
    return code == CLI_DONE && needed ? cli_judge(work->directory, work->results) : code;
}

/* Counts all stages that are needed; CLI_PARTLY if some events could not be counted. */
static cli_exit count_stages(struct work *work)
{
    bool any = false;
    cli_exit code = analyze_directory(work);
    CM_THEN(code, count_stage(work, CM_STAGE_PROGRAMS, &any));
    if (code == CLI_DONE && !any)
        return cli_end(CLI_DONE, "no definition has an event that could be counted");
    CM_THEN(code, cli_judge(work->directory, work->results));
    for (int stage = CM_STAGE_CONTROLS; code == CLI_DONE && stage <= CM_STAGE_PROGRAMS_3; stage++)
        code = count_and_judge(work, (cm_validation_stage)stage);
    work->judged = code == CLI_DONE && !work->noted && !work->options->workloads;
    if (code == CLI_DONE && work->options->workloads)
        code = count_stage(work, CM_STAGE_WORKLOADS, &any);
    return code == CLI_DONE && work->partly ? CLI_PARTLY : code;
}

/* Counts on the PMU of the sweep; a PMU that is named must be that one. */
static cli_exit count_on_pmu(const char *directory, const cm_sweep_conditions *conditions, const cli_options *options,
                             cm_results **judged)
{
    cli_options chosen = *options;
    struct work work = {.directory = directory, .options = options, .repetitions = conditions->repetitions};
    cm_error error;
    cm_status status = CM_OK;
    char path[CLI_PATH_SIZE];
    snprintf(path, sizeof path, "%s/gpu-flops.csv", directory);
    chosen.on_gpu = access(path, F_OK) == 0;
    chosen.core = conditions->core[0] != '\0' ? conditions->core : NULL;
    if (chosen.on_gpu && options->events.count == 0)
        chosen.events = (cli_list){.count = conditions->event_count, .items = (const char **)conditions->events};
    if (options->pmu_text == NULL)
        status = cm_pmu_choice_parse(conditions->pmu, &chosen.pmu, &error);
    CM_THEN(status, cli_open_pmu(&chosen, false, &work.counting, &error));
    if (status != CM_OK)
        return cli_fail(&error);
    cli_exit code = count_stages(&work);
    cm_counting_close(work.counting);
    if (judged != NULL && work.judged)
        *judged = work.results;
    else
        cm_results_free(work.results);
    return code;
}

/* Counts for the sweep of one type of cores. Results of several types are those of the directory above. */
static cli_exit count_on_core(const char *directory, const cli_options *options, void *data)
{
    const struct wanted *wanted = data;
    cm_results **judged = strcmp(directory, wanted->directory) == 0 ? wanted->judged : NULL;
    cm_sweep_conditions conditions;
    cm_error error;
    if (cm_sweep_conditions_read(directory, &conditions, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = count_on_pmu(directory, &conditions, options, judged);
    cm_sweep_conditions_clear(&conditions);
    return code;
}

cli_exit cli_count_programs(const char *directory, const cli_options *options, cm_results **judged)
{
    struct wanted wanted = {directory, judged};
    return cli_on_swept_cores(directory, options, count_on_core, &wanted);
}

/* Judges the results of each type of cores. */
static cli_exit judge_cores(const char *directory, cm_results *results)
{
    cli_exit code = CLI_DONE;
    for (size_t i = 0; i < cm_results_core_count(results) && code == CLI_DONE; i++) {
        char place[CLI_PATH_SIZE];
        code = cli_core_directory(directory, cm_results_core(results, i), place);
        CM_THEN(code, cli_judge(place, cm_results_of_core(results, i)));
    }
    return code;
}

cli_exit cli_judge(const char *directory, cm_results *results)
{
    if (cm_results_core_count(results) != 0)
        return judge_cores(directory, results);
    if (!cm_has_manifest(directory))
        return CLI_DONE;
    cm_program_tables tables;
    cm_error error;
    cm_status status = cm_program_tables_load(directory, &tables, &error);
    if (status != CM_OK)
        return cli_fail(&error);
    bool any = false;
    for (size_t i = 0; i < CM_VALIDATION_STAGES; i++)
        any |= tables.stages[i] != NULL;
    if (any)
        status = cm_results_validate(results, &tables, &error);
    cm_program_tables_clear(&tables);
    return status == CM_OK ? CLI_DONE : cli_fail(&error);
}
