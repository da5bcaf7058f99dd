/* The tightest roofline: what a machine lets a program reach, by the arithmetic of each width and by the lines that
 * each level moves. A program that stays as far below it as on the source is at the lower end of the interval, one that
 * reaches it at the upper end. */
#include <math.h>

#include "machines/projection/projection.h"

static bool is_used(const cm_width_mix *width)
{
    return width->plain + width->fused > 0.0;
}

/* Whether all widths that the program uses have rates. */
static bool is_measured(const cm_project_machine *machine, const cm_mix *mix)
{
    for (int i = 0; i < CM_WIDTHS; i++) {
        const cm_width_mix *width = &mix->widths[i];
        if (isnan(width->plain) || isnan(width->fused) ||
            (is_used(width) && (isnan(machine->rates[i].any.value) || isnan(machine->rates[i].fused.value))))
            return false;
    }
    return true;
}

/* Widths follow one another; of one, multiply-adds have their own rate, and all together that of whatever is fastest.
 */
static double seconds(const cm_mix *mix, const double any[CM_WIDTHS], const double fused[CM_WIDTHS])
{
    double sum = 0.0;
    for (int i = 0; i < CM_WIDTHS; i++)
        if (is_used(&mix->widths[i]))
            sum += fmax(mix->widths[i].fused / fused[i], (mix->widths[i].plain + mix->widths[i].fused) / any[i]);
    return sum;
}

static cm_project_figure arithmetic(const cm_project_machine *machine, const cm_mix *mix,
                                    const cm_project_figure *weighted)
{
    double any[3][CM_WIDTHS], fused[3][CM_WIDTHS];
    if (!is_measured(machine, mix))
        return *weighted;
    for (int i = 0; i < CM_WIDTHS; i++) {
        const cm_width_rates *rates = &machine->rates[i];
        any[0][i] = rates->any.value, any[1][i] = rates->any.lowest, any[2][i] = rates->any.highest;
        fused[0][i] = rates->fused.value, fused[1][i] = rates->fused.lowest, fused[2][i] = rates->fused.highest;
    }
    return (cm_project_figure){mix->operations / seconds(mix, any[0], fused[0]),
                               mix->operations / seconds(mix, any[1], fused[1]),
                               mix->operations / seconds(mix, any[2], fused[2])};
}

static bool is_known(const cm_mix *mix)
{
    for (int i = 0; i < CM_LEVELS; i++)
        if (isnan(mix->moved[i]))
            return false;
    return true;
}

static cm_bound bound_of(const cm_project_machine *machine, const cm_mix *mix, const cm_project_figure *weighted)
{
    cm_bound bound = {arithmetic(machine, mix, weighted), CM_LEVELS};
    for (int i = 0; i < CM_LEVELS; i++) {
        const cm_project_figure *stream = &machine->streams[i];
        const double intensity = mix->operations / mix->moved[i];
        if (!(mix->moved[i] > 0.0) || isnan(stream->value))
            continue;
        if (stream->value * intensity < bound.reachable.value)
            bound.limit = (cm_memory_level)i;
        bound.reachable = cm_reachable(stream, intensity, &bound.reachable);
    }
    return bound;
}

void cm_project_bound(const cm_project_machine machines[2], const cm_mix *const mixes[2],
                      const cm_project_figure *measured, cm_projected_case *projected)
{
    cm_projected *result = &projected->result;
    result->bound_lowest = result->bound_highest = NAN;
    result->bound_spread_lowest = result->bound_spread_highest = NAN;
    projected->bounded = is_known(mixes[0]) && is_known(mixes[1]);
    if (!projected->bounded)
        return;
    for (int side = 0; side < 2; side++)
        projected->bounds[side] = bound_of(&machines[side], mixes[side], &projected->weighted[side]);
    const cm_project_figure *source = &projected->bounds[0].reachable, *target = &projected->bounds[1].reachable;
    const double share = measured->value / source->value;
    result->bound_lowest = fmin(1.0, share) * target->value;
    result->bound_highest = fmax(1.0, share) * target->value;
    result->bound_spread_lowest = fmin(1.0, measured->lowest / source->highest) * target->lowest;
    result->bound_spread_highest = fmax(1.0, measured->highest / source->lowest) * target->highest;
}
