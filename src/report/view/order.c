/* The orders in which events are shown. */
#include "report/view/view.h"

typedef struct ranked {
    double noise;
    size_t index;
} ranked;

static int compare_by_noise(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Fills by_noise with the events whose noise is known, the quietest first. */
static cm_status order_by_noise(cm_view_benchmark *benchmark, cm_arena *arena, cm_error *error)
{
    size_t count = benchmark->listed->event_count;
    ranked *all = malloc((count + 1) * sizeof *all);
    benchmark->by_noise = cm_arena_allocate(arena, count * sizeof *benchmark->by_noise);
    if (all == NULL || benchmark->by_noise == NULL) {
        free(all);
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        if (!isnan(benchmark->events[i].max_rnmse))
            all[benchmark->noise_count++] = (ranked){benchmark->events[i].max_rnmse, i};
    qsort(all, benchmark->noise_count, sizeof *all, compare_by_noise);
    for (size_t i = 0; i < benchmark->noise_count; i++)
        benchmark->by_noise[i] = all[i].index;
    free(all);
    return CM_OK;
}

/* The selected events as the list of events has them, then the other kept ones. */
static void order_kept(cm_view_benchmark *benchmark, const cm_name_index *index)
{
    for (size_t i = 0, at; i < benchmark->read->selected_count; i++)
        if (cm_name_index_find(index, benchmark->read->selected[i], &at))
            benchmark->kept[benchmark->kept_count++] = at;
    for (size_t i = 0; i < benchmark->listed->event_count; i++)
        if (benchmark->events[i].status == CM_EVENT_DEPENDENT)
            benchmark->kept[benchmark->kept_count++] = i;
}

/* An index of the selected events; `count` includes those that depend on them. */
static cm_status index_selected(const cm_view_benchmark *benchmark, cm_name_index **index, size_t *count,
                                cm_error *error)
{
    cm_status status = cm_name_index_create(index, error);
    *count = 0;
    for (size_t i = 0; status == CM_OK && i < benchmark->listed->event_count; i++) {
        cm_event_status is = benchmark->events[i].status;
        *count += is == CM_EVENT_SELECTED || is == CM_EVENT_DEPENDENT;
        if (is == CM_EVENT_SELECTED)
            status = cm_name_index_add(*index, benchmark->events[i].event, i, error);
    }
    return status;
}

cm_status cm_view_order_events(cm_view_benchmark *benchmark, cm_arena *arena, cm_error *error)
{
    cm_name_index *index = NULL;
    size_t count = 0;
    cm_status status = index_selected(benchmark, &index, &count, error);
    if (status == CM_OK) {
        benchmark->kept = cm_arena_allocate(arena, count * sizeof *benchmark->kept);
        if (benchmark->kept != NULL)
            order_kept(benchmark, index);
        else
            status = cm_error_no_memory(error);
    }
    cm_name_index_free(index);
    return status == CM_OK ? order_by_noise(benchmark, arena, error) : status;
}
