/* Names and units of ncu's and rocprofv3's metrics. */
#include "formats/ncu/ncu.h"

bool cm_ncu_event(const char *metric, const char *device, char *name, size_t size)
{
    static const char *const statistics[] = {"sum", "avg", "min", "max"};
    const char *point = strchr(metric, '.');
    bool counted = false;
    for (size_t i = 0; point != NULL && i < CM_COUNT_OF(statistics); i++)
        counted = counted || strcmp(point + 1, statistics[i]) == 0;
    /* A name is unit__counter; labels have blanks. */
    if (!counted || strstr(metric, "__") == NULL || metric[strcspn(metric, " :,\"")] != '\0')
        return false;
    int length = snprintf(name, size, "cuda:::%.*s:stat=%s%s%s", (int)(point - metric), metric, point + 1,
                          device[0] != '\0' ? ":device=" : "", device);
    return length > 0 && (size_t)length < size;
}

bool cm_rocprofv3_event(const char *metric, const char *device, char *name, size_t size)
{
    const size_t block = strspn(metric, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    const char *number = device + strcspn(device, "0123456789");
    if (block == 0 || metric[block] != '_' || metric[strcspn(metric, " :,\"")] != '\0')
        return false;
    int length = snprintf(name, size, "rocp_sdk:::%s%s%s", metric, number[0] != '\0' ? ":device=" : "", number);
    return length > 0 && (size_t)length < size;
}

bool cm_ncu_is_known_unit(const char *unit)
{
    static const char *const units[] = {
        "",     "access", "bank",    "bit",      "block",   "byte",   "cta", "cycle",   "inst",        "instruction",
        "line", "op",     "quad",    "register", "request", "sector", "tag", "thread",  "transaction", "warp",
        "s",    "second", "msecond", "ms",       "usecond", "us",     "ns",  "nsecond", "wavefront",   NULL};
    const bool prefixed = unit[0] != '\0' && strchr("KMGT", unit[0]) != NULL;
    return cm_text_is_one_of(unit, units) || (prefixed && cm_text_is_one_of(unit + 1, units));
}

double cm_ncu_scale(const char *unit)
{
    static const struct {
        const char *unit;
        double scale;
    } times[] = {{"second", 1e9}, {"msecond", 1e6}, {"usecond", 1e3}, {"nsecond", 1.0},
                 {"s", 1e9},      {"ms", 1e6},      {"us", 1e3},      {"ns", 1.0}};
    static const char prefixes[] = "KMGT";
    for (size_t i = 0; i < CM_COUNT_OF(times); i++)
        if (strcmp(unit, times[i].unit) == 0)
            return times[i].scale;
    const char *prefix =
        unit[0] != '\0' && unit[1] != '\0' && cm_ncu_is_known_unit(unit) ? strchr(prefixes, unit[0]) : NULL;
    double scale = 1.0;
    for (const char *one = prefixes; prefix != NULL && one <= prefix; one++)
        scale *= 1000.0;
    return scale;
}
