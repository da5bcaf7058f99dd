/* Results as a program reads them: what measured, which benchmarks, how thresholds were chosen, other definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/results.h>

static cm_results *analyse(const char *table, const char *benchmark, bool chosen)
{
    cm_analyze_options options;
    cm_results *results = NULL;
    cm_error error;
    cm_analyze_options_default(&options);
    options.benchmarks = &benchmark;
    options.benchmark_count = 1;
    options.tau_auto = options.alpha_auto = chosen;
    if (cm_results_analyze_create(table, &options, &results, &error) != CM_OK)
        fail_msg("%s: %s", error.file, error.text);
    return results;
}

static void what_was_analysed_is_named(void **state)
{
    (void)state;
    cm_results *results = analyse(CM_TEST_SOURCE_DIR "/data/paper-events/sapphire-rapids-branch.csv", "branch", false);
    assert_int_equal(cm_results_benchmark_count(results), 1);
    assert_string_equal(cm_benchmark_result_name(cm_results_benchmark(results, 0)), "branch");
    assert_null(cm_results_pmu(results)); /* a lone table does not say */
    assert_int_equal(cm_results_set_pmu(results, "software:toy", "", NULL), CM_OK);
    assert_string_equal(cm_results_pmu(results), "software:toy");
    cm_results_free(results);
}

static void thresholds_say_how_they_were_chosen(void **state)
{
    (void)state;
    for (int chosen = 0; chosen < 2; chosen++) {
        cm_results *results =
            analyse(CM_TEST_SOURCE_DIR "/data/paper-events/sapphire-rapids-branch.csv", "branch", chosen == 1);
        const cm_benchmark_result *result = cm_results_benchmark(results, 0);
        const cm_thresholds used = cm_analysis_thresholds(cm_benchmark_result_analysis(result));
        const cm_tau_choice *tau = cm_benchmark_result_tau_choice(result);
        const cm_alpha_choice *alpha = cm_benchmark_result_alpha_choice(result);
        assert_int_equal(tau != NULL, chosen);
        assert_int_equal(alpha != NULL, chosen);
        assert_true(chosen == 0 || (tau->value == used.tau && tau->reason[0] != '\0'));
        assert_true(chosen == 0 || (alpha->value == used.alpha && alpha->reason[0] != '\0'));
        cm_results_free(results);
    }
}

static void other_definitions_are_listed(void **state)
{
    (void)state;
    static const struct {
        const char *metric;
        size_t count;
    } rows[] = {{"Mispredicted Branches", 2}, {"All Branches", 1}, {"Conditional Branches Executed", 0}};
    cm_results *results = analyse(CM_TEST_SOURCE_DIR "/data/paper-events/sapphire-rapids-branch.csv", "branch", false);
    const cm_benchmark_result *result = cm_results_benchmark(results, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = 99, metric = 0;
        while (strcmp(cm_benchmark_result_metric_name(result, metric), rows[i].metric) != 0)
            metric++;
        const cm_definition *others = cm_benchmark_result_alternatives(result, metric, &count);
        if (count != rows[i].count || (others == NULL) != (count == 0))
            fail_msg("%s: %zu definitions, expected %zu", rows[i].metric, count, rows[i].count);
        for (size_t k = 0; k < count; k++)
            assert_true(others[k].composable && others[k].count > 0);
    }
    cm_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_analysed_is_named),
                                       cmocka_unit_test(thresholds_say_how_they_were_chosen),
                                       cmocka_unit_test(other_definitions_are_listed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
