/* Sets of the model's events. */
#include "counting/counting.h"

struct cm_source_set {
    size_t size, capacity;
    struct counted {
        size_t event;
        long long start;
    } * events;
};

int cm_source_set_create(cm_source_set **set)
{
    *set = calloc(1, sizeof **set);
    return *set != NULL ? 0 : ENOMEM;
}

int cm_source_set_assign(cm_source_set *set, size_t component)
{
    (void)set;
    (void)component; /* there is only one */
    return 0;
}

int cm_source_set_add(cm_source_set *set, int event)
{
    if (!CM_GROW(set->events, set->size + 1, &set->capacity))
        return ENOMEM;
    set->events[set->size++] = (struct counted){.event = (size_t)event};
    return 0;
}

int cm_source_set_start(cm_source_set *set)
{
    for (size_t i = 0; i < set->size; i++)
        set->events[i].start = cm_model_counts_read(set->events[i].event);
    return 0;
}

int cm_source_set_read(cm_source_set *set, long long *counts)
{
    for (size_t i = 0; i < set->size; i++)
        counts[i] = cm_model_counts_read(set->events[i].event) - set->events[i].start;
    return 0;
}

int cm_source_set_stop(cm_source_set *set, long long *counts)
{
    return cm_source_set_read(set, counts);
}

void cm_source_set_free(cm_source_set *set)
{
    if (set != NULL)
        free(set->events);
    free(set);
}

int cm_source_set_attach(cm_source_set *set, long thread, bool inherited)
{
    (void)set;
    (void)thread;
    (void)inherited;
    return ENOSYS;
}

int cm_source_set_attach_processor(cm_source_set *set, unsigned processor)
{
    (void)set;
    (void)processor;
    return ENOSYS;
}

int cm_source_set_multiplex(cm_source_set *set)
{
    (void)set;
    return 0; /* sets are unlimited */
}
