/* What a document says of a metric by the law: where its definition holds, and what it may be off. */
#include <math.h>

#include "definitions/definitions.h"

static cm_status read_range(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_range *range = &((cm_defined_range *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "fact", CM_JSON_NOT_NULL, &range->fact);
    if (status == CM_OK)
        status = cm_json_read_text(reader, item, "per", CM_JSON_NOT_NULL, &range->per);
    return status == CM_OK ? cm_json_read_figure(reader, item, "share", CM_JSON_NOT_NULL, &range->share) : status;
}

static cm_status read_leak(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_defined_leak *leak = &((cm_defined_leak *)items)[index];
    cm_status status = cm_json_read_text(reader, item, "fact", CM_JSON_NOT_NULL, &leak->fact);
    leak->found = true;
    if (status == CM_OK && json_object_get(item, "found") != NULL)
        status = cm_json_read_bool(reader, item, "found", &leak->found);
    return status == CM_OK ? cm_json_read_figure(reader, item, "at_most", CM_JSON_OR_NULL, &leak->at_most) : status;
}

static cm_status read_leaks(cm_json_reader *reader, const json_t *item, const char *key, size_t *count,
                            const cm_defined_leak **leaks)
{
    void *read = NULL;
    cm_status status = CM_OK;
    if (json_object_get(item, key) != NULL)
        status = cm_json_read_items(reader, item, key, sizeof **leaks, read_leak, count, &read);
    *leaks = read;
    return status;
}

cm_status cm_definitions_read_law(cm_json_reader *reader, const json_t *item, cm_defined_metric *metric)
{
    void *ranges = NULL;
    metric->own = metric->rest = NAN;
    cm_status status = CM_OK;
    if (json_is_array(json_object_get(item, "valid_above")))
        status = cm_json_read_items(reader, item, "valid_above", sizeof *metric->ranges, read_range,
                                    &metric->range_count, &ranges);
    if (status == CM_OK)
        status = read_leaks(reader, item, "leaks", &metric->leak_count, &metric->leaks);
    if (status == CM_OK)
        status = read_leaks(reader, item, "open", &metric->open_count, &metric->open);
    if (status == CM_OK && json_object_get(item, "own") != NULL)
        status = cm_json_read_figure(reader, item, "own", CM_JSON_OR_NULL, &metric->own);
    if (status == CM_OK && json_object_get(item, "rest") != NULL)
        status = cm_json_read_figure(reader, item, "rest", CM_JSON_OR_NULL, &metric->rest);
    if (status == CM_OK && json_is_string(json_object_get(item, "meaning")))
        status = cm_json_read_text(reader, item, "meaning", CM_JSON_NOT_NULL, &metric->meaning);
    metric->ranges = ranges;
    metric->usable = metric->composable || metric->range_count > 0;
    return status;
}
