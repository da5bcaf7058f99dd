/* What `analyze` and `discover` share. */
#ifndef CM_CLI_ANALYSIS_H
#define CM_CLI_ANALYSIS_H

#include "cli/command.h"

/* Looks whether --output can be written before work begins that would be lost. */
cli_exit cli_check_output(const cli_options *options);
/* What the command line says about the analysis; points into `options`. */
void cli_analyze_options(const cli_options *options, cm_analyze_options *analyze);
/* Analyses a directory or a table as the options say, and holds its definitions against the programs that are there. */
cli_exit cli_analyze_into(const char *path, const cli_options *options, cm_results **results);
/* Tables or JSON, on stdout or in a file. */
cli_exit cli_print_results(const cm_results *results, const cli_options *options);
/* Both. */
cli_exit cli_analyze_path(const char *path, const cli_options *options);

#endif
