#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

/* On a terminal alone: it is over in a minute. */
static void show_progress(size_t done, size_t all, void *data)
{
    size_t *shown = data, percent = all > 0 ? 100 * done / all : 100;
    if (percent == *shown)
        return;
    *shown = percent;
    fprintf(stderr, "\rmeasuring: %zu %%", percent);
}

static cm_status measure(const cli_options *options, cm_roofline **roofline, cm_error *error)
{
    size_t shown = SIZE_MAX;
    const bool terminal = isatty(STDERR_FILENO);
    const cm_roofline_options wanted = {.processors = options->cores,
                                        .precisions = options->precisions,
                                        .repetitions = options->repetitions,
                                        .stop = cli_interrupt_flag(),
                                        .progress = terminal ? show_progress : NULL,
                                        .data = &shown};
    cm_status status = cm_roofline_measure(&wanted, roofline, error);
    if (terminal)
        fputs("\r\033[K", stderr);
    return status;
}

static cli_exit write_roofline(const cm_roofline *roofline, const cli_options *options)
{
    cm_error error;
    size_t files = 0;
    const cm_style style = {options->format, cli_width(stdout), cli_colour(stdout)};
    if (cm_roofline_save(roofline, options->out, &files, &error) != CM_OK)
        return cli_fail_writing(&error);
    return cli_finish_writing(cm_roofline_write(roofline, &style, stdout, &error), &error);
}

cli_exit cli_roofline(const cli_options *options)
{
    cm_roofline *roofline = NULL;
    cm_error error;
    if (options->out == NULL) {
        cli_say("roofline needs --out DIR; see 'catmint roofline --help'");
        return CLI_USAGE;
    }
    if (options->machine != NULL && (options->cores != NULL || options->precisions != 0 || options->repetitions != 0)) {
        cli_say("--machine is given, so nothing is measured: --cores, --precision and --repetitions have no use");
        return CLI_USAGE;
    }
    cm_status status = options->machine != NULL ? cm_roofline_load(options->machine, &roofline, &error)
                                                : measure(options, &roofline, &error);
    for (size_t i = 0; i < options->points.count && status == CM_OK; i++)
        status = cm_roofline_add_points(roofline, options->points.items[i], &error);
    cli_exit code = status == CM_OK ? write_roofline(roofline, options) : cli_fail(&error);
    cm_roofline_free(roofline);
    return code;
}
