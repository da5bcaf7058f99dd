/* Memory traffic while streams run, by definitions of events that count for a whole socket. */
#ifndef CM_MACHINES_TRAFFIC_H
#define CM_MACHINES_TRAFFIC_H

#include <catmint/definitions.h>

#include "machines/timing.h"

typedef enum cm_traffic_kind {
    CM_TRAFFIC_READ,
    CM_TRAFFIC_WRITTEN,
    CM_TRAFFIC_BOTH, /* counted by itself only if one of the others has no definition, else their sum */
    CM_TRAFFIC_KINDS
} cm_traffic_kind;

/* Bytes that memory moves for each byte that the program loads or stores; NaN: not counted. */
typedef struct cm_moved {
    cm_reading bytes[CM_TRAFFIC_KINDS];
} cm_moved;

extern const cm_moved cm_nothing_moved; /* all NaN */

/* The metrics and events to count. */
typedef struct cm_traffic {
    cm_counting *counting;
    const cm_defined_metric *metrics[CM_TRAFFIC_KINDS]; /* NULL: not counted */
    size_t event_count;                                 /* of all metrics, each once */
    const char **names;                                 /* as in definitions */
    size_t *events;                                     /* of the session */
    size_t component;                                   /* of the events */
} cm_traffic;

/* Finds the usable definitions of memory's bytes; false: there are none. */
bool cm_traffic_find(const cm_definitions *definitions, cm_traffic *traffic);
/* Finds the definitions, and their events in the session, which lists those of the socket then. CM_UNSUPPORTED with the
 * reason if nothing is defined, or it cannot be counted. Clear also after a failure. Definitions and session must live
 * as long. */
cm_status cm_traffic_open(const cm_definitions *definitions, cm_counting *counting, cm_traffic *traffic,
                          cm_error *error);
void cm_traffic_clear(cm_traffic *traffic);

/* The size of one core's arrays that exceed the caches: `bytes` on this machine, which counts itself, or a smaller size
 * for a model. */
size_t cm_traffic_bytes(const cm_traffic *traffic, size_t bytes);
/* The reason why events cannot count the traffic of these cores; NULL: they can. */
const char *cm_traffic_obstacle(const cm_traffic *traffic, const cm_cores *cores);

/* Counts streams on the cores; `timings` give kernels, arrays, and turns a second of all cores. After each repetition
 * all cores are idle for the same time, whose counts are subtracted. One cm_moved a timing. */
cm_status cm_traffic_count(const cm_traffic *traffic, const cm_timing_options *options, const cm_timing *timings,
                           size_t count, cm_moved *moved, cm_error *error);

/* Computes the traffic from counts [repetition][busy, quiet][event] of a program that moved so many bytes. */
cm_status cm_traffic_work_out(const cm_traffic *traffic, const long long *counts, size_t repetitions, double bytes,
                              cm_moved *moved, cm_error *error);

#endif
