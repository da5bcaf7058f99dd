/* What the plugin counts of functions whose facts are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

void count_pairs(void *memory);
void count_structures(void *memory);
void count_atomics(void *memory);
void count_split(void *memory);
void count_nothing(void *memory);
void count_calls(void *memory);

static const cm_pmu_machine machine = {
    .line_size = 64,
    .page_size = 4096,
    .l1d_size = 4096,
    .l1d_ways = 4,
    .predictor = "tage",
    .wrong_path_window = 32,
};

enum { FACTS = 8 };

static const struct {
    const char *name;
    void (*function)(void *memory);
    struct {
        const char *fact;
        uint64_t count;
    } facts[FACTS];
} rows[] = {
    {"pairs", count_pairs, {{"instructions", 5}, {"loads", 3}, {"load_bytes", 64}, {"stores", 1}, {"store_bytes", 8}}},
    {"structures",
     count_structures,
     {{"instructions", 6}, {"loads", 4}, {"load_bytes", 102}, {"stores", 1}, {"store_bytes", 24}}},
    {"atomics",
     count_atomics,
     {{"instructions", 8},
      {"loads", 4},
      {"load_bytes", 28},
      {"stores", 4},
      {"store_bytes", 28},
      {"locked_loads", 3},
      {"branches_cond", 1},
      {"branches_cond_taken", 0}}},
    {"split",
     count_split,
     {{"loads", 2}, {"stores", 1}, {"split_loads", 1}, {"split_stores", 1}, {"load_bytes", 9}, {"store_bytes", 4}}},
    {"nothing", count_nothing, {{"instructions", 5}, {"loads", 0}, {"stores", 0}, {"fences", 1}, {"nops", 1}}},
    {"calls",
     count_calls,
     {{"instructions", 16},
      {"calls", 2},
      {"calls_indirect", 1},
      {"returns", 2},
      {"branches_uncond", 1},
      {"branches_indirect", 1},
      {"fences", 2}}},
};

static void facts_are_what_the_code_does(void **state)
{
    cm_software_pmu *pmu = *state;
    static uint64_t before[1024];
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    void *memory = aligned_alloc(64, 256);
    assert_non_null(memory);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(memory, 0, 256);
        memcpy(before, facts, cm_fact_count() * sizeof *facts);
        assert_int_equal(cm_software_pmu_run(pmu, rows[i].function, memory, NULL), CM_OK);
        for (size_t k = 0; k < FACTS && rows[i].facts[k].fact != NULL; k++) {
            ptrdiff_t fact = cm_fact_find(rows[i].facts[k].fact);
            if (facts[fact] - before[fact] != rows[i].facts[k].count)
                fail_msg("%s: %s %llu", rows[i].name, rows[i].facts[k].fact,
                         (unsigned long long)(facts[fact] - before[fact]));
        }
    }
    free(memory);
}

static void machines_are_counted_apart(void **state)
{
    cm_software_pmu *pmu = *state, *other = NULL;
    uint64_t memory[32] = {0};
    uint64_t before = cm_software_pmu_facts(pmu)[0];
    assert_int_equal(cm_software_pmu_create(&machine, &other, NULL), CM_OK);
    assert_int_equal(cm_software_pmu_run(other, count_nothing, memory, NULL), CM_OK);
    assert_int_equal(cm_software_pmu_facts(other)[0], 5);
    assert_int_equal(cm_software_pmu_facts(pmu)[0], before);
    cm_software_pmu_free(other);
}

static void impossible_machines_are_refused(void **state)
{
    (void)state;
    cm_software_pmu *pmu = NULL;
    cm_error error = {0};
    cm_pmu_machine odd = machine;
    odd.line_size = 48;
    assert_int_equal(cm_software_pmu_create(&odd, &pmu, &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.text, "line_size and page_size must be powers of two");
}

static int set_up(void **state)
{
    return cm_software_pmu_create(&machine, (cm_software_pmu **)state, NULL) == CM_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    cm_software_pmu_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_what_the_code_does),
        cmocka_unit_test(machines_are_counted_apart),
        cmocka_unit_test(impossible_machines_are_refused),
    };
    return cmocka_run_group_tests_name("count", tests, set_up, tear_down);
}
