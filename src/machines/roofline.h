/* The figures of a machine, measured or read back, and those of one core. */
#ifndef CM_MACHINES_ROOFLINE_H
#define CM_MACHINES_ROOFLINE_H

#include <catmint/incore.h>

#include "machines/ports/ports.h"
#include "machines/timed.h"
#include "report/html/html.h"

typedef enum cm_ceiling_kind {
    CM_CEILING_FLOPS,     /* arithmetic in registers: FLOP/s */
    CM_CEILING_BANDWIDTH, /* a stream at about half a level's size: B/s */
    CM_CEILING_SIZE,      /* the triad at one size of a sweep, the same operations at each: B/s */
    CM_CEILING_KINDS
} cm_ceiling_kind;

/* One measurement. */
typedef struct cm_ceiling {
    cm_ceiling_kind kind;
    const char *operation, *vectors; /* as in cm_timed_kernel */
    cm_float_precision precision;
    const char *level; /* "L1", "memory"; "" for arithmetic */
    double bytes;      /* of all arrays, on each core; 0 for arithmetic */
    size_t cores;
    size_t undisturbed; /* undisturbed repetitions of the round with the figures; 0: other programs took the cores away
                         * in all */
    cm_reading rate;    /* FLOP/s or B/s, of all cores */
    cm_reading rounds;  /* medians of the rate in all rounds; NaN: unknown */
    cm_reading clock;   /* Hz */
} cm_ceiling;

enum { CM_MOST_CORES = 1 << 20 };

typedef struct cm_point {
    const char *name;
    double flops, l1_bytes, memory_bytes; /* NaN: unknown */
    double seconds;
    size_t cores;
} cm_point;

/* A scope of a file of counts that is no point. */
typedef struct cm_unused_point {
    const char *file, *why;
} cm_unused_point;

struct cm_roofline {
    cm_arena arena; /* texts that are not static */
    const char *processor;
    size_t caches[CM_CACHE_LEVELS]; /* bytes of L1D, L2, L3; 0: none */
    size_t rounds, repetitions;     /* repetitions of a round */
    size_t ceiling_count;
    cm_ceiling *ceilings;
    size_t point_count;
    cm_point *points;
    size_t left_out_count;
    cm_unused_point *left_out;
    cm_page_part part; /* set when it is asked for */
};

/* The numbers of cores that were measured, ascending: their count, and the number at `index`. */
size_t cm_roofline_teams(const cm_roofline *roofline);
size_t cm_roofline_team(const cm_roofline *roofline, size_t index);

/* "flops", "bandwidth", "sweep". */
extern const char *const cm_ceiling_names[CM_CEILING_KINDS];

/* Levels 0 to 2 are caches, 3 is memory: "L1". */
const char *cm_level_name(size_t level);

/* Bits of vectors by their name in kernels, of a scalar those of a double; 0: unknown. */
double cm_vector_bits(const char *vectors);

/* The highest peak in FLOP/s of that precision on so many cores, of those vectors (NULL: any), with multiply-adds or
 * without, no matrix product; NULL: there is none. */
const cm_ceiling *cm_roofline_peak(const cm_roofline *roofline, size_t cores, cm_float_precision precision,
                                   const char *vectors, bool fused);
/* Whether a peak was measured on so many cores: plots need one. */
bool cm_roofline_is_measured(const cm_roofline *roofline, size_t cores);
/* The highest rate of that arithmetic in FLOP/s, of those vectors (NULL: any); NULL: it was not measured. */
const cm_ceiling *cm_roofline_of(const cm_roofline *roofline, size_t cores, cm_float_precision precision,
                                 const char *vectors, const char *operation);
/* The matrix product of that precision; NULL: it was not measured. */
const cm_ceiling *cm_roofline_product(const cm_roofline *roofline, size_t cores, cm_float_precision precision);
/* The highest bandwidth of a level on so many cores. Only memory's includes streams past the caches. */
const cm_ceiling *cm_roofline_bandwidth(const cm_roofline *roofline, size_t cores, const char *level);
/* The stream of that operation and level with the highest rate. */
const cm_ceiling *cm_roofline_stream(const cm_roofline *roofline, size_t cores, const char *operation,
                                     const char *level);

/* Bytes of all arrays of a core for a level: half of its share of a cache, and more than the size of the cache below;
 * for memory several times the last cache. 0: there is no such level. */
double cm_level_bytes(const cm_geometry *geometry, size_t level);

/* Largest factor between two measurements of a figure (docs/evidence/machines.md, two runs one after the other): for
 * resources of one core, and for the last cache and memory, which are shared. */
#define CM_CORE_AGREES 1.05
#define CM_SHARED_AGREES 1.2

/* Memory traffic of a triad, relative to the bytes that it loads and stores: a line is read before it is written. */
#define CM_TRIAD_MOVES (32.0 / 24.0)

typedef enum cm_point_warning_kind {
    CM_POINT_WARNING_CORES,  /* no roofline was measured on so many cores */
    CM_POINT_WARNING_FLOPS,  /* faster than the highest peak of any precision */
    CM_POINT_WARNING_L1,     /* loads and stores more bytes than L1 moves */
    CM_POINT_WARNING_MEMORY, /* moves more than memory does */
    CM_POINT_WARNING_KINDS
} cm_point_warning_kind;

/* A reason why a point cannot be right. */
typedef struct cm_point_warning {
    cm_point_warning_kind kind;
    double found, most; /* a second; NaN for CM_POINT_WARNING_CORES */
} cm_point_warning;

/* Writes the warnings about a point and returns their number; 0: there are none. */
size_t cm_point_warnings(const cm_roofline *roofline, const cm_point *point,
                         cm_point_warning warnings[CM_POINT_WARNING_KINDS]);

/* The highest figure that this one should reach and does not, by more than repeated measurements differ: a figure of
 * fewer cores, of narrower vectors, of additions or multiplications if this one is of multiply-adds, of a level further
 * away. NULL: there is none. */
const cm_ceiling *cm_ceiling_contradicted_by(const cm_roofline *roofline, const cm_ceiling *ceiling);

cm_status cm_roofline_add_ceiling(cm_roofline *roofline, const cm_ceiling *ceiling, cm_error *error);
cm_status cm_roofline_add_point(cm_roofline *roofline, const cm_point *point, cm_error *error);

/* ---- The figures of one core, cycle by cycle, and its clock and stores while several cores work ---- */

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
