/* Measures the duration of code as the PMU sees it. */
#ifndef CM_COUNTING_TICKS_H
#define CM_COUNTING_TICKS_H

#include <catmint/counting.h>

/* A clock: nanoseconds, or under the software PMU the model's, which advances with each instruction. */
double cm_counting_ticks(const cm_counting *counting);

#endif
