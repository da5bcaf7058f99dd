/* A session's events that count for a whole socket: a component of their own, "uncore". Each is the sum of several
 * boxes, as memory controllers have one a channel, and whatever any core of the socket does is counted. */
#ifndef CM_COUNTING_UNCORE_UNCORE_H
#define CM_COUNTING_UNCORE_UNCORE_H

#include "counting/raw/device.h"
#include "counting/session.h"

#define CM_UNCORE_COMPONENT "uncore"

enum { CM_UNCORE_BOXES = 64, CM_UNCORE_DEVICES = 32, CM_UNCORE_CPUS = 128 };

/* Boxes whose names differ in a number at the end alone. */
typedef struct cm_uncore_device {
    char cpus[CM_UNCORE_CPUS]; /* one a socket, which counts for it: "0,28" */
    size_t box_count;
    uint32_t types[CM_UNCORE_BOXES]; /* for perf_event_open */
    char first[CM_RAW_NAME];         /* the name of the first of them */
} cm_uncore_device;

struct cm_uncore {
    size_t component; /* of the session */
    const char *root; /* the folder that holds sys */
    size_t device_count;
    cm_uncore_device devices[CM_UNCORE_DEVICES];
    cm_raw_device formats[CM_UNCORE_DEVICES]; /* of their codes; named without the number */
};

/* Adds the component, if the session lacks it, with the events that the model has, or that this machine's devices below
 * `root` (NULL: "") name, and tries them. CM_UNSUPPORTED where there is none that can be counted, with the reason and
 * what can be done. */
cm_status cm_uncore_open(cm_counting *counting, const char *root, cm_error *error);
/* Adds the event that is named by its code, "amd_umc:event=0x0a,rdwrmask=0x01", if a device takes it and the session
 * lacks it; it is not tried. */
cm_status cm_uncore_add_named(cm_counting *counting, const char *name, cm_error *error);
void cm_uncore_close(cm_counting *counting);

/* ---- devices.c ---- */

/* Those of `root` that count for a socket. Energy and sleep states, which are a socket's too, are none. */
cm_status cm_uncore_devices_read(const char *root, struct cm_uncore *uncore, cm_error *error);

/* ---- socket.c ---- */

/* Of the processors in the list, that of the socket on which the caller runs; -1 where it has none there. */
int cm_uncore_cpu_of_socket(const char *root, const char *cpus);
/* Whether these processors are of one socket, or the system does not say. */
bool cm_uncore_is_one_socket(const char *root, const unsigned *cpus, size_t count);

/* ---- set.c: events that are counted at the same time ---- */

typedef struct cm_uncore_set cm_uncore_set;

/* As the functions of counting/source.h, codes being those of errno. */
int cm_uncore_set_create(const cm_counting *counting, cm_uncore_set **set);
int cm_uncore_set_add(cm_uncore_set *set, const cm_event_record *event);
int cm_uncore_set_start(cm_uncore_set *set);
int cm_uncore_set_read(cm_uncore_set *set, long long *counts);
int cm_uncore_set_stop(cm_uncore_set *set, long long *counts);
void cm_uncore_set_free(cm_uncore_set *set);

#endif
