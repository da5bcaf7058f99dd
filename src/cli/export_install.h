/* Presets put where PAPI finds them. */
#ifndef CM_CLI_EXPORT_INSTALL_H
#define CM_CLI_EXPORT_INSTALL_H

#include "cli/command.h"

/* Into the file that --output or PAPI_CSV_EVENT_FILE names. CLI_PARTLY where papi_avail does not find all of them. */
cli_exit cli_install_presets(const cm_definitions *definitions, const cli_options *options,
                             const cm_export_options *export, cm_export_summary *summary);

#endif
