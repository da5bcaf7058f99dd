/* Streams tables in which the rows of each event are together, in blocks that are cut at the borders of events. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "tables/stream_parts.h"
#include "tables/tables.h"

enum { BLOCK = CM_STREAM_BLOCK, WINDOW = CM_STREAM_WINDOW, NUMBER = 12 }; /* bytes; NUMBER: enough for most numbers */

/* The current event. */
typedef struct run {
    cm_row_reader *reader;
    char *name;
    size_t name_room;
    size_t rows, offset;
    double *values;
} run;

static bool run_create(const cm_stream *stream, size_t rows, run *now)
{
    *now = (run){.reader = cm_row_reader_create(stream->head.kernel_count)};
    now->values = malloc((rows * stream->head.kernel_count + 1) * sizeof *now->values);
    return now->reader != NULL && now->values != NULL;
}

static void run_clear(run *now)
{
    cm_row_reader_free(now->reader);
    free(now->name);
    free(now->values);
}

/* Keeps a copy of the name, because that of a row may be gone with the next. */
static bool begin_event(run *now, const char *event, size_t offset)
{
    size_t size = strlen(event) + 1;
    char *grown = cm_grow(now->name, size, &now->name_room, 1);
    if (grown == NULL)
        return false;
    now->name = grown;
    memcpy(now->name, event, size);
    now->rows = 0;
    now->offset = offset;
    return strcmp(event, "iterations") != 0;
}

/* Visits the events of a text, which ends with a line feed and a NUL. */
static bool visit_rows(const cm_stream *stream, char *text, size_t length, size_t offset, run *now,
                       cm_stream_visit visit, void *context)
{
    const cm_stream_grouped *grouped = &stream->grouped;
    char *at = text, *end = text + length;
    now->rows = grouped->row_count;
    while (at < end) {
        cm_row row;
        size_t row_index = now->rows == grouped->row_count ? 0 : now->rows, begin = offset + (size_t)(at - text);
        cm_row_found found =
            cm_row_read(now->reader, &at, CM_ROW_WHOLE, &row, now->values + row_index * stream->head.kernel_count);
        if (found == CM_ROW_BLANK)
            continue;
        if (found == CM_ROW_BAD || row.repetition != grouped->repetitions[row_index] ||
            row.thread != grouped->threads[row_index])
            return false;
        if (row_index == 0 ? !begin_event(now, row.event, begin) : strcmp(row.event, now->name) != 0)
            return false;
        if (++now->rows < grouped->row_count)
            continue;
        const cm_measurement event = {.event = now->name,
                                      .repetition_count = stream->repetition_count,
                                      .thread_count = stream->most_threads,
                                      .values = now->values};
        if (!visit(context, &event, now->offset))
            return false;
    }
    return now->rows == grouped->row_count;
}

/* Visits the events between two offsets. */
static bool visit_part(const cm_stream *stream, size_t offset, size_t end, cm_stream_visit visit, void *context)
{
    size_t length = end - offset;
    run now;
    char *text = malloc(length + 2);
    bool done = run_create(stream, stream->grouped.row_count, &now) && text != NULL && length > 0 &&
                cm_stream_read(stream, text, length, offset);
    if (done) {
        while (end < stream->size && length > 0 && text[length - 1] != '\n') /* removes an incomplete row */
            length--;
        if (length == 0 || text[length - 1] != '\n')
            text[length++] = '\n';
        text[length] = '\0';
        done = visit_rows(stream, text, length, offset, &now, visit, context);
    }
    free(text);
    run_clear(&now);
    return done;
}

bool cm_stream_grouped_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context)
{
    const size_t *starts = stream->grouped.starts;
    return visit_part(stream, starts[block], starts[block + 1], visit, context);
}

typedef struct first_context {
    cm_stream_visit visit;
    void *context;
    bool visited, done;
} first_context;

static bool visit_first(void *context, const cm_measurement *event, size_t tag)
{
    first_context *first = context;
    first->visited = true;
    first->done = first->visit(first->context, event, tag);
    return false;
}

bool cm_stream_grouped_again(const cm_stream *stream, size_t offset, cm_stream_visit visit, void *context)
{
    size_t block = 0;
    while (stream->grouped.starts[block + 1] <= offset)
        block++;
    /* Reads as little as the event may need, then twice that, and so on. */
    first_context first = {.visit = visit, .context = context};
    size_t left = stream->grouped.starts[block + 1] - offset;
    for (size_t length = NUMBER * stream->grouped.row_count * (stream->head.kernel_count + 8);
         !first.visited && length < left; length *= 2)
        (void)visit_part(stream, offset, offset + length, visit_first, &first);
    if (!first.visited)
        (void)visit_part(stream, offset, offset + left, visit_first, &first);
    return first.done;
}

/* The start of the line behind `at`; NULL if it is not in the window. */
static const char *next_line(const char *at, const char *end)
{
    const char *feed = memchr(at, '\n', (size_t)(end - at));
    return feed != NULL && feed + 1 < end ? feed + 1 : NULL;
}

/* Whether both rows spell their names alike. */
static bool same_event(const char *one, const char *other, const char *end)
{
    char behind = *one == '"' ? '"' : ',';
    if (*one != *other)
        return false;
    if (behind == '"') {
        one++;
        other++;
    }
    while (other < end && *one == *other && *one != behind) {
        one++;
        other++;
    }
    return other < end && *one == behind && *other == behind;
}

