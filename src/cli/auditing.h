/* Shared by the audits of one processor and of all. */
#ifndef CM_CLI_AUDITING_H
#define CM_CLI_AUDITING_H

#include "cli/command.h"

/* Audits the files, or the checkout of the options, against the counts of the model's events, from facts. The caller
 * frees *audit. */
cli_exit cli_audit_model(const char *model, const cm_formula_files *files, const cli_options *options,
                         cm_audit **audit);
/* Reports formulas that cannot be read; returns the exit code of the verdicts. */
cli_exit cli_audit_code(const cm_audit *audit);

#endif
