#include "discovery/results.h"

#include <fnmatch.h>

static const char *find_component(const char *event, void *data)
{
    return cm_component_list_find(data, event);
}

cm_event_components cm_component_list_events(cm_component_list *list)
{
    return (cm_event_components){list != NULL ? find_component : NULL, list};
}

static const char *component_of(const char *event, const cm_event_components *components)
{
    return components != NULL && components->find != NULL ? components->find(event, components->data) : NULL;
}

cm_event_match cm_event_match_name(const char *event, const char *wanted, const cm_event_components *components)
{
    if (strcmp(event, wanted) == 0)
        return CM_EVENT_MEANT;
    size_t length = cm_spelling_component(wanted);
    if (length == 0) {
        bool by_bare_name = cm_spelling_component(event) > 0 && strcmp(cm_component_bare(event), wanted) == 0;
        return by_bare_name ? CM_EVENT_BY_BARE_NAME : CM_EVENT_OTHER;
    }
    if (strcmp(cm_component_bare(wanted), event) != 0)
        return CM_EVENT_OTHER;
    const char *component = component_of(event, components);
    bool same = component == NULL || (strlen(component) == length && strncmp(component, wanted, length) == 0);
    return same ? CM_EVENT_MEANT : CM_EVENT_OTHER;
}

bool cm_event_fits(const char *event, const char *pattern, const cm_event_components *components)
{
    char spelled[CM_SPELLING_SIZE];
    if (fnmatch(pattern, event, 0) == 0 ||
        (cm_component_bare(event) != event && fnmatch(pattern, cm_component_bare(event), 0) == 0))
        return true;
    bool prefixed = cm_component_is_named(pattern) && !cm_component_is_named(event);
    const char *component = prefixed ? component_of(event, components) : NULL;
    if (component == NULL)
        return prefixed && fnmatch(cm_component_bare(pattern), event, 0) == 0;
    return cm_component_spell(component, event, spelled, sizeof spelled) && fnmatch(pattern, spelled, 0) == 0;
}

cm_status cm_event_find(const cm_analysis *analysis, const char *wanted, const cm_event_components *components,
                        size_t *index, cm_error *error)
{
    size_t bare_name = SIZE_MAX, another = SIZE_MAX;
    *index = SIZE_MAX;
    for (size_t i = 0; i < cm_analysis_event_count(analysis); i++) {
        switch (cm_event_match_name(cm_analysis_event(analysis, i).event, wanted, components)) {
        case CM_EVENT_MEANT: *index = i; return CM_OK;
        case CM_EVENT_BY_BARE_NAME: *(bare_name == SIZE_MAX ? &bare_name : &another) = i; break;
        case CM_EVENT_OTHER: break;
        }
    }
    if (another != SIZE_MAX)
        return CM_FAIL(error, CM_BAD_INPUT, "event '%.200s' is ambiguous, expected '%.200s' or '%.200s'", wanted,
                       cm_analysis_event(analysis, bare_name).event, cm_analysis_event(analysis, another).event);
    *index = bare_name;
    return CM_OK;
}
