/* Timed kernels: loops of one kind of instruction each, whose time measures a core. They only execute work. */
#ifndef CM_MACHINES_TIMED_H
#define CM_MACHINES_TIMED_H

#include <catmint/definitions.h>
#include <catmint/roofline.h>

#include "sweep/plan/benchmark.h"

enum {
    CM_TIMED_ARRAYS = 4,
    CM_TIMED_STEP = 512, /* arrays are a multiple of so many bytes */
    CM_TIMED_CACHES = 4, /* arrays in memory are at least so many times as large as the last cache */
};

/* The data of a kernel; assembly relies on this order. */
typedef struct cm_timed_memory {
    void *arrays[CM_TIMED_ARRAYS]; /* aligned to lines; arrays that are not accessed may be NULL */
    size_t bytes;                  /* of each, a multiple of CM_TIMED_STEP, more than 0 */
} cm_timed_memory;

typedef enum cm_timed_kind {
    CM_TIMED_CLOCK,  /* additions, each of which waits a cycle for the one before */
    CM_TIMED_RATE,   /* instructions that wait for no other: their throughput */
    CM_TIMED_CHAIN,  /* instructions each of which waits for the one before: their latency */
    CM_TIMED_STREAM, /* passes through whole arrays in each turn */
} cm_timed_kind;

typedef struct cm_timed_kernel {
    cm_timed_kind kind;
    const char *operation; /* "fma", "triad", as in tables */
    cm_float_precision precision;
    const char *vectors; /* "scalar", "SSE", "AVX", "AVX-512": the instructions' encoding or width */
    unsigned bytes;      /* operand of one instruction */
    unsigned isa;        /* bits of the instruction sets it needs */
    unsigned count;      /* instructions a turn; 0: a stream */
    void (*body)(uint64_t turns, const cm_timed_memory *memory);
} cm_timed_kernel;

/* An operation on each element of its arrays. */
typedef struct cm_timed_operation {
    const char *name, *words;
    unsigned flops;  /* an element; of a multiply-add two */
    unsigned arrays; /* arrays that it passes through, 0: it stays in registers */
    unsigned loads, stores;
    bool past_caches;
} cm_timed_operation;

/* The kernels of this architecture, in the order of tables; none if it has no timed kernels. */
extern const cm_timed_kernel *const cm_timed_kernels;
extern const size_t cm_timed_kernel_count;

bool cm_timed_available(const cm_timed_kernel *kernel);
/* The first kernel of that kind, operation, precision and vectors that runs on this processor; NULL: none. */
const cm_timed_kernel *cm_timed_find(cm_timed_kind kind, const char *operation, cm_float_precision precision,
                                     const char *vectors);
/* The kernel of the clock, which is the first; NULL: there are no timed kernels. */
const cm_timed_kernel *cm_timed_clock(void);
/* NULL: there is none of that name. */
const cm_timed_operation *cm_timed_operation_find(const char *name);
/* The operation in words; the operation itself if it is unknown. */
const char *cm_timed_words(const char *operation);
/* Bytes of a number. */
unsigned cm_precision_bytes(cm_float_precision precision);
/* Floating-point operations of a turn; of a stream, with arrays of `bytes` each. */
double cm_timed_flops(const cm_timed_kernel *kernel, size_t bytes);
/* Bytes that the program loads and stores in a turn, without lines that are read only because they are written. */
double cm_timed_bytes(const cm_timed_kernel *kernel, size_t bytes);

/* ---- arrays.c: arrays for streams, in huge pages if the system gives them ---- */

typedef struct cm_arrays {
    char *start;
    void *mapping;
    size_t mapped;
} cm_arrays;

/* Maps space for CM_TIMED_ARRAYS of `most` bytes each. Unmap also after a failure. */
cm_status cm_arrays_map(cm_arrays *arrays, size_t most, cm_error *error);
void cm_arrays_unmap(cm_arrays *arrays);
/* Arrays of `bytes` each, full of ones. A gap separates them, so that the addresses of a store and of the loads after
 * it differ in the bits that cores compare first. */
cm_timed_memory cm_arrays_fill(const cm_arrays *arrays, size_t bytes);

/* ---- product.c ---- */

/* A matrix product by OpenBLAS, blocked as its authors do it: the share of the peak that a program reaches. */

/* Matrices have CM_PRODUCT_SIZE rows; one thread a process. */
extern const cm_timed_kernel cm_product_kernel;

enum { CM_PRODUCT_SIZE = 512, CM_PRODUCT_BYTES = CM_PRODUCT_SIZE * CM_PRODUCT_SIZE * 8 };

/* ---- loops.c: loops in the assembly that compilers write for x86-64 ---- */

enum { CM_LOOPS_MOST = 32 };

/* Lines of the text, from the label that a jump returns to up to that jump. */
typedef struct cm_loop {
    size_t first, last; /* byte of the label's line, and the byte after the jump's line */
} cm_loop;

typedef struct cm_loops {
    size_t count;
    cm_loop loops[CM_LOOPS_MOST];
} cm_loops;

/* Whether compilers here write assembly of x86-64. */
bool cm_loops_are_known(void);
/* A function's innermost loops in their order, CM_LOOPS_MOST at most. CM_BAD_INPUT if the text lacks it. */
cm_status cm_loops_find(const char *text, const char *function, cm_loops *loops, cm_error *error);

/* Writes the text with a counter at the label of each loop, which changes neither registers nor flags: a function
 * `catmint_counts` returns the counts, one number of 64 bits a loop. */
void cm_loops_write_counted(const char *text, const cm_loops *loops, FILE *stream);
size_t cm_loop_instructions(const char *text, const cm_loop *loop);
/* Writes the instructions of one loop, without the labels. */
void cm_loops_write(const char *text, const cm_loop *loop, FILE *stream);

/* ---- timed kernels measured on one core or several at once: processes bound to cores, which begin together ---- */

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

/* ---- memory traffic while streams run, by definitions of events that count for a whole socket ---- */

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
