/* Lines and translations that no load, store or fetch of the program asks for, but prefetches by instruction, and the
 * loads, stores and code of wrong paths. They come as others come, change caches and TLBs, and count in facts of their
 * own. Neither prefetchers nor a neighbour see them. */
#ifndef CM_SOFTWARE_PMU_MACHINE_UNRETIRED_H
#define CM_SOFTWARE_PMU_MACHINE_UNRETIRED_H

#include "software_pmu/machine/memory.h"

/* The nearest level that a prefetch by instruction brings its line to. */
typedef enum cm_hint { CM_NO_HINT, CM_HINT_L1D, CM_HINT_L2 } cm_hint;

/* A prefetch by instruction; it needs a translation. */
void cm_memory_hint(cm_memory *memory, cm_hint hint, uint64_t address, uint64_t *facts);
/* A load of a wrong path. */
void cm_memory_wrong_load(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts);
/* A store of a wrong path, which never leaves the store buffer: only its page is looked up. */
void cm_memory_wrong_store(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts);
/* A line of code of a wrong path. */
void cm_memory_wrong_fetch(cm_memory *memory, uint64_t line, uint64_t *facts);

#endif
