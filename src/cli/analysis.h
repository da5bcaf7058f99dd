/* Shared by `analyze` and `discover`. */
#ifndef CM_CLI_ANALYSIS_H
#define CM_CLI_ANALYSIS_H

#include "cli/command.h"

/* Checks that --output can be written, before work is done that a failure would lose. */
cli_exit cli_check_output(const cli_options *options);
/* Fills `analyze` from the command line; it points into `options`. */
void cli_analyze_options(const cli_options *options, cm_analyze_options *analyze);
/* Analyses a directory or a table by the options, and judges its definitions by the programs that were counted
 * there. */
cli_exit cli_analyze_into(const char *path, const cli_options *options, cm_results **results);
/* Writes tables or JSON to stdout or into --output. */
cli_exit cli_print_results(const cm_results *results, const cli_options *options);
/* Analyses a path and prints its results. */
cli_exit cli_analyze_path(const char *path, const cli_options *options);

#endif
