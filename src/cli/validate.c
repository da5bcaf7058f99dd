#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/analysis.h"
#include "cli/interrupt.h"
#include "cli/pmu.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/validating.h"

/* The progress line makes room for it. */
static void say_message(const char *text, void *progress)
{
    cli_progress_end(progress);
    cli_say("%s", text);
}

/* What is kept in a folder of the user's can be resumed. */
static cli_exit fail_counting(const cm_error *error, const cm_sweep_summary *summary, const char *directory,
                              const cli_options *options)
{
    cli_exit code = cli_fail_writing(error);
    if (summary->resumable && (options->out != NULL || options->operands.count != 0))
        cli_say(
            "what was counted so far is kept in %s; 'catmint validate %s --resume' with these options counts the rest",
            directory, directory);
    return code;
}

static cli_exit count_with(cm_counting *counting, const char *directory, size_t repetitions, const cm_results *results,
                           const cli_options *options)
{
    cli_progress progress = cli_progress_begin();
    cm_sweep_summary summary = {0};
    cm_error error;
    const char **events = NULL;
    cm_validation_options validation = {.directory = directory,
                                        .seed = options->seed,
                                        .programs =
                                            options->programs != SIZE_MAX ? options->programs : CM_VALIDATION_PROGRAMS,
                                        .repetitions = repetitions,
                                        .workers = options->workers,
                                        .resume = options->resume,
                                        .progress = cli_progress_show,
                                        .progress_data = &progress,
                                        .message = say_message,
                                        .message_data = &progress,
                                        .stop = cli_interrupt_flag()};
    cm_status status = options->all_events
                           ? cm_results_measured_events(results, &events, &validation.event_count, &error)
                           : cm_results_events_to_validate(results, &events, &validation.event_count, &error);
    validation.events = events;
    if (status == CM_OK)
        status = cm_validation_count(counting, &validation, &summary, &error);
    cli_progress_end(&progress);
    free(events);
    if (status != CM_OK)
        return fail_counting(&error, &summary, directory, options);
    return summary.given_up == 0 ? CLI_DONE : CLI_PARTLY;
}

bool cli_has_definitions(const cm_results *results)
{
    const char **events = NULL;
    size_t count = 0;
    cm_error error;
    bool any = cm_results_events_to_validate(results, &events, &count, &error) == CM_OK && count != 0;
    free(events);
    return any;
}

static bool any_refuted(const cm_results *results)
{
    for (size_t b = 0; b < cm_results_benchmark_count(results); b++) {
        const cm_benchmark_result *result = cm_results_benchmark(results, b);
        for (size_t i = 0; i < cm_benchmark_result_metric_count(result); i++) {
            const cm_validation *validation = cm_benchmark_result_validation(result, i);
            if (validation != NULL && validation->refuted)
                return true;
        }
    }
    return false;
}

static cli_exit print(const cm_results *results, const cli_options *options)
{
    cm_error error;
    const cm_style style = {options->format, cli_width(stdout), cli_colour(stdout)};
    const cm_style plain = {options->format, 0, false};
    cm_status status = options->output != NULL ? cm_results_save_validation(results, &plain, options->output, &error)
                                               : cm_results_write_validation(results, &style, stdout, &error);
    if (status == CM_OK)
        return any_refuted(results) ? CLI_PARTLY : CLI_DONE;
    clearerr(stdout); /* it has been said */
    return cli_fail_writing(&error);
}

cli_exit cli_judge(const char *directory, cm_results *results)
{
    cm_program_table *table = NULL;
    cm_error error;
    cm_status status = cm_program_table_load(directory, &table, &error);
    if (status == CM_OK && table != NULL)
        status = cm_results_validate(results, table, &error);
    cm_program_table_free(table);
    return status == CM_OK ? CLI_DONE : cli_fail(&error);
}

/* On the PMU that the sweep was counted on, or on the one that is named, which must be that. */
static cli_exit count(const char *directory, const cm_sweep_conditions *conditions, const cm_results *results,
                      const cli_options *options)
{
    cli_options chosen = *options;
    cm_counting *counting = NULL;
    cm_error error;
    cm_status status = CM_OK;
    if (options->pmu_text == NULL)
        status = cm_pmu_choice_parse(conditions->pmu, &chosen.pmu, &error);
    if (status == CM_OK)
        status = cli_open_pmu(&chosen, false, &counting, &error);
    if (status != CM_OK)
        return cli_fail(&error);
    cli_exit code = count_with(counting, directory, conditions->repetitions, results, options);
    cm_counting_close(counting);
    return code;
}

cli_exit cli_count_programs(const char *directory, const cm_results *results, const cli_options *options)
{
    cm_sweep_conditions conditions;
    cm_error error;
    if (cm_sweep_conditions_read(directory, &conditions, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = count(directory, &conditions, results, options);
    cm_sweep_conditions_clear(&conditions);
    return code;
}

static cli_exit validate(const char *directory, cm_results *results, const cli_options *options)
{
    cli_exit counted = cli_count_programs(directory, results, options), code = counted;
    if (counted == CLI_DONE || counted == CLI_PARTLY)
        code = cli_judge(directory, results);
    if (code == CLI_DONE)
        code = print(results, options);
    return code == CLI_DONE ? counted : code;
}

cli_exit cli_validate(const cli_options *options)
{
    const char *directory = options->operands.items[0];
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_error error;
    if (options->programs == 0) {
        cli_say("--programs: expected a number from 1 to 10000, found '0'");
        return CLI_USAGE;
    }
    cli_exit code = cli_check_output(options);
    if (code != CLI_DONE)
        return code;
    cli_analyze_options(options, &analyze);
    if (cm_results_analyze_create(directory, &analyze, &results, &error) != CM_OK)
        return cli_fail(&error);
    code = validate(directory, results, options);
    cm_results_free(results);
    return code;
}
