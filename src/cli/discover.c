#include <math.h>

#include "cli/analysis.h"
#include "cli/cores.h"
#include "cli/interrupt.h"
#include "cli/sweeping.h"
#include "cli/temporary.h"
#include "cli/validating.h"

/* Said before the sweep, not after it. */
static cli_exit check_repetitions(const cli_options *options)
{
    if (options->repetitions != 1 || (isinf(options->tau) && !options->tau_auto))
        return CLI_DONE;
    cli_say("one repetition does not show noise, expected --repetitions 2 or more, or --tau inf");
    return CLI_USAGE;
}

/* What the definitions need of programs. Without that they are still definitions: it has been said why. */
static cli_exit count_programs(const char *directory, const cli_options *options)
{
    if (!cm_validation_available()) {
        cli_say("the definitions are not held against programs, which cannot be written for this processor");
        return CLI_DONE;
    }
    cli_exit code = cli_count_programs(directory, options);
    if (code == CLI_INTERRUPTED && cli_interrupt_expired()) {
        cli_say("the budget is used up: the definitions are not held against all programs%s",
                options->out != NULL ? "; 'catmint validate' with --resume does so" : "");
        return CLI_PARTLY;
    }
    if (code != CLI_DONE && code != CLI_PARTLY && code != CLI_INTERRUPTED)
        cli_say("the definitions are not held against programs");
    return code;
}

/* Options for what has been swept. A directory is one sweep; a benchmark of which no kernel finds room is not in it. */
static cli_options to_analyze(const cli_options *options, const cli_list *benchmarks)
{
    cli_options analyze = *options;
    analyze.benchmarks = options->basis != NULL || options->signatures != NULL ? *benchmarks : (cli_list){0};
    return analyze;
}

/* On cores of one type. What was counted can be analysed in any case but a failure. */
static cli_exit sweep(const char *directory, const cli_options *options, void *data)
{
    (void)data;
    cli_list benchmarks;
    cli_exit code = cli_choose_benchmarks(options, &benchmarks), counted = CLI_DONE;
    if (code == CLI_DONE)
        code = cli_sweep_into(directory, options, &benchmarks, true);
    if ((code == CLI_DONE || code == CLI_PARTLY) && options->programs != 0) {
        const cli_options analyze = to_analyze(options, &benchmarks);
        counted = count_programs(directory, &analyze);
    }
    cli_list_free(&benchmarks);
    if (counted == CLI_INTERRUPTED)
        return counted;
    return counted != CLI_DONE && code == CLI_DONE ? CLI_PARTLY : code;
}

static cli_exit sweep_and_analyze(const char *directory, const cli_options *options)
{
    cli_list benchmarks;
    cli_exit code = cli_choose_benchmarks(options, &benchmarks);
    if (code == CLI_DONE)
        code = cli_on_cores(directory, options, sweep, NULL);
    if (options->budget > 0.0)
        cli_interrupt_forget();
    if (code == CLI_DONE || code == CLI_PARTLY) {
        const cli_options analyze = to_analyze(options, &benchmarks);
        cli_exit analysed = cli_analyze_path(directory, &analyze);
        code = analysed != CLI_DONE ? analysed : code;
    }
    cli_list_free(&benchmarks);
    return code;
}

cli_exit cli_discover(const cli_options *options)
{
    cli_exit code = check_repetitions(options);
    if (code == CLI_DONE)
        code = cli_check_output(options);
    if (code != CLI_DONE)
        return code;
    if (options->out != NULL) {
        code = sweep_and_analyze(options->out, options);
        if (code == CLI_DONE || code == CLI_PARTLY)
            cli_say("measurements are in %s; 'catmint analyze %s' reads them again", options->out, options->out);
        return code;
    }
    char directory[CLI_PATH_SIZE];
    code = cli_make_temporary(directory, sizeof directory);
    if (code != CLI_DONE)
        return code;
    code = sweep_and_analyze(directory, options);
    cli_remove_temporary(directory);
    return code;
}
