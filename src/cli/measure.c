/* catmint measure: the user's own assembly counted. */
#include "cli/sweeping.h"

static cli_exit write_snippet(const cm_snippet *snippet, const cli_options *options)
{
    const cm_output_style style = {options->format, cli_width(stdout), false};
    cm_error error;
    cm_status status = options->basis_row != NULL ? cm_snippet_write_row(snippet, options->basis_row, stdout, &error)
                                                  : cm_snippet_write(snippet, &style, stdout, &error);
    return cli_finish_writing(status, &error);
}

/* Measures in the temporary directory. */
static cli_exit measure_snippet(const cli_options *options, cm_counting *counting, const char *directory)
{
    cli_progress progress = cli_progress_begin();
    cm_sweep_options sweep;
    cm_snippet *snippet = NULL;
    cm_error error;
    cm_sweep_options_default(&sweep);
    sweep.events = options->events.items;
    sweep.events_count = options->events.count;
    sweep.components = options->components.items;
    sweep.component_count = options->components.count;
    sweep.repetitions = options->repetitions;
    sweep.message = cli_progress_message;
    sweep.message_data = &progress;
    sweep.progress = cli_progress_show;
    sweep.progress_data = &progress;
    sweep.stop = cli_interrupt_flag();
    cm_snippet_options wanted;
    cm_snippet_options_default(&wanted);
    wanted.file = options->operands.items[0];
    wanted.directory = directory;
    wanted.copies = options->copies;
    wanted.turns = options->iterations;
    wanted.sweep = &sweep;
    cm_status status = cm_snippet_measure(counting, &wanted, &snippet, &error);
    cli_progress_end(&progress);
    cli_exit code = status == CM_OK ? write_snippet(snippet, options) : cli_fail(&error);
    cm_snippet_free(snippet);
    return cli_finish_stdout(code);
}

cli_exit cli_measure(const cli_options *options)
{
    char directory[CLI_PATH_SIZE];
    cm_counting *counting = NULL;
    cm_error error;
    if (cli_open_pmu(options, false, &counting, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cli_make_temporary(directory);
    if (code == CLI_DONE) {
        code = measure_snippet(options, counting, directory);
        cli_remove_temporary(directory);
    }
    cm_counting_close(counting);
    return code;
}
