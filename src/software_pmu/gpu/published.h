/* What the software GPU's library has beside the drivers' entry points: facts, in the order of cm_fact, of the same
 * build of catmint. */
#ifndef CM_SOFTWARE_PMU_GPU_PUBLISHED_H
#define CM_SOFTWARE_PMU_GPU_PUBLISHED_H

#include "software_pmu/machine/facts.h"

/* Before the driver's entry points are called: what devices there are. */
typedef void cm_software_gpu_configure_function(const cm_pmu_machine *machine);
/* CM_FACT_COUNT values that grow from 0 as the device executes; NULL past the last device. The pointer stays valid. */
typedef const uint64_t *cm_software_gpu_facts_function(unsigned device);

#define CM_SOFTWARE_GPU_CONFIGURE "cm_software_gpu_configure"
#define CM_SOFTWARE_GPU_FACTS "cm_software_gpu_facts"

/* What the library's parts share. */
cm_software_gpu_configure_function cm_software_gpu_configure;
cm_software_gpu_facts_function cm_software_gpu_facts;

enum { CM_SOFTWARE_GPU_DEVICES = 8 };

/* As configured. */
const cm_pmu_machine *cm_software_gpu_machine(void);
/* What a device has counted; for who executes. */
uint64_t *cm_software_gpu_counts(unsigned device);

#endif
