/* Files of formulas as they are read: events, faults with their place, what each formula says. */
#include <unistd.h>

#include "formulas_text.h"

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
         "", "CYCLE_ACTIVITY:STALLS_TOTAL EXE_ACTIVITY:1_PORTS_UTIL EXE_ACTIVITY:2_PORTS_UTIL"},
        {"paper-zen2",
         "UOPS_QUEUE_EMPTY RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED "
         "RETIRED_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED CYCLES_NOT_IN_HALT RETIRED_UOPS RETIRED_INSTRUCTIONS",
         "RETIRED_INSTRUCTIONS", ""},
        {"topdown-a64fx",
         "CPU_CYCLES 0INST_COMMIT 1INST_COMMIT 2INST_COMMIT 3INST_COMMIT 4INST_COMMIT LD_COMP_WAIT EU_COMP_WAIT "
         "BR_COMP_WAIT ROB_EMPTY UOP_ONLY_COMMIT SINGLE_MOVPRFX_COMMIT LD_COMP_WAIT_EX LD_COMP_WAIT_L2_MISS "
         "LD_COMP_WAIT_L2_MISS_EX LD_COMP_WAIT_L1_MISS LD_COMP_WAIT_L1_MISS_EX LD_COMP_WAIT_PFP_BUSY",
         "", "LD_COMP_WAIT_PFP_BUSY_EX LD_COMP_WAIT_PFP_BUSY_SWPF"},
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
         "PM_CMPLU_STALL_NTC_DISP_FIN PM_CMPLU_STALL_NTC_FLUSH PM_CMPLU_STALL_HWSYNC PM_CMPLU_STALL_LWSYNC",
         "PM_CMPLU_STALL"},
        {"topdown-kunpeng-920",
         "INST_RETIRED CPU_CYCLES FETCH_BUBBLE INST_SPEC MEM_STALL_ANYLOAD MEM_STALL_ANYSTORE EXE_STALL_CYCLE "
         "MEM_STALL_L1MISS MEM_STALL_L2MISS",
         "", ""},
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
        cm_formulas *set = NULL;
        size_t events = 0;
        snprintf(path, sizeof path, "%s/data/formulas/%s.csv", CM_TEST_SOURCE_DIR, rows[i].name);
        if (cm_formulas_load(path, NULL, &set, &error) != CM_OK)
            fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.text);
        assert_string_equal(cm_formulas_format(set), "csv");
        assert_int_equal(cm_formulas_fault_count(set), 0);
        for (size_t j = 0; j < cm_formulas_quantity_count(set); j++) {
            const char *event = cm_formulas_quantity_name(set, j);
            if (cm_formulas_quantity_kind(set, j) != CM_QUANTITY_EVENT)
                continue;
            events++;
            if ((!has(rows[i].listed, event) || has(rows[i].unused, event)) && !has(rows[i].added, event))
                fail_msg("%s: uses %s", rows[i].name, event);
        }
        size_t expected = count_names(rows[i].listed) - count_names(rows[i].unused) + count_names(rows[i].added);
        if (events != expected)
            fail_msg("%s: uses %zu events, expected %zu", rows[i].name, events, expected);
        cm_formulas_free(set);
    }
}

typedef struct faulty {
    const char *text;
    size_t line, column;
    cm_formula_fault_kind kind;
    const char *message;
} faulty;

/* The first fault of each; CM_FAULT_SYNTAX stands for the file as a whole where it cannot be loaded. */
static void expect_faults(const faulty *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cm_formulas *set = NULL;
        cm_error error = {0};
        cm_formula_fault fault = {0};
        cm_status status = load_text(rows[i].text, ".txt", &set, &error);
        if (status == CM_OK) {
            if (cm_formulas_fault_count(set) == 0)
                fail_msg("row %zu: no fault, expected %s", i, rows[i].message);
            fault = *cm_formulas_fault(set, 0);
        } else {
            assert_int_equal(status, CM_BAD_INPUT);
            assert_null(set);
            fault = (cm_formula_fault){error.line, error.column, "", error.text, CM_FAULT_SYNTAX};
        }
        if (fault.line != rows[i].line || fault.column != rows[i].column || fault.kind != rows[i].kind ||
            strstr(fault.text, rows[i].message) == NULL)
            fail_msg("row %zu: %zu:%zu: [%s] %s", i, fault.line, fault.column, cm_formula_fault_kind_name(fault.kind),
                     fault.text);
        cm_formulas_free(set);
    }
}

