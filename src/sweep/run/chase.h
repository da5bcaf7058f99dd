/* The memory that a chain runs through, of pointers or of code. */
#ifndef CM_SWEEP_RUN_CHASE_H
#define CM_SWEEP_RUN_CHASE_H

#include <stdint.h>

#include <catmint/error.h>

#include "core/huge_pages.h"
#include "sweep/plan/placement.h"

/* What steps over huge pages of zeros: where they begin, how far it steps, and where it begins again. */
typedef struct cm_steps {
    const char *start;
    uint64_t stride, extent;
} cm_steps;

/* Memory for chains: of the system's choice, or in small pages alone. */
typedef struct cm_chase_area {
    char *buffer;
    size_t size;   /* bytes of the buffer, whole pages */
    char *mapping; /* what it is part of */
    size_t mapped; /* bytes of that */
} cm_chase_area;

typedef struct cm_chase {
    void *chain;     /* the one that was built last, for cm_kernel_data */
    void *scratch;   /* a page, aligned as the buffers are: what a run reads and writes besides the chain */
    uint32_t *order; /* room to build in */
    cm_chase_area lines, pages;
    cm_huge_pages huge, zeros;
    cm_software_pmu *pmu; /* is told where huge pages are; NULL: none counts */
} cm_chase;

/* Room for any of `count` chains (those without a stride are none). Its pages are there when this returns:
 * CM_UNSUPPORTED where some should be huge and are not. `pmu` must live as long, NULL for none. Free with
 * cm_chase_close, also after a failure. */
cm_status cm_chase_open(cm_chase *chase, const cm_placement *placements, size_t count, cm_software_pmu *pmu,
                        cm_error *error);
void cm_chase_close(cm_chase *chase);

/* Code may be executed afterwards: CM_UNSUPPORTED where the system forbids that. */
cm_status cm_chase_build(cm_chase *chase, const cm_placement *placement, uint64_t seed, cm_error *error);

#endif
