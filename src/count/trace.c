/* Follows a program thread by thread: each stops at its start, so that all of it is counted, and at its end, so that it
 * can be read. Between them it runs freely. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "count/count.h"

enum {
    FOLLOWED = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL
};

typedef struct tracer {
    cm_tasks *tasks;
    cm_run *run;
    cm_child *child;
} tracer;

static cm_attachment *find_task(const cm_tasks *tasks, pid_t thread)
{
    for (size_t i = tasks->count; i-- > 0;) /* numbers are reused once their thread has ended */
        if (tasks->tasks[i].thread == thread)
            return &tasks->tasks[i];
    return NULL;
}

static void go_on(pid_t thread, int signal)
{
    ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal); /* it may have been killed meanwhile */
}

static cm_status begin_thread(const tracer *one, pid_t thread, cm_error *error)
{
    const cm_attachment *known = find_task(one->tasks, thread);
    bool counted = known != NULL && known->set_count > 0;
    return counted ? CM_OK : cm_tasks_add(one->tasks, one->run, thread, false, error);
}

static cm_status end_thread(const tracer *one, pid_t thread, cm_error *error)
{
    cm_attachment *task = find_task(one->tasks, thread);
    if (task == NULL || task->set_count == 0)
        return CM_OK;
    cm_task_read_name(task);
    return cm_attachment_end(task, error);
}

/* Handles a stopped thread and lets it continue. */
static cm_status look_at_stop(const tracer *one, pid_t thread, int status, cm_error *error)
{
    int event = status >> 16, signal = WSTOPSIG(status);
    cm_status looked = CM_OK;
    if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) { /* with its group */
        ptrace(PTRACE_LISTEN, thread, NULL, NULL);
        return CM_OK;
    }
    if (event == PTRACE_EVENT_STOP)
        looked = begin_thread(one, thread, error);
    if (event == PTRACE_EVENT_EXIT)
        looked = end_thread(one, thread, error);
    go_on(thread, event == 0 ? signal : 0);
    return looked;
}

static void note_end(cm_child *child, pid_t thread, int status)
{
    if (thread != child->process)
        return;
    child->status = status;
    child->ended = true;
}

cm_status cm_tasks_trace(cm_tasks *tasks, cm_run *run, cm_child *child, cm_error *error)
{
    const tracer one = {tasks, run, child};
    cm_status status = CM_OK;
    while (status == CM_OK) {
        int stopped = 0;
        pid_t thread = waitpid(-1, &stopped, __WALL);
        if (thread < 0 && errno == ECHILD)
            break;
        cm_count_heed(run, child);
        if (thread > 0 && WIFSTOPPED(stopped))
            status = look_at_stop(&one, thread, stopped, error);
        else if (thread > 0)
            note_end(child, thread, stopped);
    }
    return status;
}

/* Makes the process and all that it starts stop, from now on, when threads begin and end. */
static cm_status seize_process(pid_t process, cm_error *error)
{
    if (ptrace(PTRACE_SEIZE, process, NULL, (void *)(intptr_t)FOLLOWED) == 0)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "threads cannot be followed one by one here: %s", strerror(errno));
}

cm_status cm_tasks_attach_child(cm_tasks *tasks, cm_run *run, pid_t child, cm_error *error)
{
    cm_status status = run->options->per_thread ? seize_process(child, error) : CM_OK;
    return status == CM_OK ? cm_tasks_add(tasks, run, child, !run->options->per_thread, error) : status;
}