static void faults_of_csv_are_named_with_their_place(void **state)
{
    (void)state;
    static const faulty rows[] = {
        {"metric,unit,formula\na,b,c\n", 1, 0, CM_FAULT_SYNTAX, "column 2 is 'unit', expected 'formula'"},
        {"metric,formula,unit,source,base\na,b,c,,\n", 1, 0, CM_FAULT_SYNTAX,
         "unknown column 'base', expected unit, source, preset, description, parent or of"},
        {"metric,formula,unit,source\n", 1, 0, CM_FAULT_SYNTAX, "no row, expected at least one metric"},
        {"metric,formula,unit,source\n,b,,\n", 2, 0, CM_FAULT_SYNTAX, "field 1 is empty, expected a name"},
        {"metric,formula,unit,source\na,b,,\na,c,,\n", 3, 0, CM_FAULT_DUPLICATE,
         "metric 'a' appears twice, first in line 2"},
        {"metric,formula,unit,source\na,b +,,\n", 2, 6, CM_FAULT_SYNTAX, "the expression ends here"},
        {"metric,formula,unit,source\na,1INST,,\n", 2, 4, CM_FAULT_SYNTAX, "unexpected 'INST'"},
        {"metric,formula,unit,source\na,a + 1,,\n", 2, 0, CM_FAULT_CIRCLE, "metric 'a' depends on its own value"},
        {"metric,formula,unit,source\nx,1,,\na,b,,\nb,a,,\n", 3, 0, CM_FAULT_CIRCLE,
         "metric 'a' depends on its own value"},
        {"metric,formula,unit,source\na,b,,\nb,c *,,\n", 2, 0, CM_FAULT_USES_FAULTY, "uses 'b', which has a fault"},
        {"metric,formula,unit,source,parent\na,b,,,c\n", 2, 0, CM_FAULT_SYNTAX,
         "the parent 'c' is not a metric of this file"},
        {"metric,formula,unit,source,parent\na,b,,,b\n", 2, 0, CM_FAULT_SYNTAX,
         "the parent 'b' is not a metric of this file"},
        {"metric,formula,unit,source,parent\na,x,,,b\nb,x,,,a\n", 2, 0, CM_FAULT_SYNTAX, "form a cycle"},
        {"metric,formula,unit,source,of\na,b,,,c\n", 2, 0, CM_FAULT_SYNTAX,
         "a fraction of 'c', which is neither a metric nor an event"},
        {"metric,formula,unit,source,of,parent\na,x,,,,\nb,y,,,a,a\nc,z,,,x,a\n", 4, 0, CM_FAULT_SYNTAX,
         "a fraction of 'x', but the metric in line 3, with the same parent, is a fraction of 'a'"},
        {"nonsense\n", 1, 0, CM_FAULT_SYNTAX, "not a file of formulas, expected a PAPI table"},
        {"", 0, 0, CM_FAULT_SYNTAX, "not a file of formulas"},
    };
    expect_faults(rows, COUNT(rows));
}

