/* The sizes of the sectors that a GPU's caches move, for meanings in requests and accesses. */
#include "audit/claims.h"
#include "result/result.h"

/* Takes the sizes of the GPU that `target` numbers. */
static void take_target(cm_gpu_vendor vendor, unsigned target, cm_meant_sectors *sectors)
{
    const cm_gpu_sectors found = cm_gpu_sectors_of(vendor, target);
    *sectors = (cm_meant_sectors){found.loaded, found.stored};
}

/* Takes the sizes from a model's machine.csv. They stay as they are if the model is of a processor, or not here. */
static cm_status take_model(const char *name, cm_meant_sectors *sectors, cm_error *error)
{
    char *directory = NULL;
    cm_pmu_model *model = NULL;
    cm_status status = cm_pmu_model_find(name, &directory, error);
    if (status == CM_BAD_ARGUMENT)
        return CM_OK;
    CM_THEN(status, cm_pmu_model_load(directory, &model, error));
    const cm_pmu_machine *machine = status == CM_OK ? cm_pmu_model_machine(model) : NULL;
    if (machine != NULL && machine->gpu[0] != '\0') {
        take_target(strcmp(machine->gpu, "nvidia") == 0 ? CM_GPU_NVIDIA : CM_GPU_AMD, machine->gpu_target, sectors);
        sectors->load = (double)machine->gpu_sector;
    }
    cm_pmu_model_free(model);
    free(directory);
    return status;
}

cm_status cm_meant_sectors_find(const cm_definitions *definitions, cm_meant_sectors *sectors, cm_error *error)
{
    enum { MI200 = 0x90a, HEXADECIMAL = 16 };
    static const char software[] = "software:", amd[] = "(gfx", nvidia[] = "(sm_";
    const char *target = strstr(definitions->machine, amd);
    take_target(CM_GPU_AMD, MI200, sectors);
    if (definitions->pmu != NULL && strncmp(definitions->pmu, software, strlen(software)) == 0)
        return take_model(definitions->pmu + strlen(software), sectors, error);
    if (target != NULL)
        take_target(CM_GPU_AMD, (unsigned)strtoul(target + strlen(amd), NULL, HEXADECIMAL), sectors);
    else if ((target = strstr(definitions->machine, nvidia)) != NULL)
        take_target(CM_GPU_NVIDIA, (unsigned)strtoul(target + strlen(nvidia), NULL, 10), sectors);
    return CM_OK;
}
