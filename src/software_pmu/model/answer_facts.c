/* Models whose events are the facts themselves, except those of GPUs: their counts on a machine are kept, and other
 * models are evaluated from them. */
#include "software_pmu/machine/facts.h"
#include "software_pmu/model/model.h"

static ptrdiff_t resolve_name(const char *name, void *data)
{
    (void)data;
    return cm_fact_find(name);
}

cm_status cm_model_events_of_facts(cm_model_events *events, cm_error *error)
{
    events->events = calloc(CM_FACT_COUNT, sizeof *events->events);
    cm_status status = events->events != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < CM_FACT_COUNT; i++) {
        if (strncmp(cm_fact_name(i), "gpu_", 4) == 0)
            continue;
        cm_model_event *event = &events->events[events->count++];
        const cm_expression_source source = {.names_are = "fact"};
        event->name = strdup(cm_fact_name(i));
        event->description = strdup("");
        status = event->name != NULL && event->description != NULL ? CM_OK : cm_error_no_memory(error);
        CM_THEN(status, cm_expression_parse(cm_fact_name(i), &source, resolve_name, NULL, &event->expression, error));
    }
    events->capacity = events->count;
    events->checksum = CM_CHECKSUM_START;
    return status;
}
