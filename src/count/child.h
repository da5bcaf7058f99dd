/* A command in a process of its own, which waits before it begins. */
#ifndef CM_COUNT_CHILD_H
#define CM_COUNT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include <catmint/error.h>

typedef struct cm_child {
    pid_t process; /* 0: none, or it has ended and was waited for */
    int gate;      /* to be closed for it to begin */
    int failure;   /* says why it could not */
    int status;    /* as wait has it, once it has ended */
    bool ended;
} cm_child;

/* Forks; the child has these variables in its environment, `names` and `values` of `count`. */
cm_status cm_child_fork(char *const *command, const char *const *variables, size_t count, cm_child *child,
                        cm_error *error);
/* Lets it execute the command. *cannot becomes errno where it cannot, else 0. */
cm_status cm_child_begin(cm_child *child, int *cannot, cm_error *error);
/* Waits `seconds` at most, less where a signal comes, for its end; whether it has ended. */
bool cm_child_wait(cm_child *child, double seconds);
/* Ends it where it has not ended, and closes files. */
void cm_child_clear(cm_child *child);
/* What a shell would say: the exit status, or 128 and the signal; 125 where somebody else reaped the command. */
int cm_child_exit(int status);
/* The signal that ended it; 0: it ended by itself, or is not known. */
int cm_child_signal(int status);
/* Whether it was ended from the keyboard. */
bool cm_child_was_interrupted(int status);

/* The same for any process, which is another's. */
bool cm_process_wait(pid_t process, double seconds);

#endif
