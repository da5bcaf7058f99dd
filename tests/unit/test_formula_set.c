#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "formulas/formula_set.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Whether `names`, separated by blanks, has the name. */
static bool has(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

static size_t count_names(const char *names)
{
    size_t count = 0;
    for (const char *at = names; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        count++;
    return count;
}

/* The papers' lists of events, those of them that no formula uses, and names that are in formulas but in no list. */
static void formulas_use_the_events_of_the_papers(void **state)
{
    (void)state;
    static const struct {
        const char *name, *listed, *unused, *added;
    } rows[] = {
        {"topdown-skylake",
         "UOPS_RETIRED:RETIRE_SLOTS BR_MISP_RETIRED:ALL_BRANCHES MACHINE_CLEARS:COUNT EXE_ACTIVITY:BOUND_ON_STORES "
         "CPU_CLK_THREAD_UNHALTED CYCLE_ACTIVITY:STALLS_MEM_ANY IDQ_UOPS_NOT_DELIVERED:CORE "
         "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE UOPS_ISSUED:ANY INT_MISC:RECOVERY_CYCLES",
         "", "Backend_Bound_Cycles"},
        {"topdown-zen2",
         "UOPS_QUEUE_EMPTY RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED "
         "RETIRED_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED CYCLES_NOT_IN_HALT RETIRED_UOPS RETIRED_INSTRUCTIONS",
         "RETIRED_INSTRUCTIONS", ""},
        {"topdown-a64fx",
         "CPU_CYCLES 0INST_COMMIT 1INST_COMMIT 2INST_COMMIT 3INST_COMMIT 4INST_COMMIT LD_COMP_WAIT EU_COMP_WAIT "
         "BR_COMP_WAIT ROB_EMPTY UOP_ONLY_COMMIT SINGLE_MOVPRFX_COMMIT LD_COMP_WAIT_EX LD_COMP_WAIT_L2_MISS "
         "LD_COMP_WAIT_L2_MISS_EX LD_COMP_WAIT_L1_MISS LD_COMP_WAIT_L1_MISS_EX LD_COMP_WAIT_PFP_BUSY",
         "LD_COMP_WAIT_EX LD_COMP_WAIT_L2_MISS LD_COMP_WAIT_L2_MISS_EX LD_COMP_WAIT_L1_MISS LD_COMP_WAIT_L1_MISS_EX "
         "LD_COMP_WAIT_PFP_BUSY",
         ""},
        {"topdown-power9",
         "PM_RUN_CYC PM_NTC_ISSUE_HELD_ARB PM_NTC_ISSUE_HELD_DARQ_FULL PM_NTC_ISSUE_HELD_OTHER PM_ICT_NOSLOT_CYC "
         "PM_CMPLU_STALL_THRD PM_1PLUS_PPC_CMPL PM_CMPLU_STALL_BRU PM_CMPLU_STALL_EXEC_UNIT "
         "PM_CMPLU_STALL_NTC_DISP_FIN PM_CMPLU_STALL_SRQ_FULL PM_CMPLU_STALL_EMQ_FULL PM_CMPLU_STALL_LOAD_FINISH "
         "PM_CMPLU_STALL_NTC_FLUSH PM_CMPLU_STALL_DCACHE_MISS PM_CMPLU_STALL_LMQ_FULL PM_CMPLU_STALL_LSU_MFSPR "
         "PM_CMPLU_STALL_LARX PM_CMPLU_STALL_LRQ_FULL PM_CMPLU_STALL_LSAQ_ARB PM_CMPLU_STALL_STORE_DATA "
         "PM_CMPLU_STALL_ERAT_MISS PM_CMPLU_STALL_HWSYNC PM_CMPLU_STALL_LHS PM_CMPLU_STALL_LRQ_OTHER "
         "PM_CMPLU_STALL_LSU_FIN PM_CMPLU_STALL_ST_FWD PM_CMPLU_STALL_STORE_FIN_ARB PM_CMPLU_STALL_STORE_FINISH "
         "PM_CMPLU_STALL_EIEIO PM_CMPLU_STALL_SLB PM_CMPLU_STALL_TLBIE PM_CMPLU_STALL_LWSYNC PM_CMPLU_STALL_PASTE "
         "PM_CMPLU_STALL_STORE_PIPE_ARB PM_CMPLU_STALL_STCX PM_CMPLU_STALL_TEND",
         "PM_CMPLU_STALL_BRU PM_CMPLU_STALL_EXEC_UNIT PM_CMPLU_STALL_NTC_DISP_FIN PM_CMPLU_STALL_SRQ_FULL "
         "PM_CMPLU_STALL_EMQ_FULL PM_CMPLU_STALL_LOAD_FINISH PM_CMPLU_STALL_NTC_FLUSH PM_CMPLU_STALL_DCACHE_MISS "
         "PM_CMPLU_STALL_LMQ_FULL PM_CMPLU_STALL_LSU_MFSPR PM_CMPLU_STALL_LARX PM_CMPLU_STALL_LRQ_FULL "
         "PM_CMPLU_STALL_LSAQ_ARB PM_CMPLU_STALL_STORE_DATA PM_CMPLU_STALL_ERAT_MISS PM_CMPLU_STALL_HWSYNC "
         "PM_CMPLU_STALL_LHS PM_CMPLU_STALL_LRQ_OTHER PM_CMPLU_STALL_LSU_FIN PM_CMPLU_STALL_ST_FWD "
         "PM_CMPLU_STALL_STORE_FIN_ARB PM_CMPLU_STALL_STORE_FINISH PM_CMPLU_STALL_EIEIO PM_CMPLU_STALL_SLB "
         "PM_CMPLU_STALL_TLBIE PM_CMPLU_STALL_LWSYNC PM_CMPLU_STALL_PASTE PM_CMPLU_STALL_STORE_PIPE_ARB "
         "PM_CMPLU_STALL_STCX PM_CMPLU_STALL_TEND",
         "PM_CMPLU_STALL"},
        {"topdown-kunpeng920",
         "INST_RETIRED CPU_CYCLES FETCH_BUBBLE INST_SPEC MEM_STALL_ANYLOAD MEM_STALL_ANYSTORE EXE_STALL_CYCLE "
         "MEM_STALL_L1MISS MEM_STALL_L2MISS",
         "MEM_STALL_L1MISS MEM_STALL_L2MISS", ""},
        {"portable-cascade-lake",
         "PAPI_LD_INS PAPI_SR_INS PAPI_L1_TCM PAPI_L2_TCM PAPI_L3_TCM PAPI_L1_DCM INST_RETIRED:PREC_DIST "
         "FP_ARITH_INST_RETIRED:SCALAR_SINGLE FP_ARITH_INST_RETIRED:SCALAR_DOUBLE "
         "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE "
         "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE "
         "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE "
         "skx_unc_imc0::UNC_M_CAS_COUNT:WR:cpu=0 skx_unc_imc0::UNC_M_CAS_COUNT:WR:cpu=24 "
         "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0 skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=24 "
         "skx_unc_imc1::UNC_M_CAS_COUNT:WR:cpu=0 skx_unc_imc1::UNC_M_CAS_COUNT:WR:cpu=24 "
         "skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=0 skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=24 "
         "skx_unc_imc2::UNC_M_CAS_COUNT:WR:cpu=0 skx_unc_imc2::UNC_M_CAS_COUNT:WR:cpu=24 "
         "skx_unc_imc2::UNC_M_CAS_COUNT:RD:cpu=0 skx_unc_imc2::UNC_M_CAS_COUNT:RD:cpu=24 "
         "skx_unc_imc3::UNC_M_CAS_COUNT:WR:cpu=0 skx_unc_imc3::UNC_M_CAS_COUNT:WR:cpu=24 "
         "skx_unc_imc3::UNC_M_CAS_COUNT:RD:cpu=0 skx_unc_imc3::UNC_M_CAS_COUNT:RD:cpu=24 "
         "skx_unc_imc4::UNC_M_CAS_COUNT:WR:cpu=0 skx_unc_imc4::UNC_M_CAS_COUNT:WR:cpu=24 "
         "skx_unc_imc4::UNC_M_CAS_COUNT:RD:cpu=0 skx_unc_imc4::UNC_M_CAS_COUNT:RD:cpu=24 "
         "skx_unc_imc5::UNC_M_CAS_COUNT:WR:cpu=0 skx_unc_imc5::UNC_M_CAS_COUNT:WR:cpu=24 "
         "skx_unc_imc5::UNC_M_CAS_COUNT:RD:cpu=0 skx_unc_imc5::UNC_M_CAS_COUNT:RD:cpu=24",
         "", "PAPI_TOT_CYC seconds"},
        {"portable-a64fx",
         "LD_SPEC ST_SPEC ASE_SVE_LD_SPEC ASE_SVE_ST_SPEC FP_LD_SPEC FP_ST_SPEC L1D_CACHE PAPI_L1_DCM L2D_CACHE "
         "PAPI_L2_DCM PAPI_L2_DCH L2D_CACHE_REFILL L2D_CACHE_WB CPU_CYCLES INST_RETIRED INST_SPEC FP_SPEC "
         "FP_SP_SCALE_OPS_SPEC FP_DP_SCALE_OPS_SPEC FP_SP_FIXED_OPS_SPEC FP_DP_FIXED_OPS_SPEC",
         "INST_SPEC PAPI_L2_DCH", "seconds"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[512];
        cm_error error;
        cm_formula_set *set = NULL;
        snprintf(path, sizeof path, "%s/data/formulas/%s.csv", CM_TEST_SOURCE_DIR, rows[i].name);
        if (cm_formula_set_load(path, &set, &error) != CM_OK)
            fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.text);
        for (size_t j = 0; j < set->event_count; j++)
            if ((!has(rows[i].listed, set->events[j]) || has(rows[i].unused, set->events[j])) &&
                !has(rows[i].added, set->events[j]))
                fail_msg("%s: uses %s", rows[i].name, set->events[j]);
        size_t expected = count_names(rows[i].listed) - count_names(rows[i].unused) + count_names(rows[i].added);
        if (set->event_count != expected)
            fail_msg("%s: uses %zu events, expected %zu", rows[i].name, set->event_count, expected);
        cm_formula_set_free(set);
    }
}

static cm_status load_text(const char *text, cm_formula_set **set, cm_error *error)
{
    char path[] = "/tmp/catmint-formulas-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    cm_status status = cm_formula_set_load(path, set, error);
    unlink(path);
    return status;
}

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t line, column;
        const char *message;
    } rows[] = {
        {"metric,formula,unit\na,b,c\n", 1, 0, "source"},
        {"metric,formula,unit,source,base\na,b,c,,\n", 1, 0, "unknown column 'base', expected parent or of"},
        {"metric,formula,unit,source\n", 1, 0, "no row, expected at least one metric"},
        {"metric,formula,unit,source\n,b,,\n", 2, 0, "field 1 is empty, expected a name"},
        {"metric,formula,unit,source\na,b,,\na,c,,\n", 3, 0, "metric 'a' appears twice, first in line 2"},
        {"metric,formula,unit,source\na,b +,,\n", 2, 6, "the expression ends here"},
        {"metric,formula,unit,source\na,1INST,,\n", 2, 4, "unexpected 'INST'"},
        {"metric,formula,unit,source\na,a + 1,,\n", 2, 0, "metric 'a' needs its own value"},
        {"metric,formula,unit,source\nx,1,,\na,b,,\nb,a,,\n", 3, 0, "metric 'a' needs its own value"},
        {"metric,formula,unit,source,parent\na,b,,,c\n", 2, 0, "the parent 'c' is no metric of this file"},
        {"metric,formula,unit,source,parent\na,b,,,b\n", 2, 0, "the parent 'b' is no metric of this file"},
        {"metric,formula,unit,source,parent\na,x,,,b\nb,x,,,a\n", 2, 0, "go round in a circle"},
        {"metric,formula,unit,source,of\na,b,,,c\n", 2, 0, "a fraction of 'c', which is no metric and no event"},
        {"metric,formula,unit,source,of,parent\na,x,,,,\nb,y,,,a,a\nc,z,,,x,a\n", 4, 0,
         "a fraction of 'x', but the metric in line 3, of the same parent, is one of 'a'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_formula_set *set = NULL;
        cm_error error = {0};
        assert_int_equal(load_text(rows[i].text, &set, &error), CM_BAD_INPUT);
        assert_null(set);
        if (error.line != rows[i].line || error.column != rows[i].column || strstr(error.text, rows[i].message) == NULL)
            fail_msg("row %zu: %zu:%zu: %s", i, error.line, error.column, error.text);
    }
}

static void metrics_may_stand_in_any_order(void **state)
{
    (void)state;
    cm_formula_set *set = NULL;
    cm_error error;
    assert_int_equal(load_text("metric,formula,unit,source,of,parent\npart,'x y' / whole,,,whole,whole\n"
                               "whole,2 * X:y.z,,,,\n",
                               &set, &error),
                     CM_OK);
    assert_int_equal(set->order[0], 1);
    assert_int_equal(set->metrics[0].parent, 1);
    assert_int_equal(set->metrics[0].depth, 1);
    assert_int_equal(set->event_count, 2);
    assert_string_equal(set->events[0], "x y");
    assert_string_equal(set->events[1], "X:y.z");
    cm_formula_set_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_use_the_events_of_the_papers),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(metrics_may_stand_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
