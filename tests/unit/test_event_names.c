/* Spellings of events that find their event. */
#include "event_lists.h"

#include <catmint/software_pmu.h>

static void spellings_find_their_event(void **state)
{
    (void)state;
    static const struct {
        const char *spelling, *found;
    } rows[] = {
        /* as it is */
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"", ""},
        {":", ""},
        {"::", ""},
        {"spr::", ""},
        {"c=1", ""},
        {"FP_ARITH_INST_RETIRED", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBL", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_SINGLE", ""},
        {"FPARITHINSTRETIREDSCALARDOUBLE", ""},
        /* Intel, perf, LIKWID */
        {"FP_ARITH_INST_RETIRED.SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"fp_arith_inst_retired.scalar_double", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"FP_ARITH_INST_RETIRED_SCALAR", "FP_ARITH_INST_RETIRED:SCALAR"},
        {"FP_ARITH_INST_RETIRED2_SCALAR", "FP_ARITH_INST_RETIRED2:SCALAR"},
        {"cpu/FP_ARITH_INST_RETIRED.SCALAR_DOUBLE/", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"cpu/fp_arith_inst_retired.scalar_double/u", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"cpu@FP_ARITH_INST_RETIRED.SCALAR_DOUBLE@", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"cpu_core/FP_ARITH_INST_RETIRED.SCALAR_DOUBLE/up", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"FP_ARITH_INST_RETIRED.SCALAR_DOUBLE:u", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"cpu/fp_arith_inst_retired.scalar_double/k", ""},
        {"cpu/fp_arith_inst_retired.scalar_double/x", ""},
        {"cpu/fp_arith_inst_retired.scalar_double", ""},
        {"cpu//", ""},
        {"cpu/event=0xc7,umask=0x1/", ""},
        {"LOWER_CASE_EVENT", "lower_case:event"},
        {"4.FLOPS", "4_FLOPS"},
        /* an event's unqualified name is another event */
        {"br_misp_retired", "BR_MISP_RETIRED"},
        {"br_misp_retired.all_branches", "BR_MISP_RETIRED:ALL_BRANCHES"},
        /* PMUs */
        {"spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"sde:::golden-cove::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"perf_event:::spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"perf::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", ""},
        {"skx_unc_imc0::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", ""},
        {"cpu_cycles", "CPU_CYCLES"},
        {"perf::cpu_cycles", "perf::CPU-CYCLES"},
        {"L1-dcache-load-misses", "perf::L1-DCACHE-LOAD-MISSES"},
        {"branches", "perf::BRANCHES"},
        {"MEM_INST_RETIRED.ALL_LOADS", "adl_glc::MEM_INST_RETIRED:ALL_LOADS | adl_grt::MEM_INST_RETIRED:ALL_LOADS"},
        {"ADL_GRT::MEM_INST_RETIRED.ALL_LOADS", "adl_grt::MEM_INST_RETIRED:ALL_LOADS"},
        {"perf_event:::adl_grt::MEM_INST_RETIRED.ALL_LOADS", "adl_grt::MEM_INST_RETIRED:ALL_LOADS"},
        {"spr::MEM_INST_RETIRED:ALL_LOADS", ""},
        {"LLC.MISSES", "LLC_MISSES"},
        {"adl_grt::LLC.MISSES", "adl_grt::LLC_MISSES"},
        {"adl_glc::LLC.MISSES", "LLC_MISSES"},
        {"SQ_INSTS_VALU_ADD_F16", "rocm:::SQ_INSTS_VALU_ADD_F16:device=0"},
        {"SQ_INSTS_VALU_ADD_F16:device=1", "rocm:::SQ_INSTS_VALU_ADD_F16:device=1"},
        {"smsp__inst_executed.sum:stat=sum", "cuda:::smsp__inst_executed.sum:device=0:stat=sum"},
        {"smsp__inst_executed.sum", ""},
        /* qualifiers that are defaults: libpfm4's names in full */
        {"spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:e=0:i=0:c=0:intx=0:intxcp=0:u=1:k=0:mg=0:mh=1",
         "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:e=0:i=0:c=0:intx=0:intxcp=0:u=1:k=0:excl=0:mg=0:mh=1:hw_smpl=0",
         "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"spr::MEM_TRANS_RETIRED:LOAD_LATENCY:e=0:i=0:c=0:ldlat=3:intx=0:intxcp=0:u=1:k=0:precise=0:excl=0:mg=0:mh=1",
         "MEM_TRANS_RETIRED:LOAD_LATENCY"},
        {"MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=0x3", "MEM_TRANS_RETIRED:LOAD_LATENCY"},
        {"MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=32", ""},
        {"FP_ARITH_INST_RETIRED:e=0:SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:u=1", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:u:k=0", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"},
        {"BR_MISP_RETIRED:mg=1:mh=1", "BR_MISP_RETIRED"},
        {"LONE_E", "LONE:E:e=0:u=1:k=0"},
        {"lone.e", "LONE:E:e=0:u=1:k=0"},
        {"lone:e", ""},
        /* and those that are none */
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:u=0", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:k=0", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:k=1", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:u=1:k=1", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:e=1", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:mg=1:mh=0", ""},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:made_up=0", ""},
        {"UOPS_ISSUED.ANY", "UOPS_ISSUED:ANY"},
        {"UOPS_ISSUED.ANY:c=1", "UOPS_ISSUED:ANY:c=1"},
        {"cpu/UOPS_ISSUED.ANY,cmask=0x1/", "UOPS_ISSUED:ANY:c=1"},
        {"cpu@UOPS_ISSUED.ANY,cmask=1,inv@", "UOPS_ISSUED:ANY:c=1:i=1"},
        {"cpu_core@UOPS_ISSUED.ANY@", "UOPS_ISSUED:ANY"},
        {"cpu_atom@UOPS_ISSUED.ANY@", ""},
        {"uncore_imc/UOPS_ISSUED.ANY/", ""},
        {"UOPS_ISSUED.ANY:c1", "UOPS_ISSUED:ANY:c=1"},
        {"UOPS_ISSUED.ANY:c1:i1", "UOPS_ISSUED:ANY:c=1:i=1"},
        {"UOPS_ISSUED.ANY:u0x3", ""},
        {"UOPS_ISSUED:ANY:i=1:c=1", "UOPS_ISSUED:ANY:c=1:i=1"},
        {"UOPS_ISSUED:ANY:i:c=1", "UOPS_ISSUED:ANY:c=1:i=1"},
        {"UOPS_ISSUED_ANY:INVERT:THRESHOLD=0x1", "UOPS_ISSUED:ANY:c=1:i=1"},
        {"UOPS_ISSUED_ANY:PMC3", "UOPS_ISSUED:ANY"},
        {"UOPS_ISSUED_ANY:PMC3:THRESHOLD=0x1:INVERT", "UOPS_ISSUED:ANY:c=1:i=1"},
        {"UOPS_ISSUED_ANY:PMC", ""},
        {"UOPS_ISSUED_ANY:PMC3A", ""},
        {"UOPS_ISSUED_ANY_PMC3", ""},
        {"UOPS_ISSUED_ANY:CBOX0C1", ""},
        {"UOPS_ISSUED_STALL_CYCLES:PMC3:EDGEDETECT", ""},
        {"UOPS_ISSUED_STALL_CYCLES:FIXC2", "UOPS_ISSUED:STALL_CYCLES"},
        {"UOPS_ISSUED:ANY:c=2", ""},
        {"CYCLE_ACTIVITY.STALLS_MEM_ANY", ""},
        {"CYCLE_ACTIVITY.STALLS_MEM_ANY:c=0x14", "CYCLE_ACTIVITY:STALLS_MEM_ANY:c=20"},
        {"UNC_M_CAS_COUNT.RD", ""},
        {"UNC_M_CAS_COUNT.RD:cpu=24", "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=24"},
        {"UNC_M_CAS_COUNT.RD:cpu=0", "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0 | skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=0"},
        /* unit masks of one letter are no qualifiers */
        {"L2_RQSTS.M.E.S.I", "L2_RQSTS:M:E:S:I"},
        {"L2_RQSTS_M", "L2_RQSTS:M"},
        {"L2_RQSTS:M:e", ""},
        /* names that become equal */
        {"A:B:C", "A:B:C"},
        {"A:B_C", "A:B_C"},
        {"A_B_C", "A:B_C | A:B:C"},
        {"a:b:c", "A:B_C | A:B:C"},
        /* default qualifiers make no second event */
        {"TWICE.E", "TWICE:E"},
        {"TWICE:E:e=0", "TWICE:E:e=0"},
    };
    cm_event_names *names = create(machine, COUNT(machine));
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        if (strcmp(find(names, machine, rows[i].spelling, text, sizeof text), rows[i].found) != 0)
            fail_msg("'%s' is '%s', expected '%s'", rows[i].spelling, text, rows[i].found);
    }
    for (size_t i = 0; i < COUNT(machine); i++) {
        char text[512];
        assert_string_equal(find(names, machine, machine[i], text, sizeof text), machine[i]);
    }
    cm_event_names_free(names);
}

