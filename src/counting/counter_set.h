/* Events counted at the same time, through the source or by code. Return codes are as in counting/source.h: PAPI's, or
 * those of errno, which are positive. */
#ifndef CM_COUNTING_COUNTER_SET_H
#define CM_COUNTING_COUNTER_SET_H

#include "counting/session.h"

typedef struct cm_counter_set cm_counter_set;

/* Creates a set, which is freed by cm_counter_set_free even after a failure; NULL without memory. */
int cm_counter_set_create(const cm_counting *counting, size_t component, cm_counter_set **set);
int cm_counter_set_assign(cm_counter_set *set);
int cm_counter_set_add(cm_counter_set *set, const cm_event_record *event);
int cm_counter_set_start(cm_counter_set *set);
int cm_counter_set_read(cm_counter_set *set, long long *counts);
int cm_counter_set_stop(cm_counter_set *set, long long *counts);
/* NULL: no operation. */
void cm_counter_set_free(cm_counter_set *set);

#endif
