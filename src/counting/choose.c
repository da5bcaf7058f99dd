#include "cat-kernels/registry.h"
#include "counting/raw/raw.h"
#include "software_pmu/gpu/engine.h"

static const char core_component[] = "perf_event";
static const char software_component[] = "sde";

static const cm_component_record *find_component(const cm_counting *counting, const char *name, size_t *index)
{
    *index = CM_FIND_BY(name, name, counting->components, counting->component_count);
    return *index < counting->component_count ? &counting->components[*index] : NULL;
}

/* Added to PAPI's message, which seldom names this cause. */
static const char *machine_remark(const cm_machine *machine)
{
    bool no_pmu = machine->perf_errno == ENOENT || machine->perf_errno == ENODEV || machine->perf_errno == EOPNOTSUPP;
    if (!machine->hypervisor)
        return no_pmu ? "; the kernel knows no counters of this CPU" : "";
    return no_pmu ? "; this is a virtual machine without a PMU" : "; this is a virtual machine";
}

char *cm_why_no_hardware(const cm_counting *counting, char *buffer, size_t size)
{
    size_t core_events = 0, countable = 0;
    const char *first_reason = "";
    buffer[0] = '\0';
    for (size_t i = 0; i < counting->event_count; i++) {
        const cm_event_record *event = &counting->events[i];
        if (!event->hardware)
            continue;
        core_events++;
        if (event->countable && event->moved)
            return buffer;
        if (event->countable)
            countable++;
        else if (first_reason[0] == '\0')
            first_reason = event->reason;
    }
    size_t index = 0;
    const cm_component_record *core = find_component(counting, core_component, &index);
    const char *remark = machine_remark(&counting->machine);
    static const char start[] = "no hardware event can be counted here";
    if (core == NULL)
        snprintf(buffer, size, "%s: %s%s", start, cm_source_no_core, remark);
    else if (!core->enabled)
        snprintf(buffer, size, "%s: PAPI's perf_event component is disabled (%s)%s", start, core->reason, remark);
    else if (core_events == 0)
        snprintf(buffer, size, "%s: PAPI's perf_event component lists no event%s", start, remark);
    else if (countable == 0)
        snprintf(buffer, size, "%s: perf_event refuses all %zu events that PAPI lists (%s)%s", start, core_events,
                 first_reason, remark);
    else
        snprintf(buffer, size, "%s: perf_event accepts %zu events, but none of them counts anything%s", start,
                 countable, remark);
    return buffer;
}

bool cm_anything_to_count(const cm_counting *counting, bool any_event)
{
    for (size_t i = 0; i < counting->event_count; i++) {
        const cm_event_record *event = &counting->events[i];
        const char *component = counting->components[event->component].name;
        if (event->countable && (any_event || strcmp(component, core_component) != 0))
            return true;
    }
    return false;
}

const char *cm_hint_to_hardware(const cm_counting *counting)
{
    size_t index = 0;
    const cm_component_record *core = find_component(counting, core_component, &index);
    if (core != NULL && core->hint[0] != '\0')
        return core->hint;
    for (size_t i = 0; i < counting->event_count; i++)
        if (counting->events[i].hardware && counting->events[i].hint[0] != '\0')
            return counting->events[i].hint;
    return "";
}

cm_status cm_make_core_uncountable(cm_counting *counting, size_t first, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = first; status == CM_OK && i < counting->event_count; i++)
        if (counting->events[i].hardware && counting->events[i].countable)
            status = cm_event_refused(
                counting, i, "not used with the software PMU: it would count the software PMU's own work", error);
    return status;
}

/* Lists and tries the model's events, which PAPI's component sde must have. */
static cm_status list_model_events(cm_counting *counting, cm_error *error)
{
    size_t sde = 0;
    const cm_component_record *component = find_component(counting, software_component, &sde);
    if (component == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the software PMU needs PAPI's sde component, which this PAPI was built without");
    size_t first = counting->event_count;
    cm_status status = cm_enumerate_events(counting, sde, error);
    if (status != CM_OK)
        return status;
    size_t found = 0;
    for (size_t i = first; i < counting->event_count; i++)
        found += counting->events[i].software;
    if (!counting->components[sde].enabled)
        return CM_FAIL(error, CM_UNSUPPORTED, "the software PMU needs PAPI's sde component: %s",
                       counting->components[sde].reason);
    if (found != cm_pmu_model_event_count(counting->model))
        return CM_FAIL(error, CM_UNSUPPORTED, "PAPI lists only %zu of the model's %zu events", found,
                       cm_pmu_model_event_count(counting->model));
    return cm_try_events(counting, first, error);
}

cm_status cm_take_software_pmu(cm_counting *counting, const char *model, const char *core, cm_error *error)
{
    unsigned left_out = 0;
    cm_status status = cm_pmu_model_open(model, core, &counting->model, error);
    CM_THEN(status, cm_model_left_out(model, &left_out, error));
    cm_isa_leave_out(left_out);
    CM_THEN(status, cm_software_pmu_create(cm_pmu_model_machine(counting->model), &counting->software_pmu, error));
    if (status == CM_OK && cm_pmu_model_machine(counting->model)->gpu[0] != '\0')
        status = cm_software_gpu_open(cm_pmu_model_machine(counting->model), &counting->gpu, error);
    CM_THEN(status, cm_model_counts_begin(counting->model, counting->software_pmu, error));
    bool by_name = status == CM_OK && cm_pmu_model_codes(counting->model) == NULL;
    if (by_name)
        status = cm_source_publish(counting->model, error);
    if (status == CM_OK && by_name)
        status = list_model_events(counting, error);
    if (status == CM_OK && !by_name)
        status = cm_raw_open(counting, NULL, error);
    CM_THEN(status, cm_make_core_uncountable(counting, 0, error));
    return status;
}

cm_status cm_pmu_choice_is_gpu(const cm_pmu_choice *choice, bool *gpu, cm_error *error)
{
    cm_core_type types[CM_CORE_TYPES];
    cm_pmu_model *model = NULL;
    size_t count = 0;
    *gpu = false;
    if (choice->kind != CM_PMU_SOFTWARE || choice->model == NULL)
        return CM_OK;
    cm_status status = cm_core_types_find(choice, types, &count, error);
    if (status != CM_OK || count != 0) /* a GPU has no types of cores */
        return status;
    status = cm_pmu_model_open(choice->model, choice->core, &model, error);
    if (status == CM_OK)
        *gpu = cm_pmu_model_machine(model)->gpu[0] != '\0';
    cm_pmu_model_free(model);
    return status;
}
