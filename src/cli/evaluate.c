#include <stdio.h>

#include "cli/analysis.h"
#include "cli/terminal.h"

static cli_exit write_values(const cm_evaluation *evaluation, const cli_options *options)
{
    cm_error error;
    if (options->output != NULL) {
        const cm_style style = {.format = options->values};
        return cm_evaluation_save(evaluation, &style, options->output, &error) == CM_OK ? CLI_DONE
                                                                                        : cli_fail_writing(&error);
    }
    const cm_style style = {options->values, cli_width(stdout), cli_colour(stdout)};
    if (cm_evaluation_write(evaluation, &style, stdout, &error) == CM_OK)
        return CLI_DONE;
    clearerr(stdout); /* it has been said */
    return cli_fail_writing(&error);
}

static void say_faults(const cm_evaluation *evaluation)
{
    char text[512];
    for (size_t i = 0; i < cm_evaluation_fault_count(evaluation); i++)
        cli_say("%s", cm_evaluation_fault(evaluation, i, text, sizeof text));
}

cli_exit cli_evaluate(const cli_options *options)
{
    if (options->counts == NULL) {
        cli_say("evaluate needs --counts FILE, the table of counts; see 'catmint evaluate --help'");
        return CLI_USAGE;
    }
    const cm_evaluate_options evaluate = {
        .formulas = options->operands.items[0], .counts = options->counts, .tolerance = options->tolerance};
    cm_evaluation *evaluation = NULL;
    cm_error error;
    cli_exit code = cli_check_output(options);
    if (code != CLI_DONE)
        return code;
    if (cm_evaluation_create(&evaluate, &evaluation, &error) != CM_OK)
        return cli_fail(&error);
    code = write_values(evaluation, options);
    if (code == CLI_DONE) {
        say_faults(evaluation);
        code = cm_evaluation_fault_count(evaluation) == 0 ? CLI_DONE : CLI_PARTLY;
        code = options->output == NULL ? cli_finish_stdout(code) : code;
    }
    cm_evaluation_free(evaluation);
    return code;
}
