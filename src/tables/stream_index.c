/* The first reading of a table: all cores read blocks of lines, and find the runs of adjacent rows of an event, in the
 * order of the file. Of a row that follows one of the same event only the name is looked at. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/csv.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/name_index.h"
#include "core/system.h"
#include "tables/stream_parts.h"
#include "tables/tables.h"

enum { BLOCK = CM_STREAM_BLOCK };

/* A run, and the index of its event. */
typedef struct entry {
    uint64_t run;
    uint32_t event;
} entry;

typedef struct indexer {
    cm_stream *stream;
    pthread_mutex_t cutting, merging;
    pthread_cond_t merged_one;
    size_t next_offset, next_block, merged; /* blocks */
    atomic_bool failed;
    cm_arena texts;
    cm_name_index *names;
    entry *entries;
    size_t count, room, rows_room;
} indexer;

/* A run of a block, before it is merged in the order of the file. */
typedef struct found_run {
    const char *event;
    size_t length;     /* of its name */
    bool plain;        /* the name may stand without quotes */
    size_t begin, end; /* in the block */
    size_t rows;
} found_run;

typedef struct block {
    char *text; /* space for BLOCK bytes, a line feed and a NUL */
    size_t number, offset, length;
    cm_row_reader *reader;
    cm_arena names; /* from rows that libcsv split */
    found_run *runs;
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

/* Adds a run that begins with the row. */
static bool add_run(block *now, const char *event, size_t begin)
{
    found_run *runs = cm_grow(now->runs, now->count + 1, &now->room, sizeof *runs);
    if (runs == NULL)
        return false;
    now->runs = runs;
    if (event < now->text || event >= now->text + now->length)
        event = cm_arena_text(&now->names, event);
    if (event == NULL)
        return false;
    size_t length = strlen(event);
    bool plain = event[0] != ' ' && event[length - 1] != ' ' && strchr(event, ',') == NULL;
    now->runs[now->count++] = (found_run){.event = event, .length = length, .plain = plain, .begin = begin};
    return true;
}

/* Whether the row at `at` begins with the name of the run. Where the name is spelled in another way, the row is read as
 * the first of another run. */
static bool goes_on(const char *at, const found_run *run)
{
    const bool quoted = *at == '"';
    at += quoted;
    if ((!quoted && !run->plain) || strncmp(at, run->event, run->length) != 0)
        return false;
    at += run->length;
    return quoted ? at[0] == '"' && at[1] == ',' : at[0] == ',';
}

/* Finds all runs of the block. */
static bool find_runs(block *now)
{
    now->count = now->iterations_count = 0;
    size_t length = now->length; /* in the file */
    if (now->text[length - 1] != '\n')
        now->text[now->length++] = '\n';
    now->text[now->length] = '\0';
    found_run *run = NULL;
    for (char *at = now->text; at < now->text + now->length;) {
        size_t begin = (size_t)(at - now->text);
        if (run != NULL && begin - run->begin < CM_CSV_ROW_LIMIT && goes_on(at, run)) {
            const char *feed = strchr(at, '\n');
            if (feed == NULL) /* a NUL comes first */
                return false;
            at += feed + 1 - at;
        } else {
            cm_row row;
            cm_row_found found = cm_row_read(now->reader, &at, CM_ROW_KEY, &row, now->values);
            if (found == CM_ROW_BLANK)
                continue;
            bool iterations = found == CM_ROW_FOUND && strcmp(row.event, "iterations") == 0;
            if (found == CM_ROW_BAD || (!iterations && !add_run(now, row.event, begin)))
                return false;
            now->iterations_count += iterations;
            run = iterations ? NULL : &now->runs[now->count - 1];
        }
        size_t end = (size_t)(at - now->text);
        if (run == NULL)
            continue;
        run->end = end < length ? end : length;
        run->rows++;
        if (run->end - run->begin >= CM_RUN_LIMIT)
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

/* Adds an event; *index is its index. */
static bool add_event(indexer *work, const char *event, size_t *index)
{
    cm_stream *stream = work->stream;
    size_t *rows = cm_grow(stream->rows, stream->event_count + 1, &work->rows_room, sizeof *rows);
    char *name = cm_arena_text(&work->texts, event);
    stream->rows = rows != NULL ? rows : stream->rows;
    *index = stream->event_count;
    if (rows == NULL || name == NULL || cm_name_index_add(work->names, name, *index, NULL) != CM_OK)
        return false;
    rows[*index] = 0;
    stream->event_count++;
    return true;
}

/* Adds the runs of a block to the index. */
static bool merge(indexer *work, const block *now)
{
    entry *entries = cm_grow(work->entries, work->count + now->count, &work->room, sizeof *entries);
    if (entries == NULL || work->count + now->count >= UINT32_MAX || !merge_iterations(work->stream, now))
        return false;
    work->entries = entries;
    for (size_t i = 0; i < now->count; i++) {
        const found_run *run = &now->runs[i];
        size_t event;
        if (!cm_name_index_find(work->names, run->event, &event) && !add_event(work, run->event, &event))
            return false;
        work->stream->rows[event] += run->rows;
        entries[work->count++] = (entry){cm_run(now->offset + run->begin, run->end - run->begin), (uint32_t)event};
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
        merge_in_turn(work, &now, find_runs(&now));
        cm_arena_clear(&now.names);
    }
    cm_row_reader_free(now.reader);
    free(now.text);
    free(now.runs);
    free(now.values);
    return NULL;
}

/* Sorts the runs by event. False without memory. */
static bool arrange(cm_stream *stream, const entry *entries, size_t count)
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
    indexer work = {.stream = stream, .next_offset = stream->header_end};
    *good = false;
    cm_status status = cm_name_index_create(&work.names, error);
    if (status != CM_OK)
        return status;
    pthread_mutex_init(&work.cutting, NULL);
    pthread_mutex_init(&work.merging, NULL);
    pthread_cond_init(&work.merged_one, NULL);
    cm_on_all_cores(index_blocks, &work);
    cm_name_index_free(work.names);
    cm_arena_clear(&work.texts);
    *good = !atomic_load(&work.failed) && stream->event_count > 0 && arrange(stream, work.entries, work.count);
    free(work.entries);
    pthread_cond_destroy(&work.merged_one);
    pthread_mutex_destroy(&work.merging);
    pthread_mutex_destroy(&work.cutting);
    return CM_OK;
}
