/* Loads results to show or compare. */
#ifndef CM_CLI_VIEWS_H
#define CM_CLI_VIEWS_H

#include "cli/command.h"

/* Loads the results at a path: a document, or a sweep, which is analysed. */
cli_exit cli_load_view(const char *path, cm_view **view);

#endif
