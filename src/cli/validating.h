/* What `validate` and `discover` share. */
#ifndef CM_CLI_VALIDATING_H
#define CM_CLI_VALIDATING_H

#include "cli/command.h"

/* Whether there is anything to hold against programs. */
bool cli_has_definitions(const cm_results *results);
/* Counts programs for the definitions of `results`, which are those of the sweep in `directory`, on its PMU. */
cli_exit cli_count_programs(const char *directory, const cm_results *results, const cli_options *options);
/* Holds the definitions against what was counted there, if anything was. */
cli_exit cli_judge(const char *directory, cm_results *results);

#endif
