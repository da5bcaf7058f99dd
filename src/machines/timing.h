/* Timed kernels measured on one core or several at once: processes bound to cores, which begin together. */
#ifndef CM_MACHINES_TIMING_H
#define CM_MACHINES_TIMING_H

#include "machines/timed.h"
#include "sweep/plan/benchmark.h"

/* The median and the range of several repetitions. */
typedef struct cm_reading {
    double median, lowest, highest; /* NaN: unknown */
} cm_reading;

/* One timing of a kernel. */
typedef struct cm_timing {
    const cm_timed_kernel *kernel;
    size_t bytes;       /* of each of its arrays on each core; CM_TIMED_STEP for a kernel without arrays */
    uint64_t turns;     /* turns of a repetition; 0: as many as take `seconds` */
    cm_reading rate;    /* turns a second, of all cores together */
    cm_reading rounds;  /* medians of the rate in all rounds */
    size_t undisturbed; /* undisturbed repetitions of the round; 0: all lost the core, and the figures are theirs */
    cm_reading cycles;  /* of a turn on a core, each by the clock of its own repetition */
    cm_reading clock;   /* Hz, by a chain of additions right after each repetition */
} cm_timing;

typedef struct cm_timing_options {
    const cm_cores *cores; /* the first `count` of them work */
    size_t rounds;         /* at least 1; each round makes all timings, one after the other */
    size_t repetitions;    /* of a timing in each round, at least 1 */
    double seconds;        /* duration of a repetition */
    double budget;         /* seconds for all, kept but for one repetition of each timing; 0: no limit */
    const volatile int *stop;
    void (*progress)(size_t done, size_t all, void *data); /* NULL: none */
    void *data;
} cm_timing_options;

/* Fills in rates and clocks. The time of a repetition lasts from the first core's beginning to the last one's end.
 * Hosts of virtual machines and other programs can only make a round slower, so the figures are those of the fastest
 * among the rounds with the most undisturbed repetitions. */
cm_status cm_time_kernels(const cm_timing_options *options, cm_timing *timings, size_t count, cm_error *error);

/* Median and range; sorts `samples`. */
cm_reading cm_reading_of(double *samples, size_t count);
/* Half the range, relative to the median. */
double cm_reading_spread(const cm_reading *reading);

#endif
