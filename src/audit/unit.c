#include "audit/audit.h"

/* Units that have a prefix of millions; other units that begin with such a letter have none ("MPKI"). */
static const char *const counted[] = {"flop", "iop", "op", "uop",   "instr", "byte",
                                      "b/",   "bps", "hz", "event", "branch"};

/* 1e-6 for "MFLOP", 100 for "%"; 1 without such a prefix. */
static double prefix_factor(const char *unit)
{
    static const char prefixes[] = "kKMGT";
    static const double factors[] = {1e-3, 1e-3, 1e-6, 1e-9, 1e-12};
    const char *prefix = unit[0] != '\0' ? strchr(prefixes, unit[0]) : NULL;
    if (unit[0] == '%' || strcmp(unit, "percent") == 0)
        return 100.0;
    for (size_t i = 0; prefix != NULL && i < CM_COUNT_OF(counted); i++)
        if (strncasecmp(unit + 1, counted[i], strlen(counted[i])) == 0)
            return factors[prefix - prefixes];
    return 1.0;
}

double cm_variable_scale(const char *variable)
{
    static const struct {
        const char *end;
        double scale;
    } rows[] = {{"milliseconds", 1e3}, {"microseconds", 1e6}, {"nanoseconds", 1e9}};
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++) {
        size_t length = strlen(variable), end = strlen(rows[i].end);
        if (length >= end && strcasecmp(variable + length - end, rows[i].end) == 0)
            return rows[i].scale;
    }
    return 1.0;
}

double cm_unit_factor(const char *unit, const char *metric)
{
    const char *bracket = strrchr(metric, '[');
    if (unit[0] == '\0' && bracket != NULL && strchr(bracket, ']') != NULL)
        unit = bracket + 1;
    if (unit[0] == '\0')
        return NAN;
    double scale = 1.0;
    size_t length = cm_number_prefix(unit, &scale);
    return length > 0 && scale > 0.0 ? prefix_factor(unit + length) / scale : prefix_factor(unit);
}
