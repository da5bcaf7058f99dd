#include <stdio.h>

#include "cli/analysis.h"
#include "cli/interrupt.h"
#include "cli/measuring.h"
#include "cli/temporary.h"
#include "cli/terminal.h"

static cli_exit write_incore(const cm_incore *incore, const cli_options *options)
{
    cm_error error;
    const bool to_file = options->output != NULL;
    const cm_style style = {options->format, to_file ? 0 : cli_width(stdout), !to_file && cli_colour(stdout)};
    if (to_file)
        return cm_incore_save(incore, &style, options->output, &error) == CM_OK ? CLI_DONE : cli_fail_writing(&error);
    return cli_finish_writing(cm_incore_write(incore, &style, stdout, &error), &error);
}

static cli_exit measure(const cli_options *options, const char *folder)
{
    cm_incore *incore = NULL;
    cm_error error;
    cli_measuring measuring = cli_measuring_begin();
    const cm_incore_options wanted = {.processors = options->cores,
                                      .rounds = options->rounds,
                                      .repetitions = options->repetitions,
                                      .load_seconds = options->load_seconds,
                                      .known = options->known,
                                      .kernels_folder = folder,
                                      .stop = cli_interrupt_flag(),
                                      .progress = cli_measuring_show,
                                      .data = &measuring};
    cm_status status = cm_incore_measure(&wanted, &incore, &error);
    cli_measuring_end(&measuring);
    cli_exit code = status == CM_OK ? write_incore(incore, options) : cli_fail(&error);
    cm_incore_free(incore);
    return code;
}

cli_exit cli_incore(const cli_options *options)
{
    char folder[CLI_PATH_SIZE];
    if (cli_check_output(options) != CLI_DONE)
        return CLI_IMPOSSIBLE;
    if (!options->kernels)
        return measure(options, NULL);
    cli_exit code = cli_make_temporary(folder, sizeof folder);
    if (code != CLI_DONE)
        return code;
    code = measure(options, folder);
    cli_remove_temporary(folder);
    return code;
}
