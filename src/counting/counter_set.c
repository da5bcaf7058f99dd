#include "counting/uncore/uncore.h"

struct cm_counter_set {
    size_t component;
    cm_source_set *source; /* one of the three is set */
    cm_raw_set *raw;
    cm_uncore_set *uncore;
};

static int create_set(const cm_counting *counting, cm_counter_set *set)
{
    if (counting->raw != NULL && counting->raw->component == set->component)
        return cm_raw_set_create(counting, &set->raw);
    if (counting->uncore != NULL && counting->uncore->component == set->component)
        return cm_uncore_set_create(counting, &set->uncore);
    return cm_source_set_create(&set->source);
}

int cm_counter_set_create(const cm_counting *counting, size_t component, cm_counter_set **set)
{
    *set = calloc(1, sizeof **set);
    if (*set == NULL)
        return ENOMEM;
    (*set)->component = component;
    int code = create_set(counting, *set);
    if ((*set)->raw == NULL && (*set)->source == NULL && (*set)->uncore == NULL) {
        free(*set);
        *set = NULL;
    }
    return code;
}

int cm_counter_set_assign(cm_counter_set *set)
{
    return set->source != NULL ? cm_source_set_assign(set->source, set->component) : 0;
}

int cm_counter_set_add(cm_counter_set *set, const cm_event_record *event)
{
    if (set->uncore != NULL)
        return cm_uncore_set_add(set->uncore, event);
    return set->raw != NULL ? cm_raw_set_add(set->raw, event->raw) : cm_source_set_add(set->source, event->code);
}

int cm_counter_set_start(cm_counter_set *set)
{
    if (set->uncore != NULL)
        return cm_uncore_set_start(set->uncore);
    return set->raw != NULL ? cm_raw_set_start(set->raw) : cm_source_set_start(set->source);
}

int cm_counter_set_read(cm_counter_set *set, long long *counts)
{
    if (set->uncore != NULL)
        return cm_uncore_set_read(set->uncore, counts);
    return set->raw != NULL ? cm_raw_set_read(set->raw, counts) : cm_source_set_read(set->source, counts);
}

int cm_counter_set_stop(cm_counter_set *set, long long *counts)
{
    if (set->uncore != NULL)
        return cm_uncore_set_stop(set->uncore, counts);
    return set->raw != NULL ? cm_raw_set_stop(set->raw, counts) : cm_source_set_stop(set->source, counts);
}

void cm_counter_set_free(cm_counter_set *set)
{
    if (set == NULL)
        return;
    cm_source_set_free(set->source);
    cm_raw_set_free(set->raw);
    cm_uncore_set_free(set->uncore);
    free(set);
}
