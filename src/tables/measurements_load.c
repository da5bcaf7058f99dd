/* Reads measurements. Rows may be in any order; the rows of each event are collected, and sorted at the end. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/tables.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/name_index.h"
#include "tables/tables.h"

enum { FIXED_COLUMNS = 3 };
static const char *const fixed_columns[FIXED_COLUMNS] = {"event", "repetition", "thread"};

/* The position of a row within its event. */
typedef struct row_key {
    size_t repetition, thread;
    size_t line;
    size_t index; /* in the order of the file */
} row_key;

typedef struct gathered {
    row_key *keys;
    size_t count, capacity;
} gathered;

typedef struct loader {
    cm_csv *csv;
    cm_measurements *measurements;
    cm_name_index *events;
    gathered *gathered; /* one an event */
    size_t event_capacity;
    size_t iterations_line;
} loader;

/* Reads the counts of a row, which must not be negative. */
static cm_status read_values(const loader *work, const cm_csv_row *row, double *values, cm_error *error)
{
    for (size_t i = 0; i < work->measurements->kernel_count; i++) {
        cm_status status = cm_csv_number(work->csv, row, FIXED_COLUMNS + i, &values[i], error);
        if (status != CM_OK)
            return status;
        if (values[i] < 0.0)
            return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(work->csv), row->line, 0,
                                "column '%s': %s is negative, counts are not", work->measurements->kernels[i],
                                row->fields[FIXED_COLUMNS + i]);
    }
    return CM_OK;
}

/* Reads the row of iterations, of which there is at most one. */
static cm_status read_iterations(loader *work, const cm_csv_row *row, cm_error *error)
{
    cm_measurements *measurements = work->measurements;
    if (work->iterations_line != 0)
        return cm_error_set(error, CM_BAD_INPUT, measurements->file, row->line, 0,
                            "a second row of iterations, the first is in line %zu", work->iterations_line);
    work->iterations_line = row->line;
    measurements->iterations = calloc(measurements->kernel_count, sizeof *measurements->iterations);
    if (measurements->iterations == NULL)
        return cm_error_no_memory(error);
    cm_status status = read_values(work, row, measurements->iterations, error);
    for (size_t i = 0; i < measurements->kernel_count && status == CM_OK; i++)
        if (measurements->iterations[i] <= 0.0)
            status = cm_error_set(error, CM_BAD_INPUT, measurements->file, row->line, 0,
                                  "column '%s': 0 iterations, expected more", measurements->kernels[i]);
    return status;
}

/* Adds an event. */
static cm_status add_event(loader *work, const cm_csv_row *row, size_t *index, cm_error *error)
{
    cm_measurements *measurements = work->measurements;
    if (measurements->event_count == work->event_capacity) {
        size_t capacity = cm_grow_room(measurements->event_count + 1);
        cm_measurement *events = realloc(measurements->events, capacity * sizeof *events);
        if (events != NULL)
            measurements->events = events;
        gathered *grown = realloc(work->gathered, capacity * sizeof *grown);
        if (grown != NULL)
            work->gathered = grown;
        if (events == NULL || grown == NULL)
            return cm_error_no_memory(error);
        work->event_capacity = capacity;
    }
    char *event = strdup(row->fields[0]);
    if (event == NULL)
        return cm_error_no_memory(error);
    *index = measurements->event_count++;
    measurements->events[*index] = (cm_measurement){.event = event, .line = row->line};
    work->gathered[*index] = (gathered){0};
    return cm_name_index_add(work->events, event, *index, error);
}

/* Makes space for one more row of an event. */
static cm_status reserve_row(const loader *work, size_t event, cm_error *error)
{
    gathered *rows = &work->gathered[event];
    if (rows->count < rows->capacity)
        return CM_OK;
    cm_measurement *measurement = &work->measurements->events[event];
    size_t capacity = cm_grow_room(rows->count + 1);
    row_key *keys = realloc(rows->keys, capacity * sizeof *keys);
    if (keys != NULL)
        rows->keys = keys;
    double *values =
        realloc(measurement->values, capacity * work->measurements->kernel_count * sizeof *measurement->values);
    if (values != NULL)
        measurement->values = values;
    if (keys == NULL || values == NULL)
        return cm_error_no_memory(error);
    rows->capacity = capacity;
    return CM_OK;
}

/* Reads one row. */
static cm_status read_row(loader *work, const cm_csv_row *row, cm_error *error)
{
    row_key key = {.line = row->line};
    cm_status status = cm_csv_name(work->csv, row, 0, error);
    if (status == CM_OK)
        status = cm_csv_size(work->csv, row, 1, &key.repetition, error);
    if (status == CM_OK)
        status = cm_csv_size(work->csv, row, 2, &key.thread, error);
    if (status != CM_OK)
        return status;
    if (strcmp(row->fields[0], "iterations") == 0)
        return read_iterations(work, row, error);
    size_t event;
    if (!cm_name_index_find(work->events, row->fields[0], &event))
        status = add_event(work, row, &event, error);
    if (status == CM_OK)
        status = reserve_row(work, event, error);
    if (status != CM_OK)
        return status;
    gathered *rows = &work->gathered[event];
    key.index = rows->count;
    status = read_values(
        work, row, work->measurements->events[event].values + rows->count * work->measurements->kernel_count, error);
    rows->keys[rows->count] = key; /* NOLINT(clang-analyzer-core.NullDereference): reserve_row made it */
    rows->count += status == CM_OK;
    return status;
}

