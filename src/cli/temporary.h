/* A directory that is gone afterwards. */
#ifndef CM_CLI_TEMPORARY_H
#define CM_CLI_TEMPORARY_H

#include "cli/command.h"
#include "core/temporary.h"

enum { CLI_PATH_SIZE = CM_TEMPORARY_SIZE };

/* Makes one in $TMPDIR, else in /tmp; says so where it cannot. The next run removes it where this one is killed. */
cli_exit cli_make_temporary(char path[CLI_PATH_SIZE]);
/* What messages call it from now on where a file in it is bad: `name`, behind which the rest of the path stands, or
 * `whole`, nothing. Both texts must live until then; NULL: it has no other name. */
void cli_hide_temporary(const char *folder, const char *name, bool whole);
/* Removes it with all that is in it. */
void cli_remove_temporary(const char *path);

#endif
