/* The figures of a machine for programs, and the ways to write them. */
#include "machines/report/report.h"

json_t *cm_reading_json(const cm_reading *reading)
{
    if (isnan(reading->median))
        return json_null();
    const double figures[] = {reading->lowest, reading->median, reading->highest};
    return cm_json_numbers(figures, CM_COUNT_OF(figures));
}

/* A ceiling with its readings, and with the figure that contradicts it, if there is one. */
static json_t *ceiling_json(const cm_roofline *roofline, const cm_ceiling *ceiling)
{
    char text[CM_POINT_WARNING_SIZE];
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s*}", "kind",
                     cm_ceiling_names[ceiling->kind], "operation", ceiling->operation, "vectors", ceiling->vectors,
                     "precision", cm_float_precision_name(ceiling->precision), "level", ceiling->level, "bytes",
                     cm_json_number(ceiling->bytes), "cores", cm_json_count(ceiling->cores), "undisturbed",
                     cm_json_count(ceiling->undisturbed), "rate", cm_reading_json(&ceiling->rate), "rounds",
                     cm_reading_json(&ceiling->rounds), "clock", cm_reading_json(&ceiling->clock), "contradiction",
                     cm_contradiction_text(roofline, ceiling, text));
}

static json_t *warnings_json(const cm_roofline *roofline, const cm_point *point)
{
    cm_point_warning warnings[CM_POINT_WARNING_KINDS];
    char text[CM_POINT_WARNING_SIZE];
    json_t *array = json_array();
    for (size_t i = 0, count = cm_point_warnings(roofline, point, warnings); i < count; i++)
        array = cm_json_append(array, cm_json_text(cm_point_warning_text(point, &warnings[i], text)));
    return array;
}

json_t *cm_roofline_json(const void *content)
{
    const cm_roofline *roofline = content;
    json_t *caches = json_array(), *ceilings = json_array(), *points = json_array();
    for (size_t i = 0; i < CM_CACHE_LEVELS; i++)
        caches = cm_json_append(caches, cm_json_count(roofline->caches[i]));
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        ceilings = cm_json_append(ceilings, ceiling_json(roofline, &roofline->ceilings[i]));
    for (size_t i = 0; i < roofline->point_count; i++) {
        const cm_point *point = &roofline->points[i];
        json_t *json =
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", cm_json_text(point->name), "flops",
                      cm_json_number(point->flops), "l1_bytes", cm_json_number(point->l1_bytes), "memory_bytes",
                      cm_json_number(point->memory_bytes), "seconds", cm_json_number(point->seconds), "cores",
                      cm_json_count(point->cores), "doubts", warnings_json(roofline, point));
        points = cm_json_append(points, json);
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.machine/1", "processor",
                     cm_json_text(roofline->processor), "caches", caches, "rounds", cm_json_count(roofline->rounds),
                     "repetitions", cm_json_count(roofline->repetitions), "ceilings", ceilings, "points", points);
}

char *cm_rate_text(double value, const char *unit, char text[CM_RATE_SIZE])
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t i = 0;
    while (value >= 999.5 && i + 1 < CM_COUNT_OF(prefixes)) {
        value /= 1000.0;
        i++;
    }
    snprintf(text, CM_RATE_SIZE, "%.3g %s%s", value, prefixes[i], unit);
    return text;
}

const char *cm_point_warning_text(const cm_point *point, const cm_point_warning *warning,
                                  char text[CM_POINT_WARNING_SIZE])
{
    static const struct {
        const char *unit, *does, *limit;
    } words[CM_POINT_WARNING_KINDS] = {[CM_POINT_WARNING_FLOPS] = {"flop/s", "", "any peak of"},
                                       [CM_POINT_WARNING_L1] = {"B/s", " loaded and stored", "L1 on"},
                                       [CM_POINT_WARNING_MEMORY] = {"B/s", " of memory", "memory on"}};
    char found[CM_RATE_SIZE], most[CM_RATE_SIZE];
    const char *plural = point->cores == 1 ? "" : "s";
    if (warning->kind == CM_POINT_WARNING_CORES)
        snprintf(text, CM_POINT_WARNING_SIZE, "%zu core%s, on which no peak was measured: it is in no plot",
                 point->cores, plural);
    else
        snprintf(text, CM_POINT_WARNING_SIZE, "%s%s, more than %s %zu core%s can reach: %s",
                 cm_rate_text(warning->found, words[warning->kind].unit, found), words[warning->kind].does,
                 words[warning->kind].limit, point->cores, plural,
                 cm_rate_text(warning->most, words[warning->kind].unit, most));
    return text;
}

enum { CEILING_SIZE = 100 };

/* "multiply-add, double, AVX on 2 cores"; a stream with its level. */
static void name_ceiling(const cm_ceiling *ceiling, char text[CEILING_SIZE])
{
    snprintf(text, CEILING_SIZE, "%s, %s, %s%s%s on %zu core%s", cm_timed_words(ceiling->operation),
             cm_float_precision_name(ceiling->precision), ceiling->vectors, ceiling->level[0] != '\0' ? ", " : "",
             ceiling->level, ceiling->cores, ceiling->cores == 1 ? "" : "s");
}

const char *cm_contradiction_text(const cm_roofline *roofline, const cm_ceiling *ceiling,
                                  char text[CM_POINT_WARNING_SIZE])
{
    const cm_ceiling *other = cm_ceiling_contradicted_by(roofline, ceiling);
    const char *unit = ceiling->kind == CM_CEILING_FLOPS ? "flop/s" : "B/s";
    char name[CEILING_SIZE], low[CM_RATE_SIZE], high[CM_RATE_SIZE];
    if (other == NULL)
        return NULL;
    name_ceiling(other, name);
    snprintf(text, CM_POINT_WARNING_SIZE, "%s, less than %s: %s", cm_rate_text(ceiling->rate.median, unit, low), name,
             cm_rate_text(other->rate.median, unit, high));
    return text;
}

size_t cm_roofline_warning_count(const cm_roofline *roofline)
{
    cm_point_warning warnings[CM_POINT_WARNING_KINDS];
    size_t count = roofline->left_out_count;
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        count += cm_ceiling_contradicted_by(roofline, &roofline->ceilings[i]) != NULL;
    for (size_t i = 0; i < roofline->point_count; i++)
        count += cm_point_warnings(roofline, &roofline->points[i], warnings);
    return count;
}

const char *cm_roofline_warning(const cm_roofline *roofline, size_t index, char *text, size_t size)
{
    cm_point_warning warnings[CM_POINT_WARNING_KINDS];
    char words[CM_POINT_WARNING_SIZE], name[CEILING_SIZE];
    if (index < roofline->left_out_count) {
        snprintf(text, size, "%s: %s", roofline->left_out[index].file, roofline->left_out[index].why);
        return text;
    }
    index -= roofline->left_out_count;
    for (size_t i = 0; i < roofline->point_count; i++) {
        const cm_point *point = &roofline->points[i];
        const size_t count = cm_point_warnings(roofline, point, warnings);
        if (index < count) {
            snprintf(text, size, "%s: %s", point->name, cm_point_warning_text(point, &warnings[index], words));
            return text;
        }
        index -= count;
    }
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        if (cm_contradiction_text(roofline, &roofline->ceilings[i], words) == NULL || index-- > 0)
            continue;
        name_ceiling(&roofline->ceilings[i], name);
        snprintf(text, size, "%s: %s", name, words);
        return text;
    }
    snprintf(text, size, "%s", "");
    return text;
}
