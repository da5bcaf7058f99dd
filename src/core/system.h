/* The system: its cores, memory and signals. */
#ifndef CM_CORE_SYSTEM_H
#define CM_CORE_SYSTEM_H

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "core/base.h"

/* ---- Random numbers by seed ---- */

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014). */
static inline uint64_t cm_random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double cm_random_share(uint64_t *state)
{
    return (double)(cm_random_next(state) >> 11) * 0x1p-53;
}

/* Uniform in [0, bound). */
static inline size_t cm_random_below(uint64_t *state, size_t bound)
{
    return (size_t)(cm_random_share(state) * (double)bound);
}

/* ---- system ---- */

/* Seconds since some time in the past, which no change of the date moves. */
static inline double cm_clock_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- cores.c: work for all cores ---- */

/* Calls `work` with `context` in one thread a core, the calling one among them, and returns when all have returned. If
 * some threads cannot be started, the work only takes longer. */
void cm_on_all_cores(void *(*work)(void *), void *context);

/* ---- cpu_list.c: lists of processors as the kernel writes them: "0-3,8" ---- */

/* False if the text is no such list, is empty, or names a processor that the set cannot hold. */
bool cm_cpu_list_parse(const char *list, cpu_set_t *cpus);

/* ---- free_memory.c: the memory that a process may use ---- */

/* Bytes that can be used without taking them from other processes; 0 if unknown. */
size_t cm_free_memory(void);

/* ---- huge_pages.c: memory in huge pages, if the system has them ---- */

typedef struct cm_huge_pages {
    char *start;   /* NULL: none */
    size_t size;   /* bytes, whole pages */
    char *mapping; /* the mapping that holds them */
    size_t mapped; /* its size in bytes */
} cm_huge_pages;

/* Bytes of a page, 0 if the system gives none. */
size_t cm_huge_page_size(void);

/* At least `size` bytes of zeros, in huge pages that are in memory when this returns. `written`: each page has memory
 * of its own; otherwise pages may only be read, and may share one. CM_UNSUPPORTED with the reason
 * if the system gave a small page; each is checked. Free with cm_huge_pages_unmap, also after a failure. */
cm_status cm_huge_pages_map(cm_huge_pages *pages, size_t size, bool written, cm_error *error);
void cm_huge_pages_unmap(cm_huge_pages *pages);

/* Whether huge pages that are only read share one page of zeros, and so take no memory; false if it cannot be told. */
bool cm_huge_zeros_are_shared(void);

/* ---- own_signals.c ---- */

/* Distinguishes signals that a process causes itself (invalid access, raise, abort) from those sent by others. */

/* From now on a signal that ends this process is first stored in `noted`, which outlives it: the signal's number,
 * negative if another process sent it. SIGKILL and limits of the system (SIGXCPU, SIGXFSZ) are never stored. */
void cm_own_signals_note(atomic_int *noted);

/* Whether a process ended by `signal` caused it itself. An invalid access that could not be stored counts as such. */
bool cm_own_signal(int signal, int noted);

/* ---- team ---- */

/* A team: processes that do the same work at the same time, one a core. It knows nothing of counting: the caller gives
 * the work of a member, and the core to which it is bound.
 *
 * Members are forked from the caller and know all that it knows; they leave results in memory of cm_team_memory_create.
 * A member that fails, dies or does not respond ends the team with a message. */

typedef struct cm_team_board cm_team_board; /* shared by the members */

typedef struct cm_team_member {
    size_t number; /* from 0 */
    size_t size;   /* of the team */
    size_t barriers;
    cm_team_board *board;
} cm_team_member;

/* The way in which a member was lost. */
typedef struct cm_team_loss {
    int signal;     /* the signal that ended it, 0: none */
    bool timed_out; /* it did not respond */
    bool ended;     /* by itself, before its work was done */
    int status;     /* the exit status then */
    bool outside;   /* another process or the system sent the signal, or it was stopped for long */
    bool unstarted; /* it could not be forked or bound */
} cm_team_loss;

