/* `catmint kernels --verify`. */
#ifndef CM_CLI_VERIFY_H
#define CM_CLI_VERIFY_H

#include "cli/command.h"

/* Verifies all kernels of all benchmarks and prints the facts that each executed; CLI_PARTLY if one differs. */
cli_exit cli_verify_kernels(const cli_options *options);

#endif
