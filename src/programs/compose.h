/* Composes programs by seed, of single pieces of work in random order: in free proportions, or at the rates of a class
 * of natural programs. They are no combination of the kernels' loops, which would only confirm the fit. */
#ifndef CM_PROGRAMS_COMPOSE_H
#define CM_PROGRAMS_COMPOSE_H

#include <catmint/error.h>

#include "programs/natural.h"
#include "programs/work.h"

/* The loop's body, and the share of ones among the random bits of each plane. */
typedef struct cm_composition {
    const char *class; /* class of natural programs; "": free proportions */
    size_t count;
    cm_work *works;
    double shares[CM_WORK_PLANES];
} cm_composition;

/* `available`: one a row of cm_work_table; at least one is true. */
cm_status cm_compose(uint64_t seed, const bool *available, cm_composition *composition, cm_error *error);
/* Composes a program of a class: a random branch skips work that happens in a tenth of the iterations or less. */
cm_status cm_compose_natural(uint64_t seed, const bool *available, const cm_natural *natural, size_t class,
                             cm_composition *composition, cm_error *error);
void cm_composition_clear(cm_composition *composition);

/* The most frequent work: "32 loads of 8 bytes, 20 jumps, 4 calls". */
void cm_composition_describe(const cm_composition *composition, char *text, size_t size);

#endif
