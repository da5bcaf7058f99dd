/* Figures that contradict others of the same machine: disturbances make a loop slower, never faster. */
#include "machines/roofline.h"

/* Wider vectors may run at a lower clock: at lowest this share of the narrower ones' rate. */
#define WIDTHS_AGREE 1.5

static bool is_same(const char *one, const char *other)
{
    return strcmp(one, other) == 0;
}

static bool has_more_cores(const cm_ceiling *one, const cm_ceiling *other)
{
    return one->cores > other->cores && is_same(one->operation, other->operation) &&
           is_same(one->vectors, other->vectors) && is_same(one->level, other->level) &&
           (one->kind != CM_CEILING_SIZE || one->bytes == other->bytes);
}

static bool is_wider(const cm_ceiling *one, const cm_ceiling *other)
{
    return one->kind != CM_CEILING_SIZE && one->cores == other->cores && is_same(one->operation, other->operation) &&
           is_same(one->level, other->level) && cm_vector_bits(one->vectors) > cm_vector_bits(other->vectors) &&
           cm_vector_bits(other->vectors) > 0.0;
}

/* A multiply-add does two operations instead of one, on vectors that are at least as wide. */
static bool is_fused(const cm_ceiling *one, const cm_ceiling *other)
{
    return one->kind == CM_CEILING_FLOPS && one->cores == other->cores && is_same(one->operation, "fma") &&
           (is_same(other->operation, "add") || is_same(other->operation, "mul")) &&
           (is_same(one->vectors, other->vectors) ||
            (cm_vector_bits(one->vectors) >= cm_vector_bits(other->vectors) && cm_vector_bits(other->vectors) > 0.0));
}

static size_t level_of_ceiling(const cm_ceiling *ceiling)
{
    size_t level = 0;
    while (level < CM_CACHE_LEVELS && !is_same(ceiling->level, cm_level_name(level)))
        level++;
    return level;
}

static bool is_nearer(const cm_ceiling *one, const cm_ceiling *other)
{
    const cm_timed_operation *known = cm_timed_operation_find(one->operation);
    return one->kind == CM_CEILING_BANDWIDTH && one->cores == other->cores &&
           is_same(one->operation, other->operation) && is_same(one->vectors, other->vectors) &&
           level_of_ceiling(one) < level_of_ceiling(other) && (known == NULL || !known->past_caches);
}

/* Rules for two figures of one kind and precision: if `holds`, the second is at most `agrees` times the first. */
static const struct {
    bool (*holds)(const cm_ceiling *one, const cm_ceiling *other);
    double agrees;
} rules[] = {{has_more_cores, CM_SHARED_AGREES},
             {is_wider, WIDTHS_AGREE},
             {is_fused, CM_SHARED_AGREES},
             {is_nearer, CM_SHARED_AGREES}};

static bool contradicts_ceiling(const cm_ceiling *one, const cm_ceiling *other)
{
    if (one->kind != other->kind || one->precision != other->precision)
        return false;
    for (size_t i = 0; i < CM_COUNT_OF(rules); i++)
        if (rules[i].holds(one, other) && other->rate.median > rules[i].agrees * one->rate.median)
            return true;
    return false;
}

const cm_ceiling *cm_ceiling_contradicted_by(const cm_roofline *roofline, const cm_ceiling *ceiling)
{
    const cm_ceiling *highest = NULL;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *other = &roofline->ceilings[i];
        if (contradicts_ceiling(ceiling, other) && (highest == NULL || other->rate.median > highest->rate.median))
            highest = other;
    }
    return highest;
}
