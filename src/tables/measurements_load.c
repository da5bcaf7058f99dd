/* Reads measurements. Rows may be in any order; the rows of each event are collected, and sorted at the end. */
#include "tables/tables.h"

typedef struct measurements_loader {
    cm_rows rows;
    cm_measurements *measurements;
    cm_name_index *events;
    cm_event_rows *gathered; /* one an event */
    size_t event_capacity;
    size_t iterations_line;
} measurements_loader;

/* Takes the row of iterations, of which there is at most one. */
static cm_status take_measured_iterations(measurements_loader *work, cm_error *error)
{
    cm_measurements *measurements = work->measurements;
    const size_t size = measurements->kernel_count * sizeof *measurements->iterations;
    if (work->iterations_line != 0)
        return cm_error_set(error, CM_BAD_INPUT, measurements->file, work->rows.row.line, 0,
                            "a second row of iterations, the first is in line %zu", work->iterations_line);
    work->iterations_line = work->rows.row.line;
    measurements->iterations = malloc(size);
    if (measurements->iterations == NULL)
        return cm_error_no_memory(error);
    memcpy(measurements->iterations, work->rows.values, size);
    return CM_OK;
}

/* Adds an event. */
static cm_status add_measured_event(measurements_loader *work, size_t *index, cm_error *error)
{
    cm_measurements *measurements = work->measurements;
    if (measurements->event_count == work->event_capacity) {
        size_t capacity = cm_grow_capacity(measurements->event_count + 1);
        if (!CM_RESIZE(measurements->events, capacity) || !CM_RESIZE(work->gathered, capacity))
            return cm_error_no_memory(error);
        work->event_capacity = capacity;
    }
    char *event = strdup(work->rows.row.event);
    if (event == NULL)
        return cm_error_no_memory(error);
    *index = measurements->event_count++;
    measurements->events[*index] = (cm_measurement){.event = event, .line = work->rows.row.line};
    work->gathered[*index] = (cm_event_rows){0};
    return cm_name_index_add(work->events, event, *index, error);
}

/* Takes the current row. */
static cm_status take_measured_row(measurements_loader *work, cm_error *error)
{
    const cm_row *row = &work->rows.row;
    if (row->has_iterations)
        return take_measured_iterations(work, error);
    size_t event, kernels = work->measurements->kernel_count;
    cm_status status = CM_OK;
    if (!cm_name_index_find(work->events, row->event, &event))
        status = add_measured_event(work, &event, error);
    CM_THEN(status, cm_event_rows_reserve(&work->gathered[event], kernels, error));
    if (status != CM_OK)
        return status;
    cm_event_rows *rows = &work->gathered[event];
    memcpy(rows->values + rows->count * kernels, work->rows.values, kernels * sizeof *rows->values);
    rows->keys[rows->count] = /* NOLINT(clang-analyzer-core.NullDereference): it was reserved */
        (cm_row_key){row->repetition, row->thread, row->line, rows->count};
    rows->count++;
    return CM_OK;
}

/* CM_BAD_INPUT unless all events have the same repetitions. */
static cm_status check_repetitions(const measurements_loader *work, cm_error *error)
{
    const cm_measurements *measurements = work->measurements;
    size_t fullest = 0;
    for (size_t i = 1; i < measurements->event_count; i++)
        if (measurements->events[i].repetition_count > measurements->events[fullest].repetition_count)
            fullest = i;
    const cm_measurement *full = &measurements->events[fullest];
    for (size_t i = 0; i < measurements->event_count; i++) {
        const cm_measurement *event = &measurements->events[i];
        for (size_t r = 0; r < full->repetition_count; r++) {
            size_t expected = work->gathered[fullest].keys[r * full->thread_count].repetition;
            if (r >= event->repetition_count || work->gathered[i].keys[r * event->thread_count].repetition != expected)
                return cm_error_set(error, CM_BAD_INPUT, measurements->file, event->line, 0,
                                    "event '%s' lacks repetition %zu, which '%s' has", event->event, expected,
                                    full->event);
        }
    }
    return CM_OK;
}

/* Sorts and checks the rows of all events. */
static cm_status finish_table(const measurements_loader *work, cm_error *error)
{
    cm_measurements *measurements = work->measurements;
    if (measurements->event_count == 0)
        return cm_error_set(error, CM_BAD_INPUT, measurements->file, measurements->header_line, 0,
                            "no event follows the header");
    cm_status status = CM_OK;
    for (size_t i = 0; i < measurements->event_count && status == CM_OK; i++) {
        cm_event_rows *rows = &work->gathered[i];
        double *fitted = realloc(rows->values, rows->count * measurements->kernel_count * sizeof *fitted);
        rows->values = fitted != NULL ? fitted : rows->values;
        status = cm_event_rows_arrange(rows, measurements->kernel_count, measurements->file, &measurements->events[i],
                                       error);
        rows->values = status == CM_OK ? NULL : rows->values; /* the event has them */
    }
    return status == CM_OK ? check_repetitions(work, error) : status;
}

cm_status cm_measurements_load(const char *path, cm_measurements **measurements, cm_error *error)
{
    measurements_loader work = {0};
    cm_status status = cm_rows_open(path, &work.rows, error);
    if (status == CM_OK && (work.measurements = calloc(1, sizeof *work.measurements)) == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_rows_head(&work.rows, work.measurements, error));
    CM_THEN(status, cm_name_index_create(&work.events, error));
    while (status == CM_OK && (status = cm_rows_next(&work.rows, error)) == CM_OK && work.rows.found)
        status = take_measured_row(&work, error);
    CM_THEN(status, finish_table(&work, error));
    for (size_t i = 0; work.measurements != NULL && i < work.measurements->event_count; i++) {
        CM_FREE(work.gathered[i].keys, work.gathered[i].values);
    }
    free(work.gathered);
    cm_name_index_free(work.events);
    cm_rows_close(&work.rows);
    CM_HAND_OVER(status, measurements, work.measurements, cm_measurements_free);
    return status;
}

void cm_measurements_free(cm_measurements *measurements)
{
    if (measurements == NULL)
        return;
    for (size_t i = 0; i < measurements->event_count; i++) {
        CM_FREE(measurements->events[i].event, measurements->events[i].values);
    }
    free(measurements->events);
    cm_free_list(measurements->kernels, measurements->kernel_count);
    CM_FREE(measurements->iterations, measurements->file, measurements);
}
