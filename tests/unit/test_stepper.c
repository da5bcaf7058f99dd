/* What the machine that steps sees: functions in assembly, known instruction by instruction (stepper_functions.S), and
 * all facts that they must lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

#include "software_pmu/machine/facts.h"
#include "stepping.h"

static const cm_pmu_machine machine = {
    .line_size = 64,
    .page_size = 4096,
    .l1d_size = 32768,
    .l1d_ways = 8,
    .dtlb_entries = 64,
    .predictor = "bimodal",
};

static unsigned char buffer[4096] __attribute__((aligned(4096)));

typedef void function(void *argument);

function step_nothing, step_moves, step_stack, step_atomics, step_loop, step_counted_branches, step_conditions,
    step_calls, step_pops_arguments, step_strings, step_compares, step_strings_backwards, step_bits,
    step_floating_point, step_avx, step_fma, step_avx512, step_gathers, step_scatters, step_x87, step_mmx, step_fences,
    step_splits, step_widths, step_past;
function refuse_ud2, refuse_int3, refuse_hlt, refuse_out, refuse_far_jump, refuse_far_return, refuse_iret,
    refuse_transaction, refuse_segment, refuse_fsbase, refuse_undecodable, refuse_int80, refuse_vfork, refuse_half,
    refuse_nowhere, refuse_late;
function path_fenced, path_open;

static cm_software_pmu *create(const cm_pmu_machine *geometry)
{
    cm_software_pmu *pmu = NULL;
    cm_error error;
    if (cm_software_pmu_create(geometry, &pmu, &error) != CM_OK)
        fail_msg("%s", error.text);
    return pmu;
}

/* Time, caches and predictions of branches depend on more than one function: other tests look at them, and one below at
 * widths. */
