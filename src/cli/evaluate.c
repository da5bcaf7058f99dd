#include <stdio.h>
#include <string.h>

#include "cli/analysis.h"
#include "cli/terminal.h"

static void say_note(const char *text, void *data)
{
    (void)data;
    cli_say("%s", text);
}

static cli_exit print_values(const cm_evaluate_options *evaluate)
{
    cm_evaluate_summary summary;
    cm_error error;
    cm_status status = cm_evaluate(evaluate, stdout, &summary, &error);
    if (status == CM_OK)
        return cli_finish_stdout(summary.faults == 0 ? CLI_DONE : CLI_PARTLY);
    if (status != CM_IO || error.file[0] != '\0')
        return cli_fail(&error);
    clearerr(stdout); /* it has been said */
    return cli_fail_writing(&error);
}

static cli_exit save_values(const cm_evaluate_options *evaluate, const char *path)
{
    cm_evaluate_summary summary;
    cm_error error;
    cm_status status = cm_evaluate_save(evaluate, path, &summary, &error);
    if (status == CM_OK)
        return summary.faults == 0 ? CLI_DONE : CLI_PARTLY;
    return status == CM_IO && strcmp(error.file, path) == 0 ? cli_fail_writing(&error) : cli_fail(&error);
}

cli_exit cli_evaluate(const cli_options *options)
{
    if (options->counts == NULL) {
        cli_say("evaluate needs --counts FILE, the table of counts; see 'catmint evaluate --help'");
        return CLI_USAGE;
    }
    cm_evaluate_options evaluate = {.formulas = options->operands.items[0],
                                    .counts = options->counts,
                                    .tolerance = options->tolerance,
                                    .format = options->values,
                                    .note = say_note};
    cli_exit code = cli_check_output(options);
    if (code != CLI_DONE)
        return code;
    if (options->output != NULL)
        return save_values(&evaluate, options->output);
    evaluate.width = cli_width(stdout);
    evaluate.colour = cli_colour(stdout);
    return print_values(&evaluate);
}
