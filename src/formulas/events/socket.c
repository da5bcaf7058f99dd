#include "formulas/events/events.h"

#include <fnmatch.h>

enum { PMU_SIZE = 64 };

/* Names of PMUs, from Linux's drivers below drivers/perf and arch, and from libpfm4: "skx_unc_imc0". */
static const char *const pmus[] = {"uncore_*", "*_unc_*", "amd_umc*", "amd_df*",  "amd_l3*",
                                   "nest_*",   "hisi_*",  "arm_cmn*", "arm_dsu*", "*_pmu_l3c*"};

bool cm_is_socket_event(const char *event)
{
    char pmu[PMU_SIZE];
    const char *bare = cm_component_bare(event);
    size_t length = strcspn(bare, ":");
    if (bare[length] == '\0' || length >= sizeof pmu)
        return false;
    memcpy(pmu, bare, length);
    pmu[length] = '\0';
    for (size_t i = 0; i < CM_COUNT_OF(pmus); i++)
        if (fnmatch(pmus[i], pmu, 0) == 0)
            return true;
    return false;
}
