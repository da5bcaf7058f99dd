#include "core/team.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"

/* What one member shows. Written by it alone; the caller reads the outcome once it has ended. */
struct slot {
    atomic_size_t signs; /* of life */
    atomic_size_t steps;
    bool reported; /* the outcome is there */
    cm_status status;
    cm_error error;
};

struct cm_team_board {
    atomic_size_t arrived; /* at meetings, over all of them */
    atomic_bool ended;
    struct slot slots[];
};

enum { POLL_NANOSECONDS = 1000000, MEETING_NANOSECONDS = 20000, PATIENT_TURNS = 64 };

struct cm_team {
    const cm_team_job *job;
    cm_team_board *board;
    struct watched {
        pid_t process; /* 0: ended */
        size_t signs;
        double seen; /* when they last grew */
    } * members;
    size_t failed;
    cm_status status;
    cm_error error;
};

void *cm_team_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void cm_team_memory_free(void *memory, size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}

bool cm_team_lost(const cm_team_loss *loss)
{
    return loss->signal != 0 || loss->silent || loss->ended;
}

char *cm_team_loss_text(const cm_team_loss *loss, const char *failure, char *buffer, size_t size)
{
    const char *name = loss->signal != 0 ? sigabbrev_np(loss->signal) : NULL;
    if (name != NULL)
        snprintf(buffer, size, "crashed (SIG%s)", name);
    else if (loss->signal != 0)
        snprintf(buffer, size, "crashed (signal %d)", loss->signal);
    else if (loss->silent)
        snprintf(buffer, size, "timed out");
    else if (loss->ended)
        snprintf(buffer, size, "ended the process (status %d)", loss->status);
    else
        snprintf(buffer, size, "refused (%s)", failure);
    return buffer;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- in a member ---- */

void cm_team_alive(cm_team_member *member, bool step)
{
    struct slot *slot = &member->board->slots[member->number];
    atomic_fetch_add(&slot->signs, 1);
    if (step)
        atomic_fetch_add(&slot->steps, 1);
}

cm_status cm_team_meet(cm_team_member *member, cm_error *error)
{
    cm_team_board *board = member->board;
    size_t expected = member->size * ++member->meetings;
    atomic_fetch_add(&board->arrived, 1);
    static const struct timespec pause = {0, MEETING_NANOSECONDS};
    for (size_t turn = 0; atomic_load(&board->arrived) < expected; turn++) {
        if (atomic_load(&board->ended))
            return cm_error_set(error, CM_INTERRUPTED, NULL, 0, 0, "the team has ended");
        cm_team_alive(member, false); /* it is not this one that hangs */
        if (turn < PATIENT_TURNS)
            sched_yield(); /* all begin at once if they can */
        else
            nanosleep(&pause, NULL); /* the last one may need this core to come */
    }
    return CM_OK;
}

/* Signals are the caller's to act upon, who ends the team; should the caller die, nothing is left to work for. */
static void leave_signals_to_the_caller(pid_t caller)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != caller)
        _exit(1);
}

static void be_member(const cm_team *team, size_t number)
{
    const cm_team_job *job = team->job;
    struct slot *slot = &team->board->slots[number];
    cm_team_member member = {number, job->size, 0, team->board};
    cm_status status = CM_OK;
    if (job->bind != NULL)
        status = job->bind(number, job->bind_data, &slot->error);
    if (status == CM_OK)
        status = job->work(&member, job->data, &slot->error);
    slot->status = status;
    slot->reported = true;
    _exit(0); /* nothing of the caller's is flushed or torn down twice */
}

/* ---- in the caller ---- */

/* The first failure is the one that counts: what follows is its consequence. */
static void note_failure(cm_team *team, size_t member, cm_status status, const cm_error *error)
{
    if (team->status != CM_OK)
        return;
    team->failed = member;
    team->status = status;
    team->error = *error;
}

static void note_loss(cm_team *team, size_t member, const char *what, int number, const char *name)
{
    cm_error error = {0};
    cm_error_set(&error, CM_UNSUPPORTED, NULL, 0, 0, "member %zu of the team of %zu %s %d%s%s%s", member,
                 team->job->size, what, number, name != NULL ? " (" : "", name != NULL ? name : "",
                 name != NULL ? ")" : "");
    note_failure(team, member, CM_UNSUPPORTED, &error);
}

static void note_silence(cm_team *team, size_t member)
{
    if (team->status == CM_OK && team->job->loss != NULL)
        *team->job->loss = (cm_team_loss){.silent = true};
    cm_error error = {0};
    cm_error_set(&error, CM_UNSUPPORTED, NULL, 0, 0, "member %zu of the team of %zu gave no sign of life for %g s",
                 member, team->job->size, team->job->patience);
    note_failure(team, member, CM_UNSUPPORTED, &error);
}

