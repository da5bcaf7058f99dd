/* What the other cores of a modelled socket do meanwhile. */
#ifndef CM_SOFTWARE_PMU_MODEL_BACKGROUND_H
#define CM_SOFTWARE_PMU_MODEL_BACKGROUND_H

#include <catmint/software_pmu.h>

/* What they add to an event of which they make `rate` counts in a thousand ticks, during `ticks` that end at `now`. The
 * rate swings slowly by the machine's drift, and each run, which has a number of its own, is off by its noise. */
double cm_background_of(const cm_pmu_machine *machine, double rate, uint64_t run, uint64_t ticks, uint64_t now);

#endif