static bool is_left_out(const char *name)
{
    static const char *const starts[] = {"tsc_",        "l1d_",    "l2_",           "l3_",           "load_walks",
                                         "store_walks", "dtlb_",   "mispredicted_", "cond_executed", "uncond_executed",
                                         "loads_",      "stores_", "int_",          "string_",       "load_fences"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* All facts that are not 0, in their order: "instructions=1 loads=1". */
static void describe(const uint64_t *facts, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        if (facts[fact] != 0 && !is_left_out(cm_fact_name(fact)))
            length += (size_t)snprintf(text + length, size - length, "%s%s=%llu", length != 0 ? " " : "",
                                       cm_fact_name(fact), (unsigned long long)facts[fact]);
}

/* Every function ends with a return: one load of 8 bytes. */
static void functions_lead_to_exactly_their_facts(void **state)
{
    (void)state;
    static const struct {
        const char *name, *needs;
        function *function;
        const char *facts;
    } rows[] = {
        {"nothing", NULL, step_nothing, "instructions=1 loads=1 load_bytes=8 returns=1"},
        {"moves", NULL, step_moves,
         "instructions=9 loads=4 stores=2 load_bytes=19 store_bytes=6 returns=1 nops=2 updates=1 prefetches_t0=1"},
        {"stack", NULL, step_stack, "instructions=10 loads=6 stores=5 load_bytes=48 store_bytes=40 returns=1"},
        {"atomics", NULL, step_atomics,
         "instructions=4 loads=4 stores=3 load_bytes=28 store_bytes=20 returns=1 locked_loads=3 updates=3"},
        {"loop", NULL, step_loop,
         "instructions=13 loads=1 load_bytes=8 branches_cond=5 branches_cond_taken=4 branches_uncond=1 returns=1"},
        {"counted branches", NULL, step_counted_branches,
         "instructions=9 loads=1 load_bytes=8 branches_cond=6 branches_cond_taken=4 returns=1"},
        {"conditions", NULL, step_conditions,
         "instructions=15 loads=1 load_bytes=8 branches_cond=12 branches_cond_taken=2 returns=1"},
        {"calls", NULL, step_calls,
         "instructions=16 loads=7 stores=6 load_bytes=56 store_bytes=48 branches_indirect=2 calls=3 returns=4 "
         "calls_indirect=2"},
        {"arguments popped", NULL, step_pops_arguments,
         "instructions=5 loads=2 stores=3 load_bytes=16 store_bytes=24 calls=1 returns=2"},
        {"strings", NULL, step_strings, "instructions=11 loads=13 stores=17 load_bytes=30 store_bytes=66 returns=1"},
        {"strings compared", NULL, step_compares,
         "instructions=12 loads=10 stores=3 load_bytes=31 store_bytes=24 returns=1"},
        {"strings backwards", NULL, step_strings_backwards,
         "instructions=6 loads=1 stores=4 load_bytes=8 store_bytes=32 returns=1"},
        {"bits", NULL, step_bits, "instructions=4 loads=3 stores=1 load_bytes=20 store_bytes=8 returns=1 updates=1"},
        {"SSE", NULL, step_floating_point,
         "instructions=13 loads=2 load_bytes=12 returns=1 fp_s_scalar=1 fp_s_scalar_mul=1 fp_s_128=1 fp_s_128_div=1 "
         "fp_d_scalar=3 fp_d_scalar_add=1 fp_d_scalar_sub=1 fp_d_scalar_other=1 fp_d_128=2 fp_d_128_sqrt=1 "
         "fp_d_128_other=1 simd_instructions=12 fp_min_max=1 fp_compares=1 fp_conversions=1"},
        {"AVX", "avx", step_avx,
         "instructions=6 loads=2 load_bytes=40 returns=1 fp_s_256=2 fp_s_256_mul=1 fp_s_256_other=1 fp_d_scalar=1 "
         "fp_d_scalar_add=1 fp_d_256=1 fp_d_256_add=1 fp_s_256_dpp=1 simd_instructions=5"},
        {"FMA", "fma", step_fma,
         "instructions=5 loads=1 load_bytes=8 returns=1 fp_s_scalar_fma=1 fp_s_128_fma=1 fp_d_256_fma=1 "
         "simd_instructions=4"},
        {"AVX-512", "avx512vl", step_avx512,
         "instructions=8 loads=2 stores=1 load_bytes=16 store_bytes=64 returns=1 fp_s_512_fma=1 fp_d_256=1 "
         "fp_d_256_mul=1 fp_d_512=1 fp_d_512_add=1 simd_instructions=6 fp_masked_s_fma=14"},
        {"gathers", "avx2", step_gathers, "instructions=10 loads=12 load_bytes=52 returns=1 simd_instructions=8"},
        {"scatters", "avx512f", step_scatters,
         "instructions=9 loads=5 stores=4 load_bytes=24 store_bytes=16 returns=1 simd_instructions=7"},
        {"x87", NULL, step_x87,
         "instructions=5 loads=2 stores=1 load_bytes=16 store_bytes=8 returns=1 x87_instructions=4"},
        {"MMX", NULL, step_mmx, "instructions=4 loads=2 load_bytes=16 returns=1 mmx_instructions=3"},
        {"fences", NULL, step_fences, "instructions=4 loads=1 load_bytes=8 returns=1 fences=3"},
        {"splits", NULL, step_splits,
         "instructions=4 loads=3 stores=1 load_bytes=24 store_bytes=8 returns=1 split_loads=1 split_stores=1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool has = rows[i].needs == NULL || (strcmp(rows[i].needs, "avx") == 0 && __builtin_cpu_supports("avx")) ||
                   (strcmp(rows[i].needs, "avx2") == 0 && __builtin_cpu_supports("avx2")) ||
                   (strcmp(rows[i].needs, "fma") == 0 && __builtin_cpu_supports("fma")) ||
                   (strcmp(rows[i].needs, "avx512f") == 0 && __builtin_cpu_supports("avx512f")) ||
                   (strcmp(rows[i].needs, "avx512vl") == 0 && __builtin_cpu_supports("avx512vl"));
        if (!has) {
            print_message("left out for lack of %s: %s\n", rows[i].needs, rows[i].name);
            continue;
        }
        cm_software_pmu *pmu = create(&machine);
        cm_error error;
        char text[1024];
        memset(buffer, 0, sizeof buffer);
        if (cm_software_pmu_run(pmu, rows[i].function, buffer, &error) != CM_OK)
            fail_msg("%s: %s", rows[i].name, error.text);
        describe(cm_software_pmu_facts(pmu), text, sizeof text);
        if (strcmp(text, rows[i].facts) != 0)
            fail_msg("%s:\n  counts   %s\n  expected %s", rows[i].name, text, rows[i].facts);
        cm_software_pmu_free(pmu);
    }
}

/* What else is told of accesses: those of widths that are no power of two have no fact of their own. */
static void accesses_are_told_by_width_and_way(void **state)
{
    (void)state;
    static const struct {
        function *function;
        const char *fact;
        uint64_t count;
    } rows[] = {
        {step_widths, "loads_1", 1},      {step_widths, "loads_2", 2},      {step_widths, "loads_4", 1},
        {step_widths, "loads_8", 2},      {step_widths, "loads_16", 1},     {step_widths, "loads", 8},
        {step_widths, "stores_2", 1},     {step_widths, "stores_8", 1},     {step_widths, "stores_16", 1},
        {step_widths, "updates", 1},      {step_widths, "load_bytes", 51},  {step_past, "nt_stores", 4},
        {step_past, "stores", 6},         {step_past, "stores_8", 4},       {step_past, "store_bytes", 52},
        {step_past, "l1d_store_hit", 0},  {step_past, "l1d_store_miss", 2}, {step_past, "split_stores", 1},
        {step_past, "prefetches_nta", 1}, {step_past, "prefetches_t0", 1},  {step_past, "prefetches_t1_t2", 2},
        {step_past, "prefetches_w", 1},   {step_past, "loads", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_software_pmu *pmu = create(&machine);
        assert_int_equal(cm_software_pmu_run(pmu, rows[i].function, buffer, NULL), CM_OK);
        uint64_t found = cm_software_pmu_facts(pmu)[cm_fact_find(rows[i].fact)];
        if (found != rows[i].count)
            fail_msg("row %zu: %s is %llu", i, rows[i].fact, (unsigned long long)found);
        cm_software_pmu_free(pmu);
    }
}

static void facts_add_up_from_run_to_run(void **state)
{
    (void)state;
    cm_software_pmu *pmu = create(&machine);
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    assert_int_equal(facts[CM_FACT_INSTRUCTIONS], 0);
    uint64_t cycles = 0;
    for (uint64_t run = 1; run <= 3; run++) {
        assert_int_equal(cm_software_pmu_run(pmu, step_loop, buffer, NULL), CM_OK);
        assert_int_equal(facts[CM_FACT_INSTRUCTIONS], 13 * run);
        assert_true(facts[CM_FACT_TSC_CYCLES] > cycles);
        cycles = facts[CM_FACT_TSC_CYCLES];
    }
    /* bimodal: the first two rounds of the first run, and the end of each */
    assert_int_equal(facts[CM_FACT_MISPREDICTED_COND], 1 + 3);
    assert_int_equal(facts[CM_FACT_MISPREDICTED_COND_TAKEN], 1);
    assert_int_equal(facts[CM_FACT_MISPREDICTED_COND_NTAKEN], 3);
    assert_int_equal(facts[CM_FACT_MISPREDICTED_RETURNS], 0);
    cm_software_pmu_free(pmu);
}

static void what_cannot_be_stepped_is_refused_with_its_bytes(void **state)
{
    (void)state;
    static const struct {
        function *function;
        const char *says;
    } rows[] = {
        {refuse_ud2, "bytes 0f 0b: undefined"},
        {refuse_int3, "bytes cc: a software interrupt"},
        {refuse_hlt, "bytes f4: privileged"},
        {refuse_out, "bytes ee: "},
        {refuse_far_jump, "bytes ff 2f: a far"},
        {refuse_far_return, "bytes cb: "},
        {refuse_iret, "bytes 48 cf: "},
        {refuse_transaction, ": a transaction"},
        {refuse_segment, "bytes 8e d8: "},
        {refuse_fsbase, "thread-local storage"},
        {refuse_undecodable, ": not an instruction"},
        {refuse_int80, "bytes cd 80: a software interrupt"},
        {refuse_vfork, "bytes 0f 05: "},
        {refuse_nowhere, "no code to step at 0x0"},
        {refuse_late, "bytes 0f 0b: "},
    };
    cm_software_pmu *pmu = create(&machine);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error;
        cm_status status = cm_software_pmu_run(pmu, rows[i].function, buffer, &error);
        if (status != CM_UNSUPPORTED || strstr(error.text, rows[i].says) == NULL)
            fail_msg("row %zu: status %d, '%s', expected '%s'", i, (int)status, error.text, rows[i].says);
        /* and the machine is as good as before */
        uint64_t before = cm_software_pmu_facts(pmu)[CM_FACT_INSTRUCTIONS];
        assert_int_equal(cm_software_pmu_run(pmu, step_loop, buffer, &error), CM_OK);
        assert_int_equal(cm_software_pmu_facts(pmu)[CM_FACT_INSTRUCTIONS] - before, 13);
    }
    cm_software_pmu_free(pmu);
}

static void a_refused_function_has_run_up_to_there(void **state)
{
    (void)state;
    cm_software_pmu *pmu = create(&machine);
    char place[32];
    cm_error error;
    memset(buffer, 0, sizeof buffer);
    assert_int_equal(cm_software_pmu_run(pmu, refuse_late, buffer, &error), CM_UNSUPPORTED);
    assert_int_equal(buffer[0], 77);
    assert_int_equal(cm_software_pmu_facts(pmu)[CM_FACT_INSTRUCTIONS], 2);
    assert_int_equal(cm_software_pmu_facts(pmu)[CM_FACT_STORES], 2);
    unsigned char *code;
    function *refused = refuse_late;
    memcpy(&code, &refused, sizeof code);
    while (code[0] != 0x0F || code[1] != 0x0B)
        code++;
    snprintf(place, sizeof place, "at 0x%llx,", (unsigned long long)(uintptr_t)code);
    assert_non_null(strstr(error.text, place));
    cm_software_pmu_free(pmu);
}

static void an_instruction_that_the_processor_lacks_is_refused(void **state)
{
    (void)state;
    cm_error error;
    unsigned a, b, c, d;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));
    if ((d >> 23 & 1) != 0) {
        print_message("skipped: this processor has AVX512-FP16\n");
        skip();
    }
    cm_software_pmu *pmu = create(&machine);
    assert_int_equal(cm_software_pmu_run(pmu, refuse_half, buffer, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "processor lacks"));
    cm_software_pmu_free(pmu);
}

static void step_oneself(void *argument)
{
    *(int *)buffer = (int)cm_software_pmu_run(argument, step_nothing, NULL, NULL);
}

static void stepped_code_cannot_step_with_the_same_machine(void **state)
{
    (void)state;
    cm_software_pmu *pmu = create(&machine);
    memset(buffer, 0, sizeof buffer);
    assert_int_equal(cm_software_pmu_run(pmu, step_oneself, pmu, NULL), CM_OK);
    assert_int_equal(*(int *)buffer, CM_BAD_ARGUMENT);
    cm_software_pmu_free(pmu);
}

static void a_machine_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    cm_pmu_machine wrong = machine;
    cm_software_pmu *pmu = NULL;
    strcpy(wrong.predictor, "oracle");
    assert_int_equal(cm_software_pmu_create(&wrong, &pmu, NULL), CM_BAD_ARGUMENT);
    wrong = machine;
    wrong.line_size = 0;
    assert_int_equal(cm_software_pmu_create(&wrong, &pmu, NULL), CM_BAD_ARGUMENT);
    assert_null(pmu);
    cm_software_pmu_free(NULL);
}

