/* catmint validate: definitions held against programs. */
#include "cli/sweeping.h"

/* The number of definitions that were judged by programs, and of those that were refuted. */
static size_t count_judged(const cm_results *results, size_t *refuted)
{
    size_t judged = 0;
    *refuted = 0;
    for (size_t b = 0; b < cm_results_benchmark_count(results); b++) {
        const cm_benchmark_result *result = cm_results_benchmark(results, b);
        for (size_t i = 0; i < cm_benchmark_result_metric_count(result); i++) {
            const cm_validation *programs = cm_benchmark_result_validation(result, i);
            const cm_validation *workloads = cm_benchmark_result_workloads(result, i);
            judged += programs != NULL || workloads != NULL;
            *refuted += (programs != NULL && programs->refuted) || (workloads != NULL && workloads->refuted);
        }
    }
    return judged;
}

/* Prints the validation; CLI_PARTLY if a definition was refuted. */
static cli_exit print_validation(const cm_results *results, const cli_options *options)
{
    cm_error error;
    size_t refuted = 0;
    if (count_judged(results, &refuted) == 0)
        return cli_find_nothing(&options->operands, "no definition here was held against a program");
    const cm_output_style style = cli_style(options->format, options->output, stdout);
    cm_status status = options->output != NULL ? cm_results_save_validation(results, &style, options->output, &error)
                                               : cm_results_write_validation(results, &style, stdout, &error);
    return status == CM_OK && refuted > 0 ? CLI_PARTLY : cli_finish_writing(status, &error);
}

/* Analyses the directory, judges its definitions by the programs counted there, and prints the result. */
static cli_exit judge_and_print(const char *directory, const cli_options *options)
{
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_error error;
    cli_analyze_options(options, &analyze);
    if (cm_results_analyze_create(directory, &analyze, &results, &error) != CM_OK)
        return cli_fail(&error);
    cli_note_not_comparable(directory, cm_results_not_comparable(results));
    cli_exit code = cli_judge(directory, results);
    CM_THEN(code, print_validation(results, options));
    cm_results_free(results);
    return code;
}

/* Checked before programs are counted. */
static cli_exit check_sweep_directory(const char *directory, const cli_options *options, void *data)
{
    (void)options;
    (void)data;
    cm_error error;
    struct stat found;
    if (stat(directory, &found) == 0 && !S_ISDIR(found.st_mode))
        return cli_end(CLI_BAD_INPUT, "%s: it is not a directory, expected that of a sweep", directory);
    return cm_kept_check(directory, NULL, 0, &error) == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

cli_exit cli_validate(const cli_options *options)
{
    if (options->programs == 0)
        return cli_end(CLI_USAGE, "--programs: expected a number from 1 to 10000, found '0'");
    if (options->trace != NULL)
        return cli_verify_program_trace(options);
    if (options->emit != NULL)
        return cli_emit_programs(options);
    if (cli_has_emit_options(options))
        return cli_end(CLI_USAGE, "--isa, --target, --events, --select, --counters and --iterations need --emit");
    const char *directory = options->operands.items[0];
    cli_exit code = cli_check_output(options), counted = CLI_DONE;
    if (code == CLI_DONE && cm_validation_was_imported(directory))
        return judge_and_print(directory, options);
    CM_THEN(code, cli_on_swept_cores(directory, options, check_sweep_directory, NULL));
    CM_THEN(code, counted = cli_count_programs(directory, options, NULL));
    if (code == CLI_DONE || code == CLI_PARTLY)
        code = judge_and_print(directory, options);
    return code == CLI_DONE ? counted : code;
}
