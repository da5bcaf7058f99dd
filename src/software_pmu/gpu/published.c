#include "software_pmu/gpu/published.h"

/* The state of the process's software GPU, as a driver's state is the process's. */
static struct {
    cm_pmu_machine machine;
    uint64_t facts[CM_SOFTWARE_GPU_DEVICES][CM_FACT_COUNT];
} gpu;

__attribute__((visibility("default"))) void cm_software_gpu_configure(const cm_pmu_machine *machine)
{
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
