/* Stands in, weakly, for the models of the software PMU, which have not landed yet. */
#include <catmint/software_pmu.h>

#include "core/error.h"

#define PENDING __attribute__((weak))

PENDING cm_status cm_pmu_model_load(const char *directory, cm_pmu_model **model, cm_error *error)
{
    (void)model;
    return cm_error_set(error, CM_UNSUPPORTED, directory, 0, 0, "models of the software PMU are not there yet");
}

PENDING void cm_pmu_model_free(cm_pmu_model *model)
{
    (void)model;
}

PENDING const char *cm_pmu_model_name(const cm_pmu_model *model)
{
    (void)model;
    return "";
}

PENDING const cm_pmu_machine *cm_pmu_model_machine(const cm_pmu_model *model)
{
    (void)model;
    return NULL;
}

PENDING size_t cm_pmu_model_event_count(const cm_pmu_model *model)
{
    (void)model;
    return 0;
}

PENDING cm_pmu_event cm_pmu_model_event(const cm_pmu_model *model, size_t event)
{
    (void)model;
    (void)event;
    return (cm_pmu_event){"", ""};
}

PENDING int64_t cm_pmu_model_evaluate(const cm_pmu_model *model, size_t event, const uint64_t *facts)
{
    (void)model;
    (void)event;
    (void)facts;
    return 0;
}
