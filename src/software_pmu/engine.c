/* Creates the software PMU with the first engine that is available. */
#include "core/base.h"
#include "software_pmu/gpu/engine.h"

struct cm_software_pmu {
    const cm_engine *engine;
    void *state;
};

/* Creates the engine's state; CM_UNSUPPORTED if no engine is available. */
static cm_status create_pmu(const cm_pmu_machine *machine, cm_software_pmu *pmu, cm_error *error)
{
    cm_status status = CM_UNSUPPORTED;
    cm_error found = {0};
    CM_FAIL(
        &found, status, "%s",
        "this catmint has no software PMU: it counts on x86-64 if Zydis was found, and under QEMU on other processors");
    bool gpu = machine->gpu[0] != '\0';
    if (gpu) {
        pmu->engine = &cm_gpu_engine;
        status = pmu->engine->create(machine, &pmu->state, &found);
    }
    for (size_t i = 0; !gpu && status == CM_UNSUPPORTED && cm_engines[i] != NULL; i++) {
        pmu->engine = cm_engines[i];
        status = pmu->engine->create(machine, &pmu->state, &found);
    }
    if (status != CM_OK && error != NULL)
        *error = found;
    return status;
}

cm_status cm_software_pmu_create(const cm_pmu_machine *machine, cm_software_pmu **pmu, cm_error *error)
{
    cm_software_pmu *created = calloc(1, sizeof *created);
    cm_status status = created != NULL ? create_pmu(machine, created, error) : cm_error_no_memory(error);
    CM_HAND_OVER(status, pmu, created, free);
    return status;
}

void cm_software_pmu_free(cm_software_pmu *pmu)
{
    if (pmu == NULL)
        return;
    pmu->engine->free(pmu->state);
    free(pmu);
}

cm_status cm_software_pmu_run(cm_software_pmu *pmu, void (*function)(void *argument), void *argument, cm_error *error)
{
    return pmu->engine->run(pmu->state, function, argument, error);
}

const uint64_t *cm_software_pmu_facts(const cm_software_pmu *pmu)
{
    return pmu->engine->facts(pmu->state);
}

void cm_software_pmu_seed(cm_software_pmu *pmu, uint64_t seed)
{
    pmu->engine->seed(pmu->state, seed);
}

cm_status cm_software_pmu_huge_pages(cm_software_pmu *pmu, const void *start, size_t size, cm_error *error)
{
    if (pmu->engine->huge_pages != NULL)
        return pmu->engine->huge_pages(pmu->state, (uint64_t)(uintptr_t)start, size, error);
    return CM_FAIL(error, CM_UNSUPPORTED, "QEMU does not distinguish huge pages from others");
}