static int compare_keys(const void *left, const void *right)
{
    const row_key *a = left, *b = right;
    if (a->repetition != b->repetition)
        return a->repetition < b->repetition ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Sorts the values as the keys are sorted. */
static cm_status order_values(const gathered *rows, size_t kernels, cm_measurement *measurement, cm_error *error)
{
    double *ordered = malloc(rows->count * kernels * sizeof *ordered);
    if (ordered == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < rows->count; i++)
        memcpy(ordered + i * kernels, measurement->values + rows->keys[i].index * kernels, kernels * sizeof *ordered);
    free(measurement->values);
    measurement->values = ordered;
    return CM_OK;
}

/* CM_BAD_INPUT unless the sorted rows are all pairs of repetitions and threads, each once. */
static cm_status check_event(const char *file, const gathered *rows, cm_measurement *measurement, cm_error *error)
{
    const row_key *keys = rows->keys;
    for (size_t i = 1; i < rows->count; i++)
        if (keys[i].repetition == keys[i - 1].repetition && keys[i].thread == keys[i - 1].thread)
            return cm_error_set(error, CM_BAD_INPUT, file, keys[i].line, 0,
                                "event '%s', repetition %zu, thread %zu appears twice, first in line %zu",
                                measurement->event, keys[i].repetition, keys[i].thread, keys[i - 1].line);
    size_t threads = 1;
    while (threads < rows->count && keys[threads].repetition == keys[0].repetition)
        threads++;
    for (size_t i = 0; i < rows->count; i++) {
        size_t first = i - i % threads;
        if (keys[i].repetition != keys[first].repetition || keys[i].thread != keys[i % threads].thread ||
            (i == first && i > 0 && keys[i].repetition == keys[i - 1].repetition))
            return cm_error_set(error, CM_BAD_INPUT, file, measurement->line, 0,
                                "event '%s': repetitions %zu and %zu do not have the same threads", measurement->event,
                                keys[0].repetition, keys[first].repetition);
    }
    if (rows->count % threads != 0)
        return cm_error_set(error, CM_BAD_INPUT, file, measurement->line, 0,
                            "event '%s': repetitions %zu and %zu do not have the same threads", measurement->event,
                            keys[0].repetition, keys[rows->count - 1].repetition);
    measurement->thread_count = threads;
    measurement->repetition_count = rows->count / threads;
    return CM_OK;
}

/* CM_BAD_INPUT unless all events have the same repetitions. */
static cm_status check_repetitions(const loader *work, cm_error *error)
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
static cm_status finish(const loader *work, cm_error *error)
{
    cm_measurements *measurements = work->measurements;
    if (measurements->event_count == 0)
        return cm_error_set(error, CM_BAD_INPUT, measurements->file, measurements->header_line, 0,
                            "no event follows the header");
    cm_status status = CM_OK;
    for (size_t i = 0; i < measurements->event_count && status == CM_OK; i++) {
        gathered *rows = &work->gathered[i];
        qsort(rows->keys, rows->count, sizeof *rows->keys, compare_keys);
        status = check_event(measurements->file, rows, &measurements->events[i], error);
        if (status == CM_OK)
            status = order_values(rows, measurements->kernel_count, &measurements->events[i], error);
    }
    return status == CM_OK ? check_repetitions(work, error) : status;
}

/* Reads the header: the kernels. */
static cm_status read_header(loader *work, cm_error *error)
{
    cm_csv_row header = cm_csv_header(work->csv);
    cm_measurements *measurements = work->measurements;
    measurements->file = strdup(cm_csv_path(work->csv));
    if (measurements->file == NULL)
        return cm_error_no_memory(error);
    measurements->header_line = header.line;
    cm_status status = cm_csv_expect(work->csv, FIXED_COLUMNS, fixed_columns, true, error);
    if (status != CM_OK)
        return status;
    if (header.count == FIXED_COLUMNS)
        return cm_error_set(error, CM_BAD_INPUT, measurements->file, header.line, 0,
                            "no kernel follows the column 'thread'");
    measurements->kernel_count = header.count - FIXED_COLUMNS;
    return cm_names_create(measurements->kernel_count, header.fields + FIXED_COLUMNS, &measurements->kernels, error);
}

/* Reads the whole table. */
static cm_status read_all(loader *work, cm_error *error)
{
    cm_status status = read_header(work, error);
    bool found = status == CM_OK;
    while (found) {
        cm_csv_row row;
        status = cm_csv_next(work->csv, &row, &found, error);
        if (status == CM_OK && found)
            status = read_row(work, &row, error);
        if (status != CM_OK)
            break;
    }
    return status == CM_OK ? finish(work, error) : status;
}

cm_status cm_measurements_load(const char *path, cm_measurements **measurements, cm_error *error)
{
    loader work = {0};
    cm_status status = cm_csv_open(path, &work.csv, error);
    if (status == CM_OK) {
        work.measurements = calloc(1, sizeof *work.measurements);
        if (work.measurements == NULL)
            status = cm_error_no_memory(error);
    }
    if (status == CM_OK)
        status = cm_name_index_create(&work.events, error);
    if (status == CM_OK)
        status = read_all(&work, error);
    for (size_t i = 0; work.measurements != NULL && i < work.measurements->event_count; i++)
        free(work.gathered[i].keys);
    free(work.gathered);
    cm_name_index_free(work.events);
    cm_csv_close(work.csv);
    if (status != CM_OK) {
        cm_measurements_free(work.measurements);
        return status;
    }
    *measurements = work.measurements;
    return CM_OK;
}

void cm_measurements_free(cm_measurements *measurements)
{
    if (measurements == NULL)
        return;
    for (size_t i = 0; i < measurements->event_count; i++) {
        free(measurements->events[i].event);
        free(measurements->events[i].values);
    }
    free(measurements->events);
    cm_names_free(measurements->kernel_count, measurements->kernels);
    free(measurements->iterations);
    free(measurements->file);
    free(measurements);
}
