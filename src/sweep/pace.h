/* How long a sweep will yet take: from the repetitions done and planned of the benchmark under way, and what those
 * after it are expected to take. Pure: times are handed in. */
#ifndef CM_SWEEP_PACE_H
#define CM_SWEEP_PACE_H

#include <stddef.h>

/* A benchmark under way. */
typedef struct cm_pace {
    double expected; /* seconds that a repetition was expected to take; NaN: unknown */
    size_t first;    /* repetitions planned when it began */
    size_t done;     /* the most that were done so far, and when the last of them was */
    double at;
    double spent; /* seconds on them, without what was no work: a job that was stopped, a worker that hung */
    double shown; /* what was said last; NaN: nothing yet */
} cm_pace;

/* `shown` goes on from the benchmark before; NaN: there was none. */
void cm_pace_begin(cm_pace *pace, double expected, size_t planned, double shown);

/* What follows a benchmark. */
typedef struct cm_pace_later {
    double seconds;     /* of benchmarks that are expected to take so long */
    double repetitions; /* of others, which are taken to be as long as those now */
} cm_pace_later;

/* Seconds left once `done` of `planned` repetitions were done `seconds` after the benchmark began; NaN: unknown. Plans
 * may grow meanwhile: they are expected to go on so, up to twice as long. What it says falls, or jumps where it was
 * wrong by much; it does not creep upwards. */
double cm_pace_left(cm_pace *pace, size_t planned, size_t done, double seconds, cm_pace_later later);

#endif
