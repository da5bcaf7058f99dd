/* What the plugin counts of functions whose facts are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

#include "count.h"

static const cm_pmu_machine machine = {
    .line_size = 64,
    .page_size = 4096,
    .l1d_size = 4096,
    .l1d_ways = 4,
    .predictor = "tage",
    .wrong_path_window = 32,
};

static void facts_are_what_the_code_does(void **state)
{
    cm_software_pmu *pmu = *state;
    static uint64_t before[1024];
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    void *memory = aligned_alloc(64, 256);
    assert_non_null(memory);
    for (size_t i = 0; i < count_row_count; i++) {
        memset(memory, 0, 256);
        memcpy(before, facts, cm_fact_count() * sizeof *facts);
        assert_int_equal(cm_software_pmu_run(pmu, count_rows[i].function, memory, NULL), CM_OK);
        for (size_t k = 0; k < COUNT_FACTS && count_rows[i].facts[k].fact != NULL; k++) {
            ptrdiff_t fact = cm_fact_find(count_rows[i].facts[k].fact);
            if (facts[fact] - before[fact] != count_rows[i].facts[k].count)
                fail_msg("%s: %s %llu", count_rows[i].name, count_rows[i].facts[k].fact,
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
