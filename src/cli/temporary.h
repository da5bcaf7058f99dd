/* A directory that is gone afterwards. */
#ifndef CM_CLI_TEMPORARY_H
#define CM_CLI_TEMPORARY_H

#include <stddef.h>

#include "cli/command.h"

enum { CLI_PATH_SIZE = 4096 };

/* Makes one in $TMPDIR, else in /tmp; says so where it cannot. */
cli_exit cli_make_temporary(char *path, size_t size);
/* Removes it with all that is in it. */
void cli_remove_temporary(const char *path);

#endif
