#include "counting/enumerate.h"

#include <fnmatch.h>
#include <papi.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "counting/append.h"
#include "counting/gpu.h"
#include "counting/hints.h"
#include "counting/papi/sde_provider.h"
#include "counting/papi/visit.h"

static const char perf_prefix[] = "perf::";

bool cm_is_core_event(const char *component, const char *name)
{
    /* Of perf's own names these are counted by the kernel, the others by the core. */
    static const char *const kernel_events[] = {
        "PERF_COUNT_SW_*", "*-CLOCK",    "*FAULTS", "*MIGRATIONS", "CONTEXT-SWITCHES", "CS",
        "*SWITCHES",       "BPF-OUTPUT", "DUMMY",
    };
    if (strcmp(component, "perf_event") != 0)
        return false;
    if (strncmp(name, perf_prefix, sizeof perf_prefix - 1) != 0)
        return true;
    char event[PAPI_HUGE_STR_LEN];
    size_t length = strcspn(name + sizeof perf_prefix - 1, ":");
    if (length >= sizeof event)
        return false;
    memcpy(event, name + sizeof perf_prefix - 1, length);
    event[length] = '\0';
    for (size_t i = 0; i < sizeof kernel_events / sizeof kernel_events[0]; i++)
        if (fnmatch(kernel_events[i], event, 0) == 0)
            return false;
    return true;
}

static bool is_tracepoint(const char *name)
{
    const char *system = name + sizeof perf_prefix - 1;
    return strncmp(name, perf_prefix, sizeof perf_prefix - 1) == 0 && *system >= 'a' && *system <= 'z';
}

static bool is_left_out(const char *component, const char *name, bool qualified)
{
    if (strncmp(component, "perf_event", strlen("perf_event")) != 0)
        return false;
    const char *qualifier = strrchr(name, ':');
    return is_tracepoint(name) || (qualified && qualifier != NULL && strchr(qualifier, '=') != NULL);
}

static cm_status add_event(cm_counting *counting, size_t component, int code, bool qualified, cm_error *error)
{
    PAPI_event_info_t info = {0};
    if (PAPI_get_event_info(code, &info) != PAPI_OK || info.symbol[0] == '\0')
        return CM_OK; /* a gap in the component's numbering */
    const char *component_name = counting->components[component].name;
    if (is_left_out(component_name, info.symbol, qualified) ||
        !cm_gpu_event_wanted(counting, component_name, info.symbol, qualified))
        return CM_OK;
    const char *name = info.symbol;
    const char *description = info.long_descr;
    cm_pmu_fault fault = CM_PMU_FAULT_NONE;
    cm_sde_provider provider = cm_sde_provider_find(info.symbol);
    if (provider.state == CM_SDE_PROVIDED_BEFORE)
        return CM_OK;
    if (provider.state == CM_SDE_PROVIDED_NOW) {
        cm_pmu_event event = cm_pmu_model_event(counting->model, provider.event);
        name = event.name;
        description = event.description;
        fault = cm_pmu_model_fault(counting->model, provider.event);
    }
    cm_event_record *record = cm_event_append(counting, name, info.symbol, description);
    if (record == NULL)
        return cm_error_no_memory(error);
    record->component = component;
    record->code = code;
    record->fault = fault;
    record->model_event = provider.event;
    record->floating = info.data_type == PAPI_DATATYPE_FP64;
    record->hardware = cm_is_core_event(component_name, info.symbol);
    record->software = provider.state == CM_SDE_PROVIDED_NOW;
    return CM_OK;
}

static cm_status add_visited(size_t component, int code, bool qualified, void *data, cm_error *error)
{
    return add_event(data, component, code, qualified, error);
}

static cm_status visit_with_qualifiers(size_t component, int code, cm_event_visit visit, void *data, cm_error *error)
{
    cm_status status = visit(component, code, false, data, error);
    int qualified = code;
    while (status == CM_OK && PAPI_enum_cmp_event(&qualified, PAPI_NTV_ENUM_UMASKS, (int)component) == PAPI_OK)
        status = visit(component, qualified, true, data, error);
    return status;
}

cm_status cm_visit_events(size_t component, cm_event_visit visit, void *data, cm_error *error)
{
    int code = (int)PAPI_NATIVE_MASK;
    cm_status status = CM_OK;
    for (int modifier = PAPI_ENUM_FIRST; status == CM_OK; modifier = PAPI_ENUM_EVENTS) {
        int previous = code;
        if (PAPI_enum_cmp_event(&code, modifier, (int)component) != PAPI_OK)
            break;
        if (modifier == PAPI_ENUM_EVENTS && code == previous)
            break; /* a component that stands still would be asked for ever */
        status = visit_with_qualifiers(component, code, visit, data, error);
    }
    return status;
}

cm_status cm_enumerate_event(cm_counting *counting, size_t component, int code, cm_error *error)
{
    return add_event(counting, component, code, true, error);
}

/* The state of a component as PAPI sees it now. */
static cm_status update_component(cm_counting *counting, size_t component, cm_error *error)
{
    const PAPI_component_info_t *info = PAPI_get_component_info((int)component);
    cm_component_record *record = &counting->components[component];
    char hint[CM_HINT_SIZE] = "";
    record->name = cm_text_store_add(&counting->texts, info != NULL ? info->name : "");
    record->description = cm_text_store_add(&counting->texts, info != NULL ? info->description : "");
    record->enabled = info != NULL && info->disabled == PAPI_OK;
    record->failed = counting->lost != NULL && counting->lost[component] != NULL;
    record->reason =
        record->failed ? counting->lost[component]
                       : cm_text_store_add(&counting->texts, info != NULL ? info->disabled_reason : "unknown to PAPI");
    if (record->enabled)
        record->reason = "";
    else if (record->reason != NULL && record->reason[0] == '\0')
        record->reason = "disabled, PAPI does not say why";
    if (record->name == NULL || record->description == NULL || record->reason == NULL)
        return cm_error_no_memory(error);
    if (!record->enabled)
        cm_hint(&counting->machine, record->name, record->reason, hint, sizeof hint);
    record->hint = cm_text_store_add(&counting->texts, hint);
    return record->hint != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_enumerate_components(cm_counting *counting, cm_error *error)
{
    int count = PAPI_num_components();
    counting->component_count = count > 0 ? (size_t)count : 0;
    counting->components = calloc(counting->component_count + 1, sizeof *counting->components);
    if (counting->components == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < counting->component_count; i++) {
        cm_status status = update_component(counting, i, error);
        if (status != CM_OK)
            return status;
    }
    return CM_OK;
}

cm_status cm_enumerate_events(cm_counting *counting, size_t component, cm_error *error)
{
    size_t before = counting->event_count;
    cm_status status = cm_visit_events(component, add_visited, counting, error);
    if (status == CM_OK)
        status = update_component(counting, component, error);
    if (status == CM_OK)
        counting->components[component].event_count = counting->event_count - before;
    return status;
}
