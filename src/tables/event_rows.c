#include "tables/tables.h"

cm_status cm_event_rows_reserve(cm_event_rows *rows, size_t kernels, cm_error *error)
{
    if (rows->count < rows->capacity)
        return CM_OK;
    size_t capacity = cm_grow_capacity(rows->count + 1);
    if (!CM_RESIZE(rows->keys, capacity) || !CM_RESIZE(rows->values, capacity * kernels))
        return cm_error_no_memory(error);
    rows->capacity = capacity;
    return CM_OK;
}

static int compare_keys(const void *left, const void *right)
{
    const cm_row_key *a = left, *b = right;
    if (a->repetition != b->repetition)
        return a->repetition < b->repetition ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Sorts keys and values. */
static cm_status sort_rows(const cm_event_rows *rows, size_t kernels, cm_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < rows->count && sorted; i++)
        sorted = compare_keys(&rows->keys[i - 1], &rows->keys[i]) < 0;
    double *copy = sorted ? NULL : malloc(rows->count * kernels * sizeof *copy);
    if (!sorted && copy == NULL)
        return cm_error_no_memory(error);
    if (!sorted) {
        memcpy(copy, rows->values, rows->count * kernels * sizeof *copy);
        qsort(rows->keys, rows->count, sizeof *rows->keys, compare_keys);
        for (size_t i = 0; i < rows->count; i++)
            memcpy(rows->values + i * kernels, copy + rows->keys[i].index * kernels, kernels * sizeof *copy);
    }
    free(copy);
    return CM_OK;
}

/* CM_BAD_INPUT unless the sorted rows are all pairs of repetitions and threads, each once. */
static cm_status check_rows(const cm_event_rows *rows, const char *file, cm_measurement *event, cm_error *error)
{
    const cm_row_key *keys = rows->keys;
    for (size_t i = 1; i < rows->count; i++)
        if (keys[i].repetition == keys[i - 1].repetition && keys[i].thread == keys[i - 1].thread)
            return cm_error_set(error, CM_BAD_INPUT, file, keys[i].line, 0,
                                "event '%s', repetition %zu, thread %zu appears twice, first in line %zu", event->event,
                                keys[i].repetition, keys[i].thread, keys[i - 1].line);
    size_t threads = 1, at = 0;
    while (threads < rows->count && keys[threads].repetition == keys[0].repetition)
        threads++;
    for (bool same = true; at < rows->count && same; at += same) {
        size_t first = at - at % threads;
        same = keys[at].repetition == keys[first].repetition && keys[at].thread == keys[at % threads].thread &&
               (at != first || at == 0 || keys[at].repetition != keys[at - 1].repetition);
    }
    if (at < rows->count || rows->count % threads != 0)
        return cm_error_set(error, CM_BAD_INPUT, file, event->line, 0,
                            "event '%s': repetitions %zu and %zu do not have the same threads", event->event,
                            keys[0].repetition, keys[at < rows->count ? at - at % threads : at - 1].repetition);
    event->thread_count = threads;
    event->repetition_count = rows->count / threads;
    event->values = rows->values;
    return CM_OK;
}

cm_status cm_event_rows_arrange(const cm_event_rows *rows, size_t kernels, const char *file, cm_measurement *event,
                                cm_error *error)
{
    cm_status status = sort_rows(rows, kernels, error);
    return status == CM_OK ? check_rows(rows, file, event, error) : status;
}
