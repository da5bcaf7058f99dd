/* Shared by `merge` and the commands that read its directories. */
#ifndef CM_CLI_MERGING_H
#define CM_CLI_MERGING_H

#include "cli/command.h"

/* The directories named; one that holds only shards is replaced by its shards. Free with cli_directories_free, also
 * after a failure. */
cli_exit cli_find_directories(const cli_list *named, cli_list *directories);
void cli_directories_free(cli_list *directories);

/* Warns that a directory whose result was read also holds an unfinished sweep. */
void cli_note_unfinished(const char *directory);

/* Joins sweeps of hybrid processors, each type of cores by itself; *hybrid is false if no processor is hybrid, and then
 * nothing was joined. */
cli_exit cli_merge_cores(const cli_list *directories, const char *out, bool *hybrid);

#endif
