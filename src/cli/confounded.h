/* `catmint kernels --confounded`. */
#ifndef CM_CLI_CONFOUNDED_H
#define CM_CLI_CONFOUNDED_H

#include "cli/command.h"

/* Prints what the kernels of all benchmarks cannot tell apart; CLI_PARTLY where it must be separate. */
cli_exit cli_list_confounded(void);

#endif
