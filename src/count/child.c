#include "count/count.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/system.h"

enum { BEGIN, END, NAP_MS = 20, LOST = -1, GRACE_S = 2 /* from SIGTERM to SIGKILL */ };

/* In the child: waits until the parent closes the gate, and executes the command. Never returns. */
static void execute_command(char *const *command, const char *const *variables, size_t count, const int gate[2],
                            int failure)
{
    char byte;
    close(gate[END]);
    while (read(gate[BEGIN], &byte, 1) < 0 && errno == EINTR)
        ;
    for (size_t i = 0; i < count; i++)
        if (setenv(variables[2 * i], variables[2 * i + 1], 1) != 0)
            _exit(126);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    execvp(command[0], command);
    int reason = errno;
    while (write(failure, &reason, sizeof reason) < 0 && errno == EINTR)
        ;
    _exit(reason == ENOENT ? 127 : 126);
}

cm_status cm_child_fork(char *const *command, const char *const *variables, size_t count, cm_child *child,
                        cm_error *error)
{
    int gate[2], failure[2];
    /* Where SIGCHLD is ignored, the kernel reaps children. */
    struct sigaction now;
    if (sigaction(SIGCHLD, NULL, &now) == 0 && (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0))
        return CM_FAIL(error, CM_UNSUPPORTED, "the command's exit status would be lost: this process ignores SIGCHLD");
    if (pipe2(gate, O_CLOEXEC) != 0)
        return cm_error_io(error, NULL, "cannot make a pipe");
    if (pipe2(failure, O_CLOEXEC) != 0) {
        close(gate[BEGIN]);
        close(gate[END]);
        return cm_error_io(error, NULL, "cannot make a pipe");
    }
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        close(failure[BEGIN]);
        execute_command(command, variables, count, gate, failure[END]);
    }
    close(gate[BEGIN]);
    close(failure[END]);
    *child = (cm_child){.process = process, .gate = gate[END], .failure = failure[BEGIN]};
    if (process > 0)
        return CM_OK;
    int reason = errno;
    close(gate[END]);
    close(failure[BEGIN]);
    *child = (cm_child){0};
    errno = reason;
    return cm_error_io(error, NULL, "cannot start a process");
}

cm_status cm_child_begin(cm_child *child, int *cannot, cm_error *error)
{
    ssize_t size;
    close(child->gate);
    child->gate = 0;
    *cannot = 0;
    do
        size = read(child->failure, cannot, sizeof *cannot);
    while (size < 0 && errno == EINTR);
    close(child->failure);
    child->failure = 0;
    return size < 0 ? cm_error_io(error, NULL, "cannot learn whether the command was started") : CM_OK;
}

bool cm_process_wait(pid_t process, double seconds)
{
    int file = (int)syscall(SYS_pidfd_open, process, 0);
    if (file >= 0) {
        struct pollfd one = {.fd = file, .events = POLLIN};
        int found = poll(&one, 1, (int)ceil(seconds * 1e3));
        close(file);
        return found > 0;
    }
    if (errno == ESRCH)
        return true;
    nanosleep(&(struct timespec){.tv_nsec = (long)(fmin(seconds, NAP_MS * 1e-3) * 1e9)}, NULL); /* an old kernel */
    return kill(process, 0) != 0 && errno == ESRCH;
}

static bool reap_child(cm_child *child)
{
    pid_t found = child->ended ? 0 : waitpid(child->process, &child->status, WNOHANG);
    if (found < 0)
        child->status = LOST; /* another part of the program has reaped it */
    child->ended = child->ended || found != 0;
    return child->ended;
}

bool cm_child_wait(cm_child *child, double seconds)
{
    if (!reap_child(child))
        cm_process_wait(child->process, seconds);
    return reap_child(child);
}

void cm_child_clear(cm_child *child)
{
    if (child->process > 0 && !child->ended) {
        kill(child->process, SIGKILL);
        waitpid(child->process, &child->status, 0);
    }
    if (child->gate > 0)
        close(child->gate);
    if (child->failure > 0)
        close(child->failure);
    *child = (cm_child){0};
}

/* The exit code that a shell would return: the exit status, or 128 + the signal; 125 if the status was lost. */
static int exit_code(int status)
{
    if (status == LOST)
        return 125;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void cm_count_cannot(cm_program_counts *counts, int cannot)
{
    counts->exit = cannot == ENOENT ? 127 : 126;
    counts->exit_reason = strerror(cannot);
}

void cm_count_ended(cm_program_counts *counts, const cm_child *child, int cannot)
{
    const int signal = child->status != LOST && WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;
    if (counts->exit == 0) /* the first run that failed */
        counts->exit = exit_code(child->status);
    if (signal == SIGINT || signal == SIGQUIT) /* from the keyboard */
        counts->interrupted = true;
    if (counts->signal == 0 && !counts->interrupted)
        counts->signal = signal;
    if (cannot != 0)
        cm_count_cannot(counts, cannot);
}

void cm_count_heed(cm_run *run, const cm_child *child)
{
    const bool first = !run->counts->interrupted;
    if (run->options->stop == NULL || *run->options->stop == 0)
        return;
    run->counts->interrupted = true;
    if (first)
        run->asked = cm_clock_seconds();
    if (child->process > 0 && !child->ended && (first || cm_clock_seconds() >= run->asked + GRACE_S))
        kill(child->process, first ? SIGTERM : SIGKILL);
}
