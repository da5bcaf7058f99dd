/* What kernels execute, seen by the software PMU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/analysis.h>
#include <catmint/kernels.h>
#include <catmint/software_pmu.h>
#include <catmint/tables.h>

typedef struct body_call {
    const cm_kernel *kernel;
    uint64_t iterations;
    cm_kernel_data *data;
    size_t deeper; /* bytes of the stack above the kernel's */
} body_call;

/* It is stepped, too: a sanitizer's checks would add branches and loads to the kernel's. */
__attribute__((no_sanitize("address", "undefined"))) static void run_body(void *argument)
{
    const body_call *call = argument;
    volatile char *above = __builtin_alloca(call->deeper + 1);
    *above = 0;
    call->kernel->body(call->iterations, call->data);
}

static cm_software_pmu *open_pmu(const char *predictor, uint64_t line_size)
{
    cm_pmu_machine machine = {.line_size = line_size,
                              .page_size = 4096,
                              .l1d_size = 32768,
                              .l1d_ways = 8,
                              .l2_size = 262144,
                              .l2_ways = 8,
                              .dtlb_entries = 64,
                              .wrong_path_window = 64};
    snprintf(machine.predictor, sizeof machine.predictor, "%s", predictor);
    cm_software_pmu *pmu = NULL;
    cm_error error;
    if (cm_software_pmu_create(&machine, &pmu, &error) != CM_OK)
        fail_msg("%s", error.text);
    return pmu;
}

static double fact(const uint64_t *before, const uint64_t *after, const char *name)
{
    ptrdiff_t index = cm_fact_find(name);
    assert_true(index >= 0);
    return (double)(after[index] - before[index]);
}

/* Runs a kernel; `facts` gets what it added to each fact. Both arrays have cm_fact_count() elements. */
static void step(cm_software_pmu *pmu, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                 uint64_t *before)
{
    body_call call = {kernel, iterations, data, 0};
    cm_error error;
    memcpy(before, cm_software_pmu_facts(pmu), cm_fact_count() * sizeof *before);
    if (cm_software_pmu_run(pmu, run_body, &call, &error) != CM_OK)
        fail_msg("%s: %s", kernel->name, error.text);
}

static const struct {
    const char *kernel;
    double executed, retired, taken, unconditional, mispredicted;
} branch_rows[] = {
    {"b1", 2, 2, 1.5, 0, 0},     {"b2", 2, 2, 1, 0, 0},          {"b3", 2, 2, 2, 0, 0},
    {"b4", 2, 2, 1.5, 0, 0.5},   {"b4a", 2.5, 2.5, 1.5, 0, 0.5}, {"b4b", 2.5, 2.5, 2, 0, 0.5},
    {"b5", 2.5, 2, 1.5, 0, 0.5}, {"b5a", 3, 2.5, 1.5, 0, 0.5},   {"b5b", 3, 2.5, 2, 0, 0.5},
    {"b6", 2, 2, 1, 1, 0},       {"b7", 1, 1, 1, 0, 0},
};

/* Runs one kernel and compares it with its row: counts an iteration round to it. */
static void expect_branches(cm_software_pmu *pmu, size_t row, uint64_t iterations, cm_kernel_data *data,
                            uint64_t *before)
{
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    step(pmu, cm_kernel_find("branch", branch_rows[row].kernel), iterations, data, before);
    const struct {
        const char *fact;
        double expected;
    } expected[] = {{"cond_executed", branch_rows[row].executed},
                    {"branches_cond", branch_rows[row].retired},
                    {"branches_cond_taken", branch_rows[row].taken},
                    {"branches_uncond", branch_rows[row].unconditional},
                    {"mispredicted_cond", branch_rows[row].mispredicted}};
    for (size_t f = 0; f < sizeof expected / sizeof expected[0]; f++) {
        double got = fact(before, facts, expected[f].fact) / (double)iterations;
        if (fabs(got - expected[f].expected) >= 0.125) /* half a quantum */
            fail_msg("%s, %llu iterations: %s is %g", branch_rows[row].kernel, (unsigned long long)iterations,
                     expected[f].fact, got);
    }
}

