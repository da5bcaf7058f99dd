#include "counting/quiet.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int cm_quiet_begin(void)
{
    fflush(stderr);
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0)
        close(nowhere);
    return kept;
}

void cm_quiet_end(int kept)
{
    if (kept < 0)
        return;
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
}
