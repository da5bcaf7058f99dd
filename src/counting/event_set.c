/* Sets of events that count together. */
#include "counting/counting.h"

struct cm_event_set {
    cm_counting *counting;
    size_t component;
    cm_counter_set *source;
    size_t size, model_count, model_capacity;
    size_t *model_events;              /* the model's events among them, by their numbers in the model */
    size_t counters;                   /* counters of the model in use */
    size_t faults[CM_PMU_FAULT_COUNT]; /* how many events show each failure, for tests */
    size_t reads;
    bool short_of_files; /* the last refusal was for lack of files */
    bool alone;          /* it has an event that must be counted alone */
};

/* For tests: fails as the model declares. */
static cm_status show_faults(const cm_event_set *set, bool starting, cm_error *error)
{
    static const char text[] = "the model lets";
    if (starting && set->faults[CM_PMU_FAULT_CRASH] != 0)
        cm_pmu_fault_show(CM_PMU_FAULT_CRASH, CM_PMU_FAULT_CRASH, CM_PMU_FAULT_HANG);
    if (starting && set->faults[CM_PMU_FAULT_HANG] != 0)
        cm_pmu_fault_show(CM_PMU_FAULT_HANG, CM_PMU_FAULT_CRASH, CM_PMU_FAULT_HANG);
    if (starting && set->faults[CM_PMU_FAULT_REFUSE] != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s an event of the set refuse to start", text);
    if (starting && set->faults[CM_PMU_FAULT_CONFLICT] > 1)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s events of the set refuse each other", text);
    if (!starting && set->faults[CM_PMU_FAULT_SECOND_READ] != 0 && set->reads > 1)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s an event of the set be read only once", text);
    return CM_OK;
}

static cm_status refused(cm_event_set *set, const char *subject, int code, cm_error *error)
{
    char text[256];
    int system_error = errno;
    set->short_of_files = cm_source_is_short_of_files(code, system_error);
    if (set->source == NULL || cm_source_is_short(code, system_error))
        return cm_source_short(code, system_error, error);
    return CM_FAIL(error, CM_UNSUPPORTED, "%s%s", subject, cm_source_text(code, system_error, text, sizeof text));
}

cm_status cm_event_set_create(cm_counting *counting, size_t component, cm_event_set **set, cm_error *error)
{
    if (component >= counting->component_count)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "there is no component %zu", component);
    cm_event_set *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    *created = (cm_event_set){.counting = counting, .component = component};
    errno = 0;
    int code = cm_counter_set_create(counting, component, &created->source);
    if (code == 0)
        code = cm_counter_set_assign(created->source);
    if (code != 0) {
        cm_status status = refused(created, "cannot create an event set: ", code, error);
        cm_event_set_free(created);
        return status;
    }
    *set = created;
    return CM_OK;
}

void cm_event_set_free(cm_event_set *set)
{
    if (set == NULL)
        return;
    cm_counter_set_free(set->source);
    CM_FREE(set->model_events, set);
}

/* CM_UNSUPPORTED if the model has no free counter for the event, or cannot count it beside the others. */
static cm_status ask_model(cm_event_set *set, const cm_event_record *record, cm_error *error)
{
    const cm_pmu_model *model = set->counting->model;
    unsigned counters = cm_pmu_model_machine(model)->counters;
    if (!cm_pmu_model_is_fixed(model, record->model_event) && counters != 0 && set->counters >= counters)
        return CM_FAIL(error, CM_UNSUPPORTED, "the model counts %u events at a time", counters);
    for (size_t i = 0; i < set->model_count; i++)
        if (cm_pmu_model_refuses(model, record->model_event, set->model_events[i]))
            return CM_FAIL(error, CM_UNSUPPORTED, "the model cannot count it beside %s",
                           cm_pmu_model_event(model, set->model_events[i]).name);
    if (!CM_GROW(set->model_events, set->model_count + 1, &set->model_capacity))
        return cm_error_no_memory(error);
    return CM_OK;
}

cm_status cm_event_set_add(cm_event_set *set, size_t event, cm_error *error)
{
    const cm_counting *counting = set->counting;
    if (event >= counting->event_count || counting->events[event].component != set->component)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "event %zu is not of component %s", event,
                       counting->components[set->component].name);
    const cm_event_record *record = &counting->events[event];
    /* PAPI's component cuda checks how many passes over a kernel an event needs, but not a set: a set that needs two
     * does not start, and afterwards no set starts in this process. Metrics of instructions (`sass`) are counted
     * together in one pass. */
    bool alone =
        strcmp(counting->components[set->component].name, "cuda") == 0 && strstr(record->name, "__sass_") == NULL;
    if (set->size != 0 && (alone || set->alone))
        return CM_FAIL(error, CM_UNSUPPORTED, "the GPU may need several passes for these events");
    cm_status status = record->software ? ask_model(set, record, error) : CM_OK;
    if (status != CM_OK)
        return status;
    cm_pmu_fault_show(record->fault, CM_PMU_FAULT_CRASH_ADD, CM_PMU_FAULT_HANG_ADD);
    errno = 0;
    int code = cm_counter_set_add(set->source, record);
    if (code != 0)
        return refused(set, "", code, error);
    set->size++;
    set->alone = alone;
    set->faults[record->fault]++;
    if (record->software) {
        set->model_events[set->model_count++] = record->model_event;
        set->counters += !cm_pmu_model_is_fixed(set->counting->model, record->model_event);
    }
    return CM_OK;
}

cm_status cm_event_set_judge(const cm_event_set *set, cm_status status, cm_error *error)
{
    if (status != CM_UNSUPPORTED || set == NULL || !set->short_of_files)
        return status;
    return CM_FAIL(error, CM_NO_MEMORY, "the process has as many files open as it may: raise the limit (ulimit -n)");
}

CM_GETTER(size_t cm_event_set_size(const cm_event_set *set), set->size)

cm_status cm_event_set_start(cm_event_set *set, cm_error *error)
{
    cm_status status = show_faults(set, true, error);
    if (status != CM_OK)
        return status;
    if (set->model_count != 0)
        cm_model_counts_restart();
    errno = 0;
    int code = cm_counter_set_start(set->source);
    return code != 0 ? refused(set, "", code, error) : CM_OK;
}

cm_status cm_event_set_stop(cm_event_set *set, long long *counts, cm_error *error)
{
    errno = 0;
    int code = cm_counter_set_stop(set->source, counts);
    if (code != 0)
        return refused(set, "", code, error);
    set->reads++;
    return show_faults(set, false, error);
}
