/* Describes how members of a team were lost. */
#include <signal.h>

#include "core/system.h"

bool cm_team_lost(const cm_team_loss *loss)
{
    return loss->signal != 0 || loss->timed_out || loss->ended;
}

bool cm_team_blameless(const cm_team_loss *loss)
{
    return loss->outside || loss->unstarted;
}

char *cm_team_loss_text(const cm_team_loss *loss, const char *failure, char *buffer, size_t size)
{
    const char *name = loss->signal != 0 ? sigabbrev_np(loss->signal) : NULL;
    if (name != NULL)
        snprintf(buffer, size, "crashed (SIG%s)", name);
    else if (loss->signal != 0)
        snprintf(buffer, size, "crashed (signal %d)", loss->signal);
    else if (loss->timed_out)
        snprintf(buffer, size, "timed out");
    else if (loss->ended)
        snprintf(buffer, size, "ended the process (status %d)", loss->status);
    else
        snprintf(buffer, size, "refused (%s)", failure);
    return buffer;
}

cm_status cm_team_outside_error(const cm_error *failure, cm_error *error)
{
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "processes of catmint were killed from outside %d times in a row (%.500s): by another process, a "
                   "system limit, or lack of memory",
                   CM_OUTSIDE_LOSSES, failure->text);
}
