/* Estimates the time left of a sweep, from repetitions done and planned of the current benchmark, and the expected
 * times of later ones. Pure: the caller passes the times. */
#ifndef CM_SWEEP_PLAN_PACE_H
#define CM_SWEEP_PLAN_PACE_H

#include <stddef.h>

/* The current benchmark. */
typedef struct cm_pace {
    double expected; /* expected seconds a repetition; NaN: unknown */
    size_t first;    /* repetitions planned when it began */
    size_t done;     /* the most repetitions done so far, and the time of the last */
    double at;
    double spent; /* seconds on them, without interruptions: a stopped job, a worker that hung */
    double shown; /* the last estimate; NaN: none yet */
} cm_pace;

/* `shown`: the last estimate for the benchmark before; NaN: none. */
void cm_pace_begin(cm_pace *pace, double expected, size_t planned, double shown);

/* The benchmarks after the current one. */
typedef struct cm_pace_later {
    double seconds;     /* in all, of benchmarks with an expected time */
    double repetitions; /* of the others, assumed to take as long as those now */
} cm_pace_later;

/* Seconds left when `done` of `planned` repetitions were done `seconds` after the start of the benchmark; NaN: unknown.
 * Plans may grow: they are expected to continue so, up to twice the length. The estimate falls, or jumps if it was far
 * too low; it does not creep upwards. */
double cm_pace_left(cm_pace *pace, size_t planned, size_t done, double seconds, cm_pace_later later);

#endif