/* CM_OUTSIDE_LOSSES: the number of losses from outside in a row after which the work is given up. */
enum { CM_LOSS_TEXT_SIZE = CM_ERROR_TEXT_SIZE + 32, CM_OUTSIDE_LOSSES = 8 };

/* Whether the member was lost; otherwise its work failed, or it could not be forked. */
bool cm_team_lost(const cm_team_loss *loss);
/* Whether it was lost for a reason outside its work. */
bool cm_team_blameless(const cm_team_loss *loss);
/* Returns CM_UNSUPPORTED, as members were killed from outside too often; `failure` describes the last. */
cm_status cm_team_outside_error(const cm_error *failure, cm_error *error);
/* Describes the loss: "crashed (SIGSEGV)", "timed out", "ended the process (status 1)", or, if it was not lost,
 * "refused (`failure`)". Returns `buffer`. */
char *cm_team_loss_text(const cm_team_loss *loss, const char *failure, char *buffer, size_t size);

typedef struct cm_team_job {
    size_t size; /* members, at least 1 */
    /* Called in the member before its work; NULL: the system chooses its core. */
    cm_status (*bind)(size_t member, const void *data, cm_error *error);
    const void *bind_data;
    cm_status (*work)(cm_team_member *member, void *data, cm_error *error);
    void *data;
    /* Seconds without a sign of life after which a member counts as hanging, more than 0. Time in which it or the
     * caller was stopped, or in which it waited for a processor, does not count. */
    double timeout;
    /* Called in the caller many times a second; false ends the team with CM_INTERRUPTED. `steps`: the fewest steps that
     * a member has done. NULL: never called. */
    bool (*watch)(size_t steps, void *data);
    /* The work runs in the calling process before cm_team_start returns, and is not bound: for state that does not
     * survive a fork. The team must be of one. A crash or hang of the work then takes the caller with it. */
    bool here;
    double *longest_gap; /* gets the longest gap after which a member gave a sign again, in seconds; may be NULL */
    cm_team_loss *loss;  /* the loss of the member that failed first, untouched if none did; may be NULL */
} cm_team_job;

/* Forks the team and waits for its end; afterwards none of its processes is left. The first failure decides the status:
 * that of a member's work, or CM_UNSUPPORTED for a member that died, hung or could not be forked. A team that is lost
 * to the outside works again, up to CM_OUTSIDE_LOSSES times. `failed` (may be NULL) gets the member's number, or the
 * team's size if no member caused it. */
CM_SHARED cm_status cm_team_run(const cm_team_job *job, size_t *failed, cm_error *error);

/* The same in steps, for a caller that runs several teams: start; poll, which never waits, as long as it returns true;
 * end, which also ends a team at work. `job` must live until the end, which frees the team. */
typedef struct cm_team cm_team;
cm_status cm_team_start(const cm_team_job *job, cm_team **team, cm_error *error);
bool cm_team_poll(cm_team *team);
cm_status cm_team_end(cm_team *team, size_t *failed, cm_error *error);

/* ---- called by members ---- */

/* Gives a sign of life; `step`: a step is done. */
CM_SHARED void cm_team_alive(cm_team_member *member, bool step);
/* Waits for all members. CM_INTERRUPTED if the team ends instead. */
CM_SHARED cm_status cm_team_barrier(cm_team_member *member, cm_error *error);

/* ---- memory shared by members and caller ---- */

/* Zeroed; NULL without memory. */
CM_SHARED void *cm_team_memory_create(size_t size);
CM_SHARED void cm_team_memory_free(void *memory, size_t size);

/* ---- run_program.c ---- */

enum { CM_PROGRAM_UNKNOWN = -1 };

/* Runs a program of the PATH, with these descriptors as stdin, stdout and stderr, -1 for /dev/null, until it ends.
 * Returns 0, or the number of the system's error. *ended: 0 after success, else the status that waitpid fills, or
 * CM_PROGRAM_UNKNOWN, as where the caller's program ignores SIGCHLD. */
CM_SHARED int cm_program_run(const char *const *command, const int streams[3], int *ended);

#endif
