/* Facts that a definition may count instead of one of its metric: kernels do both equally often. */
#include <math.h>

#include "analysis/rules.h"
#include "law/trial.h"
#include "software_pmu/machine/facts.h"

/* Whether all kernels would count as much of the alternative as of the fact, as far as the counts tell. */
static bool stands_for(const cm_law_trial *work, size_t alternative, size_t fact)
{
    const cm_law *law = work->law;
    size_t kernels = law->setup.kernel_count, done = 0;
    double weight = fabs(work->metric->weights[fact]);
    bool same = true;
    for (size_t k = 0; k < kernels && same; k++) {
        const cm_law_kernel *kernel = &law->setup.kernels[k];
        double amount = law->kernels[alternative * kernels + k], bound = law->bounds[alternative * kernels + k];
        if (!isfinite(work->variances[k]) || kernel->free)
            continue;
        double room = law->quantile * sqrt(work->variances[k]) + work->strays[k] + weight * bound +
                      weight * kernel->facts->ranges[fact];
        same = weight * fabs(amount - kernel->facts->values[fact]) <= room;
        done += amount > bound && weight * amount > room;
    }
    return same && done > 0;
}

/* The error in programs of the worst class, if so much of the alternative is counted instead of the fact. */
static double effect_of(cm_law_trial *work, size_t alternative, size_t fact)
{
    const cm_law_metric *metric = work->metric;
    const cm_natural *natural = work->law->setup.natural;
    const double *programs = work->law->programs + alternative * natural->count;
    for (size_t q = 0; q < metric->program_count; q++) {
        size_t program = metric->programs[q];
        double more = programs[program] - natural->facts[program * cm_fact_count() + fact];
        work->line[q] = fabs(metric->weights[fact] * more / metric->meanings[q]);
    }
    return cm_law_worst_class(metric, 0.0, work->line);
}

/* Without an L3, memory takes what L2 writes back. */
static bool are_one(const cm_law *law, size_t one, size_t other)
{
    const size_t level = CM_FACT_L2_WRITTEN_BACK, next = CM_FACT_L3_WRITTEN_BACK;
    return law->lacking[CM_FACT_L3_LOAD_HIT] && (one == level || one == next) && (other == level || other == next);
}

bool cm_law_is_told(cm_law_trial *work)
{
    const cm_law *law = work->law;
    for (size_t i = 0; i < work->metric->own_count; i++)
        for (size_t a = 0; a < law->count && law->sure[work->metric->own[i]]; a++) {
            const cm_law_alternative *entry = &law->alternatives[a];
            bool may = entry->sort == CM_LAW_FACT && !entry->is_free && work->metric->weights[entry->fact] == 0.0;
            if (may && !are_one(law, entry->fact, work->metric->own[i]) && stands_for(work, a, work->metric->own[i])) {
                double effect = effect_of(work, a, work->metric->own[i]);
                if (effect > cm_the_rules.natural)
                    return cm_law_refuse(work, CM_LAW_EITHER, a, effect, cm_the_rules.natural);
            }
        }
    return true;
}
