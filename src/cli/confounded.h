/* `catmint kernels --confounded`. */
#ifndef CM_CLI_CONFOUNDED_H
#define CM_CLI_CONFOUNDED_H

#include "cli/command.h"

/* Prints the facts that the kernels of all benchmarks cannot distinguish; CLI_PARTLY if any of them must be
 * distinguished. */
cli_exit cli_list_confounded(void);

#endif
