/* First reading of a table in which the rows of events are scattered: all cores read blocks of lines, and record their
 * rows in the order of the file. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/name_index.h"
#include "core/system.h"
#include "tables/stream_parts.h"
#include "tables/tables.h"

enum { BLOCK = CM_STREAM_BLOCK };

/* The location of a row. */
typedef struct entry {
    uint64_t row_location;
    uint32_t event, repetition, thread;
} entry;

typedef struct indexer {
    cm_stream *stream;
    pthread_mutex_t cutting, merging;
    pthread_cond_t merged_one;
    size_t next_offset, next_block, merged; /* blocks */
    atomic_bool failed;
    cm_name_index *names;
    entry *entries;
    size_t room, event_room;
} indexer;

/* Rows of a block, before they are merged in the order of the file. */
typedef struct found_row {
    const char *event;
    uint64_t row_location;
    uint32_t repetition, thread;
} found_row;

typedef struct block {
    char *text; /* space for BLOCK bytes, a line feed and a NUL */
    size_t number, offset, length;
    cm_row_reader *reader;
    cm_arena names; /* from rows that libcsv split */
    found_row *rows;
    size_t count, room;
    double *values; /* of iterations */
    size_t iterations_count;
} block;

/* Reads whole lines behind the last block. False at the end, or on failure. */
static bool cut_block(indexer *work, block *now)
{
    size_t size = work->stream->size;
    pthread_mutex_lock(&work->cutting);
    now->offset = work->next_offset;
    now->length = size - now->offset < BLOCK ? size - now->offset : BLOCK;
    if (cm_stream_stopped(work->stream))
        atomic_store(&work->failed, true);
    bool more = now->length > 0 && !atomic_load(&work->failed);
    if (more && !cm_stream_read(work->stream, now->text, now->length, now->offset)) {
        atomic_store(&work->failed, true);
        more = false;
    }
    if (more && now->offset + now->length < size) {
        const char *feed = memrchr(now->text, '\n', now->length);
        now->length = feed != NULL ? (size_t)(feed + 1 - now->text) : 0;
        if (now->length == 0)
            atomic_store(&work->failed, true);
        more = now->length != 0;
    }
    if (more) {
        work->next_offset += now->length;
        now->number = work->next_block++;
    }
    pthread_mutex_unlock(&work->cutting);
    return more;
}

/* Adds a row to the block. */
static bool note_row(block *now, const cm_row *row, size_t begin, size_t end)
{
    if (row->repetition > UINT32_MAX || row->thread > UINT32_MAX)
        return false;
    found_row *rows = cm_grow(now->rows, now->count + 1, &now->room, sizeof *rows);
    if (rows == NULL)
        return false;
    now->rows = rows;
    const char *event = row->event;
    if (event < now->text || event >= now->text + now->length)
        event = cm_arena_text(&now->names, event);
    now->rows[now->count++] = (found_row){.event = event,
                                          .row_location = cm_row_location(now->offset + begin, end - begin),
                                          .repetition = (uint32_t)row->repetition,
                                          .thread = (uint32_t)row->thread};
    return event != NULL;
}

/* Finds all rows of the block. */
static bool find_rows(block *now)
{
    now->count = now->iterations_count = 0;
    size_t length = now->length; /* in the file */
    if (now->text[length - 1] != '\n')
        now->text[now->length++] = '\n';
    now->text[now->length] = '\0';
    for (char *at = now->text; at < now->text + now->length;) {
        cm_row row;
        size_t begin = (size_t)(at - now->text);
        cm_row_found found = cm_row_read(now->reader, &at, CM_ROW_KEY, &row, now->values);
        size_t end = (size_t)(at - now->text);
        if (found == CM_ROW_BAD)
            return false;
        if (found == CM_ROW_BLANK)
            continue;
        if (strcmp(row.event, "iterations") == 0)
            now->iterations_count++;
        else if (!note_row(now, &row, begin, end < length ? end : length))
            return false;
    }
    return true;
}

