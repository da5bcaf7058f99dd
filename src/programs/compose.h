/* Composing programs by seed, of single pieces of work in random order: in free proportions, or as often as a class of
 * natural programs does each. They are no combination of the kernels' loops, which would only show again what was
 * fitted. */
#ifndef CM_PROGRAMS_COMPOSE_H
#define CM_PROGRAMS_COMPOSE_H

#include <catmint/error.h>

#include "programs/natural.h"
#include "programs/work.h"

/* The loop's body, and by which share the random bits of each plane are set. */
typedef struct cm_composition {
    const char *class; /* of natural programs; "": in free proportions */
    size_t count;
    cm_work *works;
    double shares[CM_WORK_PLANES];
} cm_composition;

/* `available`: one a row of cm_work_table; one at least is true. */
cm_status cm_compose(uint64_t seed, const bool *available, cm_composition *composition, cm_error *error);
/* Of a class: what happens in a tenth of the iterations, or less, a random branch skips in the others. */
cm_status cm_compose_natural(uint64_t seed, const bool *available, const cm_natural *natural, size_t class,
                             cm_composition *composition, cm_error *error);
void cm_composition_clear(cm_composition *composition);

/* What there is most of: "32 loads of 8 bytes, 20 jumps, 4 calls". */
void cm_composition_describe(const cm_composition *composition, char *text, size_t size);

#endif
