/* own.c: the definitions of this processor in the user's data directory. */
#ifndef CM_CLI_OWN_H
#define CM_CLI_OWN_H

#include "cli/command.h"

/* Writes the path of the file, which need not exist; false if there is no place for it. */
bool cli_find_own(char path[CLI_PATH_SIZE]);
/* Keeps the results there if all benchmarks ran on hardware with all events, unless --no-keep is given. `path` becomes
 * "" if nothing is kept, which a message explains where it should have been: what discover found is whole without. */
void cli_keep_own(const cm_results *results, const cli_options *options, char path[CLI_PATH_SIZE]);

#endif
