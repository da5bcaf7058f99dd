/* The memory hierarchy: up to three levels of data cache and a TLB, none of which changes what the code computes.
 *
 * A line that is missing is brought into every level (stores allocate, too); an eviction from an outer level leaves the
 * inner ones alone; writing back costs nothing. Interference: before an access, with the machine's probability, a
 * random place of a random level loses what it holds. */
#ifndef CM_COUNTING_SOFTWARE_MEMORY_H
#define CM_COUNTING_SOFTWARE_MEMORY_H

#include "counting/software/caches.h"
#include "counting/software/facts.h"

enum { CM_MEMORY_LEVELS = 3 };

typedef struct cm_memory {
    cm_cache levels[CM_MEMORY_LEVELS]; /* lines is NULL where the machine lacks the level */
    cm_cache tlb;                      /* likewise */
    unsigned line_shift;
    unsigned page_shift;
    uint64_t interference; /* threshold for a random 64-bit number */
    uint64_t generator;
} cm_memory;

/* CM_BAD_ARGUMENT where the geometry makes no sense. */
cm_status cm_memory_init(cm_memory *memory, const cm_pmu_machine *machine, cm_error *error);
void cm_memory_clear(cm_memory *memory);
void cm_memory_seed(cm_memory *memory, uint64_t seed);

/* One load or store of `bytes` (0: nothing happens). */
void cm_memory_access(cm_memory *memory, uint64_t address, size_t bytes, bool store, uint64_t *facts);

#endif
