/* Equations 1 to 4 of Gavaille et al. 2022, each with the spread of the measurements. */
#include "machines/projection/projection.h"

enum { DOUBLE_BITS = 64 };

/* Equation 2, without the factor by which the target's vectors are longer: it cancels out. */
static cm_project_figure weighted_performance(const cm_project_machine *machine, const cm_mix *mix)
{
    const double most = 2.0 * machine->vector_bits / DOUBLE_BITS;
    const double share = mix->operations / mix->instructions / most;
    const cm_project_figure *at_most = &machine->performance;
    return (cm_project_figure){at_most->value * share, at_most->lowest * share, at_most->highest * share};
}

double cm_intensity(const cm_mix *mix, cm_memory_level level)
{
    double bytes = 0.0;
    if (isnan(mix->bytes[level]))
        return NAN;
    for (int beyond = (int)level; beyond < CM_LEVELS; beyond++)
        bytes += isnan(mix->bytes[beyond]) ? 0.0 : mix->bytes[beyond];
    return bytes > 0.0 ? mix->operations / bytes : INFINITY;
}

cm_project_figure cm_reachable(const cm_project_figure *bandwidth, double intensity,
                               const cm_project_figure *performance)
{
    return (cm_project_figure){fmin(bandwidth->value * intensity, performance->value),
                               fmin(bandwidth->lowest * intensity, performance->lowest),
                               fmin(bandwidth->highest * intensity, performance->highest)};
}

/* Equation 4 for one level's intensity and one level's roofline. */
static cm_projected_pair pair_of(const cm_project_machine machines[2], const cm_mix *const mixes[2],
                                 const cm_project_figure *measured, const cm_projected_case *projected,
                                 cm_memory_level intensity, cm_memory_level roofline)
{
    cm_projected_pair pair = {.intensity = intensity, .roofline = roofline};
    for (int side = 0; side < 2; side++) {
        const cm_project_figure *bandwidth = &machines[side].bandwidth[roofline];
        pair.intensities[side] = cm_intensity(mixes[side], intensity);
        pair.rooflines[side] = cm_reachable(bandwidth, pair.intensities[side], &projected->weighted[side]);
        pair.computes[side] = pair.rooflines[side].value >= projected->weighted[side].value;
    }
    const cm_project_figure *source = &pair.rooflines[0], *target = &pair.rooflines[1];
    pair.projected = (cm_project_figure){measured->value / source->value * target->value,
                                         measured->lowest / source->highest * target->lowest,
                                         measured->highest / source->lowest * target->highest};
    return pair;
}

static void widen_interval(cm_projected_speed *result, const cm_project_figure *projected, bool first)
{
    result->lowest = first ? projected->value : fmin(result->lowest, projected->value);
    result->highest = first ? projected->value : fmax(result->highest, projected->value);
    result->spread_lowest = first ? projected->lowest : fmin(result->spread_lowest, projected->lowest);
    result->spread_highest = first ? projected->highest : fmax(result->spread_highest, projected->highest);
}

/* The level's share of all bytes; 0 if it is not known. */
static double share_of(const cm_mix *mix, cm_memory_level level)
{
    double all = 0.0;
    for (int i = 0; i < CM_LEVELS; i++)
        all += isnan(mix->bytes[i]) ? 0.0 : mix->bytes[i];
    return all > 0.0 && !isnan(mix->bytes[level]) ? mix->bytes[level] / all : 0.0;
}

/* A roofline that both machines have, of a level that one of the programs uses. */
static bool is_wanted(const cm_project_machine machines[2], const cm_mix *const mixes[2], double least,
                      cm_memory_level level)
{
    return !isnan(machines[0].bandwidth[level].value) && !isnan(machines[1].bandwidth[level].value) &&
           fmax(share_of(mixes[0], level), share_of(mixes[1], level)) >= least;
}

void cm_project_pairs(const cm_project_machine machines[2], const cm_mix *const mixes[2], double least,
                      const cm_project_figure *measured, cm_projected_case *projected)
{
    for (int side = 0; side < 2; side++)
        projected->weighted[side] = weighted_performance(&machines[side], mixes[side]);
    for (int i = 0; i < CM_LEVELS; i++) {
        if (isnan(cm_intensity(mixes[0], (cm_memory_level)i)) || isnan(cm_intensity(mixes[1], (cm_memory_level)i)))
            continue;
        for (int j = 0; j < CM_LEVELS; j++) {
            if (!is_wanted(machines, mixes, least, (cm_memory_level)j))
                continue;
            cm_projected_pair *pair = &projected->pairs[projected->pair_count];
            *pair = pair_of(machines, mixes, measured, projected, (cm_memory_level)i, (cm_memory_level)j);
            widen_interval(&projected->result, &pair->projected, projected->pair_count++ == 0);
        }
    }
}
