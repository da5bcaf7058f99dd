/* Finds the share of hits that a neighbour moves one level down, as a sweep shows it. */
#include <math.h>

#include "analysis/rules.h"
#include "law/law.h"

static double sum_facts(const double *facts, size_t first, size_t last)
{
    double sum = 0.0;
    for (size_t fact = first; fact <= last; fact++)
        sum += facts[fact];
    return sum;
}

static double missed_loads(const cm_law_kernel *kernel)
{
    return kernel->facts->values[CM_FACT_L2_LOAD_HIT] + kernel->facts->values[CM_FACT_L3_LOAD_HIT] +
           kernel->facts->values[CM_FACT_L3_LOAD_MISS];
}

/* Whether loads are all that a kernel asks caches for, and all of them hit the first level, or all miss it. */
static bool is_plain(const cm_law_kernel *kernel, bool hits)
{
    const double *values = kernel->facts->values, *ranges = kernel->facts->ranges;
    double all = sum_facts(values, CM_FACT_L1D_LOAD_HIT, CM_FACT_L3_STORE_MISS) + values[CM_FACT_NT_STORES] +
                 sum_facts(values, CM_FACT_L2_FETCH_HIT, CM_FACT_L3_FETCH_MISS);
    double loads = values[CM_FACT_L1D_LOAD_HIT] + values[CM_FACT_L1D_LOAD_MISS] + values[CM_FACT_L2_LOAD_HIT] +
                   values[CM_FACT_L2_LOAD_MISS] + values[CM_FACT_L3_LOAD_HIT] + values[CM_FACT_L3_LOAD_MISS];
    bool sure = ranges[CM_FACT_L1D_LOAD_HIT] == 0.0 && all == loads && !kernel->free;
    return sure && (hits ? values[CM_FACT_L1D_LOAD_HIT] >= 1.0 - cm_the_rules.least && missed_loads(kernel) == 0.0
                         : values[CM_FACT_L1D_LOAD_HIT] == 0.0 && missed_loads(kernel) >= 1.0 - cm_the_rules.least);
}

/* The share of hits that a neighbour moved, by an event that counts misses of loads or hits; infinity if it counts
 * neither. Everything else that it counts or drops makes the share larger. */
static double moved_share(const cm_counted_setup *setup, const cm_usable_event *event)
{
    double counts = 0.0, variance = 0.0, hits = 0.0, misses = 0.0, missed_counts = 0.0;
    for (size_t k = 0; k < setup->kernel_count; k++) {
        const cm_law_kernel *kernel = &setup->kernels[k];
        double mean = event->mean[setup->rows[k]], runs = setup->problem->iterations[setup->rows[k]];
        if (isnan(mean) || !isfinite(runs))
            continue;
        if (is_plain(kernel, false)) {
            missed_counts += mean / missed_loads(kernel);
            misses += 1.0;
        } else if (is_plain(kernel, true)) {
            counts += event->whole[setup->rows[k]] * runs; /* a neighbour moved hits where it disturbed */
            variance += pow(event->error[setup->rows[k]] * runs, 2.0);
            hits += kernel->facts->values[CM_FACT_L1D_LOAD_HIT] * runs;
        }
    }
    if (hits == 0.0 || misses == 0.0)
        return INFINITY;
    bool counts_misses = missed_counts / misses > 0.5 && counts / hits < 0.5;
    bool counts_hits = missed_counts / misses < 0.5 && counts / hits > 0.5;
    double off = counts_misses ? fabs(counts) : counts_hits ? fabs(hits - counts) : INFINITY;
    return (off + cm_the_rules.z * sqrt(variance)) / hits;
}

double cm_find_interference(const cm_counted_setup *setup, const cm_usable_event *const *events, size_t count)
{
    double least = cm_minor(); /* an event that sees more counts hits; there may be so many if none tells */
    for (size_t i = 0; i < count; i++)
        least = fmin(least, moved_share(setup, events[i]));
    return least;
}