static void faults_of_papi_tables_are_named_with_their_place(void **state)
{
    (void)state;
    static const faulty rows[] = {
        {"CPU\n", 1, 1, CM_FAULT_SYNTAX, "CPU without a name"},
        {"CPU,x\nPRESET\n", 2, 1, CM_FAULT_SYNTAX, "without a name"},
        {"CPU,x\nPRESET,A\n", 2, 8, CM_FAULT_SYNTAX, "without a type"},
        {"CPU,x\nPRESET,A,DERIVED,E\n", 2, 10, CM_FAULT_SYNTAX, "unknown type"},
        {"CPU,x\nPRESET,A,DERIVED_ADD\n", 2, 10, CM_FAULT_SYNTAX, "no term"},
        {"CPU,x\nPRESET,A,DERIVED_ADD, ,E\n", 2, 10, CM_FAULT_SYNTAX, "no term"},
        {"CPU,x\nPRESET,A,DERIVED_ADD,SDESC,E\n", 2, 10, CM_FAULT_SYNTAX, "no term"},
        {"CPU,x\nPRESET,A,DERIVED_PS,E\n", 2, 21, CM_FAULT_ONE_TERM, "a rate needs a term after the cycles"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX\n", 2, 10, CM_FAULT_SYNTAX, "no arithmetic"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|N1|+|N2|-|,E,F\n", 2, 34, CM_FAULT_UNKNOWN_COUNTER, "no term N"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|+|,E\n", 2, 29, CM_FAULT_STACK, "fewer than two values"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|N1|,E,F\n", 2, 26, CM_FAULT_STACK, "several values are left"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,|,E\n", 2, 26, CM_FAULT_STACK, "no value is left"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|1|1|1|1|1|1|1|1|1|1|1|1|,E\n", 2, 51, CM_FAULT_STACK,
         "more than 12 values"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|1.5|*|,E\n", 2, 29, CM_FAULT_NUMBER, "a decimal"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|.5|*|,E\n", 2, 29, CM_FAULT_NUMBER, "a decimal"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|2147483648|*|,E\n", 2, 29, CM_FAULT_NUMBER, "above 2147483647"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N|,E\n", 2, 26, CM_FAULT_SYNTAX, "'N' without a number"},
        {"CPU,x\nPRESET,A,DERIVED_POSTFIX,N0|N1|%|,E,F\n", 2, 32, CM_FAULT_SYNTAX, "PAPI cannot read this"},
        {"CPU,x\nPRESET,A,DERIVED_INFIX,N0-N2,E,F\n", 2, 27, CM_FAULT_SYNTAX, "unknown term 'N2'"},
        {"CPU,x\nPRESET,A,DERIVED_INFIX,-N0,E\n", 2, 24, CM_FAULT_SYNTAX,
         "unexpected '-', expected a number, a name or '('"},
        {"CPU,x\nPRESET,A,DERIVED_INFIX,N0*1.5,E\n", 2, 28, CM_FAULT_NUMBER, "a decimal"},
        {"CPU,x\nPRESET,A,DERIVED_INFIX,N0*21474836480,E\n", 2, 27, CM_FAULT_NUMBER, "above 2147483647"},
        {"CPU,x\nPRESET,A,DERIVED_INFIX,N0 * 2,E\n", 2, 26, CM_FAULT_SYNTAX, "a blank within infix"},
        {"CPU,x\nPRESET,A,DERIVED_INFIX,(N0,E\n", 2, 24, CM_FAULT_SYNTAX, "unclosed '('"},
        {"CPU,x\nPRESET,PAPI_A,DERIVED_POSTFIX,N0|,E\nPRESET,PAPI_B,DERIVED_POSTFIX,N1|,E\nPRESET,PAPI_C,DERIVED_ADD,"
         "PAPI_B,E\n",
         3, 31, CM_FAULT_UNKNOWN_COUNTER, "no term N"},
    };
    expect_faults(rows, COUNT(rows));
}

static void faults_of_likwid_groups_are_named_with_their_place(void **state)
{
    (void)state;
    static const faulty rows[] = {
        {"SHORT x\n", 1, 0, CM_FAULT_SYNTAX, "no EVENTSET"},
        {"SHORT x\n\nEVENTSET\nPMC0 E\n", 4, 0, CM_FAULT_SYNTAX, "no METRICS"},
        {"EVENTSET\nPMC0\n\nMETRICS\na PMC0\n", 2, 1, CM_FAULT_SYNTAX, "a counter without an event"},
        {"EVENTSET\nPMC0 E\n\nMETRICS\nPMC0\n", 5, 1, CM_FAULT_SYNTAX, "one word"},
        {"EVENTSET\nPMC0 E\n\nMETRICS\nA b  PMC1*2\n", 5, 6, CM_FAULT_UNKNOWN_COUNTER, "unknown counter 'PMC1'"},
        {"EVENTSET\nPMC0 E\n\nMETRICS\nA PMC0+PMC01\n", 5, 8, CM_FAULT_UNKNOWN_COUNTER, "unknown counter 'PMC01'"},
        {"EVENTSET\nPMC0 E\n\nMETRICS\nA (PMC0 +PMC0)\n", 5, 9, CM_FAULT_SYNTAX, "a blank within the formula"},
        {"EVENTSET\nPMC0 E\n\nMETRICS\nA (PMC0\n", 5, 3, CM_FAULT_SYNTAX, "unclosed '('"},
        {"EVENTSET\nPMC0 E\n\nMETRICS\nA abs(PMC0,2)\n", 5, 11, CM_FAULT_SYNTAX, "unexpected ','"},
    };
    expect_faults(rows, COUNT(rows));
}

#define PERF(rest) "[{\"MetricName\": \"a\", \"MetricExpr\": \"" rest

