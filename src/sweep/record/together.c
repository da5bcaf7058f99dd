/* Events that were tried as one event set, and the outcome. */
#include "sweep/record/record.h"

/* Another PMU's answers say nothing of this sweep's events. */
static cm_status choose_counting(cm_tried_sets *tried, cm_counting *counting, cm_error *error)
{
    cm_status status = counting != NULL ? cm_sweep_check_pmu(counting, tried->directory, error) : CM_OK;
    tried->counting = status == CM_OK ? counting : NULL;
    return status == CM_BAD_ARGUMENT ? CM_OK : status;
}

cm_status cm_tried_sets_create(const char *directory, cm_counting *counting, cm_tried_sets **tried, cm_error *error)
{
    cm_tried_sets *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->directory = strdup(directory);
    cm_status status = created->directory != NULL ? cm_tried_sets_read(created, error) : cm_error_no_memory(error);
    CM_THEN(status, choose_counting(created, counting, error));
    CM_HAND_OVER(status, tried, created, cm_tried_sets_free);
    return status;
}

static void clear_set(cm_tried_set *set)
{
    cm_free_list(set->events, set->count);
    free(set->refusing);
}

void cm_tried_sets_free(cm_tried_sets *tried)
{
    if (tried == NULL)
        return;
    for (size_t i = 0; i < tried->count; i++)
        clear_set(&tried->sets[i]);
    CM_FREE(tried->sets, tried->directory, tried);
}

/* ---- known outcomes ---- */

const char *cm_event_group_name(const cm_event_group *group, size_t place)
{
    if (group->coefficients != NULL && group->coefficients[place] == 0.0)
        return NULL;
    bool replaced = group->replaces && place == group->place;
    return cm_analysis_event(group->analysis, replaced ? group->by : group->events[place]).event;
}

static bool group_has(const cm_event_group *group, const char *event)
{
    for (size_t i = 0; i < group->count; i++) {
        const char *name = cm_event_group_name(group, i);
        if (name != NULL && strcmp(name, event) == 0)
            return true;
    }
    return false;
}

static bool covers_group(const cm_tried_set *set, const cm_event_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const char *name = cm_event_group_name(group, i);
        if (name != NULL && CM_FIND(name, set->events, set->count) == set->count)
            return false;
    }
    return true;
}

/* Whether all that refuse each other in the set are in the group. */
static bool forbids_group(const cm_tried_set *set, const cm_event_group *group)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->refusing[i] && !group_has(group, set->events[i]))
            return false;
    return true;
}

static void mark_refusing(const cm_tried_set *set, const cm_event_group *group, bool *refusing)
{
    for (size_t i = 0; refusing != NULL && i < group->count; i++) {
        const char *name = cm_event_group_name(group, i);
        refusing[i] = false;
        for (size_t k = 0; name != NULL && k < set->count; k++)
            refusing[i] |= set->refusing[k] && strcmp(set->events[k], name) == 0;
    }
}

static bool is_empty(const cm_event_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (cm_event_group_name(group, i) != NULL)
            return false;
    return true;
}

cm_counted_together cm_tried_sets_find(const cm_tried_sets *tried, const cm_event_group *group, bool *refusing)
{
    for (size_t i = 0; tried != NULL && !is_empty(group) && i < tried->count; i++) {
        const cm_tried_set *set = &tried->sets[i];
        if (set->together == CM_TOGETHER_YES ? covers_group(set, group) : forbids_group(set, group)) {
            mark_refusing(set, group, refusing);
            return set->together;
        }
    }
    return CM_TOGETHER_UNKNOWN;
}

/* ---- trying ---- */

/* `set` has room for the group. *found: all of its events can be counted here. */
static cm_status find_events(const cm_counting *counting, const cm_event_group *group, cm_tried_set *set,
                             size_t *events, bool *found, cm_error *error)
{
    *found = true;
    for (size_t i = 0; i < group->count && *found; i++) {
        const char *name = cm_event_group_name(group, i);
        if (name == NULL)
            continue;
        *found = cm_counting_find_event(counting, name, &events[set->count], NULL) == CM_OK;
        if (*found && (set->events[set->count++] = strdup(name)) == NULL)
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

static cm_status keep_set(cm_tried_sets *tried, const cm_tried_set *set, cm_error *error)
{
    if (!CM_GROW(tried->sets, tried->count + 1, &tried->capacity))
        return cm_error_no_memory(error);
    tried->sets[tried->count++] = *set;
    tried->grown = true;
    return CM_OK;
}

/* *taken: the set belongs to `tried` now. */
static cm_status try_set(cm_tried_sets *tried, const cm_event_group *group, cm_tried_set *set, bool *taken,
                         cm_error *error)
{
    bool found = false;
    size_t *events = calloc(group->count + 1, sizeof *events);
    set->events = calloc(group->count + 1, sizeof *set->events);
    set->refusing = calloc(group->count + 1, sizeof *set->refusing);
    cm_status status = events != NULL && set->events != NULL && set->refusing != NULL
                           ? find_events(tried->counting, group, set, events, &found, error)
                           : cm_error_no_memory(error);
    if (status == CM_OK && found)
        status = cm_counting_try_together(tried->counting, events, set->count, &set->together, set->refusing, error);
    *taken = status == CM_OK && set->together != CM_TOGETHER_UNKNOWN;
    if (*taken)
        status = keep_set(tried, set, error);
    *taken = *taken && status == CM_OK;
    free(events);
    return status;
}

cm_status cm_tried_sets_ask(cm_tried_sets *tried, const cm_event_group *group, cm_counted_together *together,
                            bool *refusing, cm_error *error)
{
    cm_tried_set set = {.together = CM_TOGETHER_UNKNOWN};
    bool taken = false;
    *together = cm_tried_sets_find(tried, group, refusing);
    if (*together != CM_TOGETHER_UNKNOWN || tried == NULL || tried->counting == NULL)
        return CM_OK;
    cm_status status = try_set(tried, group, &set, &taken, error);
    if (!taken)
        clear_set(&set);
    if (status == CM_OK)
        *together = cm_tried_sets_find(tried, group, refusing);
    return status;
}
