/* What a definition may leak of other facts, and how frequent its metric must be for that not to matter. */
#include <math.h>
#include <string.h>

#include <catmint/analysis.h>

#include "law/trial.h"

static double in_program(const cm_law_trial *work, size_t alternative, size_t program)
{
    const cm_law_metric *metric = work->metric;
    return work->law->programs[alternative * work->law->setup.natural->count + metric->programs[program]] /
           fabs(metric->meanings[program]);
}

double cm_law_effect(const cm_law_trial *work, size_t alternative, double weight)
{
    for (size_t q = 0; q < work->metric->program_count; q++)
        work->line[q] = fabs(in_program(work, alternative, q) * weight);
    return cm_law_worst_class(work->metric, work->line);
}

static void add_leak(cm_law_trial *work, size_t alternative, double at_most, double above)
{
    work->verdict->leaks[work->verdict->leak_count++] = (cm_law_leak){alternative, at_most, above};
}

/* What is left of the tolerance beside the own facts. */
static double room_beside_own(cm_law_trial *work)
{
    memcpy(work->line, work->far_own, work->metric->program_count * sizeof *work->line);
    double median = cm_median(work->line, work->metric->program_count);
    return fmax(cm_law_default.natural - (work->metric->program_count > 0 ? median : 0.0),
                cm_law_default.natural / 4.0);
}

/* Leaks that were found: what they may be at most, and from where on that does not matter. */
static void range_of_leaks(cm_law_trial *work, double room)
{
    const cm_law_metric *metric = work->metric;
    const cm_law_fit *fit = &work->fit;
    for (size_t i = 0; i < fit->chosen_count; i++) {
        size_t column = metric->block_count + i;
        double most =
            fabs(fit->estimate[column]) + cm_law_default.z * sqrt(fit->covariance[column * fit->columns + column]);
        bool matters_here = cm_law_effect(work, fit->chosen[i], most) > cm_law_default.natural;
        add_leak(work, fit->chosen[i], most, matters_here ? most / room : 0.0);
    }
}

/* Facts that vendors disagree about are part of no verdict: they are named where they are counted. */
static void name_free(cm_law_trial *work)
{
    const cm_law_metric *metric = work->metric;
    for (size_t a = 0; a < work->law->count; a++) {
        const cm_law_aside *found = &work->asides[a];
        if (!work->law->alternatives[a].is_free)
            continue;
        double sure = fabs(found->weight) - cm_law_default.z * found->deviation;
        if (cm_law_effect(work, a, found->at_most) > cm_law_default.natural / 4.0 ||
            sure > cm_law_default.natural / 2.0 * metric->middle)
            work->verdict->also[work->verdict->also_count++] = a;
    }
}

/* The others, where their interval does not let the definition hold everywhere: what is known well enough gives a
 * range, what is counted for sure and much of it refuses the definition, and the rest cannot be told. */
static bool judge_asides(cm_law_trial *work, double room)
{
    const cm_law_metric *metric = work->metric;
    size_t open = 0;
    for (size_t a = 0; a < work->law->count; a++)
        open += !work->law->alternatives[a].is_free && work->asides[a].far > cm_law_default.natural;
    double quantile = cm_law_quantile(open);
    for (size_t a = 0; a < work->law->count; a++) {
        const cm_law_aside *found = &work->asides[a];
        if (work->law->alternatives[a].is_free || found->far <= cm_law_default.natural)
            continue;
        bool known = found->at_most < cm_law_default.known * metric->middle * work->law->sizes[a];
        bool counted = found->near > cm_law_default.natural && fabs(found->weight) > quantile * found->deviation;
        if (counted && work->law->alternatives[a].sort == CM_LAW_PAIR && !known)
            return cm_law_refuse(work, CM_LAW_COUNTS, a, found->weight, found->near);
        if (counted || known)
            add_leak(work, a, found->at_most, found->at_most / room);
        else
            work->verdict->untold[work->verdict->untold_count++] = a;
    }
    return true;
}

/* The share of natural programs that all ranges hold, of the average class. */
static double share_of(const cm_law_trial *work)
{
    const cm_law_metric *metric = work->metric;
    double sum = 0.0;
    for (size_t g = 0; g < metric->group_count; g++) {
        size_t inside = 0, count = metric->groups[g + 1] - metric->groups[g];
        for (size_t q = metric->groups[g]; q < metric->groups[g + 1]; q++) {
            bool holds = true;
            for (size_t i = 0; i < work->verdict->leak_count; i++)
                holds &=
                    fabs(in_program(work, work->verdict->leaks[i].alternative, q)) * work->verdict->leaks[i].above <=
                    1.0;
            inside += holds;
        }
        sum += (double)inside / (double)count;
    }
    return metric->group_count > 0 ? sum / (double)metric->group_count : 1.0;
}

bool cm_law_find_range(cm_law_trial *work)
{
    double room = room_beside_own(work);
    range_of_leaks(work, room);
    name_free(work);
    if (!judge_asides(work, room))
        return false;
    bool ranged = false;
    for (size_t i = 0; i < work->verdict->leak_count; i++)
        ranged |= work->verdict->leaks[i].above > 0.0;
    work->verdict->share = share_of(work);
    work->verdict->finding = ranged ? CM_LAW_IN_RANGE : CM_LAW_HOLDS;
    return true;
}
