#include "cli/temporary.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_DIRECTORIES = 8 };

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

cli_exit cli_make_temporary(char *path, size_t size)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, size, "%s/catmint-XXXXXX", parent != NULL && parent[0] != '\0' ? parent : "/tmp");
    if (length > 0 && (size_t)length < size && mkdtemp(path) != NULL)
        return CLI_DONE;
    cli_say("%s: no temporary directory can be made: %s", path, strerror(errno));
    return CLI_IMPOSSIBLE;
}

void cli_remove_temporary(const char *path)
{
    if (nftw(path, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS) != 0)
        cli_say("%s: cannot be removed: %s", path, strerror(errno));
}
