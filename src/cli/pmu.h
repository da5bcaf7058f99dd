/* Opens the PMU. */
#ifndef CM_CLI_PMU_H
#define CM_CLI_PMU_H

#include "cli/command.h"

/* As cm_counting_open, but hides the output of PAPI's components and the vendors' libraries: stdout is for results, and
 * the components keep the reasons. With `to_list`, or if the options name events, --pmu hardware accepts a machine with
 * software events of the kernel alone. */
cm_status cli_open_pmu(const cli_options *options, bool to_list, cm_counting **counting, cm_error *error);

#endif
