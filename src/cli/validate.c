#include <stdio.h>

#include "cli/analysis.h"
#include "cli/terminal.h"
#include "cli/validating.h"

static bool any_refuted(const cm_results *results)
{
    for (size_t b = 0; b < cm_results_benchmark_count(results); b++) {
        const cm_benchmark_result *result = cm_results_benchmark(results, b);
        for (size_t i = 0; i < cm_benchmark_result_metric_count(result); i++) {
            const cm_validation *programs = cm_benchmark_result_validation(result, i);
            const cm_validation *workloads = cm_benchmark_result_workloads(result, i);
            if ((programs != NULL && programs->refuted) || (workloads != NULL && workloads->refuted))
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

static cli_exit judge_and_print(const char *directory, const cli_options *options)
{
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_error error;
    cli_analyze_options(options, &analyze);
    if (cm_results_analyze_create(directory, &analyze, &results, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cli_judge(directory, results);
    if (code == CLI_DONE)
        code = print(results, options);
    cm_results_free(results);
    return code;
}

cli_exit cli_validate(const cli_options *options)
{
    const char *directory = options->operands.items[0];
    if (options->programs == 0) {
        cli_say("--programs: expected a number from 1 to 10000, found '0'");
        return CLI_USAGE;
    }
    cli_exit code = cli_check_output(options), counted = CLI_DONE;
    if (code == CLI_DONE)
        code = counted = cli_count_programs(directory, options);
    if (code == CLI_DONE || code == CLI_PARTLY)
        code = judge_and_print(directory, options);
    return code == CLI_DONE ? counted : code;
}
