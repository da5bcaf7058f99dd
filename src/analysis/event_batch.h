/* Events judged by several threads: each fills batches, which are appended one after another. Means are not kept. */
#ifndef CM_ANALYSIS_EVENT_BATCH_H
#define CM_ANALYSIS_EVENT_BATCH_H

#include <catmint/analysis.h>

typedef struct cm_event_batch cm_event_batch;

/* NULL where memory is short. */
cm_event_batch *cm_event_batch_create(const cm_analysis *analysis, size_t repetitions);
void cm_event_batch_free(cm_event_batch *batch);
size_t cm_event_batch_count(const cm_event_batch *batch);
const char *cm_event_batch_event(const cm_event_batch *batch, size_t index);
/* `slack` as in cm_analysis_add_counts; `tag` is the caller's, one an event. False where memory is short or a value is
 * no count. */
bool cm_event_batch_add(cm_event_batch *batch, const char *event, const double *vectors, double slack, size_t tag);
size_t cm_event_batch_tag(const cm_event_batch *batch, size_t index);
/* Room for so many events more. */
cm_status cm_analysis_reserve(cm_analysis *analysis, size_t count, cm_error *error);
/* Takes over all events of the batch; room must be there. */
void cm_analysis_append(cm_analysis *analysis, cm_event_batch *batch);

#endif