/* From a predictor that knows nothing and from one that has just met random branches, with an odd number, and long. */
static void branch_kernels_execute_their_row(void **state)
{
    (void)state;
    static const char *const predictors[] = {"bimodal", "gshare", "tage"};
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    cm_kernel_data data = {42, NULL};
    for (size_t p = 0; p < 3; p++) {
        cm_software_pmu *pmu = open_pmu(predictors[p], 64);
        for (int pass = 0; pass < 4; pass++)
            for (size_t row = 0; row < sizeof branch_rows / sizeof branch_rows[0]; row++) {
                enum { FEW = 4096 };
                expect_branches(pmu, row, pass < 2 ? FEW : pass == 2 ? FEW + 1 : 5000, &data, before);
            }
        cm_software_pmu_free(pmu);
    }
    free(before);
}

/* On a wrong path a branch goes where the predictor, for which the misprediction has happened, sends it: b5's loop goes
 * on, b5a's nested branch does not jump. */
static void wrong_paths_go_where_the_predictor_sends_them(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        double executed_taken; /* per iteration: T and those on wrong paths */
    } rows[] = {{"b4", 1.5}, {"b5", 2.0}, {"b5a", 1.75}, {"b5b", 2.5}};
    static const char *const predictors[] = {"bimodal", "gshare", "tage"};
    enum { WARM_UP = 20000, ITERATIONS = 5000 };
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    for (size_t p = 0; p < 3; p++) {
        cm_software_pmu *pmu = open_pmu(predictors[p], 64);
        cm_kernel_data data = {7, NULL};
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
            const cm_kernel *kernel = cm_kernel_find("branch", rows[row].kernel);
            step(pmu, kernel, WARM_UP, &data, before);
            step(pmu, kernel, ITERATIONS, &data, before);
            double executed = fact(before, cm_software_pmu_facts(pmu), "cond_executed_taken") / ITERATIONS;
            if (fabs(executed - rows[row].executed_taken) > 0.1) /* b5a's share of each side is the predictor's */
                fail_msg("%s, %s: %g taken branches executed", predictors[p], rows[row].kernel, executed);
        }
        cm_software_pmu_free(pmu);
    }
    free(before);
}

/* Counts of instructions of some kind, as events of a processor count them, must not be combinations of the symbols. */
static const struct {
    const char *what;
    double nops, fences, branches; /* weights beside one for each instruction */
} instruction_rows[] = {
    {"instructions", 0, 0, 0},         {"without nops", -1, 0, 0},      {"without fences", 0, -1, 0},
    {"without both", -1, -1, 0},       {"fences as four", 0, 3, 0},     {"fences as nine", 0, 8, 0},
    {"compare and branch", 0, 0, -1},  {"that and no nops", -1, 0, -1}, {"that and no fences", 0, -1, -1},
    {"that without both", -1, -1, -1},
};

static void expect_unrepresentable(const cm_analysis *analysis, size_t count)
{
    assert_int_equal(cm_analysis_event_count(analysis), count);
    for (size_t i = 0; i < count; i++) {
        cm_event_analysis event = cm_analysis_event(analysis, i);
        if (!(event.residual >= 0.07)) /* 0.01 is tolerated */
            fail_msg("%s: residual %g", event.event, event.residual);
    }
}

