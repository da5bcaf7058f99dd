/* Points that cannot be right: faster than the measured peaks, or on a number of cores that was not measured. */
#include "machines/roofline.h"

/* The highest of all precisions, since a point does not say its own. */
static double highest_peak(const cm_roofline *roofline, size_t cores)
{
    double highest = 0.0;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind == CM_CEILING_FLOPS && ceiling->cores == cores)
            highest = fmax(highest, ceiling->rate.highest);
    }
    return highest;
}

static double highest_of(const cm_ceiling *ceiling)
{
    return ceiling != NULL ? ceiling->rate.highest : 0.0;
}

static double memory_moves(const cm_roofline *roofline, size_t cores)
{
    const char *memory = cm_level_name(CM_CACHE_LEVELS);
    return fmax(highest_of(cm_roofline_bandwidth(roofline, cores, memory)),
                CM_TRIAD_MOVES * highest_of(cm_roofline_stream(roofline, cores, "triad", memory)));
}

size_t cm_point_warnings(const cm_roofline *roofline, const cm_point *point,
                         cm_point_warning warnings[CM_POINT_WARNING_KINDS])
{
    const size_t cores = point->cores;
    size_t count = 0;
    if (!cm_roofline_is_measured(roofline, cores)) {
        warnings[count++] = (cm_point_warning){CM_POINT_WARNING_CORES, NAN, NAN};
        return count;
    }
    const struct {
        cm_point_warning warning;
        double agrees;
    } rates[] = {
        {{CM_POINT_WARNING_FLOPS, point->flops / point->seconds, highest_peak(roofline, cores)}, CM_CORE_AGREES},
        {{CM_POINT_WARNING_L1, point->l1_bytes / point->seconds,
          highest_of(cm_roofline_bandwidth(roofline, cores, cm_level_name(0)))},
         CM_CORE_AGREES},
        {{CM_POINT_WARNING_MEMORY, point->memory_bytes / point->seconds, memory_moves(roofline, cores)},
         CM_SHARED_AGREES}};
    for (size_t i = 0; i < CM_COUNT_OF(rates); i++)
        if (rates[i].warning.most > 0.0 && rates[i].warning.found > rates[i].agrees * rates[i].warning.most)
            warnings[count++] = rates[i].warning;
    return count;
}
