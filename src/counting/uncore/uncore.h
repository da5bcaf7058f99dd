/* A session's events that count for a whole socket: a component of their own, "uncore". Each is the sum over several
 * boxes, such as one memory controller a channel, and counts the work of all cores of the socket. */
#ifndef CM_COUNTING_UNCORE_UNCORE_H
#define CM_COUNTING_UNCORE_UNCORE_H

#include "counting/raw/raw.h"

#define CM_UNCORE_COMPONENT "uncore"

enum { CM_UNCORE_BOXES = 64, CM_UNCORE_DEVICES = 32, CM_UNCORE_CPUS = 128 };

/* Boxes whose names differ only in the number at their end. */
typedef struct cm_uncore_device {
    char cpus[CM_UNCORE_CPUS]; /* the processor that counts for each socket: "0,28" */
    size_t box_count;
    uint32_t types[CM_UNCORE_BOXES]; /* for perf_event_open */
    char first[CM_RAW_NAME];         /* the name of the first one */
} cm_uncore_device;

struct cm_uncore {
    size_t component; /* of the session */
    const char *root; /* the directory that has sys */
    size_t device_count;
    cm_uncore_device devices[CM_UNCORE_DEVICES];
    cm_raw_device formats[CM_UNCORE_DEVICES]; /* formats of codes; named without the number */
};

/* Adds the component, unless the session has it, with the model's events, or those that this machine's devices below
 * `root` (NULL: "") name, and tries them. CM_UNSUPPORTED if none can be counted, with the reason and advice. */
CM_SHARED cm_status cm_uncore_open(cm_counting *counting, const char *root, cm_error *error);
/* Adds an event named by its code, "amd_umc:event=0x0a,rdwrmask=0x01", if a device takes it and the session lacks it,
 * without trying it. */
CM_SHARED cm_status cm_uncore_add_named(cm_counting *counting, const char *name, cm_error *error);
void cm_uncore_close(cm_counting *counting);

/* ---- devices.c ---- */

/* Reads the devices of `root` that count for a socket, except those of energy and sleep states. */
cm_status cm_uncore_devices_read(const char *root, struct cm_uncore *uncore, cm_error *error);

/* ---- socket.c ---- */

/* The processor of the list that is on the caller's socket; -1 if none is. */
int cm_uncore_cpu_of_socket(const char *root, const char *cpus);
/* Whether these processors are of one socket, or the system does not tell. */
CM_SHARED bool cm_uncore_is_one_socket(const char *root, const unsigned *cpus, size_t count);

/* ---- set.c: events counted at the same time ---- */

typedef struct cm_uncore_set cm_uncore_set;

/* As the functions of counting/counting.h, but return codes are those of errno. */
int cm_uncore_set_create(const cm_counting *counting, cm_uncore_set **set);
int cm_uncore_set_add(cm_uncore_set *set, const cm_event_record *event);
int cm_uncore_set_start(cm_uncore_set *set);
int cm_uncore_set_read(cm_uncore_set *set, long long *counts);
int cm_uncore_set_stop(cm_uncore_set *set, long long *counts);
void cm_uncore_set_free(cm_uncore_set *set);

#endif
