/* One component, named as PAPI's component with the model's events, so that tables and definitions are the same. */
#include "counting/counting.h"

enum { NAME_SIZE = 512 };

cm_status cm_enumerate_components(cm_counting *counting, cm_error *error)
{
    static const cm_component_record only = {
        .name = "sde", .description = "The software PMU's events", .reason = "", .hint = "", .enabled = true};
    counting->components = malloc(sizeof *counting->components);
    if (counting->components == NULL)
        return cm_error_no_memory(error);
    counting->components[0] = only;
    counting->component_count = 1;
    return CM_OK;
}

cm_status cm_enumerate_event(cm_counting *counting, size_t component, int code, const char *name, cm_error *error)
{
    cm_pmu_event event = cm_pmu_model_event(counting->model, (size_t)code);
    char papi_name[NAME_SIZE];
    (void)name; /* the event has the model's name already */
    snprintf(papi_name, sizeof papi_name, "sde:::%s::%s", cm_pmu_model_name(counting->model), event.name);
    cm_event_record *record = cm_event_append(counting, event.name, papi_name, event.description);
    if (record == NULL)
        return cm_error_no_memory(error);
    record->component = component;
    record->code = code;
    record->fault = cm_pmu_model_fault(counting->model, (size_t)code);
    record->model_event = (size_t)code;
    record->software = true;
    return CM_OK;
}

cm_status cm_enumerate_events(cm_counting *counting, size_t component, cm_error *error)
{
    size_t events = counting->model != NULL ? cm_pmu_model_event_count(counting->model) : 0;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < events; i++)
        status = cm_enumerate_event(counting, component, (int)i, NULL, error);
    counting->components[component].event_count = events;
    return status;
}
