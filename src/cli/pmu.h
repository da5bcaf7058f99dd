/* Opens what counts. */
#ifndef CM_CLI_PMU_H
#define CM_CLI_PMU_H

#include "cli/command.h"

/* As cm_counting_open, without what PAPI's components and the vendors' libraries under them print meanwhile: stdout is
 * for results, and their reasons are in the components. With `to_list`, or where the options name events, --pmu
 * hardware is content with those of the kernel. */
cm_status cli_open_pmu(const cli_options *options, bool to_list, cm_counting **counting, cm_error *error);

#endif
