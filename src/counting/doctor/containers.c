/* Checks limits of containers: control groups of both versions. */
#include "counting/doctor/doctor.h"

#include <stdlib.h>

/* Reads the share of CPUs from cpu.max: "max 100000" or "50000 100000". */
static bool read_share(const char *text, double *cpus)
{
    char *end;
    double quota = strtod(text, &end);
    double period = end != text ? strtod(end, NULL) : 0;
    *cpus = period > 0 ? quota / period : 0;
    return period > 0;
}

/* Reads cpu.cfs_quota_us, -1 for none. */
static bool read_quota(const char *text, double *quota)
{
    *quota = strtod(text, NULL);
    return *quota > 0;
}

/* The share of CPUs that this process may use; false if it is not limited. */
static bool find_share(const char *root, double *cpus)
{
    double quota, period;
    if (cm_source_group(root, "cpu.max", read_share, cpus))
        return true;
    if (!cm_source_first_group(root, "cpu", "cpu.cfs_quota_us", read_quota, &quota) ||
        !cm_source_first_group(root, "cpu", "cpu.cfs_period_us", read_quota, &period))
        return false;
    *cpus = quota / period;
    return true;
}

void cm_doctor_check_containers(cm_doctor *doctor, const char *root)
{
    double cpus;
    if (find_share(root, &cpus))
        cm_doctor_note(
            doctor, CM_SEVERITY_DISTURBS, "cpu-quota",
            "Raise or remove the limit (systemd: CPUQuota=, containers: --cpus).",
            "A control group allows %.2f CPUs: the kernel stops catmint again and again, and caches are cold "
            "afterwards.",
            cpus);
}
