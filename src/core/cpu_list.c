#include "core/system.h"

/* Reads "3" or "0-3" at *at and moves *at behind it. */
static bool take_range(const char **at, cpu_set_t *cpus)
{
    char *end = NULL;
    if (**at < '0' || **at > '9')
        return false;
    unsigned long first = strtoul(*at, &end, 10), last = first;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        last = strtoul(end + 1, &end, 10);
    if (last < first || last >= CPU_SETSIZE)
        return false;
    for (unsigned long cpu = first; cpu <= last; cpu++)
        CPU_SET(cpu, cpus);
    *at = end;
    return true;
}

bool cm_cpu_list_parse(const char *list, cpu_set_t *cpus)
{
    CPU_ZERO(cpus);
    while (take_range(&list, cpus)) {
        if (*list == '\0')
            return true;
        if (*list++ != ',')
            return false;
    }
    return false;
}