static void start(cm_team *team)
{
    pid_t caller = getpid();
    for (size_t i = 0; i < team->job->size && team->status == CM_OK; i++) {
        pid_t process = fork();
        if (process == 0) {
            leave_signals_to_the_caller(caller);
            be_member(team, i);
        }
        if (process < 0) {
            int reason = errno;
            note_loss(team, i, "cannot be started: error", reason, strerror(reason));
        } else {
            team->members[i].process = process;
            team->members[i].seen = now();
        }
    }
}

static void note_end(cm_team *team, size_t member, int state)
{
    const struct slot *slot = &team->board->slots[member];
    team->members[member].process = 0;
    if (team->status == CM_OK && team->job->loss != NULL)
        *team->job->loss = (cm_team_loss){.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0,
                                          .ended = WIFEXITED(state) && !slot->reported,
                                          .status = WIFEXITED(state) ? WEXITSTATUS(state) : 0};
    if (WIFSIGNALED(state))
        note_loss(team, member, "was ended by signal", WTERMSIG(state), strsignal(WTERMSIG(state)));
    else if (!slot->reported)
        note_loss(team, member, "ended with status", WEXITSTATUS(state), NULL);
    else if (slot->status != CM_OK && slot->status != CM_INTERRUPTED)
        note_failure(team, member, slot->status, &slot->error);
}

static void note_sign(const cm_team *team, struct watched *member)
{
    double before = member->seen;
    member->seen = now();
    if (team->job->silence != NULL && member->seen - before > *team->job->silence)
        *team->job->silence = member->seen - before;
}

/* Collects who has ended; returns how many are at work. */
static size_t look_after(cm_team *team)
{
    size_t working = 0;
    for (size_t i = 0; i < team->job->size; i++) {
        struct watched *member = &team->members[i];
        if (member->process == 0)
            continue;
        int state = 0;
        if (waitpid(member->process, &state, WNOHANG) == member->process) {
            note_end(team, i, state);
            continue;
        }
        working++;
        size_t signs = atomic_load(&team->board->slots[i].signs);
        if (signs != member->signs) {
            member->signs = signs;
            note_sign(team, member);
        } else if (now() - member->seen > team->job->patience) {
            note_silence(team, i);
        }
    }
    return working;
}

static void end_all(cm_team *team)
{
    atomic_store(&team->board->ended, true);
    for (size_t i = 0; i < team->job->size; i++)
        if (team->members[i].process != 0)
            kill(team->members[i].process, SIGKILL);
    for (size_t i = 0; i < team->job->size; i++)
        while (team->members[i].process != 0 && waitpid(team->members[i].process, NULL, 0) < 0 && errno == EINTR)
            ;
}

static size_t least_steps(const cm_team *team)
{
    size_t least = atomic_load(&team->board->slots[0].steps);
    for (size_t i = 1; i < team->job->size; i++) {
        size_t steps = atomic_load(&team->board->slots[i].steps);
        least = steps < least ? steps : least;
    }
    return least;
}

bool cm_team_poll(cm_team *team)
{
    const cm_team_job *job = team->job;
    if (look_after(team) == 0 || team->status != CM_OK) {
        if (team->status == CM_OK && job->watch != NULL)
            job->watch(least_steps(team), job->data);
        return false;
    }
    if (job->watch == NULL || job->watch(least_steps(team), job->data))
        return true;
    cm_error error = {0};
    cm_error_set(&error, CM_INTERRUPTED, NULL, 0, 0, "the sweep was interrupted");
    note_failure(team, job->size, CM_INTERRUPTED, &error);
    return false;
}

static size_t board_size(const cm_team_job *job)
{
    return sizeof(cm_team_board) + job->size * sizeof(struct slot);
}

static void free_team(cm_team *team)
{
    if (team == NULL)
        return;
    cm_team_memory_free(team->board, board_size(team->job));
    free(team->members);
    free(team);
}

cm_status cm_team_start(const cm_team_job *job, cm_team **team, cm_error *error)
{
    cm_team *started = calloc(1, sizeof *started);
    if (started == NULL)
        return cm_error_no_memory(error);
    *started = (cm_team){.job = job, .failed = job->size};
    if (job->silence != NULL)
        *job->silence = 0.0;
    started->board = cm_team_memory(board_size(job));
    started->members = calloc(job->size + 1, sizeof *started->members);
    if (started->board == NULL || started->members == NULL) {
        free_team(started);
        return cm_error_no_memory(error);
    }
    start(started);
    *team = started;
    return CM_OK;
}

cm_status cm_team_end(cm_team *team, size_t *failed, cm_error *error)
{
    end_all(team);
    if (team->status != CM_OK && error != NULL)
        *error = team->error;
    if (failed != NULL)
        *failed = team->failed;
    cm_status status = team->status;
    free_team(team);
    return status;
}

cm_status cm_team_run(const cm_team_job *job, size_t *failed, cm_error *error)
{
    static const struct timespec pause = {0, POLL_NANOSECONDS};
    cm_team *team = NULL;
    cm_status status = cm_team_start(job, &team, error);
    if (status != CM_OK)
        return status;
    while (cm_team_poll(team))
        nanosleep(&pause, NULL);
    return cm_team_end(team, failed, error);
}
