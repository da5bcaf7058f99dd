/* The activity of the other cores of a modelled socket. */
#ifndef CM_SOFTWARE_PMU_MODEL_BACKGROUND_H
#define CM_SOFTWARE_PMU_MODEL_BACKGROUND_H

#include <catmint/software_pmu.h>

/* Counts that other cores add to an event during `ticks` that end at `now`, if they make `rate` counts in a thousand
 * ticks. The rate swings slowly by the machine's drift, and each run, which has a number of its own, deviates by its
 * noise. */
double cm_background_of(const cm_pmu_machine *machine, double rate, uint64_t run, uint64_t ticks, uint64_t now);

#endif
