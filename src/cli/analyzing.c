/* The options of an analysis, and its output. */
#include "cli/command.h"

cli_exit cli_check_output(const cli_options *options)
{
    cm_error error;
    if (options->output == NULL || cm_output_check(options->output, &error) == CM_OK)
        return CLI_DONE;
    return cli_fail_writing(&error);
}

cli_exit cli_print_results(const cm_results *results, const cli_options *options)
{
    cm_error error;
    return cli_finish_writing(CLI_WRITE(cm_results, results, options->format, options, stdout, &error), &error);
}

void cli_analyze_options(const cli_options *options, cm_analyze_options *analyze)
{
    cm_analyze_options_default(analyze);
    analyze->benchmarks = options->benchmarks.items;
    analyze->benchmark_count = options->benchmarks.count;
    analyze->basis = options->basis;
    analyze->signatures = options->signatures;
    analyze->controls = options->controls;
    analyze->tau = options->tau;
    analyze->alpha = options->alpha;
    analyze->tau_auto = options->tau_auto;
    analyze->alpha_auto = options->alpha_auto;
    analyze->avoid = options->avoid.items;
    analyze->avoid_count = options->avoid.count;
    analyze->only = options->only.items;
    analyze->only_count = options->only.count;
    analyze->with_offset_events = options->with_offset_events;
    analyze->events_detail = options->events_detail;
    analyze->max_events = options->max_events;
    analyze->method = options->method;
    analyze->residual = options->residual;
    analyze->stop = cli_interrupt_flag();
    analyze->note = cli_write_note;
}
