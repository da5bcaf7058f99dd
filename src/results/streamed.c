#include "results/streamed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/event_batch.h"
#include "core/error.h"
#include "core/name_index.h"

enum { MOST_THREADS = 16 };

typedef struct team {
    const cm_analysis *analysis;
    const cm_stream *stream;
    cm_event_batch **batches; /* one a block */
    atomic_size_t next;
    atomic_bool failed;
} team;

static bool take_event(void *context, const char *event, size_t offset, const double *vectors)
{
    return cm_event_batch_add(context, event, vectors, offset);
}

static void *work_on_blocks(void *data)
{
    team *work = data;
    for (;;) {
        size_t block = atomic_fetch_add(&work->next, 1);
        if (block >= cm_stream_block_count(work->stream) || atomic_load(&work->failed))
            return NULL;
        work->batches[block] = cm_event_batch_create(work->analysis, cm_stream_repetitions(work->stream));
        if (work->batches[block] == NULL || !cm_stream_block(work->stream, block, take_event, work->batches[block]))
            atomic_store(&work->failed, true);
    }
}

/* This thread works too; threads that cannot be had are missed only by the clock. */
static void run_team(team *work)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[MOST_THREADS];
    int started = 0;
    while (started + 1 < cores && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, work_on_blocks, work) == 0)
        started++;
    work_on_blocks(work);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Whether no event stands in two places. */
static cm_status check_names(const team *work, size_t blocks, bool *plain, cm_error *error)
{
    cm_name_index *index = NULL;
    size_t place;
    cm_status status = cm_name_index_create(&index, error);
    for (size_t b = 0; status == CM_OK && *plain && b < blocks; b++)
        for (size_t i = 0; status == CM_OK && *plain && i < cm_event_batch_count(work->batches[b]); i++) {
            const char *event = cm_event_batch_event(work->batches[b], i);
            *plain = !cm_name_index_find(index, event, &place);
            if (*plain)
                status = cm_name_index_add(index, event, i, error);
        }
    cm_name_index_free(index);
    return status;
}

static cm_status append_all(cm_analysis *analysis, const team *work, size_t blocks, size_t *offsets, cm_error *error)
{
    size_t count = 0;
    for (size_t b = 0; b < blocks; b++)
        count += cm_event_batch_count(work->batches[b]);
    cm_status status = cm_analysis_reserve(analysis, count, error);
    for (size_t b = 0, place = 0; status == CM_OK && b < blocks; b++) {
        for (size_t i = 0; i < cm_event_batch_count(work->batches[b]); i++)
            offsets[place++] = cm_event_batch_tag(work->batches[b], i);
        cm_analysis_append(analysis, work->batches[b]);
    }
    return status;
}

cm_status cm_add_streamed(cm_analysis *analysis, const cm_stream *stream, size_t **offsets, bool *plain,
                          cm_error *error)
{
    size_t blocks = cm_stream_block_count(stream), count = 0;
    team work = {.analysis = analysis, .stream = stream};
    work.batches = calloc(blocks + 1, sizeof *work.batches);
    if (work.batches == NULL)
        return cm_error_no_memory(error);
    run_team(&work);
    *plain = !atomic_load(&work.failed);
    cm_status status = *plain ? check_names(&work, blocks, plain, error) : CM_OK;
    if (status == CM_OK && *plain) {
        for (size_t b = 0; b < blocks; b++)
            count += cm_event_batch_count(work.batches[b]);
        *offsets = malloc((count + 1) * sizeof **offsets);
        status = *offsets != NULL ? append_all(analysis, &work, blocks, *offsets, error) : cm_error_no_memory(error);
    }
    for (size_t b = 0; b < blocks; b++)
        cm_event_batch_free(work.batches[b]);
    free(work.batches);
    return status;
}
