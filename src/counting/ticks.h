/* How long code ran so that the PMU saw it. */
#ifndef CM_COUNTING_TICKS_H
#define CM_COUNTING_TICKS_H

#include <catmint/counting.h>

/* A clock: under the software PMU one of the model, which goes on with each instruction, else nanoseconds. */
double cm_counting_ticks(const cm_counting *counting);

#endif
