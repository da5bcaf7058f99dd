/* What a program reads of the counters that count itself: of PAPI's, or of the emulated PMU's facts. */
#ifndef CM_COUNT_GAUGE_H
#define CM_COUNT_GAUGE_H

#include "count/attachment.h"

typedef struct cm_gauge_plan cm_gauge_plan; /* what each thread counts */
typedef struct cm_gauge cm_gauge;           /* of one thread */

/* From the folder that CM_REGIONS_VARIABLE names; never freed, since a program uses it to its end. */
cm_status cm_gauge_plan_load(const char *folder, cm_gauge_plan **plan, cm_error *error);
/* How many counts there are. */
size_t cm_gauge_width(const cm_gauge_plan *plan);

/* Of the calling thread, which alone may use it. Begins to count. */
cm_status cm_gauge_create(const cm_gauge_plan *plan, cm_gauge **gauge, cm_error *error);
void cm_gauge_free(cm_gauge *gauge);
/* The counts until now. Facts are read by one system call, with next to nothing behind it that would count, too. */
bool cm_gauge_read(cm_gauge *gauge, uint64_t *counts);
#endif
