#include "discovery/streamed.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "analysis/state.h"
#include "core/error.h"
#include "core/system.h"
#include "discovery/vectors.h"

typedef struct team {
    const cm_analysis *analysis;
    const cm_stream *stream;
    const cm_kernel_choice *choice;
    cm_event_batch **batches; /* one a block */
    atomic_size_t next;
    atomic_bool failed;
} team;

/* What a thread has for itself. */
typedef struct worker {
    const cm_measurements *head;
    const cm_kernel_choice *choice;
    cm_event_batch *batch;
    double *room, *vectors;
} worker;

static bool take_event(void *context, const cm_measurement *event, size_t tag)
{
    const worker *own = context;
    double slack = cm_vectors_of(event, own->head, own->choice, own->room, own->vectors);
    return cm_event_batch_add(own->batch, event->event, own->vectors, slack, tag);
}

static bool work_on_block(team *work, worker *own, size_t block)
{
    own->batch = work->batches[block] = cm_event_batch_create(work->analysis, cm_stream_repetitions(work->stream));
    return own->batch != NULL && cm_stream_block(work->stream, block, take_event, own);
}

static void *work_on_blocks(void *data)
{
    team *work = data;
    const cm_measurements *head = cm_stream_head(work->stream);
    worker own = {.head = head, .choice = work->choice};
    own.room =
        malloc((cm_stream_most_threads(work->stream) + cm_stream_repetitions(work->stream) + 1) * sizeof *own.room);
    own.vectors = malloc((cm_stream_repetitions(work->stream) * work->choice->count + 1) * sizeof *own.vectors);
    if (own.room == NULL || own.vectors == NULL)
        atomic_store(&work->failed, true);
    while (!atomic_load(&work->failed)) {
        size_t block = atomic_fetch_add(&work->next, 1);
        if (block >= cm_stream_block_count(work->stream))
            break;
        if (!work_on_block(work, &own, block))
            atomic_store(&work->failed, true);
    }
    free(own.room);
    free(own.vectors);
    return NULL;
}

static cm_status append_all(cm_analysis *analysis, const team *work, size_t blocks, size_t *tags, cm_error *error)
{
    size_t count = 0;
    for (size_t b = 0; b < blocks; b++)
        count += cm_event_batch_count(work->batches[b]);
    cm_status status = cm_analysis_reserve(analysis, count, error);
    for (size_t b = 0, position = 0; status == CM_OK && b < blocks; b++) {
        for (size_t i = 0; i < cm_event_batch_count(work->batches[b]); i++)
            tags[position++] = cm_event_batch_tag(work->batches[b], i);
        cm_analysis_append(analysis, work->batches[b]);
    }
    return status;
}

cm_status cm_add_streamed(cm_analysis *analysis, const cm_stream *stream, const cm_kernel_choice *choice, size_t **tags,
                          bool *good, cm_error *error)
{
    size_t blocks = cm_stream_block_count(stream), count = 0;
    team work = {.analysis = analysis, .stream = stream, .choice = choice};
    work.batches = calloc(blocks + 1, sizeof *work.batches);
    if (work.batches == NULL)
        return cm_error_no_memory(error);
    cm_on_all_cores(work_on_blocks, &work);
    *good = !atomic_load(&work.failed);
    cm_status status = CM_OK;
    if (*good) {
        for (size_t b = 0; b < blocks; b++)
            count += cm_event_batch_count(work.batches[b]);
        *tags = malloc((count + 1) * sizeof **tags);
        status = *tags != NULL ? append_all(analysis, &work, blocks, *tags, error) : cm_error_no_memory(error);
    }
    for (size_t b = 0; b < blocks; b++)
        cm_event_batch_free(work.batches[b]);
    free(work.batches);
    return status;
}

typedef struct again {
    const cm_measurements *head;
    const cm_kernel_choice *choice;
    double **vectors, *slack;
    cm_status status;
    cm_error *error;
} again;

static bool take_again(void *context, const cm_measurement *event, size_t tag)
{
    again *work = context;
    (void)tag;
    work->status = cm_vectors_create(event, work->head, work->choice, work->vectors, work->slack, work->error);
    return work->status == CM_OK;
}

/* take_again writes into slack. NOLINTNEXTLINE(readability-non-const-parameter) */
cm_status cm_streamed_again(const cm_stream *stream, const cm_kernel_choice *choice, size_t tag, double **vectors,
                            double *slack, cm_error *error)
{
    again work = {.head = cm_stream_head(stream), .choice = choice, .vectors = vectors, .slack = slack, .error = error};
    if (cm_stream_again(stream, tag, take_again, &work) || work.status != CM_OK)
        return work.status;
    return cm_error_set(error, CM_IO, work.head->file, 0, 0, "cannot be read again: it has changed, or memory ran out");
}
