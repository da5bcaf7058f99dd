/* Writes kernels as sources for machines without an operating system. */
#ifndef CM_CLI_EMIT_H
#define CM_CLI_EMIT_H

#include "cli/command.h"

/* Whether an option is given that only --emit has. */
bool cli_has_emit_options(const cli_options *options);
cli_exit cli_emit_kernels(const cli_options *options);
cli_exit cli_emit_programs(const cli_options *options);
/* Holds the facts of such kernels or programs against --trace. */
cli_exit cli_verify_trace(const cli_options *options);
cli_exit cli_verify_program_trace(const cli_options *options);
/* Prints all verifications; CLI_PARTLY if a kernel differs. */
cli_exit cli_print_verifications(cm_verification *const *verifications, size_t count);

#endif
