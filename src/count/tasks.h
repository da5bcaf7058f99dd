/* Threads counted from outside, each with an attachment. */
#ifndef CM_COUNT_TASKS_H
#define CM_COUNT_TASKS_H

#include "count/attachment.h"
#include "count/count.h"

typedef struct cm_tasks {
    size_t count;
    cm_attachment *tasks;
    bool *accepted; /* events of this run; NULL before the first thread is attached */
} cm_tasks;

/* Attaches to a child that has not begun, with all that it will start, or alone if threads are counted separately. */
cm_status cm_tasks_attach_child(cm_tasks *tasks, cm_run *run, pid_t child, cm_error *error);
/* Attaches to the current threads of a process, with all that they will start. */
cm_status cm_tasks_attach_process(cm_tasks *tasks, cm_run *run, pid_t process, cm_error *error);
/* From now on the child and all that it starts stop when threads begin and end. */
cm_status cm_trace_begin(pid_t child, cm_error *error);
/* Follows the child thread by thread until all have ended. */
cm_status cm_tasks_trace(cm_tasks *tasks, cm_run *run, cm_child *child, cm_error *error);
/* Records the counts of the whole, and with per_thread those of each thread. */
cm_status cm_tasks_note(cm_tasks *tasks, cm_run *run, cm_error *error);
/* Records the counts since the last interval. */
cm_status cm_tasks_note_interval(cm_tasks *tasks, cm_run *run, size_t interval, cm_error *error);
void cm_tasks_clear(cm_tasks *tasks);

/* Internal: attaches to one more thread. */
cm_status cm_tasks_add(cm_tasks *tasks, cm_run *run, pid_t thread, bool inherited, cm_error *error);
/* Reads the current name of the thread, if it lives. */
void cm_task_read_name(cm_attachment *task);

#endif
