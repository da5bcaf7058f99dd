/* What `discover` leaves beside the measurements. */
#ifndef CM_CLI_KEEP_H
#define CM_CLI_KEEP_H

#include "cli/command.h"
#include "cli/temporary.h"

typedef struct cli_kept {
    char results[CLI_PATH_SIZE], page[CLI_PATH_SIZE], presets[CLI_PATH_SIZE];
    size_t written; /* presets */
    bool named;     /* the table of presets names its PMU */
} cli_kept;

/* Before anything is counted: says what is in the way in the directory. */
cli_exit cli_check_kept(const char *directory);
/* Writes results in JSON, a page and presets of PAPI into the directory --out, all of them at once. */
cli_exit cli_keep(const cm_results *results, const cli_options *options, cli_kept *kept);
/* Says where what was kept in the directory, or the file, does not follow from the sweep that is there. */
void cli_note_kept(const char *path);

#endif
