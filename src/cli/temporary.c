#include "cli/command.h"

#include <errno.h>
#include <string.h>

#include "core/files.h"

/* The lock ends with the process. */
cli_exit cli_make_temporary(char path[CLI_PATH_SIZE])
{
    if (cm_temporary_folder(path) >= 0)
        return CLI_DONE;
    cli_say("%s: no temporary directory can be made: %s", path, strerror(errno));
    return CLI_IMPOSSIBLE;
}

void cli_remove_temporary(const char *path)
{
    if (cm_temporary_remove(path) != 0)
        cli_say("%s: cannot be removed: %s", path, strerror(errno));
}
