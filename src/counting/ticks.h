/* How long code ran so that the PMU saw it. */
#ifndef CM_COUNTING_TICKS_H
#define CM_COUNTING_TICKS_H

#include <catmint/counting.h>

/* A clock: ticks of the time-stamp counter while code is stepped under the software PMU, else nanoseconds. */
double cm_counting_ticks(const cm_counting *counting);

#endif
