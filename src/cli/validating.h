/* What `validate` and `discover` share. */
#ifndef CM_CLI_VALIDATING_H
#define CM_CLI_VALIDATING_H

#include "cli/command.h"

/* Counts programs for the definitions of the sweep in `directory`, on its PMU. */
cli_exit cli_count_programs(const char *directory, const cli_options *options);
/* Holds the definitions against what was counted there, if anything was. */
cli_exit cli_judge(const char *directory, cm_results *results);

#endif
