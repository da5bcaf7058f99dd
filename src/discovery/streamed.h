/* Events of a streamed table into an analysis, by as many threads as there are cores. */
#ifndef CM_DISCOVERY_STREAMED_H
#define CM_DISCOVERY_STREAMED_H

#include <catmint/analysis.h>

#include "law/evidence.h"

/* Adds all events, and sets the source's tags, which are freed with free(). Its `good` is false, and nothing was added,
 * where the table cannot be read so, as with a value that is no count. */
cm_status cm_add_streamed(cm_analysis *analysis, cm_event_source *source, cm_error *error);

#endif