/* What a sweep writes where two components count events of one name, beside names that are unique there. */
static const char *const shared[] = {
    "perf_event:::BR_INST_RETIRED:COND",
    "sde:::BR_INST_RETIRED:COND",
    "BR_MISP_RETIRED:COND",
    "sde:::other::BR_MISP_RETIRED:COND",
    "perf_event:::perf::PAGE-FAULTS",
    "sde:::perf::PAGE-FAULTS",
    "perf_event_uncore:::imc0::READS",
    "cuda:::READS",
    "sde:::ONLY_SDE",
    "perf_event:::ONLY_PERF",
};

static void components_tell_events_of_one_name(void **state)
{
    (void)state;
    static const struct {
        const char *spelling, *found;
    } rows[] = {
        {"perf_event:::BR_INST_RETIRED:COND", "perf_event:::BR_INST_RETIRED:COND"},
        {"sde:::BR_INST_RETIRED:COND", "sde:::BR_INST_RETIRED:COND"},
        {"perf_event:::br_inst_retired.cond", "perf_event:::BR_INST_RETIRED:COND"},
        {"SDE:::BR_INST_RETIRED.COND", "sde:::BR_INST_RETIRED:COND"},
        {"sde:::golden-cove::BR_INST_RETIRED:COND", "sde:::BR_INST_RETIRED:COND"},
        {"perf_event:::spr::BR_INST_RETIRED:COND", "perf_event:::BR_INST_RETIRED:COND"},
        {"spr::BR_INST_RETIRED:COND:u=1:k=0", "perf_event:::BR_INST_RETIRED:COND"},
        {"cuda:::BR_INST_RETIRED:COND", ""},
        {"perf_event_uncore:::BR_INST_RETIRED:COND", ""},
        /* Which of the two it is the name alone does not say. */
        {"BR_INST_RETIRED:COND", "perf_event:::BR_INST_RETIRED:COND | sde:::BR_INST_RETIRED:COND"},
        {"cpu/br_inst_retired.cond/", "perf_event:::BR_INST_RETIRED:COND | sde:::BR_INST_RETIRED:COND"},
        /* Without a component in the table it may be of any. */
        {"perf_event:::BR_MISP_RETIRED:COND", "BR_MISP_RETIRED:COND"},
        {"sde:::BR_MISP_RETIRED:COND", "BR_MISP_RETIRED:COND | sde:::other::BR_MISP_RETIRED:COND"},
        {"sde:::other::BR_MISP_RETIRED:COND", "sde:::other::BR_MISP_RETIRED:COND"},
        {"perf_event:::perf::page-faults", "perf_event:::perf::PAGE-FAULTS"},
        {"sde:::perf::page-faults", "sde:::perf::PAGE-FAULTS"},
        {"perf::PAGE-FAULTS", "perf_event:::perf::PAGE-FAULTS | sde:::perf::PAGE-FAULTS"},
        {"cuda:::reads", "cuda:::READS"},
        {"imc0::READS", "perf_event_uncore:::imc0::READS"},
        {"imc0/READS/", "perf_event_uncore:::imc0::READS"},
        {"perf_event:::READS", ""},
        {"ONLY_SDE", "sde:::ONLY_SDE"},
        {"perf_event:::ONLY_SDE", ""},
        {"spr::ONLY_SDE", ""},
        {"only.perf", "perf_event:::ONLY_PERF"},
        {"sde:::ONLY_PERF", ""},
        {"sde:::golden-cove::ONLY_PERF", ""},
    };
    cm_event_names *names = create(shared, COUNT(shared));
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        if (strcmp(find(names, shared, rows[i].spelling, text, sizeof text), rows[i].found) != 0)
            fail_msg("'%s' is '%s', expected '%s'", rows[i].spelling, text, rows[i].found);
    }
    cm_event_names_free(names);
}

