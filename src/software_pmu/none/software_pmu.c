/* The machine that steps, where there is none: on processors that none of the others is for. */
#include <catmint/software_pmu.h>

#include "core/error.h"

static const char no_engine[] =
    "this catmint has no software PMU: it counts on x86-64, where Zydis was found, and under QEMU on other processors";

cm_status cm_software_pmu_create(const cm_pmu_machine *machine, cm_software_pmu **pmu, cm_error *error)
{
    (void)machine, (void)pmu;
    return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s", no_engine);
}

void cm_software_pmu_free(cm_software_pmu *pmu)
{
    (void)pmu;
}

cm_status cm_software_pmu_run(cm_software_pmu *pmu, void (*function)(void *argument), void *argument, cm_error *error)
{
    (void)pmu, (void)function, (void)argument;
    return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s", no_engine);
}

const uint64_t *cm_software_pmu_facts(const cm_software_pmu *pmu)
{
    (void)pmu;
    return NULL;
}

void cm_software_pmu_seed(cm_software_pmu *pmu, uint64_t seed)
{
    (void)pmu, (void)seed;
}