/* Takes the iterations if the block has them; false if there are two. */
static bool merge_iterations(cm_stream *stream, const block *now)
{
    if (now->iterations_count == 0)
        return true;
    if (now->iterations_count > 1 || stream->head.iterations != NULL)
        return false;
    for (size_t i = 0; i < stream->head.kernel_count; i++)
        if (!(now->values[i] > 0.0))
            return false;
    stream->head.iterations = malloc((stream->head.kernel_count + 1) * sizeof *now->values);
    if (stream->head.iterations != NULL)
        memcpy(stream->head.iterations, now->values, stream->head.kernel_count * sizeof *now->values);
    return stream->head.iterations != NULL;
}

/* Makes space for `count` more entries. */
static bool reserve_entries(indexer *work, size_t count)
{
    size_t needed = work->stream->scattered.row_count + count;
    if (needed <= work->room)
        return true;
    size_t room = cm_grow_room(needed);
    entry *entries = room < UINT32_MAX ? realloc(work->entries, room * sizeof *entries) : NULL;
    if (entries == NULL)
        return false;
    work->entries = entries;
    work->room = room;
    return true;
}

/* Adds an event; *row_location is its index. */
static bool add_event(indexer *work, const char *event, size_t *row_location)
{
    cm_stream_scattered *scattered = &work->stream->scattered;
    const char **events = cm_grow(scattered->events, scattered->event_count + 1, &work->event_room, sizeof *events);
    if (events == NULL)
        return false;
    scattered->events = events;
    char *name = cm_arena_text(&scattered->names, event);
    *row_location = scattered->event_count;
    if (name == NULL || cm_name_index_add(work->names, name, *row_location, NULL) != CM_OK)
        return false;
    scattered->events[scattered->event_count++] = name;
    return true;
}

/* Adds the rows of a block to the index. */
static bool merge(indexer *work, const block *now)
{
    cm_stream_scattered *scattered = &work->stream->scattered;
    if (!merge_iterations(work->stream, now) || !reserve_entries(work, now->count))
        return false;
    size_t event = 0;
    for (size_t i = 0; i < now->count; i++) {
        const found_row *row = &now->rows[i];
        bool same = i > 0 && strcmp(row->event, row[-1].event) == 0;
        if (!same && !cm_name_index_find(work->names, row->event, &event) && !add_event(work, row->event, &event))
            return false;
        work->entries[scattered->row_count++] =
            (entry){row->row_location, (uint32_t)event, row->repetition, row->thread};
    }
    return true;
}

/* Merges a block after the one before it. A failed block takes its turn, too, because later ones wait for it. */
static void merge_in_turn(indexer *work, const block *now, bool good)
{
    pthread_mutex_lock(&work->merging);
    while (work->merged != now->number)
        pthread_cond_wait(&work->merged_one, &work->merging);
    pthread_mutex_unlock(&work->merging);
    if (!good || atomic_load(&work->failed) || !merge(work, now))
        atomic_store(&work->failed, true);
    pthread_mutex_lock(&work->merging);
    work->merged++;
    pthread_cond_broadcast(&work->merged_one);
    pthread_mutex_unlock(&work->merging);
}

/* The work of a thread: indexes blocks. */
static void *index_blocks(void *data)
{
    indexer *work = data;
    block now = {.reader = cm_row_reader_create(work->stream->head.kernel_count)};
    now.text = malloc(BLOCK + 2);
    now.values = malloc(work->stream->head.kernel_count * sizeof *now.values);
    bool complete = now.reader != NULL && now.text != NULL && now.values != NULL;
    if (!complete)
        atomic_store(&work->failed, true);
    while (complete && !atomic_load(&work->failed) && cut_block(work, &now)) {
        merge_in_turn(work, &now, find_rows(&now));
        cm_arena_clear(&now.names);
    }
    cm_row_reader_free(now.reader);
    free(now.text);
    free(now.rows);
    free(now.values);
    return NULL;
}

static int compare(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->repetition != b->repetition)
        return a->repetition < b->repetition ? -1 : 1;
    return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Whether the sorted rows of an event are all pairs of its repetitions and threads, each once, with the repetitions
 * `like` of the first event. */
static bool is_grid(const entry *rows, size_t count, const uint32_t *like, size_t repetitions)
{
    size_t threads = count / repetitions;
    if (threads == 0 || count % repetitions != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t column = i % threads;
        if (rows[i].repetition != like[i / threads] || rows[i].thread != rows[column].thread ||
            (column > 0 && rows[i].thread == rows[i - 1].thread))
            return false;
    }
    return true;
}

