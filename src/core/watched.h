/* A process that is watched for signs of life. The gap between two signs leaves out the time in which the process, or
 * its watcher, was stopped or got no processor. */
#ifndef CM_CORE_WATCHED_H
#define CM_CORE_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct cm_watched {
    pid_t process; /* 0: ended */
    size_t signs;
    double gap;      /* seconds since the last sign */
    bool stopped;    /* by SIGSTOP or the like */
    double standing; /* seconds since then */
    bool starved;    /* found waiting for a processor; it had run for `used` seconds */
    double used;
} cm_watched;

/* The state of the process, given the `signs` so far and the `seconds` since the last look. */
typedef enum cm_watch {
    CM_WATCH_WORKING,
    CM_WATCH_SIGN,      /* the first since the last look; `gap` is still the time before it */
    CM_WATCH_TIMED_OUT, /* no sign for longer than `timeout` */
    CM_WATCH_STOPPED,   /* from outside, for CM_STOPPED_SECONDS */
} cm_watch;

#define CM_STOPPED_SECONDS 60.0

cm_watch cm_watched_look(cm_watched *watched, size_t signs, double seconds, double timeout);

#endif
