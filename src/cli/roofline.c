/* catmint roofline: the limits of this machine, and programs held against them. */
#include "cli/sweeping.h"

enum { BUDGET = 60 }; /* seconds */

/* Measures a roofline as the options say. */
static cm_status measure_machine(const cli_options *options, cm_roofline **roofline, cm_error *error)
{
    char most[32];
    const double budget = options->budget > 0.0 ? options->budget : BUDGET;
    cli_measuring measuring = cli_measuring_begin();
    cli_write("measuring takes about %s at most, or as long as each figure takes once",
              cli_show_duration(budget, most, sizeof most));
    const cm_roofline_options wanted = {.size = sizeof wanted,
                                        .processors = options->cores,
                                        .precisions = options->precisions,
                                        .rounds = options->rounds,
                                        .repetitions = options->repetitions,
                                        .budget = budget,
                                        .stop = cli_interrupt_flag(),
                                        .progress = cli_measuring_show,
                                        .data = &measuring};
    cm_status status = cm_roofline_measure(&wanted, roofline, error);
    cli_measuring_end(&measuring);
    return status;
}

static cli_exit write_roofline(const cm_roofline *roofline, const cli_options *options)
{
    cm_error error;
    size_t files = 0;
    const cm_output_style style = cli_style(options->format, NULL, stdout);
    if (cm_roofline_save(roofline, options->out, &files, &error) != CM_OK)
        return cli_fail_writing(&error);
    return cli_finish_writing(cm_roofline_write(roofline, &style, stdout, &error), &error);
}

void cli_write_warnings(const cm_roofline *roofline)
{
    char text[512];
    for (size_t i = 0, count = cm_roofline_warning_count(roofline); i < count; i++)
        cli_write("%s", cm_roofline_warning(roofline, i, text, sizeof text));
}

cli_exit cli_roofline(const cli_options *options)
{
    cm_roofline *roofline = NULL;
    cm_error error;
    if (options->out == NULL)
        return cli_end(CLI_USAGE, "roofline needs --out DIR; see 'catmint roofline --help'");
    if (options->machine != NULL && (options->cores != NULL || options->precisions != 0 || options->rounds != 0 ||
                                     options->repetitions != 0 || options->budget > 0.0))
        return cli_end(
            CLI_USAGE,
            "--machine is given, so nothing is measured: --cores, --precision, --rounds, --repetitions and --budget "
            "have no use");
    if (cm_roofline_check_directory(options->out, &error) != CM_OK)
        return cli_fail_writing(&error);
    cm_status status = options->machine != NULL ? cm_roofline_load(options->machine, &roofline, &error)
                                                : measure_machine(options, &roofline, &error);
    for (size_t i = 0; i < options->points.count && status == CM_OK; i++)
        status = cm_roofline_add_points(roofline, options->points.items[i], &error);
    cli_exit code = status == CM_OK ? write_roofline(roofline, options) : cli_fail(&error);
    if (code == CLI_DONE)
        cli_write_warnings(roofline);
    cm_roofline_free(roofline);
    return code;
}
