/* Events of a streamed table into an analysis, by as many threads as there are cores. */
#include "discovery/results.h"

#include "analysis/state.h"

typedef struct team {
    const cm_event_source *source;
    cm_event_batch **batches; /* one a block */
} team;

static bool take_event(void *context, size_t block, const cm_measurement *event, size_t tag, cm_vector_buffer *buffer)
{
    const team *work = context;
    double slack;
    const double *vectors = cm_vectors_of(event, work->source->measurements, &work->source->choice, buffer, &slack);
    return vectors != NULL && cm_event_batch_add(work->batches[block], event->event, vectors, slack, tag);
}

/* Appends the events of all blocks in their order; *tags has each one's place in the table. */
static cm_status append_all(cm_analysis *analysis, const team *work, size_t blocks, size_t **tags, cm_error *error)
{
    size_t count = 0, position = 0;
    for (size_t b = 0; b < blocks; b++)
        count += cm_event_batch_count(work->batches[b]);
    *tags = malloc((count + 1) * sizeof **tags);
    cm_status status = *tags != NULL ? cm_analysis_reserve(analysis, count, error) : cm_error_no_memory(error);
    for (size_t b = 0; status == CM_OK && b < blocks; b++) {
        for (size_t i = 0; i < cm_event_batch_count(work->batches[b]); i++)
            (*tags)[position++] = cm_event_batch_tag(work->batches[b], i);
        cm_analysis_append(analysis, work->batches[b]);
    }
    return status;
}

cm_status cm_add_streamed(cm_analysis *analysis, cm_event_source *source, cm_error *error)
{
    size_t blocks = cm_stream_block_count(source->stream);
    team work = {source, calloc(blocks + 1, sizeof *work.batches)};
    cm_status status = work.batches != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t b = 0; status == CM_OK && b < blocks; b++) {
        work.batches[b] = cm_event_batch_create(analysis, cm_stream_repetitions(source->stream));
        status = work.batches[b] != NULL ? CM_OK : cm_error_no_memory(error);
    }
    source->good = status == CM_OK && cm_take_all_streamed(source->stream, take_event, &work);
    if (source->good)
        status = append_all(analysis, &work, blocks, &source->tags, error);
    for (size_t b = 0; work.batches != NULL && b < blocks; b++)
        cm_event_batch_free(work.batches[b]);
    free(work.batches);
    return status;
}
