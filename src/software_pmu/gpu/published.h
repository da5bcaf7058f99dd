/* Entry points that the software GPU adds to the driver's: its facts, in cm_fact's order, of one build. */
#ifndef CM_SOFTWARE_PMU_GPU_PUBLISHED_H
#define CM_SOFTWARE_PMU_GPU_PUBLISHED_H

#include "software_pmu/gpu/hierarchy.h"
#include "software_pmu/machine/facts.h"

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

#endif
