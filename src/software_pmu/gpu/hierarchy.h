/* The memory hierarchy of a software GPU's device: a first cache for each block, a second one for all, both of lines
 * with sectors, least recently used; and shared memory in 32 banks of 4 bytes. Loads go through both caches, or past
 * the first; stores and atomic additions go to the second. A sector that misses comes from the next level alone. Both
 * caches are empty when a launch begins, as a profiler leaves them that flushes caches before each kernel. */
#ifndef CM_SOFTWARE_PMU_GPU_HIERARCHY_H
#define CM_SOFTWARE_PMU_GPU_HIERARCHY_H

#include "software_pmu/machine/facts.h"

enum { CM_HIERARCHY_LANES = 64 };

typedef enum cm_hierarchy_way {
    CM_WAY_LOAD,
    CM_WAY_LOAD_FAR, /* past the first cache */
    CM_WAY_STORE,
    CM_WAY_REDUCE,
    CM_WAY_SHARED_LOAD,
    CM_WAY_SHARED_STORE,
} cm_hierarchy_way;

typedef struct cm_hierarchy cm_hierarchy;

/* A machine without line_size gets caches that the kernels' regions fit into. NULL if memory runs out. Free with
 * cm_hierarchy_free. */
cm_hierarchy *cm_hierarchy_create(const cm_pmu_machine *machine);
void cm_hierarchy_free(cm_hierarchy *hierarchy); /* accepts NULL */

/* A launch empties both caches, a block the first one alone. */
void cm_hierarchy_begin_launch(cm_hierarchy *hierarchy);
void cm_hierarchy_begin_block(cm_hierarchy *hierarchy);

/* An access of `bytes` at each of `count` addresses, of a warp's active lanes; `lanes` says which of its lanes each is
 * of. Adds to the facts; none if count is 0. */
void cm_hierarchy_access(cm_hierarchy *hierarchy, cm_hierarchy_way way, unsigned bytes, const uint64_t *addresses,
                         const unsigned *lanes, unsigned count, uint64_t *facts);

/* ---- entry points that the software GPU adds to the driver's: its facts, in cm_fact's order, of one build ---- */

/* Sets the devices; call it before the driver's entry points. */
typedef void cm_software_gpu_configure_function(const cm_pmu_machine *machine);
/* CM_FACT_COUNT values that grow from 0 as the device executes; NULL past the last device. The pointer stays valid. */
typedef const uint64_t *cm_software_gpu_facts_function(unsigned device);

#define CM_SOFTWARE_GPU_CONFIGURE "cm_software_gpu_configure"
#define CM_SOFTWARE_GPU_FACTS "cm_software_gpu_facts"

/* Shared by the library's parts. */
cm_software_gpu_configure_function cm_software_gpu_configure;
cm_software_gpu_facts_function cm_software_gpu_facts;

enum { CM_SOFTWARE_GPU_DEVICES = 8 };

/* The machine as configured. */
const cm_pmu_machine *cm_software_gpu_machine(void);
/* The counts of a device, and its memory hierarchy, for the code that executes; NULL if memory runs out. */
uint64_t *cm_software_gpu_counts(unsigned device);
cm_hierarchy *cm_software_gpu_hierarchy(unsigned device);

/* ---- device_memory.c: pages of the process's own memory, and whether an address belongs to one ---- */

void *cm_device_memory_create(size_t size);   /* zeros; NULL if there is no memory */
bool cm_device_memory_free(uint64_t address); /* false if there is no such piece */
/* Whether all these bytes belong to a device. */
bool cm_device_memory_reaches(uint64_t address, size_t size);

#endif
