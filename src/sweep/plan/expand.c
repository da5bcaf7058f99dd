#include "sweep/plan/plan.h"

/* The name to ask PAPI for, and the component before it, if there is one. */
static const char *split_name(const cm_counting *counting, const char *text, size_t *component)
{
    *component = CM_ANY_COMPONENT;
    for (size_t i = 0; cm_component_is_named(text) && i < cm_counting_component_count(counting); i++) {
        if (!cm_component_begins(text, cm_counting_component(counting, i).name))
            continue;
        *component = i;
        return cm_component_bare(text);
    }
    return text;
}

/* Adds names without wildcards that PAPI does not list: it may know them, with several qualifiers. */
static cm_status add_exact_names(cm_counting *counting, cm_selection *selection, cm_error *error)
{
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        cm_selection_note(
            selection,
            (cm_event_candidate){event.name, cm_counting_component(counting, event.component).name, event.papi_name});
    }
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < selection->count; i++) {
        size_t index, component;
        if (cm_selection_lists(selection, &selection->patterns[i]))
            continue;
        const char *name = split_name(counting, selection->patterns[i].glob, &component);
        status = cm_counting_add_event(counting, name, component, &index, error);
        status = status == CM_UNSUPPORTED ? CM_OK : status; /* no event of this name: reported later */
    }
    return status;
}

cm_status cm_expand_events(cm_counting *counting, cm_selection *selection, const cm_combining *combining,
                           cm_error *error)
{
    size_t listed = cm_counting_event_count(counting);
    cm_status status = add_exact_names(counting, selection, error);
    CM_THEN(status, cm_combine_qualifiers(counting, selection, combining, error));
    return status == CM_OK ? cm_counting_try_added(counting, listed, error) : status;
}
