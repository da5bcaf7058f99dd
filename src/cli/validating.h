/* Shared by `validate` and `discover`. */
#ifndef CM_CLI_VALIDATING_H
#define CM_CLI_VALIDATING_H

#include "cli/command.h"

/* Counts programs for the definitions of the sweep in `directory`, on its PMU. */
cli_exit cli_count_programs(const char *directory, const cli_options *options);
/* Judges the definitions by the programs counted there, if any. */
cli_exit cli_judge(const char *directory, cm_results *results);

#endif
