#include "cli/command.h"

static char latest[CLI_PATH_SIZE];

/* The lock ends with the process. */
cli_exit cli_make_temporary(char path[CLI_PATH_SIZE])
{
    if (cm_temporary_directory(path) >= 0) {
        memcpy(latest, path, sizeof latest);
        return CLI_DONE;
    }
    return cli_end(CLI_IMPOSSIBLE, "%s: no temporary directory can be made: %s", path, strerror(errno));
}

void cli_remove_temporary(const char *path)
{
    if (cm_temporary_remove(path) != 0)
        cli_write("%s: cannot be removed: %s", path, strerror(errno));
}

bool cli_is_temporary(const char *path)
{
    return latest[0] != '\0' && strcmp(path, latest) == 0;
}
