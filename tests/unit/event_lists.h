/* What the tests of events' names share: a list of events, and what is found in it. */
#ifndef EVENT_LISTS_H
#define EVENT_LISTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/names.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline cm_event_names *create(const char *const *events, size_t count)
{
    cm_event_names *names = NULL;
    cm_error error;
    if (cm_event_names_create(events, count, &names, &error) != CM_OK)
        fail_msg("%s", error.text);
    return names;
}

/* "" where the name is unknown, "A | B" where it is ambiguous. */
static const char *find(const cm_event_names *names, const char *const *events, const char *spelling, char *text,
                        size_t size)
{
    size_t indices[8], count = 99;
    cm_name_match match = cm_event_names_find(names, spelling, indices, COUNT(indices), &count);
    assert_int_equal(match, count == 0 ? CM_NAME_UNKNOWN : count == 1 ? CM_NAME_FOUND : CM_NAME_AMBIGUOUS);
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < count && i < COUNT(indices); i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " | " : "", events[indices[i]]);
    return text;
}

/* What a machine's list of events may look like: a core's PMU without a prefix, others with one. */
static const char *const machine[] = {
    "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE",
    "FP_ARITH_INST_RETIRED:SCALAR",
    "FP_ARITH_INST_RETIRED2:SCALAR",
    "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE",
    "BR_MISP_RETIRED",
    "BR_MISP_RETIRED:ALL_BRANCHES",
    "UOPS_ISSUED:ANY",
    "UOPS_ISSUED:ANY:c=1",
    "UOPS_ISSUED:ANY:c=1:i=1",
    "UOPS_ISSUED:STALL_CYCLES",
    "CYCLE_ACTIVITY:STALLS_MEM_ANY:c=20",
    "MEM_TRANS_RETIRED:LOAD_LATENCY",
    "L2_RQSTS:M:E:S:I",
    "L2_RQSTS:M",
    "perf::CPU-CYCLES",
    "perf::L1-DCACHE-LOAD-MISSES",
    "CPU_CYCLES",
    "perf::BRANCHES",
    "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0",
    "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=24",
    "skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=0",
    "adl_glc::MEM_INST_RETIRED:ALL_LOADS",
    "adl_grt::MEM_INST_RETIRED:ALL_LOADS",
    "adl_grt::LLC_MISSES",
    "LLC_MISSES",
    "A:B_C",
    "A:B:C",
    "lower_case:event",
    "rocm:::SQ_INSTS_VALU_ADD_F16:device=0",
    "rocm:::SQ_INSTS_VALU_ADD_F16:device=1",
    "TWICE:E",
    "TWICE:E:e=0",
    "LONE:E:e=0:u=1:k=0",
    "4_FLOPS",
    "cuda:::smsp__inst_executed.sum:device=0:stat=sum",
};

#endif