/* Events of the models, by the names that PAPI's table (/usr/share/papi) and LIKWID's groups (CLX, ICX, zen3) have. */
static void models_events_go_by_names_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *model, *spelling, *found;
    } rows[] = {
        {"golden-cove", "FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE", "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE"},
        {"golden-cove", "FP_ARITH:512B_PACKED_SINGLE", ""},
        {"golden-cove", "BR_INST_RETIRED_ALL_BRANCHES", "BR_INST_RETIRED:ALL_BRANCHES"},
        {"golden-cove", "BR_MISP_RETIRED_ALL_BRANCHES", "BR_MISP_RETIRED:ALL_BRANCHES"},
        {"golden-cove", "INSTR_RETIRED_ANY", ""}, /* LIKWID's own name */
        {"golden-cove", "INST_RETIRED.PREC_DIST", "INST_RETIRED:PREC_DIST"},
        {"golden-cove", "spr::BR_INST_RETIRED:COND_NTAKEN", "BR_INST_RETIRED:COND_NTAKEN"},
        {"skylake", "BR_INST_RETIRED:CONDITIONAL", "BR_INST_RETIRED:CONDITIONAL"},
        {"skylake", "MEM_LOAD_RETIRED_L1_HIT", "MEM_LOAD_RETIRED:L1_HIT"},
        {"skylake", "mem_load_retired.l1_hit", "MEM_LOAD_RETIRED:L1_HIT"},
        {"skylake", "CPU_CLK_THREAD_UNHALTED.THREAD_P", "CPU_CLK_THREAD_UNHALTED:THREAD_P"},
        {"skylake", "L1D_REPLACEMENT", "L1D:REPLACEMENT"},
        {"zen4", "RETIRED_BRANCH_INSTR", ""},
        {"zen4", "retired_branch_instructions", "RETIRED_BRANCH_INSTRUCTIONS"},
        {"zen4", "RETIRED_SSE_AVX_FLOPS_MAC_FLOPS", "RETIRED_SSE_AVX_FLOPS:MAC_FLOPS"},
        {"zen4", "amd64_fam19h_zen4::RETIRED_SSE_AVX_FLOPS:ANY:e=0:i=0:c=0:g=0:u=1:k=0:h=0:mg=0:mh=1",
         "RETIRED_SSE_AVX_FLOPS:ANY"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[512], text[512];
        cm_pmu_model *model = NULL;
        cm_error error;
        snprintf(path, sizeof path, "%s/data/pmu/%s", CM_TEST_SOURCE_DIR, rows[i].model);
        if (cm_pmu_model_load(path, &model, &error) != CM_OK)
            fail_msg("%s: %s", path, error.text);
        const char *events[512];
        size_t count = cm_pmu_model_event_count(model);
        assert_in_range(count, 1, COUNT(events));
        for (size_t j = 0; j < count; j++)
            events[j] = cm_pmu_model_event(model, j).name;
        cm_event_names *names = create(events, count);
        if (strcmp(find(names, events, rows[i].spelling, text, sizeof text), rows[i].found) != 0)
            fail_msg("%s: '%s' is '%s', expected '%s'", rows[i].model, rows[i].spelling, text, rows[i].found);
        /* All its events by LIKWID's manner and by perf's. */
        for (size_t j = 0; j < count; j++)
            for (const char *mark = "._"; *mark != '\0'; mark++) {
                char spelling[256];
                snprintf(spelling, sizeof spelling, "%s", events[j]);
                for (char *c = spelling; *c != '\0'; c++)
                    *c = (char)(*c == ':' ? *mark : *c);
                if (strcmp(find(names, events, spelling, text, sizeof text), events[j]) != 0)
                    fail_msg("%s: '%s' is '%s', expected '%s'", rows[i].model, spelling, text, events[j]);
            }
        cm_event_names_free(names);
        cm_pmu_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_find_their_event),
        cmocka_unit_test(components_tell_events_of_one_name),
        cmocka_unit_test(models_events_go_by_names_of_others),
    };
    return cmocka_run_group_tests_name("event_names", tests, NULL, NULL);
}