static void faults_of_perf_metrics_are_named_with_their_place(void **state)
{
    (void)state;
    static const faulty rows[] = {
        {"[", 1, 1, CM_FAULT_SYNTAX, "']' expected"},
        {"[\n  {\"MetricName\" 1}\n]", 2, 17, CM_FAULT_SYNTAX, "':' expected"},
        {"[]", 1, 1, CM_FAULT_SYNTAX, "no metric"},
        {"[{\"EventName\": \"E\"}]", 1, 1, CM_FAULT_SYNTAX, "no metric"},
        {"[\n5]", 2, 1, CM_FAULT_SYNTAX, "not an object"},
        {"[{\"MetricName\": \"a\"}]", 1, 2, CM_FAULT_SYNTAX, "a metric without MetricExpr"},
        {"[{\"EventName\": \"E\"},\n {\"MetricExpr\": \"a\"}]", 2, 2, CM_FAULT_SYNTAX, "a metric without MetricName"},
        {"[{\"MetricName\": \"a\", \"MetricExpr\": 5}]", 1, 36, CM_FAULT_SYNTAX, "not a string"},
        {PERF("E +\"}]"), 1, 40, CM_FAULT_SYNTAX, "the expression ends here"},
        {PERF("\\u0045 F\"}]"), 1, 44, CM_FAULT_SYNTAX, "unexpected 'F'"},
        {PERF("E\\\\-F \xc3\xa4\"}]"), 1, 43, CM_FAULT_SYNTAX, "unexpected"},
        {PERF("\\ud83d\\ude00\"}]"), 1, 37, CM_FAULT_SYNTAX, "unexpected"},
        {PERF("min(E)\"}]"), 1, 42, CM_FAULT_SYNTAX, "expected ',' and another argument"},
        {PERF("min(E, 2, 3)\"}]"), 1, 45, CM_FAULT_SYNTAX, "unexpected ','"},
        {PERF("has_event(2 + E)\"}]"), 1, 47, CM_FAULT_SYNTAX, "expected the name of an event"},
        {PERF("a\"}]"), 1, 37, CM_FAULT_CIRCLE, "depends on its own value"},
        {PERF("b\"},\n {\"MetricName\": \"b\", \"MetricExpr\": \")\"}]"), 1, 37, CM_FAULT_USES_FAULTY, "uses 'b'"},
    };
    expect_faults(rows, COUNT(rows));
}

#define PERFMON(rest) "{\"Metrics\": [{\"MetricName\": \"m\"," rest "}]}"

static void faults_of_perfmon_metrics_are_named_with_their_place(void **state)
{
    (void)state;
    static const faulty rows[] = {
        {"{\"Metrics\": 5}", 1, 1, CM_FAULT_SYNTAX, "no metric"},
        {"{\"Metrics\": []}", 1, 1, CM_FAULT_SYNTAX, "no metric"},
        {"{\"Metrics\": [\n 5]}", 2, 2, CM_FAULT_SYNTAX, "not an object"},
        {PERFMON("\"Level\": 1"), 1, 14, CM_FAULT_SYNTAX, "a metric without Formula"},
        {PERFMON("\"Formula\": \"1\",\n\"Events\": 5"), 2, 11, CM_FAULT_SYNTAX, "not an array"},
        {PERFMON("\"Formula\": \"1\",\n\"Events\": [{\"Name\": \"E\"}]"), 2, 11, CM_FAULT_SYNTAX,
         "without Name or Alias"},
        {PERFMON("\n\"Formula\": \"2 * b\""), 2, 17, CM_FAULT_UNKNOWN_COUNTER, "unknown alias 'b'"},
        {PERFMON("\n\"Formula\": \"(smt_on\""), 2, 13, CM_FAULT_SYNTAX, "unclosed '('"},
    };
    expect_faults(rows, COUNT(rows));
}

