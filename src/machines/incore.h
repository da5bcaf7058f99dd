/* The figures of one core, cycle by cycle, and its clock and stores while several cores work. */
#ifndef CM_MACHINES_INCORE_H
#define CM_MACHINES_INCORE_H

#include <catmint/incore.h>

#include "counting/counting.h"
#include "machines/ports/ports.h"
#include "machines/timed.h"

/* Published figures of an instruction; NaN: none. */
typedef struct cm_known_figure {
    const char *operation, *vectors; /* as in cm_timed_kernel */
    double latency;                  /* cycles */
    double throughput;               /* instructions per cycle */
    const char *source;
} cm_known_figure;

/* An instruction in double precision. */
typedef struct cm_instruction {
    const char *operation, *vectors;
    unsigned bytes;                 /* operand of one instruction */
    cm_reading latency, throughput; /* cycles; instructions per cycle. NaN: not measured */
    size_t undisturbed;             /* undisturbed repetitions, the lesser number of both; 0: see cm_timing */
    const cm_known_figure *known;   /* NULL: none */
} cm_instruction;

/* The clock under continuous multiply-adds of those vectors on so many cores. */
typedef struct cm_load_clock {
    const char *vectors;
    size_t cores, undisturbed;
    cm_reading clock; /* Hz */
} cm_load_clock;

typedef enum cm_store_stream { CM_STREAM_LOAD, CM_STREAM_STORE, CM_STREAM_STORE_NT, CM_STORE_STREAMS } cm_store_stream;

/* Streams through memory on so many cores, in B/s that the program loads or stores. */
typedef struct cm_store_rates {
    const char *vectors;
    size_t cores, undisturbed;
    cm_reading load, store, store_nt;
    cm_moved moved[CM_STORE_STREAMS]; /* NaN if not counted */
} cm_store_rates;

/* The main loop of a streaming kernel, as a compiler makes it. Cycles are per turn of that loop. */
typedef struct cm_compiled_kernel {
    const char *kernel, *compiler, *level;
    double predicted; /* by llvm-mca; NaN: not predicted */
    double by_ports;  /* by catmint's table of ports; NaN: not predicted */
    cm_reading measured;
    size_t undisturbed;
} cm_compiled_kernel;

struct cm_incore {
    cm_arena arena;
    const char *processor;
    size_t rounds, repetitions; /* repetitions of a round */
    double load_seconds;
    size_t instruction_count, clock_count, store_count, known_count;
    cm_instruction *instructions;
    cm_load_clock *clocks;
    cm_store_rates *stores;
    cm_known_figure *known;
    size_t kernel_count;
    cm_compiled_kernel *kernels;
    const char *predictor;    /* the program that predicts, NULL: none was requested, or there is none */
    const char *ports;        /* the table of ports that predicts; NULL: none was requested, or there is none */
    const char *kernels_note; /* why there are no kernels, or no predictor; NULL: there are, or none were requested */
    const char *counted_on;   /* the PMU that counted memory traffic, "software:<model>"; NULL: none */
    size_t counted;           /* repetitions */
    const char *uncounted;    /* why nothing was counted, or not all; NULL: all was, or nothing was requested */
};

/* Reads that processor's figures in `path`: rows of its vendor and family, and of its model if a row names one. */
cm_status cm_known_figures_load(const char *path, const cm_machine *machine, cm_incore *incore, cm_error *error);
const cm_known_figure *cm_known_figure_find(const cm_incore *incore, const char *operation, const char *vectors);

/* Memory traffic of a byte stored, if memory moves as many bytes a second as while it is only read: 1 if a line is only
 * written, 2 if it is read first. */
double cm_store_traffic(const cm_store_rates *rates, bool past_caches);

/* ---- Streaming kernels as compilers make them, timed and compared with predictions by llvm-mca and by a table of
 * ports ---- */

/* Compiles, times and predicts; adds rows to the figures. A missing program (a compiler, llvm-mca) is noted in
 * `incore->kernels_note`, and is no error. Compiled files go into the directory `directory`. */
cm_status cm_streaming_measure(cm_incore *incore, const cm_timing_options *options, const char *directory,
                               cm_error *error);

/* Whether the llvm-mca that printed this for --version knows the processor, a vendor-family-model-stepping with the
 * model in hexadecimal: its `host` is one of the processor's names in data/llvm-processors.csv. */
enum { CM_MCA_NAME = 64 };
cm_status cm_mca_knows(const char *printed, const char *identity, char host[CM_MCA_NAME], bool *knows, cm_error *error);

/* (measured - predicted) / measured, as in the paper: above 0 if the prediction is faster. */
double cm_prediction_error(const cm_compiled_kernel *kernel, double predicted);

#endif
