/* Events of a streamed table into an analysis, by as many threads as there are cores. */
#ifndef CM_RESULTS_STREAMED_H
#define CM_RESULTS_STREAMED_H

#include <catmint/analysis.h>

#include "tables/stream.h"

/* Adds all events; `offsets`, to be freed with free(), tells where in the stream each is. *plain is false, and nothing
 * was added, where the table turned out not to be plain: an event in two places, a value that is no count. */
cm_status cm_add_streamed(cm_analysis *analysis, const cm_stream *stream, size_t **offsets, bool *plain,
                          cm_error *error);

#endif
