/* Events that PAPI does not list: combinations of qualifiers, and names that somebody knows. */
#ifndef CM_SWEEP_EXPAND_H
#define CM_SWEEP_EXPAND_H

#include <stdint.h>

#include "sweep/select.h"

/* Combinations of 2 to `most` of `qualifiers`; UINT64_MAX where it does not fit. */
uint64_t cm_combinations(size_t qualifiers, size_t most);

/* Adds to the session, and tries, every event that the selection names and that the session lacks: exact names, and all
 * combinations of qualifiers up to what is asked for. These are counted before the first is tried; `say` (may be NULL)
 * is told how many there are and how long that may take. CM_BAD_ARGUMENT where they are more than CM_MOST_COMBINATIONS.
 */
cm_status cm_expand_events(cm_counting *counting, const cm_selection *selection,
                           void (*say)(const char *text, void *data), void *data, cm_error *error);

enum { CM_MOST_COMBINATIONS = 1000000 };

#endif
