/* A team: processes that do the same work at the same time, one a core. It knows nothing of counting: who forks it says
 * what a member does, and where it is bound.
 *
 * Members are forked from the caller as it is, so all that it knows they know; what they find out they leave in memory
 * that was made by cm_team_memory_create. A member that fails, dies or does not respond ends the team with a
 * message. */
#ifndef CM_CORE_TEAM_H
#define CM_CORE_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_team_board cm_team_board; /* shared by the members */

typedef struct cm_team_member {
    size_t number; /* from 0 */
    size_t size;   /* of the team */
    size_t barriers;
    cm_team_board *board;
} cm_team_member;

/* How a member was lost. */
typedef struct cm_team_loss {
    int signal;     /* that ended it, 0: none */
    bool timed_out; /* it did not respond */
    bool ended;     /* before its work was done, by itself */
    int status;     /* with which it then ended */
    bool outside;   /* the signal came from another process or the system, or it was stopped for long */
    bool unstarted; /* it could not be forked, or not bound */
} cm_team_loss;

/* CM_OUTSIDE_LOSSES: after so many losses to the outside in a row the same work is no longer tried. */
enum { CM_LOSS_TEXT_SIZE = CM_ERROR_TEXT_SIZE + 32, CM_OUTSIDE_LOSSES = 8 };

/* Whether it was lost; otherwise its work failed, or it could not be forked. */
bool cm_team_lost(const cm_team_loss *loss);
/* Whether that was for no reason of its work's. */
bool cm_team_blameless(const cm_team_loss *loss);
/* CM_UNSUPPORTED, saying that members were killed from outside too often; `failure` describes the last. */
cm_status cm_team_say_outside(const cm_error *failure, cm_error *error);
/* What became of it: "crashed (SIGSEGV)", "timed out", "ended the process (status 1)", or, where it was not lost,
 * "refused (`failure`)". Returns `buffer`. */
char *cm_team_loss_text(const cm_team_loss *loss, const char *failure, char *buffer, size_t size);

typedef struct cm_team_job {
    size_t size; /* members, at least 1 */
    /* In the member, before its work; NULL: it runs where the system puts it. */
    cm_status (*bind)(size_t member, const void *data, cm_error *error);
    const void *bind_data;
    cm_status (*work)(cm_team_member *member, void *data, cm_error *error);
    void *data;
    /* Seconds without a sign of life after which a member counts as hanging, more than 0; without those in which it or
     * the caller was stopped, or in which it waited for a processor. */
    double timeout;
    /* In the caller, many times a second; false ends the team with CM_INTERRUPTED. `steps`: the least that a member has
     * done. NULL: never. */
    bool (*watch)(size_t steps, void *data);
    /* In the calling process, before cm_team_start returns, and not bound: for what does not survive a fork. Of a team
     * of one. What crashes or hangs then takes the caller with it. */
    bool here;
    double *longest_gap; /* gets the longest of a member that was heard of again, in seconds; may be NULL */
    cm_team_loss *loss;  /* of the member that failed first, untouched where none did; may be NULL */
} cm_team_job;

/* Forks the team and waits for its end; none of its processes is left afterwards. The first failure decides: what a
 * member's work returned, or CM_UNSUPPORTED for one that died, hung or could not be forked. A team that is lost to the
 * outside works anew, up to CM_OUTSIDE_LOSSES times. `failed` (may be NULL) gets the member's number, or the team's
 * size where none is to blame. */
cm_status cm_team_run(const cm_team_job *job, size_t *failed, cm_error *error);

/* The same in steps, for a caller that looks after several teams: start; poll, which never waits, as long as it returns
 * true; end, which also ends a team that is at work. `job` must live until the end, which frees the team. */
typedef struct cm_team cm_team;
cm_status cm_team_start(const cm_team_job *job, cm_team **team, cm_error *error);
bool cm_team_poll(cm_team *team);
cm_status cm_team_end(cm_team *team, size_t *failed, cm_error *error);

/* ---- what a member calls ---- */

/* A sign of life; `step`: something is done. */
void cm_team_alive(cm_team_member *member, bool step);
/* Waits until every member is here. CM_INTERRUPTED where the team ends instead. */
cm_status cm_team_barrier(cm_team_member *member, cm_error *error);

/* ---- memory that members and caller share ---- */

/* Zeroed; NULL where there is none. */
void *cm_team_memory_create(size_t size);
void cm_team_memory_free(void *memory, size_t size);

#endif
