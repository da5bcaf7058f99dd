#include "analysis/state.h"

typedef struct tagged_event {
    cm_event_analysis event;
    size_t tag;
} tagged_event;

struct cm_event_batch {
    const cm_analysis *analysis;
    size_t repetitions;
    double *scratch;
    cm_arena arena;
    tagged_event *items;
    size_t count, capacity;
};

cm_event_batch *cm_event_batch_create(const cm_analysis *analysis, size_t repetitions)
{
    cm_event_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return NULL;
    batch->analysis = analysis;
    batch->repetitions = repetitions;
    batch->scratch = malloc(cm_analysis_scratch_size(analysis, repetitions) * sizeof *batch->scratch);
    if (batch->scratch == NULL) {
        cm_event_batch_free(batch);
        return NULL;
    }
    return batch;
}

void cm_event_batch_free(cm_event_batch *batch)
{
    if (batch == NULL)
        return;
    cm_arena_clear(&batch->arena);
    free(batch->items);
    free(batch->scratch);
    free(batch);
}

CM_GETTER(size_t cm_event_batch_count(const cm_event_batch *batch), batch->count)
CM_GETTER(size_t cm_event_batch_tag(const cm_event_batch *batch, size_t index), batch->items[index].tag)

static bool are_counts(const double *values, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= values[i] == 0.0 || (fabs(values[i]) >= CM_SMALLEST_VALUE && fabs(values[i]) <= CM_LARGEST_VALUE);
    return good;
}

bool cm_event_batch_add(cm_event_batch *batch, const char *event, const double *vectors, double slack, size_t tag)
{
    const cm_analysis *analysis = batch->analysis;
    if (!are_counts(vectors, batch->repetitions * analysis->basis->rows))
        return false;
    if (!CM_GROW(batch->items, batch->count + 1, &batch->capacity))
        return false;
    tagged_event *added = &batch->items[batch->count];
    double *representation = cm_arena_allocate(&batch->arena, analysis->basis->columns * sizeof *representation);
    char *name = cm_arena_text(&batch->arena, event);
    if (representation == NULL || name == NULL)
        return false;
    cm_analysis_judge(analysis, vectors, batch->repetitions, slack, representation, batch->scratch, &added->event);
    added->event.event = name;
    added->tag = tag;
    batch->count++;
    return true;
}

cm_status cm_analysis_reserve(cm_analysis *analysis, size_t count, cm_error *error)
{
    cm_event_analysis *events = realloc(analysis->events, (analysis->event_count + count + 1) * sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    analysis->events = events;
    analysis->event_capacity = analysis->event_count + count + 1;
    return CM_OK;
}

void cm_analysis_append(cm_analysis *analysis, cm_event_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        analysis->events[analysis->event_count++] = batch->items[i].event;
    cm_arena_join(&analysis->arena, &batch->arena);
    free(batch->items);
    batch->items = NULL;
    batch->count = batch->capacity = 0;
}
