/* The second reading of a table: rows are read in the order of the file, some thousand events at a time. */
#include "tables/tables.h"

enum { VALUES = CM_STREAM_VALUES, WINDOW = CM_STREAM_WINDOW, GAP = WINDOW >> 8, NEAR = 16 };

/* A run to be read, and the index of its event. */
typedef struct wanted {
    uint64_t run;
    size_t event;
} wanted;

typedef struct reading {
    const cm_stream *stream;
    cm_rows table; /* the copy of this reading */
    char *window;  /* a part of the file with at least a whole run */
    size_t window_size;
    size_t begin, end; /* of the window's text in the file */
    size_t first, last;
    wanted *runs;        /* of the events from `first` up to `last`, in the order of the file */
    cm_event_rows *rows; /* one an event; the arrays are parts of the next two */
    cm_row_key *keys;
    double *values;
    const char **names; /* one an event */
    cm_arena texts;
} reading;

bool cm_stream_read(const cm_stream *stream, char *buffer, size_t length, size_t offset)
{
    while (length > 0) {
        ssize_t done = pread(stream->file, buffer, length, (off_t)offset);
        if (done <= 0)
            return false;
        buffer += done;
        length -= (size_t)done;
        offset += (size_t)done;
    }
    return true;
}

/* Reads the first of the runs, and the next ones that are near. */
static bool fill_window(reading *work, const wanted *run, const wanted *last)
{
    size_t begin = cm_run_offset(run->run), end = cm_run_end(run->run);
    for (const wanted *next = run + 1; next < last; next++) {
        if (cm_run_offset(next->run) > end + GAP || cm_run_end(next->run) - begin > WINDOW)
            break;
        end = cm_run_end(next->run);
    }
    if (!CM_GROW(work->window, end - begin + 2, &work->window_size))
        return false;
    work->begin = begin;
    work->end = end;
    if (end > work->stream->size || !cm_stream_read(work->stream, work->window, end - begin, begin))
        return false;
    if (work->window[end - begin - 1] != '\n') /* the last line of the file */
        work->window[end++ - begin] = '\n';
    work->window[end - begin] = '\0';
    return true;
}

/* Whether the row is of the event, whose name is that of its first row. */
static bool is_event(reading *work, size_t event, const char *name)
{
    const char **known = &work->names[event - work->first];
    if (*known != NULL)
        return strcmp(*known, name) == 0;
    *known = cm_arena_text(&work->texts, name);
    return *known != NULL;
}

/* Reads the rows of one run. */
static bool read_run(reading *work, const wanted *run, const wanted *last)
{
    cm_event_rows *rows = &work->rows[run->event - work->first];
    if ((cm_run_offset(run->run) < work->begin || cm_run_end(run->run) > work->end) && !fill_window(work, run, last))
        return false;
    char *at = work->window + (cm_run_offset(run->run) - work->begin);
    const char *end = work->window + (cm_run_end(run->run) - work->begin);
    while (at < end && rows->count < rows->capacity) {
        const cm_row *row = &work->table.row;
        cm_row_found found =
            cm_rows_read_text(&work->table, &at, CM_ROW_WHOLE, rows->values + rows->count * work->table.kernel_count);
        if (found == CM_ROW_BLANK)
            continue;
        if (found == CM_ROW_BAD || !is_event(work, run->event, row->event))
            return false;
        rows->keys[rows->count] = (cm_row_key){row->repetition, row->thread, row->line, rows->count};
        rows->count++;
    }
    return at >= end;
}

static int by_run(const void *left, const void *right)
{
    const wanted *a = left, *b = right;
    return a->run < b->run ? -1 : a->run > b->run;
}

/* Allocates for up to `most` events at a time. */
static bool reserve_rows(reading *work, size_t first, size_t last, size_t most)
{
    const cm_stream *stream = work->stream;
    size_t runs = 0, rows = most * stream->most_rows;
    for (size_t event = first; event < last; event += most) {
        size_t end = event + most < last ? event + most : last;
        size_t count = stream->firsts[end] - stream->firsts[event];
        runs = count > runs ? count : runs;
    }
    work->runs = malloc((runs + 1) * sizeof *work->runs);
    work->rows = malloc((most + 1) * sizeof *work->rows);
    work->names = malloc((most + 1) * sizeof *work->names);
    work->keys = malloc((rows + 1) * sizeof *work->keys);
    work->values = malloc((rows * stream->head.kernel_count + 1) * sizeof *work->values);
    work->table = stream->table;
    work->table.fields = NULL;
    return work->runs != NULL && work->rows != NULL && work->names != NULL && work->keys != NULL &&
           work->values != NULL;
}

