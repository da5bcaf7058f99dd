/* The tightest roofline of a program on a machine: the arithmetic of each width, and the lines that each level moves.
 * The time that the program takes beyond it is waiting. At the lower end of the interval it waits as long on the
 * target, in proportion to the roofline or for each instruction; at the upper end it waits less. */
#include "machines/projection/projection.h"
#include "machines/roofline.h"

static bool is_used(const cm_width_mix *width)
{
    return width->plain + width->fused > 0.0;
}

/* Whether the rates of all widths that the program uses are known. */
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

/* Seconds of the arithmetic. Widths run one after the other; in each, multiply-adds have their own rate, and all
 * instructions together that of the fastest kind. */
static double seconds(const cm_mix *mix, const double any[CM_WIDTHS], const double fused[CM_WIDTHS])
{
    double sum = 0.0;
    for (int i = 0; i < CM_WIDTHS; i++)
        if (is_used(&mix->widths[i]))
            sum += fmax(mix->widths[i].fused / fused[i], (mix->widths[i].plain + mix->widths[i].fused) / any[i]);
    return sum;
}

cm_project_figure cm_project_arithmetic(const cm_project_machine *machine, const cm_mix *mix,
                                        const cm_project_figure *otherwise)
{
    double any[3][CM_WIDTHS], fused[3][CM_WIDTHS];
    if (!is_measured(machine, mix))
        return *otherwise;
    for (int i = 0; i < CM_WIDTHS; i++) {
        const cm_width_rates *rates = &machine->rates[i];
        any[0][i] = rates->any.value, any[1][i] = rates->any.lowest, any[2][i] = rates->any.highest;
        fused[0][i] = rates->fused.value, fused[1][i] = rates->fused.lowest, fused[2][i] = rates->fused.highest;
    }
    return (cm_project_figure){mix->operations / seconds(mix, any[0], fused[0]),
                               mix->operations / seconds(mix, any[1], fused[1]),
                               mix->operations / seconds(mix, any[2], fused[2])};
}

/* Whether the lines of all levels of the machine are known. */
static bool is_known(const cm_project_machine *machine, const cm_mix *mix)
{
    for (int i = 0; i < CM_LEVELS; i++)
        if (isnan(mix->moved[i]) && !isnan(machine->streams[i].value))
            return false;
    return !isnan(mix->moved[CM_LEVEL_L1]);
}

/* The fastest stream of a level; if `alike`, the one whose share of stores is nearest to the program's. */
static const cm_project_figure *stream_of(const cm_project_machine *machine, const cm_mix *mix, int level, bool alike)
{
    const cm_project_figure *found = &machine->streams[level];
    double distance = INFINITY;
    for (size_t i = 0; alike && i < CM_STREAM_SHARES; i++) {
        const double away = fabs(cm_stream_shares[i] - mix->store_share);
        if (!isnan(machine->shares[level][i].value) && away < distance)
            found = &machine->shares[level][i], distance = away;
    }
    return found;
}

/* Some cores need extra time for the second half of an access across a line: the lowest figure includes it. */
static void cross_lines(const cm_project_figure *stream, const cm_mix *mix, cm_project_figure *reachable)
{
    if (mix->split_bytes > 0.0)
        reachable->lowest =
            fmin(reachable->lowest, stream->lowest * mix->operations / (mix->moved[CM_LEVEL_L1] + mix->split_bytes));
}

const char *cm_limit_name(int limit)
{
    static const char *const others[] = {"arithmetic", "in-core", "divider"};
    return limit < CM_LEVELS ? cm_level_names[limit] : others[limit - CM_LIMIT_ARITHMETIC];
}

/* Seconds of the divider: one instruction after the other, at each width's rates. `figure`: 0 the usual ones, 1 the
 * lowest, 2 the highest. */
static double divider_seconds(const cm_project_machine *machine, const cm_mix *mix, int figure)
{
    double sum = 0.0;
    for (int i = 0; i < CM_WIDTHS; i++) {
        const cm_project_figure *const rates[] = {&machine->rates[i].divided, &machine->rates[i].rooted};
        const double counts[] = {mix->widths[i].divided, mix->widths[i].rooted};
        for (int kind = 0; kind < 2; kind++)
            if (counts[kind] != 0.0)
                sum += counts[kind] / (figure == 0   ? rates[kind]->value
                                       : figure == 1 ? rates[kind]->lowest
                                                     : rates[kind]->highest);
    }
    return sum;
}

/* Whether the program divides or takes roots, and the machine's rates of these are known. */
static bool knows_divider(const cm_project_machine *machine, const cm_mix *mix)
{
    return divider_seconds(machine, mix, 0) > 0.0; /* NaN: not known */
}

/* Limits the bound to the divider's. */
static void hold_to_divider(const cm_project_machine *machine, const cm_mix *mix, cm_bound *bound)
{
    cm_project_figure *reachable = &bound->reachable;
    const double most = mix->operations / divider_seconds(machine, mix, 0);
    if (most < reachable->value)
        bound->limit = CM_LIMIT_DIVIDER;
    reachable->value = fmin(reachable->value, most);
    reachable->lowest = fmin(reachable->lowest, mix->operations / divider_seconds(machine, mix, 1));
    reachable->highest = fmin(reachable->highest, mix->operations / divider_seconds(machine, mix, 2));
}

bool cm_project_knows_core(const cm_project_machine *machine, const cm_mix *mix)
{
    return mix->in_core_cycles > 0.0 && !isnan(machine->clock.value);
}

