/* A directory for the time of a command. */
#ifndef CM_CLI_TEMPORARY_H
#define CM_CLI_TEMPORARY_H

#include "cli/command.h"
#include "core/files.h"

enum { CLI_PATH_SIZE = CM_TEMPORARY_SIZE };

/* Makes one in $TMPDIR, else in /tmp; reports a failure. If this process is killed, the next run removes it. */
cli_exit cli_make_temporary(char path[CLI_PATH_SIZE]);
/* Names the directory in messages from now on: as `name` before the path of a file in it, or, with `whole`, for any
 * file in it. Both texts must live as long; NULL: no other name. */
void cli_hide_temporary(const char *folder, const char *name, bool whole);
/* Removes it with its content. */
void cli_remove_temporary(const char *path);

#endif