/* Reads all rows of these events. */
static bool read_events(reading *work, size_t first, size_t last)
{
    const cm_stream *stream = work->stream;
    const size_t before = stream->firsts[first], count = stream->firsts[last] - before;
    size_t row = 0;
    bool sorted = true;
    work->first = first;
    work->last = last;
    for (size_t event = first; event < last; row += stream->rows[event++]) {
        work->rows[event - first] = (cm_event_rows){.capacity = stream->rows[event],
                                                    .keys = work->keys + row,
                                                    .values = work->values + row * stream->head.kernel_count};
        work->names[event - first] = NULL;
        for (size_t run = stream->firsts[event]; run < stream->firsts[event + 1]; run++) {
            work->runs[run - before] = (wanted){stream->runs[run], event};
            sorted = sorted && (run == before || stream->runs[run] > stream->runs[run - 1]);
        }
    }
    if (!sorted)
        qsort(work->runs, count, sizeof *work->runs, by_run);
    bool read = true;
    for (size_t i = 0; read && i < count; i++)
        read = read_run(work, &work->runs[i], work->runs + count);
    return read;
}

/* Makes a measurement of the rows of an event. */
static bool arrange_values(const reading *work, size_t event, cm_measurement *measurement)
{
    const cm_event_rows *rows = &work->rows[event - work->first];
    *measurement = (cm_measurement){.event = (char *)work->names[event - work->first]};
    return rows->count == rows->capacity &&
           cm_event_rows_arrange(rows, work->stream->head.kernel_count, NULL, measurement, NULL) == CM_OK;
}

/* Whether the event has the repetitions of the first. */
static bool has_repetitions(const reading *work, size_t event, const cm_measurement *measurement)
{
    const cm_row_key *keys = work->rows[event - work->first].keys;
    bool same = measurement->repetition_count == work->stream->repetition_count;
    for (size_t i = 0; i < work->stream->repetition_count && same; i++)
        same = keys[i * measurement->thread_count].repetition == work->stream->repetitions[i];
    return same;
}

/* Frees everything that the reading has allocated. */
static void clear_reading(reading *work)
{
    cm_csv_fields_free(work->table.fields);
    cm_arena_clear(&work->texts);
    CM_FREE(work->runs, work->rows, work->names, work->keys, work->values, work->window);
}

/* Whether the file is the one that was read first. */
static bool is_unchanged(const cm_stream *stream)
{
    struct stat now;
    return fstat(stream->file, &now) == 0 && (size_t)now.st_size == stream->size &&
           now.st_mtim.tv_sec == stream->changed.tv_sec && now.st_mtim.tv_nsec == stream->changed.tv_nsec;
}

/* Reads these events, up to `most` at a time, and visits each. */
static bool visit_events(const cm_stream *stream, size_t first, size_t last, size_t most, cm_stream_visit visit,
                         void *context)
{
    reading work = {.stream = stream};
    bool done = is_unchanged(stream) && reserve_rows(&work, first, last, most);
    for (size_t event = first; done && event < last; event++) {
        cm_measurement measurement;
        if ((event - first) % most == 0) {
            cm_arena_clear(&work.texts);
            done = read_events(&work, event, event + most < last ? event + most : last);
        }
        done = done && arrange_values(&work, event, &measurement) && has_repetitions(&work, event, &measurement) &&
               visit(context, &measurement, event);
    }
    clear_reading(&work);
    return done;
}

static size_t events_a_block(const cm_stream *stream)
{
    size_t events = VALUES / (stream->most_rows * stream->head.kernel_count);
    return events > 0 ? events : 1;
}

size_t cm_stream_block_count(const cm_stream *stream)
{
    size_t events = events_a_block(stream);
    return (stream->event_count + events - 1) / events;
}

bool cm_stream_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context)
{
    size_t events = events_a_block(stream), first = block * events, last = first + events;
    bool together = stream->firsts[stream->event_count] < 2 * stream->event_count; /* nearly always one run an event */
    last = last < stream->event_count ? last : stream->event_count;
    return !cm_stream_stopped(stream) &&
           visit_events(stream, first, last, together && events > NEAR ? NEAR : events, visit, context);
}

bool cm_stream_again(const cm_stream *stream, size_t tag, cm_stream_visit visit, void *context)
{
    return visit_events(stream, tag, tag + 1, 1, visit, context);
}

bool cm_stream_read_first(cm_stream *stream)
{
    reading work = {.stream = stream};
    cm_measurement first = {0};
    bool read = reserve_rows(&work, 0, 1, 1) && read_events(&work, 0, 1) && arrange_values(&work, 0, &first);
    stream->repetition_count = first.repetition_count;
    stream->repetitions = malloc((stream->repetition_count + 1) * sizeof *stream->repetitions);
    read = read && stream->repetitions != NULL && stream->repetition_count >= 2;
    for (size_t i = 0; read && i < stream->repetition_count; i++)
        stream->repetitions[i] = work.rows[0].keys[i * first.thread_count].repetition;
    clear_reading(&work);
    return read;
}
