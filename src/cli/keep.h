/* The files that `discover` writes beside the measurements. */
#ifndef CM_CLI_KEEP_H
#define CM_CLI_KEEP_H

#include "cli/command.h"
#include "cli/temporary.h"

typedef struct cli_kept {
    char results[CLI_PATH_SIZE], page[CLI_PATH_SIZE], presets[CLI_PATH_SIZE];
    size_t written; /* presets written */
    bool named;     /* the table of presets names its PMU */
} cli_kept;

/* Reports, before counting, files in the directory that must not be replaced. */
cli_exit cli_check_kept(const char *directory);
/* Writes results in JSON, a page and presets of PAPI into the directory --out, all or none. */
cli_exit cli_keep(const cm_results *results, const cli_options *options, cli_kept *kept);
/* Warns if files that `discover` wrote, in the directory or as this file, do not follow from the sweep there. */
void cli_note_kept(const char *path);

#endif
