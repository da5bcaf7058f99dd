/* The first reading of a table finds the runs of adjacent rows of an event. Of a row that follows one of the same event
 * only the name is looked at. */
#include "tables/tables.h"

enum { BLOCK = CM_STREAM_BLOCK };

/* A run, and the index of its event. */
typedef struct entry {
    uint64_t run;
    uint32_t event;
} entry;

typedef struct indexer {
    cm_stream *stream;
    char *text; /* space for BLOCK bytes, a line feed and a NUL */
    cm_arena texts;
    cm_name_index *events;
    const char **names; /* one an event */
    entry *entries;
    size_t count, capacity, names_capacity, rows_capacity;
    const char *name; /* of the current run; NULL: there is none */
    size_t length;    /* of its name */
    bool plain;       /* the name may stand without quotes */
    size_t begin;     /* of the run, in the file */
} indexer;

/* Whether the row at `at` begins with the run's name; in another spelling it is the first row of another run. */
static bool goes_on(const indexer *work, const char *at)
{
    const bool quoted = *at == '"';
    at += quoted;
    if (work->name == NULL || (!quoted && !work->plain) || strncmp(at, work->name, work->length) != 0)
        return false;
    at += work->length;
    return quoted ? at[0] == '"' && at[1] == ',' : at[0] == ',';
}

/* Adds an event; *index is its index. */
static bool add_indexed_event(indexer *work, const char *event, size_t *index)
{
    cm_stream *stream = work->stream;
    char *name = cm_arena_text(&work->texts, event);
    *index = stream->event_count;
    if (name == NULL || !CM_GROW(work->names, *index + 1, &work->names_capacity) ||
        !CM_GROW(stream->rows, *index + 1, &work->rows_capacity) ||
        cm_name_index_add(work->events, name, *index, NULL) != CM_OK)
        return false;
    work->names[*index] = name;
    stream->rows[*index] = 0;
    stream->event_count++;
    return true;
}

/* Begins a run with a row of the event. */
static bool begin_run(indexer *work, const char *event, size_t offset)
{
    size_t index;
    if (!CM_GROW(work->entries, work->count + 1, &work->capacity) || work->count == UINT32_MAX - 1 ||
        (!cm_name_index_find(work->events, event, &index) && !add_indexed_event(work, event, &index)))
        return false;
    work->entries[work->count++].event = (uint32_t)index;
    work->begin = offset;
    work->name = work->names[index];
    work->length = strlen(event);
    work->plain = event[0] != ' ' && event[work->length - 1] != ' ' && strchr(event, ',') == NULL;
    return true;
}

/* Takes the row of iterations; false if there was one before, or memory is short. */
static bool take_indexed_iterations(indexer *work)
{
    cm_measurements *head = &work->stream->head;
    work->name = NULL;
    if (head->iterations != NULL)
        return false;
    head->iterations = malloc(head->kernel_count * sizeof *head->iterations);
    if (head->iterations != NULL)
        memcpy(head->iterations, work->stream->table.values, head->kernel_count * sizeof *head->iterations);
    return head->iterations != NULL;
}

/* Takes one row, and moves *at behind it. `offset`: of the row in the file. */
static bool take_indexed_row(indexer *work, char **at, size_t offset)
{
    const char *begin = *at;
    if (offset - work->begin < CM_CSV_ROW_LIMIT && goes_on(work, *at)) {
        const char *feed = strchr(*at, '\n');
        if (feed == NULL) /* a NUL comes first */
            return false;
        *at += feed + 1 - *at;
    } else {
        cm_rows *table = &work->stream->table;
        cm_row_found found = cm_rows_read_text(table, at, CM_ROW_KEY, table->values);
        if (found != CM_ROW_FOUND)
            return found == CM_ROW_BLANK;
        if (table->row.has_iterations)
            return take_indexed_iterations(work);
        if (!begin_run(work, table->row.event, offset))
            return false;
    }
    size_t end = offset + (size_t)(*at - begin);
    entry *run = &work->entries[work->count - 1];
    run->run = cm_stream_run(work->begin, (end < work->stream->size ? end : work->stream->size) - work->begin);
    work->stream->rows[run->event]++;
    return end - work->begin < CM_RUN_LIMIT;
}

/* Takes the whole rows from `offset` on that fit into a block; *length is theirs. */
static bool take_block(indexer *work, size_t offset, size_t *length)
{
    const size_t left = work->stream->size - offset;
    *length = left < BLOCK ? left : BLOCK;
    if (cm_stream_stopped(work->stream) || !cm_stream_read(work->stream, work->text, *length, offset))
        return false;
    const char *feed = memrchr(work->text, '\n', *length);
    if (*length < left)
        *length = feed != NULL ? (size_t)(feed + 1 - work->text) : 0;
    else if (work->text[*length - 1] != '\n')
        work->text[(*length)++] = '\n';
    work->text[*length] = '\0';
    bool good = *length > 0;
    for (char *at = work->text; good && at < work->text + *length;)
        good = take_indexed_row(work, &at, offset + (size_t)(at - work->text));
    return good;
}

/* Sorts the runs by event. False without memory. */
static bool arrange_rows(cm_stream *stream, const entry *entries, size_t count)
{
    stream->firsts = calloc(stream->event_count + 2, sizeof *stream->firsts);
    stream->runs = malloc((count + 1) * sizeof *stream->runs);
    if (stream->firsts == NULL || stream->runs == NULL)
        return false;
    uint32_t *ends = stream->firsts + 1; /* first counts, then starts, then ends, each the start of the next */
    for (size_t i = 0; i < count; i++)
        ends[entries[i].event]++;
    for (size_t event = 0, sum = 0; event < stream->event_count; event++) {
        size_t runs = ends[event];
        ends[event] = (uint32_t)sum;
        sum += runs;
        stream->most_rows = stream->rows[event] > stream->most_rows ? stream->rows[event] : stream->most_rows;
    }
    for (size_t i = 0; i < count; i++)
        stream->runs[ends[entries[i].event]++] = entries[i].run;
    return true;
}

cm_status cm_stream_index(cm_stream *stream, bool *good, cm_error *error)
{
    indexer work = {.stream = stream, .text = malloc(BLOCK + 2)};
    cm_status status = cm_name_index_create(&work.events, error);
    *good = status == CM_OK && work.text != NULL;
    for (size_t offset = stream->header_end, length; *good && offset < stream->size; offset += length)
        *good = take_block(&work, offset, &length);
    *good = *good && stream->event_count > 0 && arrange_rows(stream, work.entries, work.count);
    cm_name_index_free(work.events);
    cm_arena_clear(&work.texts);
    CM_FREE(work.names, work.entries, work.text);
    return status;
}