/* The first row from `offset` on that is of another event than the row before it, as an offset. 0: none is near. */
static size_t find_border(const cm_stream *stream, char *window, size_t offset)
{
    size_t left = stream->size - offset, length = left < WINDOW ? left : WINDOW;
    if (!cm_stream_read(stream, window, length, offset))
        return 0;
    const char *end = window + length, *line = next_line(window, end);
    for (const char *next; line != NULL; line = next) {
        next = next_line(line, end);
        if (next != NULL && !same_event(line, next, end))
            return offset + (size_t)(next - window);
    }
    return 0;
}

/* Cuts the file into blocks. */
static cm_status cut_blocks(cm_stream *stream, size_t begin, bool *good, cm_error *error)
{
    cm_stream_grouped *grouped = &stream->grouped;
    size_t size = stream->size, at = begin;
    grouped->starts = malloc(((size - begin) / BLOCK + 3) * sizeof *grouped->starts);
    char *window = malloc(WINDOW);
    bool room = grouped->starts != NULL && window != NULL;
    *good = room;
    while (*good && at < size) {
        grouped->starts[grouped->block_count++] = at;
        at = size - at <= 2 * (size_t)BLOCK ? size : find_border(stream, window, at + BLOCK);
        *good = at != 0;
    }
    if (*good)
        grouped->starts[grouped->block_count] = size;
    free(window);
    return room ? CM_OK : cm_error_no_memory(error);
}

/* Adds repetition and thread of a row of the first event. */
static cm_status add_row(cm_stream_grouped *grouped, const cm_row *row, size_t *room, cm_error *error)
{
    if (grouped->row_count == *room) {
        *room = cm_grow_room(grouped->row_count + 1);
        size_t *repetitions = realloc(grouped->repetitions, *room * sizeof *repetitions);
        if (repetitions != NULL)
            grouped->repetitions = repetitions;
        size_t *threads = realloc(grouped->threads, *room * sizeof *threads);
        if (threads != NULL)
            grouped->threads = threads;
        if (repetitions == NULL || threads == NULL)
            return cm_error_no_memory(error);
    }
    grouped->repetitions[grouped->row_count] = row->repetition;
    grouped->threads[grouped->row_count++] = row->thread;
    return CM_OK;
}

/* Whether the rows of the first event are all pairs of repetitions and threads, in ascending order. */
static bool is_grid(cm_stream *stream)
{
    const cm_stream_grouped *grouped = &stream->grouped;
    const size_t *repetitions = grouped->repetitions, *threads = grouped->threads;
    size_t count = grouped->row_count, width = 1;
    while (width < count && repetitions[width] == repetitions[0])
        width++;
    bool grid = count % width == 0;
    for (size_t i = 0; grid && i < count; i++) {
        size_t column = i % width, first = i - column;
        grid = repetitions[i] == repetitions[first] && threads[i] == threads[column] &&
               (column == 0 || threads[i] > threads[i - 1]) && (first == 0 || repetitions[i] > repetitions[first - 1]);
    }
    if (grid) {
        stream->most_threads = width;
        stream->repetition_count = count / width;
    }
    return grid && stream->repetition_count >= 2;
}

static bool take_iterations(cm_stream *stream, const double *values)
{
    bool positive = true;
    for (size_t i = 0; i < stream->head.kernel_count; i++)
        positive = positive && values[i] > 0.0;
    stream->head.iterations = malloc((stream->head.kernel_count + 1) * sizeof *values);
    if (stream->head.iterations != NULL)
        memcpy(stream->head.iterations, values, stream->head.kernel_count * sizeof *values);
    return positive && stream->head.iterations != NULL;
}

/* Reads iterations and the rows of the first event from the first lines of `text`. *begin: the start of that event. */
static cm_status read_first(cm_stream *stream, char *text, run *now, size_t *begin, bool *good, cm_error *error)
{
    char *at = text;
    size_t room = 0;
    cm_status status = CM_OK;
    *good = true;
    while (*good && status == CM_OK && strchr(at, '\n') != NULL) {
        cm_row row;
        size_t offset = stream->header_end + (size_t)(at - text);
        cm_row_found found = cm_row_read(now->reader, &at, CM_ROW_WHOLE, &row, now->values);
        *good = found != CM_ROW_BAD;
        if (found != CM_ROW_FOUND)
            continue;
        if (now->name == NULL && strcmp(row.event, "iterations") == 0) {
            *good = stream->head.iterations == NULL && take_iterations(stream, now->values);
            continue;
        }
        if (now->name == NULL) {
            *begin = offset;
            *good = begin_event(now, row.event, offset);
        } else if (strcmp(row.event, now->name) != 0) {
            return CM_OK;
        }
        status = add_row(&stream->grouped, &row, &room, error);
    }
    return status;
}

cm_status cm_stream_grouped_prepare(cm_stream *stream, bool *good, cm_error *error)
{
    size_t left = stream->size - stream->header_end, length = left < WINDOW ? left : WINDOW, begin = 0;
    run now;
    char *text = malloc(length + 2);
    cm_status status = run_create(stream, 1, &now) && text != NULL ? CM_OK : cm_error_no_memory(error);
    *good = status == CM_OK && cm_stream_read(stream, text, length, stream->header_end);
    if (*good) {
        if (length == left && length > 0 && text[length - 1] != '\n')
            text[length++] = '\n';
        text[length] = '\0';
        status = read_first(stream, text, &now, &begin, good, error);
    }
    *good = *good && status == CM_OK && stream->grouped.row_count > 0 && is_grid(stream);
    if (*good)
        status = cut_blocks(stream, begin, good, error);
    free(text);
    run_clear(&now);
    return status;
}

void cm_stream_grouped_clear(cm_stream_grouped *grouped)
{
    free(grouped->repetitions);
    free(grouped->threads);
    free(grouped->starts);
    *grouped = (cm_stream_grouped){0};
}
