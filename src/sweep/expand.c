#include "sweep/expand.h"

#include "core/error.h"
#include "core/name_index.h"
#include "counting/add_event.h"

/* A name without wildcards that nobody lists may be one that PAPI knows all the same, with several qualifiers. */
static cm_status add_exact_names(cm_counting *counting, const cm_selection *selection, cm_error *error)
{
    cm_name_index *index = NULL;
    cm_status status = cm_name_index_create(&index, error);
    for (size_t i = 0; status == CM_OK && i < cm_counting_event_count(counting); i++) {
        size_t place;
        const char *name = cm_counting_event(counting, i).name;
        if (!cm_name_index_find(index, name, &place))
            status = cm_name_index_add(index, name, i, error);
    }
    for (size_t i = 0; status == CM_OK && i < selection->count; i++) {
        const cm_pattern *pattern = &selection->patterns[i];
        size_t place;
        if (!cm_pattern_is_name(pattern) || cm_name_index_find(index, pattern->glob, &place))
            continue;
        status = cm_counting_add_event(counting, pattern->glob, &place, error);
        status = status == CM_UNSUPPORTED ? CM_OK : status; /* nothing fits it: said later */
    }
    cm_name_index_free(index);
    return status;
}

cm_status cm_expand_events(cm_counting *counting, const cm_selection *selection, const cm_combining *combining,
                           cm_error *error)
{
    size_t listed = cm_counting_event_count(counting);
    cm_status status = add_exact_names(counting, selection, error);
    if (status == CM_OK)
        status = cm_combine_qualifiers(counting, selection, combining, error);
    return status == CM_OK ? cm_counting_try_added(counting, listed, error) : status;
}
