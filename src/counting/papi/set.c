/* Sets of events that PAPI counts. */
#include <papi.h>

#include "counting/counting.h"

struct cm_source_set {
    int number; /* PAPI's */
};

int cm_source_set_create(cm_source_set **set)
{
    *set = malloc(sizeof **set);
    if (*set == NULL)
        return PAPI_ENOMEM;
    (*set)->number = PAPI_NULL;
    return PAPI_create_eventset(&(*set)->number);
}

int cm_source_set_assign(cm_source_set *set, size_t component)
{
    return PAPI_assign_eventset_component(set->number, (int)component);
}

int cm_source_set_attach(cm_source_set *set, long thread, bool inherited)
{
    PAPI_option_t option = {.inherit = {.eventset = set->number, .inherit = PAPI_INHERIT_ALL}};
    int code = inherited ? PAPI_set_opt(PAPI_INHERIT, &option) : PAPI_OK;
    return code == PAPI_OK ? PAPI_attach(set->number, (unsigned long)thread) : code;
}

int cm_source_set_attach_processor(cm_source_set *set, unsigned processor)
{
    PAPI_option_t all = {.granularity = {.eventset = set->number, .granularity = PAPI_GRN_SYS}};
    PAPI_option_t one = {.cpu = {.eventset = set->number, .cpu_num = processor}};
    int code = PAPI_set_opt(PAPI_GRANUL, &all); /* else only the calling thread, while it is there */
    return code == PAPI_OK ? PAPI_set_opt(PAPI_CPU_ATTACH, &one) : code;
}

int cm_source_set_multiplex(cm_source_set *set)
{
    int code = PAPI_multiplex_init();
    return code == PAPI_OK ? PAPI_set_multiplex(set->number) : code;
}

int cm_source_set_add(cm_source_set *set, int event)
{
    return PAPI_add_event(set->number, event);
}

int cm_source_set_start(cm_source_set *set)
{
    return PAPI_start(set->number);
}

int cm_source_set_read(cm_source_set *set, long long *counts)
{
    return PAPI_read(set->number, counts);
}

int cm_source_set_stop(cm_source_set *set, long long *counts)
{
    return PAPI_stop(set->number, counts);
}

void cm_source_set_free(cm_source_set *set)
{
    if (set == NULL)
        return;
    int state = 0;
    if (PAPI_state(set->number, &state) == PAPI_OK && (state & PAPI_RUNNING) != 0)
        PAPI_stop(set->number, NULL);
    if (set->number != PAPI_NULL) {
        PAPI_cleanup_eventset(set->number);
        PAPI_destroy_eventset(&set->number);
    }
    free(set);
}
