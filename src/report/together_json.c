#include "report/together_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/json_build.h"
#include "core/memory_stream.h"

static json_t *names_json(const cm_event_group *group, const bool *refusing)
{
    json_t *array = json_array();
    for (size_t i = 0; i < group->count && array != NULL; i++)
        if (refusing[i])
            array = cm_json_append(array, json_string(cm_event_group_name(group, i)));
    return array;
}

json_t *cm_json_set_together(json_t *json, const cm_benchmark_result *result, const cm_event_group *group)
{
    bool *refusing = calloc(group->count + 1, sizeof *refusing);
    if (refusing == NULL) {
        json_decref(json);
        return NULL;
    }
    cm_together together = cm_tried_sets_find(result->tried, group, refusing);
    json = cm_json_set(json, "together", json_string(cm_together_text(together)));
    json = cm_json_set(json, "refuse_each_other", names_json(group, refusing));
    free(refusing);
    return json;
}

static json_t *events_json(const cm_tried_set *set, bool refusing)
{
    json_t *array = json_array();
    for (size_t i = 0; i < set->count && array != NULL; i++)
        if (!refusing || set->refusing[i])
            array = cm_json_append(array, json_string(set->events[i]));
    return array;
}

json_t *cm_json_tried_together(const cm_tried_sets *tried)
{
    json_t *array = json_array();
    for (size_t i = 0; tried != NULL && i < tried->count && array != NULL; i++) {
        const cm_tried_set *set = &tried->sets[i];
        array = cm_json_append(array,
                               json_pack("{s:o, s:s, s:o}", "events", events_json(set, false), "together",
                                         cm_together_text(set->together), "refuse_each_other", events_json(set, true)));
    }
    return array;
}

char *cm_together_refusal(const json_t *json)
{
    const json_t *names = json_object_get(json, "refuse_each_other");
    char *text = NULL;
    size_t size = 0, i;
    json_t *name;
    FILE *stream = json_array_size(names) > 0 ? cm_memory_stream(&text, &size) : NULL;
    if (stream == NULL)
        return NULL;
    fputs("cannot be counted together: ", stream);
    json_array_foreach((json_t *)names, i, name) fprintf(stream, "%s%s", i > 0 ? ", " : "", json_string_value(name));
    fputs(" refuse each other", stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
