/* Whether definitions' events can be counted together, by the sets that were tried. */
#include "result/result.h"

static bool has_all(const char *const *names, size_t count, const char *const *wanted, size_t wanted_count)
{
    for (size_t i = 0; i < wanted_count; i++)
        if (!cm_name_is_in(names, count, wanted[i]))
            return false;
    return true;
}

cm_counted_together cm_definitions_find_together(const cm_definitions *definitions, const char *const *events,
                                                 size_t count)
{
    for (size_t i = 0; i < definitions->set_count; i++) {
        const cm_counted_set *set = &definitions->sets[i];
        if (set->together == CM_TOGETHER_YES && has_all(set->events, set->count, events, count))
            return CM_TOGETHER_YES;
        if (set->together == CM_TOGETHER_NO && has_all(events, count, set->refusing, set->refusing_count))
            return CM_TOGETHER_NO;
    }
    return CM_TOGETHER_UNKNOWN;
}
