/* The state of the software GPU: machine, and counts of each device. */
#include "software_pmu/gpu/device.h"

/* The state of the process's software GPU, as a driver's state is the process's. */
static struct {
    cm_pmu_machine machine;
    uint64_t facts[CM_SOFTWARE_GPU_DEVICES][CM_FACT_COUNT];
    cm_hierarchy *hierarchies[CM_SOFTWARE_GPU_DEVICES]; /* made when a device is used first */
} gpu;

__attribute__((destructor)) static void forget_hierarchies(void)
{
    for (size_t i = 0; i < CM_SOFTWARE_GPU_DEVICES; i++) {
        cm_hierarchy_free(gpu.hierarchies[i]);
        gpu.hierarchies[i] = NULL;
    }
}

__attribute__((visibility("default"))) void cm_software_gpu_configure(const cm_pmu_machine *machine)
{
    forget_hierarchies();
    gpu.machine = *machine;
    if (gpu.machine.gpu_devices == 0)
        gpu.machine.gpu_devices = 1;
}

__attribute__((visibility("default"))) const uint64_t *cm_software_gpu_facts(unsigned device)
{
    return device < gpu.machine.gpu_devices && device < CM_SOFTWARE_GPU_DEVICES ? gpu.facts[device] : NULL;
}

const cm_pmu_machine *cm_software_gpu_machine(void)
{
    return &gpu.machine;
}

uint64_t *cm_software_gpu_counts(unsigned device)
{
    return gpu.facts[device];
}

cm_hierarchy *cm_software_gpu_hierarchy(unsigned device)
{
    if (gpu.hierarchies[device] == NULL)
        gpu.hierarchies[device] = cm_hierarchy_create(&gpu.machine);
    return gpu.hierarchies[device];
}
