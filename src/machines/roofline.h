/* The figures of a machine, measured or read back. */
#ifndef CM_MACHINES_ROOFLINE_H
#define CM_MACHINES_ROOFLINE_H

#include <catmint/machines.h>

#include "core/arena.h"
#include "machines/timing.h"

typedef enum cm_ceiling_kind {
    CM_CEILING_FLOPS,     /* arithmetic in registers: FLOP/s */
    CM_CEILING_BANDWIDTH, /* a stream at about half a level's size: B/s */
    CM_CEILING_SIZE,      /* the triad at one size of a sweep, the same operations at each: B/s */
    CM_CEILING_KINDS
} cm_ceiling_kind;

/* One measurement. */
typedef struct cm_ceiling {
    cm_ceiling_kind kind;
    const char *operation, *vectors; /* as cm_timed_kernel has them */
    cm_precision precision;
    const char *level; /* "L1", "memory"; "" for arithmetic */
    double bytes;      /* of all arrays, on each core; 0 for arithmetic */
    size_t cores;
    size_t undisturbed; /* repetitions of the round that stands for it; 0: other programs took the cores away in all */
    cm_reading rate;    /* a second, of all cores */
    cm_reading rounds;  /* of the rate's medians in all rounds; NaN: unknown */
    cm_reading clock;   /* Hz */
} cm_ceiling;

enum { CM_MOST_CORES = 1 << 20 };

typedef struct cm_point {
    const char *name;
    double flops, l1_bytes, memory_bytes; /* NaN: unknown */
    double seconds;
    size_t cores;
} cm_point;

/* What a file of counts has that is no point. */
typedef struct cm_left_out {
    const char *file, *why;
} cm_left_out;

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
    cm_left_out *left_out;
};

/* Numbers of cores that were measured on, ascending: how many, and the number at `index`. */
size_t cm_roofline_teams(const cm_roofline *roofline);
size_t cm_roofline_team(const cm_roofline *roofline, size_t index);

/* "flops", "bandwidth", "sweep". */
extern const char *const cm_ceiling_names[CM_CEILING_KINDS];

/* Level 0 to 2 a cache, 3 memory: "L1". */
const char *cm_level_name(size_t level);

/* Of what kernels call vectors, of a scalar those of a double; 0: unknown. */
double cm_vector_bits(const char *vectors);

/* The highest one in FLOP/s of that precision on so many cores, of those vectors (NULL: any), with multiply-adds or
 * without, no matrix product; NULL: there is none. */
const cm_ceiling *cm_roofline_peak(const cm_roofline *roofline, size_t cores, cm_precision precision,
                                   const char *vectors, bool fused);
/* Whether a peak was measured on so many cores: no plot is drawn without one. */
bool cm_roofline_is_measured(const cm_roofline *roofline, size_t cores);
/* The matrix product of that precision; NULL: it was not measured. */
const cm_ceiling *cm_roofline_product(const cm_roofline *roofline, size_t cores, cm_precision precision);
/* The highest bandwidth of a level on so many cores. What goes past the caches is memory's alone. */
const cm_ceiling *cm_roofline_bandwidth(const cm_roofline *roofline, size_t cores, const char *level);
/* The one of that operation and level with the highest rate. */
const cm_ceiling *cm_roofline_stream(const cm_roofline *roofline, size_t cores, const char *operation,
                                     const char *level);

/* Bytes of all arrays of a core for a level: half of its share of a cache, and more than the cache below has; for
 * memory several times the last cache. 0: there is no such level. */
double cm_level_bytes(const cm_geometry *geometry, size_t level);

/* How often higher a figure may be where it is measured again (docs/evidence/machines.md, two runs one after the
 * other): of what belongs to a core, and of the last cache and memory, which others share. */
#define CM_CORE_AGREES 1.05
#define CM_SHARED_AGREES 1.2

/* Memory moves so much more than a triad loads and stores: a line is read before it is written. */
#define CM_TRIAD_MOVES (32.0 / 24.0)

typedef enum cm_doubt_kind {
    CM_DOUBT_CORES,  /* of so many cores no roofline was measured */
    CM_DOUBT_FLOPS,  /* faster than the highest peak of any precision */
    CM_DOUBT_L1,     /* loads and stores more than L1 gives and takes */
    CM_DOUBT_MEMORY, /* moves more than memory does */
    CM_DOUBT_KINDS
} cm_doubt_kind;

/* Why a point cannot be what it says. */
typedef struct cm_doubt {
    cm_doubt_kind kind;
    double found, most; /* a second; of CM_DOUBT_CORES NaN */
} cm_doubt;

/* Their number; 0: the point may be. */
size_t cm_point_doubts(const cm_roofline *roofline, const cm_point *point, cm_doubt doubts[CM_DOUBT_KINDS]);

/* The highest figure that this one should reach and does not, by more than figures differ that are measured again: of
 * fewer cores, of narrower vectors, of additions or multiplications (it is of multiply-adds), of a level further away.
 * NULL: there is none. */
const cm_ceiling *cm_ceiling_contradicted_by(const cm_roofline *roofline, const cm_ceiling *ceiling);

cm_status cm_roofline_add_ceiling(cm_roofline *roofline, const cm_ceiling *ceiling, cm_error *error);
cm_status cm_roofline_add_point(cm_roofline *roofline, const cm_point *point, cm_error *error);

#endif
