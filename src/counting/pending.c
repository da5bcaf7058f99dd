/* Stands in, weakly, for what other files define as they land. */
#include <catmint/software_pmu.h>
#include <catmint/tables.h>
#include "core/error.h"
#define WEAK __attribute__((weak))
WEAK size_t cm_fact_count(void)
{
    return 0;
}
WEAK cm_status cm_pmu_model_load(const char *directory, cm_pmu_model **model, cm_error *error)
{
    (void)model;
    return cm_error_set(error, CM_UNSUPPORTED, directory, 0, 0, "models are not there yet");
}
WEAK void cm_pmu_model_free(cm_pmu_model *model)
{
    (void)model;
}
WEAK const char *cm_pmu_model_name(const cm_pmu_model *model)
{
    (void)model;
    return "";
}
WEAK const cm_pmu_machine *cm_pmu_model_machine(const cm_pmu_model *model)
{
    (void)model;
    return NULL;
}
WEAK size_t cm_pmu_model_event_count(const cm_pmu_model *model)
{
    (void)model;
    return 0;
}
WEAK cm_pmu_event cm_pmu_model_event(const cm_pmu_model *model, size_t event)
{
    (void)model;
    (void)event;
    return (cm_pmu_event){"", ""};
}
WEAK int64_t cm_pmu_model_evaluate(const cm_pmu_model *model, size_t event, const uint64_t *facts)
{
    (void)model;
    (void)event;
    (void)facts;
    return 0;
}
WEAK cm_status cm_software_pmu_create(const cm_pmu_machine *machine, cm_software_pmu **pmu, cm_error *error)
{
    (void)machine;
    (void)pmu;
    return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the software PMU is not there yet");
}
WEAK void cm_software_pmu_free(cm_software_pmu *pmu)
{
    (void)pmu;
}
WEAK cm_status cm_software_pmu_run(cm_software_pmu *pmu, void (*function)(void *argument), void *argument,
                                   cm_error *error)
{
    (void)pmu;
    function(argument);
    (void)error;
    return CM_OK;
}
WEAK const uint64_t *cm_software_pmu_facts(const cm_software_pmu *pmu)
{
    (void)pmu;
    return NULL;
}
WEAK void cm_software_pmu_seed(cm_software_pmu *pmu, uint64_t seed)
{
    (void)pmu;
    (void)seed;
}
WEAK cm_status cm_data_path(const char *name, char **path, cm_error *error)
{
    (void)path;
    return cm_error_set(error, CM_IO, name, 0, 0, "not found");
}
