/* A program of a class of natural programs while it is composed. */
#ifndef CM_PROGRAMS_COMPOSING_H
#define CM_PROGRAMS_COMPOSING_H

#include "programs/programs.h"

/* Instructions of an iteration; most pieces of work in all iterations, and in each phase. */
enum { CM_NATURAL_INSTRUCTIONS = 200, CM_NATURAL_MOST = 512, CM_NATURAL_MOST_OF_PHASE = 160 };

/* Phases, the last planes: work that some iterations do. The planes before them are of branches on random bits. */
enum { CM_PHASES = 6, CM_RANDOM_PLANES = CM_WORK_PLANES - CM_PHASES };

/* The ways through the buffers. NEAR: the same few lines in each iteration, which the first cache keeps. AROUND: a line
 * a page, of pages that come again; they all fall into one set of the first cache, which has no room for them, while
 * the second has. ONWARD: beyond the second cache, in one of the ways that follow. */
enum { CM_ONWARD, CM_AROUND, CM_NEAR };
typedef enum cm_onward_way { CM_LINES, CM_LINES_AGAIN, CM_PAGES, CM_PAGES_AGAIN } cm_onward_way;

/* Rates of the loads, or of the stores, an instruction. */
typedef struct cm_accesses {
    cm_work_kind kind, far;
    double all, missing, beyond, memory, pages, walks; /* beyond the second cache, and all caches */
} cm_accesses;

typedef struct cm_composing {
    uint64_t random;
    const bool *available;
    const double *natural; /* facts of the program, an instruction */
    cm_accesses of[2];     /* loads, stores */
    cm_composition *composition;
    double branches; /* on random bits */
    cm_onward_way way;
    unsigned slots[CM_WORK_BUFFERS]; /* lines given away */
    size_t counts[CM_PHASES];
    cm_work phases[CM_PHASES][CM_NATURAL_MOST_OF_PHASE];
} cm_composing;

/* ---- composing.c ---- */

/* The shares of the iterations that have a phase's work. */
extern const double cm_phase_shares[CM_PHASES];
/* Adds work of every iteration. */
void cm_composing_add_to_all(cm_composing *work, const cm_work *row, unsigned buffer);
/* Adds work that occurs `often` an iteration. */
void cm_composing_add(cm_composing *work, const cm_work *row, unsigned buffer, double often);
/* The composition's ways through the buffers, when all work is added. */
void cm_composing_set_ways(const cm_composing *work, size_t class);

/* ---- misses.c: accesses that miss ---- */

void cm_accesses_find(cm_composing *work);
/* Whether programs can do this work here. */
bool cm_composing_can(const cm_composing *work, cm_work_kind kind);
/* How often work on many pages touches one. */
double cm_far_rate(const cm_composing *work, const cm_accesses *of);
void cm_composing_add_missing(cm_composing *work);

#endif