/* Writes the repetitions of an event into `like`; returns their number. */
static size_t repetitions_of(const entry *rows, size_t count, uint32_t *like)
{
    size_t repetitions = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || rows[i].repetition != rows[i - 1].repetition)
            like[repetitions++] = rows[i].repetition;
    return repetitions;
}

/* Stores the locations of all rows; `order` has the entries by event. */
static bool place_events(cm_stream *stream, const entry *entries, const uint32_t *order, entry *rows, uint32_t *like)
{
    cm_stream_scattered *scattered = &stream->scattered;
    for (size_t event = 0; event < scattered->event_count; event++) {
        size_t first = scattered->firsts[event], count = scattered->firsts[event + 1] - first;
        for (size_t i = 0; i < count; i++)
            rows[i] = entries[order[first + i]];
        qsort(rows, count, sizeof *rows, compare);
        if (event == 0)
            stream->repetition_count = repetitions_of(rows, count, like);
        if (stream->repetition_count < 2 || !is_grid(rows, count, like, stream->repetition_count))
            return false;
        size_t threads = count / stream->repetition_count;
        stream->most_threads = threads > stream->most_threads ? threads : stream->most_threads;
        for (size_t i = 0; i < count; i++)
            scattered->row_locations[first + i] = rows[i].row_location;
    }
    return true;
}

/* Sorts the rows by event. False if they form no table, or without memory. */
static bool arrange(cm_stream *stream, const entry *entries)
{
    cm_stream_scattered *scattered = &stream->scattered;
    uint32_t *order = malloc((scattered->row_count + 1) * sizeof *order), *like = NULL;
    entry *rows = NULL;
    scattered->firsts = calloc(scattered->event_count + 2, sizeof *scattered->firsts);
    scattered->row_locations = malloc((scattered->row_count + 1) * sizeof *scattered->row_locations);
    bool good = order != NULL && scattered->firsts != NULL && scattered->row_locations != NULL;
    if (good) {
        uint32_t *ends = scattered->firsts + 1; /* first counts, then starts, then ends, each the start of the next */
        for (size_t i = 0; i < scattered->row_count; i++)
            ends[entries[i].event]++;
        for (size_t event = 0, sum = 0; event < scattered->event_count; event++) {
            size_t count = ends[event];
            scattered->most_rows = count > scattered->most_rows ? count : scattered->most_rows;
            ends[event] = (uint32_t)sum;
            sum += count;
        }
        for (size_t i = 0; i < scattered->row_count; i++)
            order[ends[entries[i].event]++] = (uint32_t)i;
        rows = malloc((scattered->most_rows + 1) * sizeof *rows);
        like = malloc((scattered->most_rows + 1) * sizeof *like);
        good = rows != NULL && like != NULL && place_events(stream, entries, order, rows, like);
    }
    free(order);
    free(rows);
    free(like);
    return good;
}

cm_status cm_stream_scattered_prepare(cm_stream *stream, bool *good, cm_error *error)
{
    indexer work = {.stream = stream, .next_offset = stream->header_end};
    stream->repetition_count = stream->most_threads = 0;
    *good = false;
    cm_status status = cm_name_index_create(&work.names, error);
    if (status != CM_OK)
        return status;
    pthread_mutex_init(&work.cutting, NULL);
    pthread_mutex_init(&work.merging, NULL);
    pthread_cond_init(&work.merged_one, NULL);
    cm_on_all_cores(index_blocks, &work);
    cm_name_index_free(work.names);
    *good = !atomic_load(&work.failed) && stream->scattered.event_count > 0 && arrange(stream, work.entries);
    free(work.entries);
    pthread_cond_destroy(&work.merged_one);
    pthread_mutex_destroy(&work.merging);
    pthread_mutex_destroy(&work.cutting);
    if (!*good)
        cm_stream_scattered_clear(&stream->scattered);
    return CM_OK;
}

void cm_stream_scattered_clear(cm_stream_scattered *scattered)
{
    cm_arena_clear(&scattered->names);
    free(scattered->events);
    free(scattered->firsts);
    free(scattered->row_locations);
    *scattered = (cm_stream_scattered){0};
}
