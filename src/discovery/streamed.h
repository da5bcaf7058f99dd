/* Events of a streamed table into an analysis, by as many threads as there are cores. */
#ifndef CM_DISCOVERY_STREAMED_H
#define CM_DISCOVERY_STREAMED_H

#include <catmint/analysis.h>

#include "discovery/kernel_choice.h"
#include "tables/stream.h"

/* Adds all events; `tags`, to be freed with free(), says how the stream finds each again. *good is false, and nothing
 * was added, where the table cannot be read so, as with a value that is no count. */
cm_status cm_add_streamed(cm_analysis *analysis, const cm_stream *stream, const cm_kernel_choice *choice, size_t **tags,
                          bool *good, cm_error *error);

/* The measurement vectors of one event once more; free with free(). `slack` may be NULL. */
cm_status cm_streamed_again(const cm_stream *stream, const cm_kernel_choice *choice, size_t tag, double **vectors,
                            double *slack, cm_error *error);

#endif
