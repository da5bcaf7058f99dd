/* Timed kernels measured on one core or several at once: processes bound to cores, which begin together. */
#ifndef CM_MACHINES_TIMING_H
#define CM_MACHINES_TIMING_H

#include "machines/timed.h"
#include "sweep/plan/cores.h"

/* Of several repetitions. */
typedef struct cm_reading {
    double median, lowest, highest; /* NaN: unknown */
} cm_reading;

/* One kernel to be timed. */
typedef struct cm_timing {
    const cm_timed_kernel *kernel;
    size_t bytes;       /* of each of its arrays on each core; a kernel without arrays has CM_TIMED_STEP */
    uint64_t turns;     /* a repetition; 0: as many as take `seconds` */
    cm_reading rate;    /* turns a second, of all cores together */
    cm_reading rounds;  /* of the rate's medians in all rounds */
    size_t undisturbed; /* repetitions of the round; 0: the core was taken away in all, which the figures are of */
    cm_reading cycles;  /* that a turn takes on a core, each by the clock of its own repetition */
    cm_reading clock;   /* Hz, by a chain of additions right after each repetition */
} cm_timing;

typedef struct cm_timing_options {
    const cm_cores *cores; /* whose first `count` work */
    size_t rounds;         /* at least 1: all timings are made so often, one after the other */
    size_t repetitions;    /* of a timing in each round, at least 1 */
    double seconds;        /* of a repetition */
    const volatile int *stop;
    void (*progress)(size_t done, size_t all, void *data); /* NULL: none */
    void *data;
} cm_timing_options;

/* Fills in rates and clocks. The time of a repetition goes from the first core's beginning to the last one's end. What
 * a virtual machine's host or other programs take for seconds makes rounds slower, and nothing makes one faster: of the
 * rounds with the most undisturbed repetitions, figures are those of the fastest. */
cm_status cm_time_kernels(const cm_timing_options *options, cm_timing *timings, size_t count, cm_error *error);

/* Median and range; `samples` are sorted. */
cm_reading cm_reading_of(double *samples, size_t count);
/* Half the range, relative to the median. */
double cm_reading_spread(const cm_reading *reading);

#endif