static void faults_of_arms_specifications_are_named_with_their_place(void **state)
{
    (void)state;
#define ARM(rest) "{\"product_configuration\": {},\n" rest "}"
    static const faulty rows[] = {
        {ARM("\"events\": {}, \"metrics\": {}"), 1, 1, CM_FAULT_SYNTAX, "no metrics here"},
        {ARM("\"events\": 5, \"metrics\": {\"m\": {}}"), 1, 1, CM_FAULT_SYNTAX, "no metrics here"},
        {ARM("\"events\": {}, \"metrics\": {\"m\": 5}"), 2, 32, CM_FAULT_SYNTAX, "not an object"},
        {ARM("\"events\": {}, \"metrics\": {\"m\": {\"formula\": 5}}"), 2, 44, CM_FAULT_SYNTAX, "a metric without a"},
        {ARM("\"events\": {}, \"metrics\": {\"m\": {\"formula\": \"(E\"}}"), 2, 45, CM_FAULT_SYNTAX, "unclosed '('"},
        {ARM("\"events\": {}, \"metrics\": {\"m\": {\"formula\": \"m\"}}"), 2, 45, CM_FAULT_CIRCLE, "its own value"},
    };
    expect_faults(rows, COUNT(rows));
}

static void metrics_may_stand_in_any_order(void **state)
{
    (void)state;
    cm_formulas *set = load("metric,formula,unit,source,of,parent\npart,'x y' / whole,,,whole,whole\n"
                            "whole,2 * X:y.z,,,,\n");
    size_t count = 0;
    const size_t *needs = cm_formulas_needs(set, 0, &count);
    assert_int_equal(count, 2);
    assert_string_equal(cm_formulas_quantity_name(set, needs[0]), "x y");
    assert_string_equal(cm_formulas_quantity_name(set, needs[1]), "X:y.z");
    cm_formulas_free(set);
}

static void what_formulas_say(void **state)
{
    (void)state;
    cm_formulas *set = load("CPU,one,two\nCPU,two\nPRESET,PAPI_A,DERIVED_POSTFIX,N0|2|*|,E,SDESC,short,LDESC,long,NOTE,"
                            "note\ncuda,GH100\nEVENT,B,NOT_DERIVED,x:::y:stat=sum\n");
    const cm_formula_info *info = cm_formulas_info(set, 0);
    assert_string_equal(cm_formulas_format(set), "papi");
    assert_string_equal(cm_formulas_format_title(set), "PAPI");
    assert_int_equal(cm_formulas_count(set), 2);
    assert_string_equal(info->metric, "PAPI_A");
    assert_string_equal(info->preset, "PAPI_A");
    assert_string_equal(info->section, "one,two");
    assert_string_equal(info->description, "long");
    assert_string_equal(info->source, "note");
    assert_string_equal(info->text, "DERIVED_POSTFIX,N0|2|*|,E");
    assert_int_equal(info->line, 3);
    assert_int_equal(info->column, 15);
    info = cm_formulas_info(set, 1);
    assert_string_equal(info->metric, "B");
    assert_string_equal(info->preset, "");
    assert_string_equal(info->section, "GH100");
    cm_formulas_free(set);

    set = load("SHORT a  group\nEVENTSET\nMBOX0C0 CAS\nMBOX1C0 CAS\nPMC0:EDGEDETECT E\n\nMETRICS\n"
               "Rate  [GB/s]   MBOX0C0+MBOX1C0*2+PMC0:EDGEDETECT\n");
    static const char *const names[] = {"CAS:MBOX0C0", "CAS:MBOX1C0", "E:PMC0:EDGEDETECT"};
    info = cm_formulas_info(set, 0);
    assert_string_equal(cm_formulas_format(set), "likwid");
    assert_string_equal(info->metric, "Rate  [GB/s]");
    assert_string_equal(info->unit, "GB/s");
    assert_string_equal(info->description, "a  group");
    assert_string_equal(info->text, "MBOX0C0+MBOX1C0*2+PMC0:EDGEDETECT");
    assert_int_equal(info->line, 8);
    assert_int_equal(info->column, 16);
    assert_int_equal(cm_formulas_quantity_count(set), COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(cm_formulas_quantity_name(set, i), names[i]);
    cm_formulas_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_use_the_events_of_the_papers),
        cmocka_unit_test(faults_of_csv_are_named_with_their_place),
        cmocka_unit_test(faults_of_papi_tables_are_named_with_their_place),
        cmocka_unit_test(faults_of_likwid_groups_are_named_with_their_place),
        cmocka_unit_test(faults_of_perf_metrics_are_named_with_their_place),
        cmocka_unit_test(faults_of_perfmon_metrics_are_named_with_their_place),
        cmocka_unit_test(faults_of_arms_specifications_are_named_with_their_place),
        cmocka_unit_test(metrics_may_stand_in_any_order),
        cmocka_unit_test(what_formulas_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
