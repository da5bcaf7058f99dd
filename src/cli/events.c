#include <stdio.h>

#include "cli/pmu.h"
#include "cli/terminal.h"

cli_exit cli_events(const cli_options *options)
{
    cm_counting *counting = NULL;
    cm_error error;
    if (cli_open_pmu(options, true, &counting, &error) != CM_OK)
        return cli_fail(&error);
    const cm_style style = {options->format, cli_width(stdout), false};
    cm_status status = cm_events_write(counting, &style, stdout, &error);
    cm_counting_close(counting);
    return cli_finish_writing(status, &error);
}
