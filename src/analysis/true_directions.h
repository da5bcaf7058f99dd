/* How many of the quietest events it takes to measure all that true events measure. */
#ifndef CM_ANALYSIS_TRUE_DIRECTIONS_H
#define CM_ANALYSIS_TRUE_DIRECTIONS_H

#include "analysis/state.h"

/* An event is true where its representation leaves no more than its noise, neither of them beyond the residual
 * tolerance: what it counts besides ideal events, if anything, is noise. `order` holds `count` events that count
 * something, by rising noise. *needed is one more than the place of the last true event whose counts are no
 * combination, within the residual tolerance, of those of the true events before it; 0 where no event is true. */
cm_status cm_true_directions(const cm_analysis *analysis, const size_t *order, size_t count, size_t *needed,
                             cm_error *error);

#endif
