/* Events of GPUs: components that have them, and patterns that ask for them. */
#include "counting/counting.h"

#include <fnmatch.h>

#include "formulas/events/events.h"

/* Components that count GPU kernels; those of temperature and power do not. `usual`: the events counted without
 * patterns; NULL: all names without qualifiers. NVIDIA's GPUs count all metrics of instructions in one pass. */
static const struct {
    const char *name, *usual;
} counting_components[] = {
    {"cuda", "smsp__sass_thread_inst_executed*:stat=sum"},
    {"rocm", NULL},
    {"rocp_sdk", NULL},
};
enum { COMPONENTS = CM_COUNT_OF(counting_components) };

bool cm_is_gpu_component(const char *component)
{
    return CM_FIND_BY(name, component, counting_components, COMPONENTS) < COMPONENTS;
}

static const char *usual_pattern(const char *component)
{
    const size_t i = CM_FIND_BY(name, component, counting_components, COMPONENTS);
    return i < COMPONENTS ? counting_components[i].usual : NULL;
}

/* The number of patterns that include events; those that begin with `!` exclude. */
static size_t including_patterns(const cm_pmu_choice *choice)
{
    size_t count = 0;
    for (size_t i = 0; i < choice->gpu_event_count; i++)
        count += choice->gpu_events[i][0] != '!';
    return count;
}

/* Pattern `number`; NULL behind the last. */
static const char *find_pattern(const cm_pmu_choice *choice, const char *component, size_t number)
{
    if (including_patterns(choice) != 0)
        return number < choice->gpu_event_count ? choice->gpu_events[number] : NULL;
    return number == 0 && choice->gpu ? usual_pattern(component) : NULL;
}

bool cm_gpu_component_asked(const cm_counting *counting, const char *component)
{
    const cm_pmu_choice *choice = counting->choice;
    bool any = choice == NULL || choice->gpu || (choice->any_event && including_patterns(choice) == 0);
    for (size_t i = 0; !any && i < choice->gpu_event_count; i++)
        any = cm_component_begins(choice->gpu_events[i], component);
    return any;
}

/* Whether the name fits; its component is compared only if the pattern has one. Rates and shares, whose names have a
 * dot, fit only patterns with a dot. */
static bool fits_pattern(const char *pattern, const char *name)
{
    const char *spelled = cm_component_is_named(pattern) ? name : cm_component_bare(name);
    return fnmatch(pattern, spelled, 0) == 0 && (strchr(name, '.') == NULL || strchr(pattern, '.') != NULL);
}

bool cm_gpu_event_wanted(const cm_counting *counting, const char *component, const char *name, bool qualified)
{
    const cm_pmu_choice *choice = counting->choice;
    const char *pattern;
    if (choice == NULL || !cm_is_gpu_component(component))
        return true;
    for (size_t i = 0; (pattern = find_pattern(choice, component, i)) != NULL; i++)
        if (fits_pattern(pattern, name))
            return true;
    return !qualified && choice->gpu && including_patterns(choice) == 0 && usual_pattern(component) == NULL;
}

cm_gpu_completion cm_gpu_event_complete(const cm_counting *counting, const char *component, const char *name,
                                        size_t number, char *completed, size_t size)
{
    const char *pattern = find_pattern(counting->choice, component, number);
    char begins[PATH_MAX];
    if (pattern == NULL)
        return CM_GPU_NO_PATTERN;
    const char *qualifiers = strchr(cm_component_bare(pattern), ':');
    if (qualifiers == NULL || strpbrk(qualifiers, "*?[\\") != NULL || qualifiers - pattern >= (ptrdiff_t)sizeof begins)
        return CM_GPU_OTHER_NAME;
    memcpy(begins, pattern, (size_t)(qualifiers - pattern));
    begins[qualifiers - pattern] = '\0';
    int length = fits_pattern(begins, name) ? snprintf(completed, size, "%s%s", name, qualifiers) : -1;
    return length > 0 && (size_t)length < size ? CM_GPU_COMPLETED : CM_GPU_OTHER_NAME;
}

bool cm_counting_stays(const cm_counting *counting)
{
    return counting->gpu != NULL && counting->model == NULL;
}

/* Whether a GPU event is countable; otherwise *refused is the first reason. */
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