/* ---- the wrong path ---- */

enum { COINS = 400 };

typedef struct path_facts {
    uint64_t branches, mispredicted, executed, executed_taken, instructions;
} path_facts;

static path_facts walk(function *path, const char *predictor, unsigned window)
{
    cm_pmu_machine geometry = machine;
    strcpy(geometry.predictor, predictor);
    geometry.wrong_path_window = window;
    cm_software_pmu *pmu = create(&geometry);
    static uint32_t coins[COINS + 1];
    uint64_t random = 99;
    for (size_t i = 0; i < COINS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        coins[i] = 1 + (uint32_t)(random >> 63);
    }
    assert_int_equal(cm_software_pmu_run(pmu, path, coins, NULL), CM_OK);
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    path_facts result = {facts[CM_FACT_BRANCHES_COND], facts[CM_FACT_MISPREDICTED_COND], facts[CM_FACT_COND_EXECUTED],
                         facts[CM_FACT_COND_EXECUTED_TAKEN], facts[CM_FACT_INSTRUCTIONS]};
    cm_software_pmu_free(pmu);
    return result;
}

static void a_fence_ends_the_wrong_path(void **state)
{
    (void)state;
    path_facts facts = walk(path_fenced, "tage", 64);
    assert_int_equal(facts.branches, 2 * COINS + 1);
    assert_in_range(facts.mispredicted, COINS * 4 / 10, COINS * 6 / 10);
    /* Only the two mispredictions of the loop's own branch, at the start and at the end, lead to another one. */
    assert_in_range(facts.executed - facts.branches, 0, 2);
}

