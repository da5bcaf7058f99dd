/* A line on stderr that shows the progress of a sweep. */
#ifndef CM_CLI_PROGRESS_H
#define CM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/sweep.h>

typedef struct cli_progress {
    bool terminal;         /* a line is redrawn; otherwise lines are written from time to time */
    bool drawn;            /* there is a line to clear */
    const char *benchmark; /* the current benchmark, since so many seconds */
    double since;
    double last; /* seconds at which the line was last drawn */
} cli_progress;

cli_progress cli_progress_begin(void);
/* For cm_sweep_options; `data` is a cli_progress. */
void cli_progress_show(const cm_sweep_progress *progress, void *data);
/* Clears the line. */
void cli_progress_end(cli_progress *progress);

#endif
