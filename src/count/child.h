/* A command in a process of its own, which waits before it begins. */
#ifndef CM_COUNT_CHILD_H
#define CM_COUNT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include <catmint/error.h>

typedef struct cm_child {
    pid_t process; /* 0: none, or it has ended and was reaped */
    int gate;      /* close it to begin */
    int failure;   /* reports why it could not begin */
    int status;    /* as from wait, after its end */
    bool ended;
} cm_child;

/* Forks; the child has `count` variables more in its environment: `variables` has their names and values in turn. */
cm_status cm_child_fork(char *const *command, const char *const *variables, size_t count, cm_child *child,
                        cm_error *error);
/* Lets the child execute the command. *cannot is errno if it cannot, else 0. */
cm_status cm_child_begin(cm_child *child, int *cannot, cm_error *error);
/* Waits up to `seconds`, less if a signal arrives; whether the child has ended. */
bool cm_child_wait(cm_child *child, double seconds);
/* Ends the child if it still runs, and closes files. */
void cm_child_clear(cm_child *child);
/* The exit code that a shell would return: the exit status, or 128 + the signal; 125 if the status was lost. */
int cm_child_exit(int status);
/* The signal that ended it; 0: none, or unknown. */
int cm_child_signal(int status);
/* Whether it was ended from the keyboard. */
bool cm_child_was_interrupted(int status);

/* As cm_child_wait, for a process that is not a child. */
bool cm_process_wait(pid_t process, double seconds);

#endif
