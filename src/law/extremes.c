/* How much of an alternative natural programs have. A product rounds larger numbers to no smaller ones: the extreme of
 * products with a weight is the extreme times that weight, so that one look at all programs serves every definition. */
#include "law/state.h"

const cm_law_extreme *cm_law_extreme_of(const cm_law_metric *metric, size_t alternative)
{
    cm_law_extreme *found = &metric->extremes[alternative];
    for (size_t q = 0; q < metric->rare_count && !found->known; q++) {
        double often = fabs(cm_law_in_program(metric, alternative, q));
        found->most_rare = often > found->most_rare ? often : found->most_rare;
        found->most = q < metric->program_count ? found->most_rare : found->most;
    }
    found->known = true;
    return found;
}

double cm_law_typical(const cm_law_metric *metric, size_t alternative)
{
    cm_law_extreme *found = &metric->extremes[alternative];
    if (found->is_typical_known)
        return found->typical;
    for (size_t q = 0; q < metric->program_count; q++)
        metric->line[q] = fabs(cm_law_in_program(metric, alternative, q));
    found->typical = cm_law_worst_class(metric, 0.0, metric->line);
    found->is_typical_known = true;
    return found->typical;
}
