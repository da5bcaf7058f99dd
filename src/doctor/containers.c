/* Limits of containers: control groups, second version. */
#include "doctor/findings.h"

#include <stdlib.h>

#include "doctor/source.h"

/* The share of CPUs in cpu.max: "max 100000" or "50000 100000". */
static bool read_share(const char *text, double *cpus)
{
    char *end;
    double quota = strtod(text, &end);
    double period = end != text ? strtod(end, NULL) : 0;
    *cpus = period > 0 ? quota / period : 0;
    return period > 0;
}

void cm_doctor_check_containers(cm_doctor *doctor, const char *root)
{
    double cpus;
    if (cm_source_group(root, "cpu.max", read_share, &cpus))
        cm_doctor_note(
            doctor, CM_SEVERITY_DISTURBS, "cpu-quota",
            "Raise or remove the limit (systemd: CPUQuota=, containers: --cpus).",
            "A control group allows %.2f CPUs: the kernel stops catmint again and again, and caches are cold "
            "afterwards.",
            cpus);
}
