/* Processes that work in step on several cores. */
#include "core/system.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "core/files.h"

/* State of one member. Only the member writes it; the caller reads the outcome after the member has ended. */
struct slot {
    atomic_size_t signs; /* signs of life */
    atomic_size_t steps;
    atomic_int signal; /* the signal that ends it, as cm_own_signals_note stores it */
    bool unbound;
    bool reported; /* the outcome is complete */
    cm_status status;
    cm_error error;
};

struct cm_team_board {
    atomic_size_t arrived; /* arrivals at barriers, over all of them */
    atomic_bool ended;
    struct slot slots[];
};

enum { POLL_NANOSECONDS = 1000000, BARRIER_NANOSECONDS = 20000, SPINNING_TURNS = 64, FORKS_TRIED = 6 };

/* Seconds between two polls; after a longer time the caller itself was stopped or busy. */
static const double longest_gap = 0.1;

struct cm_team {
    const cm_team_job *job;
    cm_team_board *board;
    cm_watched *members;
    double looked; /* time of the last poll */
    size_t failed;
    cm_status status;
    cm_error error;
};

void cm_team_alive(cm_team_member *member, bool step)
{
    struct slot *slot = &member->board->slots[member->number];
    atomic_fetch_add(&slot->signs, 1);
    if (step)
        atomic_fetch_add(&slot->steps, 1);
}

cm_status cm_team_barrier(cm_team_member *member, cm_error *error)
{
    cm_team_board *board = member->board;
    size_t expected = member->size * ++member->barriers;
    atomic_fetch_add(&board->arrived, 1);
    static const struct timespec pause = {0, BARRIER_NANOSECONDS};
    for (size_t turn = 0; atomic_load(&board->arrived) < expected; turn++) {
        if (atomic_load(&board->ended))
            return CM_FAIL(error, CM_INTERRUPTED, "the team has ended");
        cm_team_alive(member, false); /* a waiting member does not hang */
        if (turn < SPINNING_TURNS)
            sched_yield(); /* all begin at once if they can */
        else
            nanosleep(&pause, NULL); /* the last one may need this core */
    }
    return CM_OK;
}

/* Ignores the signals that the caller handles, by ending the team; dies with the caller. */
static void leave_signals_to_the_caller(pid_t caller)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != caller)
        _exit(1);
}

/* The life of a member: binds itself, works, leaves its outcome in its slot, and ends. */
static void be_member(const cm_team *team, size_t number, const sigset_t *signals)
{
    const cm_team_job *job = team->job;
    struct slot *slot = &team->board->slots[number];
    cm_team_member member = {number, job->size, 0, team->board};
    cm_status status = CM_OK;
    cm_own_signals_note(&slot->signal);
    sigprocmask(SIG_SETMASK, signals, NULL);
    if (job->bind != NULL)
        status = job->bind(number, job->bind_data, &slot->error);
    slot->unbound = status != CM_OK;
    CM_THEN(status, job->work(&member, job->data, &slot->error));
    slot->status = status;
    slot->reported = true;
    _exit(0); /* the caller's buffers must not be flushed again */
}

/* Keeps the first failure: the later ones follow from it. */
static void note_failure(cm_team *team, size_t member, cm_status status, const cm_error *error, cm_team_loss loss)
{
    if (team->status != CM_OK)
        return;
    team->failed = member;
    team->status = status;
    team->error = *error;
    if (team->job->loss != NULL)
        *team->job->loss = loss;
}

static void note_loss(cm_team *team, size_t member, cm_team_loss loss, const char *format, ...) CM_PRINTF(4, 5);

/* Records that a member was lost, with the reason. */
static void note_loss(cm_team *team, size_t member, cm_team_loss loss, const char *format, ...)
{
    char why[CM_ERROR_TEXT_SIZE / 2];
    CM_PRINT_ARGUMENTS(vsnprintf, why, format);
    cm_error error = {0};
    CM_FAIL(&error, CM_UNSUPPORTED, "member %zu of the team of %zu %s", member, team->job->size, why);
    note_failure(team, member, CM_UNSUPPORTED, &error, loss);
}

/* In the new process, signals wait until their origin can be recorded; `before` gets the mask of the caller. */
static pid_t fork_deaf(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
    pid_t process = fork();
    if (process != 0)
        pthread_sigmask(SIG_SETMASK, before, NULL);
    return process;
}

/* Tries for 1.5 s in all, because other processes may end and make space. */
static pid_t fork_retrying(sigset_t *before)
{
    struct timespec pause = {0, 50000000};
    pid_t process = fork_deaf(before);
    for (int tried = 1; process < 0 && tried < FORKS_TRIED; tried++) {
        nanosleep(&pause, NULL);
        pause = (struct timespec){(pause.tv_nsec * 2) / 1000000000, (pause.tv_nsec * 2) % 1000000000};
        process = fork_deaf(before);
    }
    return process;
}

static void work_here(cm_team *team)
{
    cm_team_member member = {0, 1, 0, team->board};
    cm_error error = {0};
    cm_status status = team->job->work(&member, team->job->data, &error);
    if (status != CM_OK && status != CM_INTERRUPTED)
        note_failure(team, 0, status, &error, (cm_team_loss){0});
}

