/* The ceilings of a machine, and the points below them. */
#include "machines/roofline.h"

const char *const cm_ceiling_names[CM_CEILING_KINDS] = {"flops", "bandwidth", "sweep"};

const char *cm_float_precision_name(cm_float_precision precision)
{
    static const char *const names[CM_PRECISIONS] = {"double", "single", "half"};
    return names[precision];
}

const char *cm_level_name(size_t level)
{
    static const char *const names[CM_CACHE_LEVELS + 1] = {"L1", "L2", "L3", "memory"};
    return names[level];
}

double cm_vector_bits(const char *vectors)
{
    static const struct {
        const char *name;
        double bits;
    } widths[] = {{"scalar", 64.0}, {"SSE", 128.0},     {"AVX", 256.0},     {"AVX-512", 512.0},
                  {"NEON", 128.0},  {"SVE-128", 128.0}, {"SVE-256", 256.0}, {"SVE-512", 512.0}};
    const size_t i = CM_FIND_BY(name, vectors, widths, CM_COUNT_OF(widths));
    return i < CM_COUNT_OF(widths) ? widths[i].bits : 0.0;
}

void cm_roofline_free(cm_roofline *roofline)
{
    if (roofline == NULL)
        return;
    cm_arena_clear(&roofline->arena);
    CM_FREE(roofline->ceilings, roofline->points, roofline->left_out, roofline);
}

cm_status cm_roofline_add_ceiling(cm_roofline *roofline, const cm_ceiling *ceiling, cm_error *error)
{
    return CM_APPEND(roofline->ceilings, roofline->ceiling_count, *ceiling) ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_roofline_add_point(cm_roofline *roofline, const cm_point *point, cm_error *error)
{
    return CM_APPEND(roofline->points, roofline->point_count, *point) ? CM_OK : cm_error_no_memory(error);
}

/* The next number of cores above `cores`, 0: there is none. */
static size_t next_measured_team(const cm_roofline *roofline, size_t cores)
{
    size_t next = 0;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        size_t other = roofline->ceilings[i].cores;
        if (other > cores && (next == 0 || other < next))
            next = other;
    }
    return next;
}

size_t cm_roofline_teams(const cm_roofline *roofline)
{
    size_t count = 0;
    for (size_t cores = 0; (cores = next_measured_team(roofline, cores)) != 0;)
        count++;
    return count;
}

size_t cm_roofline_team(const cm_roofline *roofline, size_t index)
{
    size_t cores = next_measured_team(roofline, 0);
    while (index-- > 0)
        cores = next_measured_team(roofline, cores);
    return cores;
}

static const cm_ceiling *higher(const cm_ceiling *highest, const cm_ceiling *ceiling)
{
    return highest == NULL || ceiling->rate.median > highest->rate.median ? ceiling : highest;
}

const cm_ceiling *cm_roofline_peak(const cm_roofline *roofline, size_t cores, cm_float_precision precision,
                                   const char *vectors, bool fused)
{
    const cm_ceiling *highest = NULL;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind == CM_CEILING_FLOPS && ceiling->cores == cores && ceiling->precision == precision &&
            (vectors == NULL || strcmp(ceiling->vectors, vectors) == 0) &&
            strcmp(ceiling->operation, cm_product_kernel.operation) != 0 &&
            (strcmp(ceiling->operation, "fma") == 0) == fused)
            highest = higher(highest, ceiling);
    }
    return highest;
}

bool cm_roofline_is_measured(const cm_roofline *roofline, size_t cores)
{
    for (cm_float_precision precision = CM_DOUBLE; precision < CM_PRECISIONS; precision++)
        if (cm_roofline_peak(roofline, cores, precision, NULL, true) != NULL ||
            cm_roofline_peak(roofline, cores, precision, NULL, false) != NULL)
            return true;
    return false;
}

const cm_ceiling *cm_roofline_of(const cm_roofline *roofline, size_t cores, cm_float_precision precision,
                                 const char *vectors, const char *operation)
{
    const cm_ceiling *found = NULL;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind == CM_CEILING_FLOPS && ceiling->cores == cores && ceiling->precision == precision &&
            (vectors == NULL || strcmp(ceiling->vectors, vectors) == 0) && strcmp(ceiling->operation, operation) == 0)
            found = higher(found, ceiling);
    }
    return found;
}

const cm_ceiling *cm_roofline_product(const cm_roofline *roofline, size_t cores, cm_float_precision precision)
{
    return cm_roofline_of(roofline, cores, precision, NULL, cm_product_kernel.operation);
}

/* The stream with the highest bandwidth; `operation` NULL: any that passes through the caches, for memory any. */
static const cm_ceiling *highest_stream(const cm_roofline *roofline, size_t cores, const char *operation,
                                        const char *level)
{
    const cm_ceiling *highest = NULL;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind != CM_CEILING_BANDWIDTH || ceiling->cores != cores || strcmp(ceiling->level, level) != 0)
            continue;
        const cm_timed_operation *known = cm_timed_operation_find(ceiling->operation);
        bool belongs = strcmp(level, cm_level_name(CM_CACHE_LEVELS)) == 0 || known == NULL || !known->past_caches;
        if (operation != NULL ? strcmp(ceiling->operation, operation) == 0 : belongs)
            highest = higher(highest, ceiling);
    }
    return highest;
}

const cm_ceiling *cm_roofline_bandwidth(const cm_roofline *roofline, size_t cores, const char *level)
{
    return highest_stream(roofline, cores, NULL, level);
}

const cm_ceiling *cm_roofline_stream(const cm_roofline *roofline, size_t cores, const char *operation,
                                     const char *level)
{
    return highest_stream(roofline, cores, operation, level);
}
