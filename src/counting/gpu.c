#include "counting/gpu.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "events/component.h"

/* That count; those of temperatures and power count no kernel. */
static const char *const counting_components[] = {"cuda", "rocm", "rocp_sdk"};

bool cm_is_gpu_component(const char *component)
{
    for (size_t i = 0; i < sizeof counting_components / sizeof counting_components[0]; i++)
        if (strcmp(component, counting_components[i]) == 0)
            return true;
    return false;
}

bool cm_gpu_event_wanted(const cm_counting *counting, const char *component, const char *name, bool qualified)
{
    const cm_pmu_choice *choice = counting->choice;
    char spelled[PATH_MAX];
    if (choice == NULL || !cm_is_gpu_component(component))
        return true;
    bool prefixed = cm_component_spell(component, name, spelled, sizeof spelled);
    for (size_t i = 0; i < choice->gpu_event_count; i++)
        if (fnmatch(choice->gpu_events[i], name, 0) == 0 ||
            (prefixed && fnmatch(choice->gpu_events[i], spelled, 0) == 0))
            return true;
    return choice->gpu_event_count == 0 && !qualified;
}

bool cm_counting_stays(const cm_counting *counting)
{
    return counting->gpu != NULL && counting->model == NULL;
}

static bool counts_any(const cm_counting *counting, const char **refused)
{
    for (size_t i = 0; i < counting->event_count; i++) {
        const cm_event_record *event = &counting->events[i];
        if (!cm_is_gpu_component(counting->components[event->component].name))
            continue;
        if (event->countable)
            return true;
        if (*refused == NULL)
            *refused = event->reason;
    }
    return false;
}

char *cm_why_no_gpu(const cm_counting *counting, char *buffer, size_t size)
{
    static const char start[] = "no event of a GPU can be counted here";
    const char *refused = NULL;
    size_t used = 0;
    buffer[0] = '\0';
    if (counts_any(counting, &refused))
        return buffer;
    used = (size_t)snprintf(buffer, size, "%s: ", start);
    if (refused != NULL) {
        snprintf(buffer + used, size - used, "PAPI refuses all of them (%s)", refused);
        return buffer;
    }
    for (size_t i = 0; i < counting->component_count && used < size; i++) {
        const cm_component_record *component = &counting->components[i];
        if (cm_is_gpu_component(component->name))
            used +=
                (size_t)snprintf(buffer + used, size - used, "PAPI's component %s is %s%s%s", component->name,
                                 component->enabled ? "enabled and lists none" : "disabled: ", component->reason, "; ");
    }
    if (used < size && used == sizeof start + 1)
        snprintf(buffer + used, size - used, "this PAPI was built without its components for GPUs");
    else if (used < size)
        buffer[used - 2] = '\0';
    return buffer;
}