/* Forks all members, until one cannot be forked. */
static void start_members(cm_team *team)
{
    pid_t caller = getpid();
    for (size_t i = 0; i < team->job->size && team->status == CM_OK; i++) {
        sigset_t signals;
        pid_t process = fork_retrying(&signals);
        if (process == 0) {
            leave_signals_to_the_caller(caller);
            be_member(team, i, &signals);
        }
        if (process < 0) {
            const char *reason = strerror(errno);
            cm_error error = {0};
            CM_FAIL(&error, CM_UNSUPPORTED, "cannot start another process: %s", reason);
            note_failure(team, i, CM_UNSUPPORTED, &error, (cm_team_loss){.unstarted = true});
        } else {
            team->members[i].process = process;
        }
    }
    team->looked = cm_clock_seconds();
}

/* Records how a member ended, by its state from waitpid. */
static void note_end(cm_team *team, size_t member, int state)
{
    const struct slot *slot = &team->board->slots[member];
    team->members[member].process = 0;
    if (WIFSIGNALED(state)) {
        int number = WTERMSIG(state);
        const char *name = strsignal(number);
        bool own = cm_own_signal(number, atomic_load(&slot->signal));
        note_loss(team, member, (cm_team_loss){.signal = number, .outside = !own}, "was ended by signal %d (%s)%s",
                  number, name != NULL ? name : "", own ? "" : " from outside");
    } else if (!slot->reported) {
        note_loss(team, member, (cm_team_loss){.ended = true, .status = WEXITSTATUS(state)}, "ended with status %d",
                  WEXITSTATUS(state));
    } else if (slot->status != CM_OK && slot->status != CM_INTERRUPTED) {
        note_failure(team, member, slot->status, &slot->error, (cm_team_loss){.unstarted = slot->unbound});
    }
}

/* Whether the member has ended; records how. */
static bool has_ended(cm_team *team, size_t member)
{
    cm_watched *watched = &team->members[member];
    int state = 0;
    pid_t changed = waitpid(watched->process, &state, WNOHANG | WUNTRACED | WCONTINUED);
    if (changed < 0 && errno == ECHILD) {
        /* If the caller's program ignores SIGCHLD, the system does not report how a process ended. */
        const struct slot *slot = &team->board->slots[member];
        const int number = abs(atomic_load(&slot->signal));
        note_end(team, member, number == 0 && !slot->reported ? SIGKILL : number);
        return true;
    }
    if (changed != watched->process)
        return false;
    if (WIFEXITED(state) || WIFSIGNALED(state)) {
        note_end(team, member, state);
        return true;
    }
    watched->stopped = WIFSTOPPED(state);
    watched->gap = 0.0;
    return false;
}

/* Records a member that gives no sign of life. */
static void look_at(cm_team *team, size_t member, double gap)
{
    cm_watched *watched = &team->members[member];
    const cm_team_job *job = team->job;
    switch (cm_watched_look(watched, atomic_load(&team->board->slots[member].signs), gap, job->timeout)) {
    case CM_WATCH_WORKING: break;
    case CM_WATCH_SIGN:
        if (job->longest_gap != NULL && watched->gap > *job->longest_gap)
            *job->longest_gap = watched->gap;
        watched->gap = 0.0;
        break;
    case CM_WATCH_TIMED_OUT:
        note_loss(team, member, (cm_team_loss){.timed_out = true}, "did not respond for %g s", job->timeout);
        break;
    case CM_WATCH_STOPPED:
        note_loss(team, member, (cm_team_loss){.timed_out = true, .outside = true}, "was stopped from outside for %g s",
                  CM_STOPPED_SECONDS);
        break;
    }
}

/* Collects members that have ended; returns the number still at work. */
static size_t look_after(cm_team *team)
{
    double time = cm_clock_seconds(), gap = time - team->looked < longest_gap ? time - team->looked : longest_gap;
    size_t working = 0;
    team->looked = time;
    for (size_t i = 0; i < team->job->size; i++) {
        if (team->members[i].process == 0 || has_ended(team, i))
            continue;
        working++;
        look_at(team, i, gap);
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
    CM_FAIL(&error, CM_INTERRUPTED, "the sweep was interrupted");
    note_failure(team, job->size, CM_INTERRUPTED, &error, (cm_team_loss){0});
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
    CM_FREE(team->members, team);
}

cm_status cm_team_start(const cm_team_job *job, cm_team **team, cm_error *error)
{
    cm_team *started = calloc(1, sizeof *started);
    if (started == NULL)
        return cm_error_no_memory(error);
    *started = (cm_team){.job = job, .failed = job->size};
    if (job->longest_gap != NULL)
        *job->longest_gap = 0.0;
    started->board = cm_team_memory_create(board_size(job));
    started->members = calloc(job->size + 1, sizeof *started->members);
    if (started->board == NULL || started->members == NULL) {
        free_team(started);
        return cm_error_no_memory(error);
    }
    if (job->here)
        work_here(started);
    else
        start_members(started);
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

/* Runs a job once on all threads, and waits until they end. */
static cm_status run_once(const cm_team_job *job, size_t *failed, cm_error *error)
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

cm_status cm_team_run(const cm_team_job *job, size_t *failed, cm_error *error)
{
    cm_team_loss loss = {0};
    cm_error failure = {0};
    cm_team_job watched_job = *job;
    if (watched_job.loss == NULL)
        watched_job.loss = &loss;
    cm_status status = CM_OK;
    for (int lost = 0; lost < CM_OUTSIDE_LOSSES; lost++) {
        *watched_job.loss = (cm_team_loss){0};
        status = run_once(&watched_job, failed, &failure);
        if (status == CM_OK || !watched_job.loss->outside)
            break;
    }
    if (status != CM_OK && watched_job.loss->outside)
        return cm_team_outside_error(&failure, error);
    if (status != CM_OK && error != NULL)
        *error = failure;
    return status;
}
