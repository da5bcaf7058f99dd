/* Opens the PMU. */
#ifndef CM_CLI_PMU_H
#define CM_CLI_PMU_H

#include "cli/command.h"

/* As cm_counting_open, but hides the output of PAPI's components and the vendors' libraries: stdout is for results, and
 * the components keep the reasons. With `to_list`, or if the options name events, --pmu hardware accepts a machine with
 * software events of the kernel alone. */
cm_status cli_open_pmu(const cli_options *options, bool to_list, cm_counting **counting, cm_error *error);

/* The model of --pmu software:MODEL; NULL: another PMU, or none was given. */
const char *cli_software_model(const cli_options *options);
/* Writes what that model's events count into the directory, from --facts or those that come with catmint. */
cli_exit cli_take_facts(const char *model, const cli_options *options, const char *directory);

#endif
