/* Counts that other cores add to events of the whole chip. */
#include "software_pmu/model/model.h"

#include "core/system.h"

/* Ticks of one swing: about a sweep of one benchmark. */
static const double swing = 1e7;

double cm_background_of(const cm_pmu_machine *machine, double rate, uint64_t run, uint64_t ticks, uint64_t now)
{
    double middle = (double)now - 0.5 * (double)ticks;
    double drift = 1.0 + machine->background_drift * sin(2.0 * M_PI * middle / swing);
    /* A number from -1 to 1, a different one for each run. */
    uint64_t state = ((uint64_t)machine->background_seed << 32) + run;
    double noise = 1.0 + machine->background_noise * (2.0 * cm_random_share(&state) - 1.0);
    return 1e-3 * rate * (double)ticks * drift * noise;
}
