/* A line on stderr that says how far a sweep is. */
#ifndef CM_CLI_PROGRESS_H
#define CM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/sweep.h>

typedef struct cli_progress {
    bool terminal;         /* there a line is drawn; elsewhere one is written now and then */
    bool drawn;            /* there is one to clear */
    const char *benchmark; /* that is under way, since so many seconds */
    double since;
    double last; /* seconds at which it was drawn last */
} cli_progress;

cli_progress cli_progress_begin(void);
/* For cm_sweep_options; `data` is a cli_progress. */
void cli_progress_show(const cm_sweep_progress *progress, void *data);
/* Clears the line. */
void cli_progress_end(cli_progress *progress);

#endif
