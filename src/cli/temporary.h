/* A directory that is gone afterwards. */
#ifndef CM_CLI_TEMPORARY_H
#define CM_CLI_TEMPORARY_H

#include "cli/command.h"
#include "core/temporary.h"

enum { CLI_PATH_SIZE = CM_TEMPORARY_SIZE };

/* Makes one in $TMPDIR, else in /tmp; says so where it cannot. The next run removes it where this one is killed. */
cli_exit cli_make_temporary(char path[CLI_PATH_SIZE]);
/* Removes it with all that is in it. */
void cli_remove_temporary(const char *path);

#endif
