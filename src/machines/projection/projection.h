/* Machines, mixes, and projections by equations 1 to 4 (<catmint/project.h>). */
#ifndef CM_MACHINES_PROJECTION_PROJECTION_H
#define CM_MACHINES_PROJECTION_PROJECTION_H

#include <catmint/project.h>

#include "tables/tables.h"

/* A measured figure and its spread, the lowest and the highest measurement. NaN: not known. */
typedef struct cm_project_figure {
    double value, lowest, highest;
} cm_project_figure;

/* "L1", "L2", "L3", "MEM" */
extern const char *const cm_level_names[CM_LEVELS];

/* ---- machine.c ---- */

/* Widths of floating-point instructions: scalars, fixed vectors of 128, 256 and 512 bits, scalable ones. */
enum { CM_WIDTH_SCALABLE = 4, CM_WIDTHS };

/* 10^9 instructions of one width a second. */
typedef struct cm_width_rates {
    cm_project_figure any, fused;      /* of the fastest kind, additions beside multiplications; of multiply-adds */
    cm_project_figure divided, rooted; /* of divisions and square roots in double precision; NaN: not known */
} cm_width_rates;

/* Streams by the share of stores in their bytes, from the lowest to the highest; NaN if none was measured. */
enum { CM_STREAM_SHARES = 5 };
extern const double cm_stream_shares[CM_STREAM_SHARES];

typedef struct cm_project_machine {
    const char *name, *file;
    cm_project_figure performance; /* GFLOP/s in double precision */
    double peak; /* GFLOP/s of multiply-adds, if `performance` is a matrix product's; NaN: it is not */
    double vector_bits;
    cm_project_figure bandwidth[CM_LEVELS]; /* of the triad, GB/s */
    cm_project_figure clock;                /* GHz, of all cores together; NaN: not known */
    cm_project_figure streams[CM_LEVELS];   /* of the fastest stream, which may be the triad */
    cm_project_figure shares[CM_LEVELS][CM_STREAM_SHARES];
    cm_width_rates rates[CM_WIDTHS]; /* for numbers of any size */
} cm_project_machine;

/* The file's name without its directory and extension; NULL if memory is short. */
const char *cm_name_of_file(const char *path, cm_arena *arena);
/* Texts belong to the arena. */
cm_status cm_project_machine_read(const char *path, cm_arena *arena, cm_project_machine *machine, cm_error *error);

/* ---- measured.c ---- */

/* Whether the path is FILE[@VECTORS][@CORES] of an output of `catmint roofline`; else any vectors, on one core. */
bool cm_project_is_measured(const char *path);
cm_status cm_project_measured_read(const char *path, cm_project_machine *machine, cm_error *error);

/* ---- mix.c, mix_facts.c ---- */

typedef struct cm_width_mix {
    double plain, fused; /* instructions; multiply-adds are fused; NaN: not known */
    /* of the plain ones, those that the divider works on; one of shorter numbers is two thirds of one; NaN: not known
     */
    double divided, rooted;
} cm_width_mix;

typedef struct cm_mix {
    const char *name, *file;
    size_t line;                     /* line that names it in a table; 0: none */
    const char *model;               /* the model whose caches and vectors counted it, "zen4"; "": not known */
    double operations, instructions; /* floating-point */
    double bytes[CM_LEVELS];         /* bytes that each level answers; NaN: not known */
    double moved[CM_LEVELS];         /* bytes that the program loads and stores, then lines from L2, L3 and memory; NaN:
                                      * not known */
    double in_core_cycles;           /* the fewest cycles of a core, software_pmu/machine/flow.h; 0, NaN: not known */
    double store_share;              /* share of stores in the bytes loaded and stored; NaN: not known */
    double split_bytes;              /* bytes of the second accesses of loads and stores that cross a line; NaN: not
                                      * known */
    cm_width_mix widths[CM_WIDTHS];
    double all_bytes;              /* of all levels, if only their sum is known; else NaN */
    double seen;                   /* share of the accesses that caches saw; the others are taken to be alike */
    double vector_bits;            /* of the scalable vectors that it uses; NaN: none */
    bool all_lanes;                /* the active lanes were not known: operations count all lanes */
    double seconds;                /* NaN: not known */
    cm_project_figure performance; /* GFLOP/s */
} cm_mix;

