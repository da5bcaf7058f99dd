/* Results that are shown or compared. */
#ifndef CM_CLI_VIEWS_H
#define CM_CLI_VIEWS_H

#include "cli/command.h"

/* The results at a path: of a document, or of a sweep, which is analysed. */
cli_exit cli_load_view(const char *path, cm_view **view);

#endif
