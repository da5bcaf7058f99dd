/* Checks memory for the chains of the dcache benchmark, the longest of which are far larger than the last cache. */
#include "counting/doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>

/* A chain in memory takes up to four times the largest cache, and a chain gets a quarter of the free memory at most. */
static const double CHAIN = 4.0, SHARE = 4.0;

/* The largest cache in bytes, 0 if unknown. */
static double largest_cache(const char *root)
{
    double largest = 0;
    for (int index = 0; index < 8; index++) {
        char path[128], text[64], *unit;
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        if (!cm_source_line(root, path, text, sizeof text))
            continue;
        double size = strtod(text, &unit);
        size *= *unit == 'K' ? 0x1p10 : *unit == 'M' ? 0x1p20 : *unit == 'G' ? 0x1p30 : 1;
        largest = size > largest ? size : largest;
    }
    return largest;
}

static bool read_bytes(const char *text, double *bytes)
{
    char *end;
    *bytes = strtod(text, &end);
    return end != text;
}

void cm_doctor_check_memory(cm_doctor *doctor, const char *root)
{
    char text[64];
    double needed = SHARE * CHAIN * largest_cache(root);
    if (needed == 0)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "cache-sizes", "",
                       "The kernel does not tell the sizes of the caches: dcache leaves out its chains.");
    if (!cm_source_value(root, "proc/meminfo", "MemAvailable:", text, sizeof text))
        return;
    double available = strtod(text, NULL) * 1024, limit;
    if (cm_source_group(root, "memory.max", read_bytes, &limit) && limit < available)
        available = limit;
    if (cm_source_first_group(root, "memory", "memory.limit_in_bytes", read_bytes, &limit) && limit < available)
        available = limit;
    if (available < needed)
        cm_doctor_note(doctor, CM_SEVERITY_DISTURBS, "memory",
                       "Free memory, or do without the chains that do not fit: catmint names those that it drops.",
                       "%.0f MiB of memory are free; the longest chains of dcache want %.0f MiB.", available / 0x1p20,
                       needed / 0x1p20);
}
