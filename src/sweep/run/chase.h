/* The memory of a chain, of pointers or of code. */
#ifndef CM_SWEEP_RUN_CHASE_H
#define CM_SWEEP_RUN_CHASE_H

#include <stdint.h>

#include <catmint/error.h>

#include "core/system.h"
#include "sweep/plan/placement.h"

/* Steps over huge pages of zeros: their start, the distance, and the extent after which it begins again. */
typedef struct cm_steps {
    const char *start;
    uint64_t stride, extent;
} cm_steps;

/* Memory for chains: in pages of the system's choice, or in small pages alone. */
typedef struct cm_chase_area {
    char *buffer;
    size_t size;   /* bytes of the buffer, whole pages */
    char *mapping; /* the mapping that holds it */
    size_t mapped; /* bytes of the mapping */
} cm_chase_area;

typedef struct cm_chase {
    void *chain;     /* the last one built, for cm_kernel_data */
    void *scratch;   /* a page, aligned as the buffers are, for a run's accesses beside the chain */
    uint32_t *order; /* memory for building chains */
    cm_chase_area lines, pages;
    cm_huge_pages huge, zeros;
    cm_software_pmu *pmu; /* learns which pages are huge; NULL: none */
} cm_chase;

/* Allocates memory for any of `count` chains (those without a stride are none). Its pages are mapped when this returns:
 * CM_UNSUPPORTED if some should be huge and are not. `pmu` must live as long; NULL: none. Free with cm_chase_close,
 * also after a failure. */
cm_status cm_chase_open(cm_chase *chase, const cm_placement *placements, size_t count, cm_software_pmu *pmu,
                        cm_error *error);
void cm_chase_close(cm_chase *chase);

/* Builds a chain; code may be executed afterwards: CM_UNSUPPORTED if the system forbids that. */
cm_status cm_chase_build(cm_chase *chase, const cm_placement *placement, uint64_t seed, cm_error *error);

#endif
