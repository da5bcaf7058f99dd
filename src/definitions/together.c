/* What definitions know of events that were tried as one set. */
#include <string.h>

#include "definitions/definitions.h"
#include "discovery/together.h"

static bool has(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool has_all(const char *const *names, size_t count, const char *const *wanted, size_t wanted_count)
{
    for (size_t i = 0; i < wanted_count; i++)
        if (!has(names, count, wanted[i]))
            return false;
    return true;
}

cm_together cm_definitions_find_together(const cm_definitions *definitions, const char *const *events, size_t count)
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

/* Documents of older versions say nothing of it. */
cm_status cm_definitions_read_together(cm_json_reader *reader, const json_t *item, cm_together *together)
{
    const char *text = NULL;
    *together = CM_TOGETHER_UNKNOWN;
    if (json_object_get(item, "together") == NULL)
        return CM_OK;
    cm_status status = cm_json_read_text(reader, item, "together", CM_JSON_NOT_NULL, &text);
    if (status != CM_OK)
        return status;
    for (int i = CM_TOGETHER_UNKNOWN; i <= CM_TOGETHER_NO; i++)
        if (strcmp(text, cm_together_text((cm_together)i)) == 0) {
            *together = (cm_together)i;
            return CM_OK;
        }
    cm_json_enter(reader, "together", 0);
    status = cm_json_fault(reader, "is '%.100s', expected yes, no or unknown", text);
    cm_json_leave(reader);
    return status;
}

static cm_status read_set(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_counted_set *set = &((cm_counted_set *)items)[index];
    cm_status status = cm_definitions_read_together(reader, item, &set->together);
    if (status == CM_OK)
        status = cm_json_read_names(reader, item, "events", &set->count, &set->events);
    return status == CM_OK ? cm_json_read_names(reader, item, "refuse_each_other", &set->refusing_count, &set->refusing)
                           : status;
}

/* Documents of older versions have none. */
cm_status cm_definitions_read_sets(cm_json_reader *reader, const json_t *document, cm_definitions *definitions)
{
    void *sets = NULL;
    if (json_object_get(document, "tried_together") == NULL)
        return CM_OK;
    cm_status status = cm_json_read_items(reader, document, "tried_together", sizeof *definitions->sets, read_set,
                                          &definitions->set_count, &sets);
    definitions->sets = sets;
    return status;
}