/* Both ways of the random branch lead to the loop's branch, which is predicted taken and leads to a fence. */
static void each_misprediction_meets_one_branch_on_an_open_path(void **state)
{
    (void)state;
    path_facts facts = walk(path_open, "tage", 64);
    assert_int_equal(facts.branches, 2 * COINS + 2);
    assert_in_range(facts.mispredicted, COINS * 4 / 10, COINS * 6 / 10);
    assert_in_range(facts.executed - facts.branches, facts.mispredicted - 3, facts.mispredicted);
}

static void the_window_bounds_the_wrong_path(void **state)
{
    (void)state;
    static const struct {
        unsigned window;
        uint64_t per_misprediction; /* not taken is two instructions away from the branch, taken one */
    } rows[] = {{0, 0}, {1, 0}, {2, 0}, {3, 1}, {1000, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        /* "none" says not taken: a branch that is taken is mispredicted, and its path goes on at the nop */
        path_facts facts = walk(path_open, "none", rows[i].window);
        uint64_t loops = COINS; /* the loop's own branch is mispredicted, too, and leads to the return */
        uint64_t random = facts.mispredicted - loops;
        if (facts.executed - facts.branches != random * rows[i].per_misprediction)
            fail_msg("row %zu: %llu branches on wrong paths after %llu mispredictions", i,
                     (unsigned long long)(facts.executed - facts.branches), (unsigned long long)random);
    }
}

static void stepping_on_a_wrong_path_changes_nothing_else(void **state)
{
    (void)state;
    path_facts without = walk(path_open, "tage", 0), with = walk(path_open, "tage", 64);
    assert_int_equal(without.branches, with.branches);
    assert_int_equal(without.mispredicted, with.mispredicted);
    assert_int_equal(without.instructions, with.instructions);
    assert_int_equal(without.executed, without.branches);
    assert_true(with.executed_taken > without.executed_taken);
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_lead_to_exactly_their_facts),
        cmocka_unit_test(accesses_are_told_by_width_and_way),
        cmocka_unit_test(facts_add_up_from_run_to_run),
        cmocka_unit_test(what_cannot_be_stepped_is_refused_with_its_bytes),
        cmocka_unit_test(a_refused_function_has_run_up_to_there),
        cmocka_unit_test(an_instruction_that_the_processor_lacks_is_refused),
        cmocka_unit_test(stepped_code_cannot_step_with_the_same_machine),
        cmocka_unit_test(a_machine_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_fence_ends_the_wrong_path),
        cmocka_unit_test(each_misprediction_meets_one_branch_on_an_open_path),
        cmocka_unit_test(the_window_bounds_the_wrong_path),
        cmocka_unit_test(stepping_on_a_wrong_path_changes_nothing_else),
    };
    return cmocka_run_group_tests_name("stepper", tests, NULL, NULL);
}
