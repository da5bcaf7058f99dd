/* Streams tables in which the rows of events are scattered: a first reading locates each row; then the rows of some
 * thousand events at a time are read in the order of the file. */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "tables/stream_parts.h"
#include "tables/tables.h"

enum { VALUES = CM_STREAM_VALUES, WINDOW = CM_STREAM_WINDOW, GAP = WINDOW >> 8 };

/* A row to be read, and the index of its values among those of its events. */
typedef struct wanted {
    uint64_t row_location;
    size_t slot;
    const char *event;
} wanted;

typedef struct reading {
    const cm_stream *stream;
    cm_row_reader *reader;
    char *window;      /* a part of the file with at least a whole row */
    size_t room;       /* size of the window */
    size_t begin, end; /* of the window's text in the file */
    wanted *rows;      /* wanted rows, in the order of the file */
    double *values;
} reading;

static size_t events_a_block(const cm_stream *stream)
{
    size_t events = VALUES / (stream->scattered.most_rows * stream->head.kernel_count);
    return events > 0 ? events : 1;
}

size_t cm_stream_scattered_block_count(const cm_stream *stream)
{
    size_t events = events_a_block(stream);
    return (stream->scattered.event_count + events - 1) / events;
}

static int compare(const void *left, const void *right)
{
    const wanted *a = left, *b = right;
    return a->row_location < b->row_location ? -1 : a->row_location > b->row_location;
}

/* Reads the first of the rows, and the next ones that are near. */
static bool fill_window(reading *work, const wanted *row, const wanted *last)
{
    size_t begin = cm_row_offset(row->row_location), end = begin + cm_row_length(row->row_location);
    for (const wanted *next = row + 1; next < last; next++) {
        size_t next_end = cm_row_offset(next->row_location) + cm_row_length(next->row_location);
        if (cm_row_offset(next->row_location) > end + GAP || next_end - begin > WINDOW)
            break;
        end = next_end;
    }
    char *grown = cm_grow(work->window, end - begin + 2, &work->room, 1);
    if (grown == NULL)
        return false;
    work->window = grown;
    work->begin = begin;
    work->end = end;
    if (end > work->stream->size || !cm_stream_read(work->stream, work->window, end - begin, begin))
        return false;
    if (work->window[end - begin - 1] != '\n') /* the last line of the file */
        work->window[end++ - begin] = '\n';
    work->window[end - begin] = '\0';
    return true;
}

/* Reads one row. The table may have changed since the first reading, so the row must still be of its event. */
static bool read_row(reading *work, const wanted *row, const wanted *last)
{
    size_t offset = cm_row_offset(row->row_location);
    if ((offset < work->begin || offset + cm_row_length(row->row_location) > work->end) &&
        !fill_window(work, row, last))
        return false;
    char *at = work->window + (offset - work->begin);
    double *values = work->values + row->slot * work->stream->head.kernel_count;
    cm_row read;
    return cm_row_read(work->reader, &at, CM_ROW_WHOLE, &read, values) == CM_ROW_FOUND &&
           strcmp(read.event, row->event) == 0;
}

/* Reads all rows of the events from `first` up to `last`. */
static bool read_events(reading *work, size_t first, size_t last)
{
    const cm_stream_scattered *scattered = &work->stream->scattered;
    size_t before = scattered->firsts[first], count = scattered->firsts[last] - before;
    work->rows = malloc((count + 1) * sizeof *work->rows);
    work->values = malloc((count * work->stream->head.kernel_count + 1) * sizeof *work->values);
    work->reader = cm_row_reader_create(work->stream->head.kernel_count);
    if (work->rows == NULL || work->values == NULL || work->reader == NULL)
        return false;
    for (size_t event = first; event < last; event++)
        for (size_t row = scattered->firsts[event]; row < scattered->firsts[event + 1]; row++)
            work->rows[row - before] = (wanted){scattered->row_locations[row], row - before, scattered->events[event]};
    qsort(work->rows, count, sizeof *work->rows, compare);
    bool read = true;
    for (size_t i = 0; read && i < count; i++)
        read = read_row(work, &work->rows[i], work->rows + count);
    return read;
}

/* Reads these events and visits each. */
static bool visit_events(const cm_stream *stream, size_t first, size_t last, cm_stream_visit visit, void *context)
{
    const cm_stream_scattered *scattered = &stream->scattered;
    size_t kernels = stream->head.kernel_count;
    reading work = {.stream = stream};
    bool done = read_events(&work, first, last);
    for (size_t event = first; done && event < last; event++) {
        const cm_measurement measurement = {
            .event = (char *)scattered->events[event],
            .repetition_count = stream->repetition_count,
            .thread_count = (scattered->firsts[event + 1] - scattered->firsts[event]) / stream->repetition_count,
            .values = work.values + (scattered->firsts[event] - scattered->firsts[first]) * kernels};
        done = visit(context, &measurement, event);
    }
    cm_row_reader_free(work.reader);
    free(work.rows);
    free(work.values);
    free(work.window);
    return done;
}

bool cm_stream_scattered_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context)
{
    size_t events = events_a_block(stream), first = block * events, last = first + events;
    return visit_events(stream, first, last < stream->scattered.event_count ? last : stream->scattered.event_count,
                        visit, context);
}

bool cm_stream_scattered_again(const cm_stream *stream, size_t event, cm_stream_visit visit, void *context)
{
    return visit_events(stream, event, event + 1, visit, context);
}