static void instructions_are_no_combination_of_branches(void **state)
{
    (void)state;
    enum { KERNELS = 23, EVENTS = sizeof instruction_rows / sizeof *instruction_rows };
    static const char *const names[] = {"instructions", "nops", "fences", "branches_cond"};
    cm_software_pmu *pmu = open_pmu("tage", 64);
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    cm_kernel_data data = {3, NULL};
    double counts[4][KERNELS];
    cm_basis *basis = NULL;
    assert_int_equal(cm_basis_load(CM_TEST_SOURCE_DIR "/bases/branch.csv", &basis, NULL), CM_OK);
    assert_int_equal(basis->kernel_count, KERNELS);
    for (size_t k = 0; k < KERNELS; k++) {
        step(pmu, cm_kernel_find("branch", basis->kernels[k]), 2048, &data, before);
        for (size_t f = 0; f < 4; f++)
            counts[f][k] = fact(before, cm_software_pmu_facts(pmu), names[f]) / 2048;
    }
    cm_thresholds thresholds;
    cm_analysis *analysis = NULL;
    cm_thresholds_default(&thresholds);
    thresholds.quantum = 0.25;
    assert_int_equal(cm_analysis_create(basis->expectations, &thresholds, &analysis, NULL), CM_OK);
    for (size_t e = 0; e < EVENTS; e++) {
        double vectors[2][KERNELS];
        for (size_t k = 0; k < KERNELS; k++) {
            vectors[0][k] = vectors[1][k] = counts[0][k] + instruction_rows[e].nops * counts[1][k] +
                                            instruction_rows[e].fences * counts[2][k] +
                                            instruction_rows[e].branches * counts[3][k];
        }
        assert_int_equal(cm_analysis_add_event(analysis, instruction_rows[e].what, vectors[0], 2, NULL), CM_OK);
    }
    expect_unrepresentable(analysis, EVENTS);
    cm_analysis_free(analysis);
    cm_basis_free(basis);
    free(before);
    cm_software_pmu_free(pmu);
}

/* A line of 128 bytes begins at the stack's pointer or 64 bytes off it, by chance. */
static void stores_of_mixtures_hit_lines_of_128_bytes(void **state)
{
    (void)state;
    enum { ITERATIONS = 256 };
    cm_software_pmu *pmu = open_pmu("tage", 128);
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    cm_kernel_data data = {1, NULL};
    for (size_t deeper = 0; deeper < 256; deeper += 64) {
        body_call call = {cm_kernel_find("branch", "mixture"), ITERATIONS, &data, deeper};
        memcpy(before, cm_software_pmu_facts(pmu), cm_fact_count() * sizeof *before);
        assert_int_equal(cm_software_pmu_run(pmu, run_body, &call, NULL), CM_OK);
        assert_true(fact(before, cm_software_pmu_facts(pmu), "nt_stores") == ITERATIONS);
        assert_true(fact(before, cm_software_pmu_facts(pmu), "l1d_store_miss") < 16);
        assert_true(fact(before, cm_software_pmu_facts(pmu), "l1d_load_miss") < 16);
    }
    free(before);
    cm_software_pmu_free(pmu);
}

/* A pass of all kernels but the chases is short where each instruction takes microseconds, even with the benchmark that
 * docs/howto/add-a-benchmark.md adds. */
static void a_pass_under_the_software_pmu_is_short(void **state)
{
    (void)state;
    cm_software_pmu *pmu = open_pmu("tage", 64);
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    cm_kernel_data data = {1, NULL};
    for (size_t k = 0; k < cm_kernel_count(); k++)
        if (cm_kernel_available(cm_kernel_get(k)) && !cm_kernel_is_of_gpu(cm_kernel_get(k)) &&
            cm_kernel_get(k)->level == 0)
            step(pmu, cm_kernel_get(k), cm_kernel_get(k)->software_iterations, &data, before);
    memset(before, 0, cm_fact_count() * sizeof *before);
    double instructions = fact(before, cm_software_pmu_facts(pmu), "instructions");
    if (instructions > 18.5e6)
        fail_msg("%g instructions", instructions);
    free(before);
    cm_software_pmu_free(pmu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branch_kernels_execute_their_row),
        cmocka_unit_test(wrong_paths_go_where_the_predictor_sends_them),
        cmocka_unit_test(instructions_are_no_combination_of_branches),
        cmocka_unit_test(stores_of_mixtures_hit_lines_of_128_bytes),
        cmocka_unit_test(a_pass_under_the_software_pmu_is_short),
    };
    return cmocka_run_group_tests_name("kernels_stepped", tests, NULL, NULL);
}
