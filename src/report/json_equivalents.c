#include "report/json_equivalents.h"

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
