#include "report/json_equivalents.h"

#include <math.h>
#include <stdio.h>

#include "core/json_build.h"
#include "core/json_value.h"
#include "discovery/benchmark_result.h"
#include "discovery/together.h"

json_t *cm_json_equivalents(const cm_benchmark_result *result, const cm_equivalent *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && i < CM_LISTED_EQUIVALENTS && array != NULL; i++) {
        cm_event_analysis other = cm_analysis_event(result->analysis, list[i].event);
        array = cm_json_append(array,
                               json_pack("{s:s, s:o, s:o}", "event", other.event, "factor",
                                         cm_json_number(list[i].factor), "max_rnmse", cm_json_number(other.max_rnmse)));
    }
    return array;
}

json_t *cm_json_term_equivalents(const cm_benchmark_result *result, size_t metric, size_t term)
{
    const struct cm_term_equivalents *found = cm_equivalents_of(result, metric, term);
    json_t *array = cm_json_equivalents(result, found->list, found->count);
    for (size_t i = 0; i < json_array_size(array); i++) {
        cm_event_group group = cm_fit_group(result, result->fits[metric]);
        group.replaces = true;
        group.place = term;
        group.by = found->list[i].event;
        const char *together = cm_together_text(cm_tried_sets_find(result->tried, &group, NULL));
        if (json_object_set_new(json_array_get(array, i), "together", json_string(together)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* ---- events that no kernel tells from those of the definition ---- */

/* So many are named. */
enum { NAMED = 3 };

/* "events A, B and 4 more, which count as X on every kernel". */
static json_t *alike_text(const cm_benchmark_result *result, const char *event, const cm_equivalent *const *found,
                          size_t count, size_t more)
{
    char names[NAMED * 300] = "", multiple[64] = "";
    size_t used = 0;
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 == count && more == 0 ? " and " : ", ";
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.250s", before,
                                 cm_analysis_event(result->analysis, found[i]->event).event);
        same = same && fabs(found[i]->factor - 1.0) <= 1e-9;
    }
    if (count == 1 && !same)
        snprintf(multiple, sizeof multiple, "%.6g x ", found[0]->factor);
    const char *what = same ? "as " : count == 1 ? multiple : "multiples of ";
    if (more > 0)
        return json_sprintf("events %s and %zu more, which count %s%s on every kernel", names, more, what, event);
    return json_sprintf("event%s %s, which count%s %s%s on every kernel", count > 1 ? "s" : "", names,
                        count > 1 ? "" : "s", what, event);
}

json_t *cm_json_append_alike(json_t *array, const cm_benchmark_result *result, size_t metric)
{
    const cm_fit *fit = result->fits[metric];
    for (size_t k = 0; k < fit->term_count && array != NULL; k++) {
        const struct cm_term_equivalents *list = cm_equivalents_of(result, metric, k);
        const cm_equivalent *found[NAMED];
        size_t count = 0, more = 0;
        for (size_t i = 0; i < list->count; i++) {
            const cm_equivalent *other = &list->list[i];
            if (!cm_counts_the_same(result->evidence, fit->events[k], other->event, other->factor))
                continue;
            if (count < NAMED)
                found[count++] = other;
            else
                more++;
        }
        const char *event = cm_analysis_event(result->analysis, fit->events[k]).event;
        if (count > 0)
            array = cm_json_append(array, alike_text(result, event, found, count, more));
    }
    return array;
}