/* Limits the bound to the core's. Cycles are sums over all cores, as operations are. */
static void hold_to_core(const cm_project_machine *machine, const cm_mix *mix, cm_bound *bound)
{
    const double a_cycle = mix->operations / mix->in_core_cycles;
    cm_project_figure *reachable = &bound->reachable;
    if (machine->clock.value * a_cycle < reachable->value)
        bound->limit = CM_LIMIT_IN_CORE;
    reachable->value = fmin(reachable->value, machine->clock.value * a_cycle);
    reachable->lowest = fmin(reachable->lowest, machine->clock.lowest * a_cycle);
    reachable->highest = fmin(reachable->highest, machine->clock.highest * a_cycle);
}

/* Further limits of a bound. */
typedef struct further {
    bool core, divider;
} further;

/* The machine's tightest roofline; `alike`: by streams with the program's stores. */
static cm_bound bound_of(const cm_project_machine *machine, const cm_mix *mix, const cm_project_figure *weighted,
                         bool alike, further limits)
{
    cm_bound bound = {cm_project_arithmetic(machine, mix, weighted), CM_LIMIT_ARITHMETIC};
    for (int i = 0; i < CM_LEVELS; i++) {
        const cm_project_figure *stream = stream_of(machine, mix, i, alike);
        const double intensity = mix->operations / mix->moved[i];
        if (!(mix->moved[i] > 0.0) || isnan(stream->value))
            continue;
        if (stream->value * intensity < bound.reachable.value)
            bound.limit = i;
        bound.reachable = cm_reachable(stream, intensity, &bound.reachable);
        if (i == CM_LEVEL_L1)
            cross_lines(stream, mix, &bound.reachable);
    }
    if (limits.core)
        hold_to_core(machine, mix, &bound);
    if (limits.divider)
        hold_to_divider(machine, mix, &bound);
    return bound;
}

/* The cycles a second of all cores; if a clock is not known, the most instructions a second. */
static cm_project_figure steps(const cm_project_machine machines[2], int side)
{
    const cm_project_machine *machine = &machines[side];
    const double most = 2.0 * machine->vector_bits / 64.0;
    if (!isnan(machines[0].clock.value) && !isnan(machines[1].clock.value))
        return machine->clock;
    return (cm_project_figure){machine->performance.value / most, machine->performance.lowest / most,
                               machine->performance.highest / most};
}

/* The program on one machine. */
typedef struct place {
    double measured, source, target; /* GFLOP/s: its speed on the source, and the rooflines of source and target */
    double waits;                    /* seconds that an operation waits on the target, if an instruction waits as long
                                      * as on the source */
} place;

static double lower_end(const place *at)
{
    const double as_far = fmin(1.0, at->measured / at->source) * at->target;
    const double waited = fmax(0.0, 1.0 / at->measured - 1.0 / at->source);
    return fmin(as_far, 1.0 / (1.0 / at->target + waited * at->waits));
}

static double upper_end(const place *at)
{
    const double share = at->measured / at->source;
    if (share >= 1.0)
        return share * at->target;
    return fmax(sqrt(share) * at->target, fmin(at->target, at->measured / at->waits));
}

/* Projects with both machines' rooflines of the same streams. */
static void project_bounds(const cm_project_machine machines[2], const cm_mix *const mixes[2], const cm_bound bounds[2],
                           const cm_project_figure *measured, cm_projected_speed *result)
{
    const cm_project_figure *source = &bounds[0].reachable, *target = &bounds[1].reachable;
    const cm_project_figure before = steps(machines, 0), after = steps(machines, 1);
    const double longer =
        mixes[1]->instructions / mixes[1]->operations / (mixes[0]->instructions / mixes[0]->operations);
    const place usual = {measured->value, source->value, target->value, longer * before.value / after.value};
    const place slow = {measured->lowest, source->highest, target->lowest, longer * before.highest / after.lowest};
    const place fast = {measured->highest, source->lowest, target->highest, longer * before.lowest / after.highest};
    /* An interval with spread is at least as wide as repeated measurements of a core differ. */
    result->bound_lowest = fmin(result->bound_lowest, lower_end(&usual));
    result->bound_highest = fmax(result->bound_highest, upper_end(&usual));
    result->bound_spread_lowest = fmin(result->bound_spread_lowest, lower_end(&slow) / CM_CORE_AGREES);
    result->bound_spread_highest = fmax(result->bound_spread_highest, upper_end(&fast) * CM_CORE_AGREES);
}

void cm_project_bound(const cm_project_machine machines[2], const cm_mix *const mixes[2],
                      const cm_project_figure *measured, cm_projected_case *projected)
{
    cm_projected_speed *result = &projected->result;
    result->bound_lowest = result->bound_highest = NAN; /* fmin and fmax ignore NaN */
    result->bound_spread_lowest = result->bound_spread_highest = NAN;
    projected->bounded = is_known(&machines[0], mixes[0]) && is_known(&machines[1], mixes[1]);
    /* A limit is used for both machines or for neither: rooflines of different kinds do not compare. */
    const further limits = {cm_project_knows_core(&machines[0], mixes[0]) &&
                                cm_project_knows_core(&machines[1], mixes[1]),
                            knows_divider(&machines[0], mixes[0]) && knows_divider(&machines[1], mixes[1])};
    for (int alike = 1; projected->bounded && alike >= 0; alike--) {
        for (int side = 0; side < 2; side++)
            projected->bounds[side] = bound_of(&machines[side], mixes[side], &projected->weighted[side], alike, limits);
        project_bounds(machines, mixes, projected->bounds, measured, result);
    }
}
