/* PAPI's components and events listed, with each single qualifier. */
#include <fnmatch.h>
#include <papi.h>

#include "counting/counting.h"
#include "counting/papi/papi.h"
#include "formulas/events/events.h"

static const char perf_prefix[] = "perf::";

bool cm_is_core_event(const char *component, const char *name)
{
    /* The kernel counts these of perf's own names, the core the others. */
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
    for (size_t i = 0; i < CM_COUNT_OF(kernel_events); i++)
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

/* Adds an event. `spelled`: its name, if PAPI's information may have another of its qualifiers; else NULL. */
static cm_status add_event(cm_counting *counting, size_t component, int code, bool qualified, const char *spelled,
                           cm_error *error)
{
    PAPI_event_info_t info = {0};
    if (PAPI_get_event_info(code, &info) != PAPI_OK || info.symbol[0] == '\0')
        return CM_OK; /* a gap in the component's numbers */
    const char *component_name = counting->components[component].name;
    if (is_left_out(component_name, info.symbol, qualified))
        return CM_OK;
    if (spelled != NULL)
        snprintf(info.symbol, sizeof info.symbol, "%s", spelled);
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

/* ---- components that count GPUs ----
 *
 * Such a component has tens of thousands of names. It lists each without qualifiers, and with the first value of each
 * qualifier; other combinations are known only by name. Information about an event takes milliseconds, so only wanted
 * events are asked for, and their names are not taken from it, because it has the first value there, too. */

static bool is_listed(const cm_counting *counting, size_t component, const char *name)
{
    for (size_t i = counting->event_count; i-- > 0 && counting->events[i].component == component;)
        if (strcmp(counting->events[i].papi_name, name) == 0)
            return true;
    return false;
}

static cm_status add_gpu_event(cm_counting *counting, size_t component, int code, bool qualified, const char *name,
                               cm_error *error)
{
    return is_listed(counting, component, name) ? CM_OK : add_event(counting, component, code, qualified, name, error);
}

/* Adds the name with the qualifiers of each pattern that completes it. */
static cm_status add_completed(cm_counting *counting, size_t component, const char *name, cm_error *error)
{
    char completed[PAPI_HUGE_STR_LEN];
    const char *component_name = counting->components[component].name;
    cm_status status = CM_OK;
    cm_gpu_completion completion;
    for (size_t i = 0;
         status == CM_OK && (completion = cm_gpu_event_complete(counting, component_name, name, i, completed,
                                                                sizeof completed)) != CM_GPU_NO_PATTERN;
         i++) {
        int code = 0;
        if (completion == CM_GPU_COMPLETED && PAPI_event_name_to_code(completed, &code) == PAPI_OK)
            status = add_gpu_event(counting, component, code, true, completed, error);
    }
    return status;
}

struct visited {
    cm_counting *counting;
    size_t names; /* without qualifiers, wanted or not */
};

/* Adds a visited event; of a GPU's component only if patterns want it. */
static cm_status add_visited(size_t component, int code, bool qualified, void *data, cm_error *error)
{
    struct visited *visited = data;
    cm_counting *counting = visited->counting;
    visited->names += !qualified;
    const char *component_name = counting->components[component].name;
    char name[PAPI_HUGE_STR_LEN] = "";
    if (!cm_is_gpu_component(component_name))
        return add_event(counting, component, code, qualified, NULL, error);
    if (PAPI_event_code_to_name(code, name) != PAPI_OK)
        return CM_OK; /* a gap in the component's numbers */
    cm_status status = CM_OK;
    if (cm_gpu_event_wanted(counting, component_name, name, qualified))
        status = add_gpu_event(counting, component, code, qualified, name, error);
    return status == CM_OK && !qualified ? add_completed(counting, component, name, error) : status;
}

/* ---- all events ---- */

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
            break; /* the component repeats a code: it would be asked for ever */
        status = visit_with_qualifiers(component, code, visit, data, error);
    }
    return status;
}

cm_status cm_enumerate_event(cm_counting *counting, size_t component, int code, const char *name, cm_error *error)
{
    char spelled[PAPI_HUGE_STR_LEN];
    const char *component_name = counting->components[component].name;
    bool of_gpu = cm_is_gpu_component(component_name);
    if (of_gpu && !cm_component_spell(component_name, cm_component_bare(name), spelled, sizeof spelled))
        return CM_OK;
    return add_event(counting, component, code, true, of_gpu ? spelled : NULL, error);
}

/* Updates the state of a component from PAPI. */
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
        cm_counting_hint(&counting->machine, record->name, record->reason, hint, sizeof hint);
    record->hint = cm_text_store_add(&counting->texts, hint);
    return record->hint != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_enumerate_components(cm_counting *counting, cm_error *error)
{
    int count = PAPI_num_components();
    counting->component_count = count > 0 ? (size_t)count : 0;
    if (!CM_ALLOCATE(counting->components, counting->component_count + 1))
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
    static const char untried[] =
        "none was tried: a GPU's events are when its kernels run (catmint discover --benchmark "
        "gpu-flops; --events names others than the usual ones)";
    size_t before = counting->event_count;
    const char *name = counting->components[component].name;
    struct visited visited = {.counting = counting};
    cm_status status = CM_OK;
    bool of_gpu = cm_is_gpu_component(name), asked = !of_gpu || cm_gpu_component_asked(counting, name);
    if (asked)
        status = cm_visit_events(component, add_visited, &visited, error);
    CM_THEN(status, update_component(counting, component, error));
    cm_component_record *record = &counting->components[component];
    record->event_count = counting->event_count - before;
    if (status == CM_OK && record->event_count == 0 && of_gpu) {
        record->event_count = visited.names;
        record->hint = visited.names != 0 || !asked ? untried : record->hint;
    }
    return status;
}
