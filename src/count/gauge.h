/* Reads the counters of the calling program's own threads: PAPI's, or the emulated PMU's facts. */
#ifndef CM_COUNT_GAUGE_H
#define CM_COUNT_GAUGE_H

#include "count/attachment.h"

typedef struct cm_gauge_plan cm_gauge_plan; /* the counts of each thread */
typedef struct cm_gauge cm_gauge;           /* of one thread */

/* Loads the plan from the directory that CM_REGIONS_VARIABLE names; it is never freed, because a program uses it to its
 * end. */
cm_status cm_gauge_plan_load(const char *folder, cm_gauge_plan **plan, cm_error *error);
/* The number of counts. */
size_t cm_gauge_width(const cm_gauge_plan *plan);

/* Makes the gauge of the calling thread, which alone may use it, and starts counting. */
cm_status cm_gauge_create(const cm_gauge_plan *plan, cm_gauge **gauge, cm_error *error);
void cm_gauge_free(cm_gauge *gauge);
/* Reads the counts so far. Facts are read by one system call, with almost no work behind it that would be counted,
 * too. */
bool cm_gauge_read(cm_gauge *gauge, uint64_t *counts);
#endif
