/* What `merge` and others that read its directories share. */
#ifndef CM_CLI_MERGING_H
#define CM_CLI_MERGING_H

#include "cli/command.h"

/* The directories named, one that holds nothing but shards replaced by these. Free with cli_directories_free, also
 * after a failure. */
cli_exit cli_find_directories(const cli_list *named, cli_list *directories);
void cli_directories_free(cli_list *directories);

/* Says of a directory whose result was read that it also holds an unfinished sweep. */
void cli_note_unfinished(const char *directory);

/* Joins sweeps of hybrid processors, each type of cores by itself; *hybrid is false where the sweeps are of processors
 * whose cores are all alike, and nothing was joined. */
cli_exit cli_merge_cores(const cli_list *directories, const char *out, bool *hybrid);

#endif
