/* The memory that a chain runs through, of pointers or of code. */
#ifndef CM_SWEEP_RUN_CHASE_H
#define CM_SWEEP_RUN_CHASE_H

#include <stdint.h>

#include <catmint/error.h>

#include "sweep/plan/placement.h"

typedef struct cm_chase {
    char *buffer;
    void *scratch;   /* a page, aligned as the buffer is: what a run reads and writes besides the chain */
    size_t size;     /* bytes of the buffer, whole pages */
    char *mapping;   /* what it is part of */
    size_t mapped;   /* bytes of that */
    uint32_t *order; /* room to build in */
} cm_chase;

/* Room for any of `count` chains (those without a stride are none). Its pages are there when this returns. Free with
 * cm_chase_close, also after a failure. */
cm_status cm_chase_open(cm_chase *chase, const cm_placement *placements, size_t count, cm_error *error);
void cm_chase_close(cm_chase *chase);

/* Code may be executed afterwards: CM_UNSUPPORTED where the system forbids that. */
cm_status cm_chase_build(cm_chase *chase, const cm_placement *placement, uint64_t seed, cm_error *error);

#endif