typedef struct cm_mixes {
    size_t count;
    cm_mix *items; /* in the arena, as their texts are */
} cm_mixes;

/* Adds a mix for each column. */
cm_status cm_mixes_read(const char *path, cm_arena *arena, cm_mixes *mixes, cm_error *error);
/* A mix from counted facts: one column of the table. */
cm_status cm_mix_from_facts(const cm_table *table, size_t column, cm_mix *mix, cm_error *error);

/* ---- equations.c: equations 1 to 4 ---- */

/* Equation 3: infinite if no byte comes from this level or beyond it; NaN if that is not known. */
double cm_intensity(const cm_mix *mix, cm_memory_level level);
/* Equation 1. */
cm_project_figure cm_reachable(const cm_project_figure *bandwidth, double intensity,
                               const cm_project_figure *performance);

/* Equation 4 for the intensity of one level and the roofline of another. */
typedef struct cm_projected_pair {
    cm_memory_level intensity, roofline;
    double intensities[2];          /* of source and target, operations a byte; may be infinite */
    cm_project_figure rooflines[2]; /* GFLOP/s */
    bool computes[2];               /* limited by arithmetic, not by memory */
    cm_project_figure projected;    /* GFLOP/s */
} cm_projected_pair;

/* Limits other than a level: the rates of arithmetic; the fewest cycles of a core, by its window, its width, and the
 * dependences of instructions; and the rates of its divider. */
enum { CM_LIMIT_ARITHMETIC = CM_LEVELS, CM_LIMIT_IN_CORE, CM_LIMIT_DIVIDER };

/* The tightest roofline of a machine for a program. */
typedef struct cm_bound {
    cm_project_figure reachable; /* GFLOP/s */
    int limit;                   /* cm_memory_level, or one of the above */
} cm_bound;

/* "L1" to "MEM", "arithmetic", "in-core", "divider" */
const char *cm_limit_name(int limit);

typedef struct cm_projected_case {
    cm_projected_speed result;
    cm_project_figure weighted[2]; /* equation 2, of source and target */
    double performance;            /* of the target with the longer vectors of the case */
    bool bounded;                  /* lines are known, so there are bounds */
    cm_bound bounds[2];            /* of source and target */
    size_t pair_count;
    cm_projected_pair pairs[CM_LEVELS * CM_LEVELS];
} cm_projected_case;

/* Makes the pairs of all levels that both machines and both mixes know. `least` is the share below which a level's
 * roofline is left out. */
void cm_project_pairs(const cm_project_machine machines[2], const cm_mix *const mixes[2], double least,
                      const cm_project_figure *measured, cm_projected_case *projected);

/* ---- bound.c ---- */

/* Call after cm_project_pairs: its weighted performance replaces unknown rates. */
void cm_project_bound(const cm_project_machine machines[2], const cm_mix *const mixes[2],
                      const cm_project_figure *measured, cm_projected_case *projected);

/* Whether the core's fewest cycles, and so its limit, are known. */
bool cm_project_knows_core(const cm_project_machine *machine, const cm_mix *mix);

/* The speed that the rates of the mix's widths allow, GFLOP/s; `otherwise` if the rates are not known. */
cm_project_figure cm_project_arithmetic(const cm_project_machine *machine, const cm_mix *mix,
                                        const cm_project_figure *otherwise);

/* ---- projection.c ---- */

struct cm_projection {
    cm_arena arena;
    cm_project_machine machines[2];
    cm_mixes mixes;
    cm_project_figure measured; /* on the source */
    size_t case_count;
    cm_projected_case *cases;
    bool partial;
    char notes[2048];
    size_t warning_count;
    const char **warnings; /* sentences, texts of the arena */
};

/* ---- warnings.c ---- */

/* Warns of each speed beyond its machine's limits. Cases: those of each mix from `first` on, `memories` each. */
cm_status cm_projection_find_warnings(cm_projection *made, size_t first, size_t memories, cm_error *error);

#endif
