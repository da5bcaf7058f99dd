/* Installs presets for PAPI. */
#ifndef CM_CLI_EXPORT_INSTALL_H
#define CM_CLI_EXPORT_INSTALL_H

#include "cli/command.h"

/* Writes the file that --output or PAPI_CSV_EVENT_FILE names. CLI_PARTLY if papi_avail does not find all presets. */
cli_exit cli_install_presets(const cm_definitions *definitions, const cli_options *options,
                             const cm_export_options *export, cm_export_summary *summary);

#endif
