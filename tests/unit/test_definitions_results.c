/* Definitions of results in memory, beside those read back from what was written of the same results. */
#include <math.h>
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

#include <catmint/definitions.h>

#include "discovery/results.h"
#include "failing_memory.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char path[] = "/tmp/catmint-definitions-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

/* Equal, or both unknown; the sign of zero counts. */
static bool same_number(double left, double right)
{
    return isnan(left) ? isnan(right) : left == right && signbit(left) == signbit(right);
}

static bool same_text(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

static bool same_numbers(size_t count, const double *left, const double *right)
{
    if (left == NULL || right == NULL)
        return left == right;
    for (size_t i = 0; i < count; i++)
        if (!same_number(left[i], right[i]))
            return false;
    return true;
}

static bool same_names(size_t count, const char *const *left, const char *const *right)
{
    for (size_t i = 0; i < count; i++)
        if (!same_text(left[i], right[i]))
            return false;
    return true;
}

static bool same_equivalents(const cm_defined_term *left, const cm_defined_term *right)
{
    if (left->equivalent_count != right->equivalent_count ||
        (left->equivalents == NULL) != (right->equivalents == NULL))
        return false;
    for (size_t i = 0; i < left->equivalent_count; i++)
        if (!same_text(left->equivalents[i].event, right->equivalents[i].event) ||
            !same_number(left->equivalents[i].factor, right->equivalents[i].factor))
            return false;
    return true;
}

static bool same_terms(size_t count, const cm_defined_term *left, const cm_defined_term *right)
{
    for (size_t i = 0; i < count; i++)
        if (!same_text(left[i].event, right[i].event) || !same_number(left[i].coefficient, right[i].coefficient) ||
            !same_equivalents(&left[i], &right[i]))
            return false;
    return true;
}

static void compare_law(const cm_defined_metric *left, const cm_defined_metric *right)
{
    assert_int_equal(left->usable, right->usable);
    assert_int_equal(left->range_count, right->range_count);
    for (size_t i = 0; i < left->range_count; i++) {
        assert_string_equal(left->ranges[i].fact, right->ranges[i].fact);
        assert_string_equal(left->ranges[i].per, right->ranges[i].per);
        assert_true(same_number(left->ranges[i].share, right->ranges[i].share));
    }
    assert_int_equal(left->leak_count, right->leak_count);
    for (size_t i = 0; i < left->leak_count; i++) {
        assert_string_equal(left->leaks[i].fact, right->leaks[i].fact);
        assert_true(same_number(left->leaks[i].at_most, right->leaks[i].at_most));
        assert_int_equal(left->leaks[i].found, right->leaks[i].found);
    }
    assert_int_equal(left->open_count, right->open_count);
    for (size_t i = 0; i < left->open_count; i++) {
        assert_string_equal(left->open[i].fact, right->open[i].fact);
        assert_true(same_number(left->open[i].at_most, right->open[i].at_most));
        assert_int_equal(left->open[i].found, right->open[i].found);
    }
    assert_true(same_number(left->own, right->own) && same_number(left->rest, right->rest));
    assert_true(same_text(left->meaning, right->meaning));
}

static void compare_metrics(const cm_defined_metric *left, const cm_defined_metric *right, size_t controls)
{
    assert_string_equal(left->benchmark, right->benchmark);
    assert_string_equal(left->metric, right->metric);
    assert_string_equal(left->preset, right->preset);
    assert_string_equal(left->description, right->description);
    assert_int_equal(left->term_count, right->term_count);
    assert_true(same_terms(left->term_count, left->terms, right->terms));
    assert_int_equal(left->solved_count, right->solved_count);
    assert_true(same_terms(left->solved_count, left->solved, right->solved));
    assert_true(same_number(left->backward_error, right->backward_error));
    assert_true(same_number(left->misfit, right->misfit));
    assert_true(same_number(left->amplification, right->amplification));
    assert_int_equal(left->symbol_count, right->symbol_count);
    assert_true(same_numbers(left->symbol_count, left->signature, right->signature));
    assert_int_equal(left->composable, right->composable);
    compare_law(left, right);
    assert_int_equal(left->measurable, right->measurable);
    assert_true(same_numbers(controls, left->control_low, right->control_low));
    assert_true(same_numbers(controls, left->control_high, right->control_high));
    assert_true(same_numbers(controls, left->control_limits, right->control_limits));
}

static void compare_events(const cm_defined_event *left, const cm_defined_event *right,
                           const cm_defined_benchmark *benchmark)
{
    size_t symbols = benchmark->symbol_count, controls = benchmark->control_count;
    assert_string_equal(left->event, right->event);
    assert_int_equal(left->status, right->status);
    assert_true(same_number(left->max_rnmse, right->max_rnmse));
    assert_true(same_number(left->residual, right->residual));
    assert_true(same_numbers(symbols, left->representation, right->representation));
    assert_true(same_text(left->equivalent_to, right->equivalent_to));
    assert_true(same_numbers(controls, left->control_counts, right->control_counts));
    assert_true(same_numbers(controls, left->control_errors, right->control_errors));
    assert_true(same_number(left->control_strays, right->control_strays));
}

static void compare_benchmarks(const cm_defined_benchmark *left, const cm_defined_benchmark *right)
{
    assert_string_equal(left->benchmark, right->benchmark);
    assert_true(same_number(left->tau, right->tau) && same_number(left->alpha, right->alpha));
    assert_true(same_number(left->residual, right->residual));
    assert_int_equal(left->kernel_count, right->kernel_count);
    assert_true(same_names(left->kernel_count, left->kernels, right->kernels));
    assert_int_equal(left->symbol_count, right->symbol_count);
    assert_true(same_names(left->symbol_count, left->symbols, right->symbols));
    assert_int_equal(left->measured_count, right->measured_count);
    assert_int_equal(left->event_count, right->event_count);
    assert_int_equal(left->held_count, right->held_count);
    assert_int_equal(left->control_count, right->control_count);
    assert_true((left->controls == NULL) == (right->controls == NULL));
    assert_true(same_names(left->control_count, left->controls, right->controls));
    assert_true(same_numbers(left->control_count, left->control_iterations, right->control_iterations));
}

/* Every field that definitions have. */
static void compare_definitions(const cm_definitions *left, const cm_definitions *right)
{
    assert_true(same_text(cm_definitions_pmu(left), cm_definitions_pmu(right)));
    assert_string_equal(cm_definitions_machine(left), cm_definitions_machine(right));
    assert_int_equal(cm_definitions_by_paper(left), cm_definitions_by_paper(right));
    assert_int_equal(cm_definitions_count(left), cm_definitions_count(right));
    for (size_t i = 0; i < cm_definitions_count(left); i++)
        compare_metrics(cm_definitions_get(left, i), cm_definitions_get(right, i),
                        cm_definitions_benchmark(left, 0)->control_count);
    assert_int_equal(cm_definitions_benchmark_count(left), cm_definitions_benchmark_count(right));
    for (size_t b = 0; b < cm_definitions_benchmark_count(left); b++) {
        const cm_defined_benchmark *benchmark = cm_definitions_benchmark(left, b);
        compare_benchmarks(benchmark, cm_definitions_benchmark(right, b));
        for (size_t i = 0; i < benchmark->event_count; i++)
            compare_events(cm_definitions_event(left, b, i), cm_definitions_event(right, b, i), benchmark);
    }
}

static const char with_controls[] = "/tests/data/controls/cv32e40p-branch.csv";

/* The paper's events, or another table of branch. */
static cm_results *analyze(const char *benchmark, cm_events_detail detail, double tau, cm_method method)
{
    char table[512];
    bool own = benchmark == with_controls;
    snprintf(table, sizeof table, own ? "%s%s" : "%s/data/paper-events/sapphire-rapids-%s.csv", CM_TEST_SOURCE_DIR,
             benchmark);
    benchmark = own ? "branch" : benchmark;
    cm_analyze_options options;
    cm_analyze_options_default(&options);
    options.benchmarks = &benchmark;
    options.benchmark_count = 1;
    options.events_detail = detail;
    options.tau = tau;
    options.method = method;
    cm_results *results = NULL;
    cm_error error;
    if (cm_results_analyze_create(table, &options, &results, &error) != CM_OK)
        fail_msg("%s: %s", table, error.text);
    return results;
}

static void compare_with_fit(const cm_defined_metric *metric, const cm_analysis *analysis, const cm_fit *fit)
{
    size_t term = 0;
    assert_int_equal(metric->measurable, fit != NULL);
    if (fit == NULL)
        return;
    assert_int_equal(metric->solved_count, fit->term_count);
    for (size_t i = 0; i < fit->term_count; i++) {
        assert_true(metric->solved[i].coefficient == fit->coefficients[i] || fit->coefficients[i] == 0.0);
        if (fit->rounded[i] == 0.0)
            continue;
        assert_true(metric->terms[term].coefficient == fit->rounded[i]);
        assert_string_equal(metric->terms[term].event, cm_analysis_event(analysis, fit->events[i]).event);
        term++;
    }
    assert_int_equal(term, metric->term_count);
    assert_true(metric->misfit == fit->rounded_fitness.misfit);
}

/* What was written reads back to the same doubles, and is what is in memory. */
static void what_was_written_reads_back(void **state)
{
    (void)state;
    static const struct {
        const char *benchmark;
        cm_events_detail detail;
        size_t events;
        double tau;
        const char *pmu;
        cm_method method;
    } rows[] = {
        {"cpu-flops", CM_EVENTS_ALL, 0, NAN, NULL, CM_METHOD_CATMINT},
        {"branch", CM_EVENTS_ALL, 0, NAN, "hardware", CM_METHOD_CATMINT},
        {"dcache", CM_EVENTS_ALL, 0, NAN, "software:x", CM_METHOD_CATMINT},
        {"branch", CM_EVENTS_KEPT, 0, NAN, NULL, CM_METHOD_CATMINT},
        {"branch", CM_EVENTS_SELECTED, 4, NAN, NULL, CM_METHOD_CATMINT},
        {"cpu-flops", CM_EVENTS_SELECTED, 8, NAN, NULL, CM_METHOD_CATMINT},
        {"dcache", CM_EVENTS_ALL, 0, INFINITY, NULL, CM_METHOD_CATMINT},
        {with_controls, CM_EVENTS_ALL, 18, NAN, NULL, CM_METHOD_CATMINT},
        {"branch", CM_EVENTS_ALL, 0, NAN, NULL, CM_METHOD_PAPER},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_results *results = analyze(rows[i].benchmark, rows[i].detail, rows[i].tau, rows[i].method);
        cm_definitions *read = NULL, *made = NULL;
        cm_error error;
        const cm_style style = {.format = CM_FORMAT_JSON};
        if (rows[i].pmu != NULL)
            assert_int_equal(cm_results_set_pmu(results, rows[i].pmu, "", &error), CM_OK);
        assert_int_equal(cm_results_save(results, &style, path, &error), CM_OK);
        if (cm_definitions_load(path, &read, &error) != CM_OK)
            fail_msg("%s:%zu:%zu: %s", rows[i].benchmark, error.line, error.column, error.text);
        assert_int_equal(cm_definitions_from_results_create(results, &made, &error), CM_OK);
        assert_true(same_text(cm_definitions_pmu(read), rows[i].pmu));
        compare_definitions(read, made);
        const cm_benchmark_result *result = cm_results_benchmark(results, 0);
        assert_int_equal(cm_definitions_count(read), cm_benchmark_result_metric_count(result));
        for (size_t j = 0; j < cm_definitions_count(read); j++) {
            const cm_defined_metric *left = cm_definitions_get(read, j);
            compare_with_fit(left, cm_benchmark_result_analysis(result), cm_benchmark_result_fit(result, j));
        }
        size_t events = cm_definitions_benchmark(read, 0)->event_count;
        assert_true(rows[i].events > 0 ? events == rows[i].events : events > 0);
        cm_definitions_free(read);
        cm_definitions_free(made);
        cm_results_free(results);
    }
}

/* What no document may have, and memory that ends at any place. */
static void results_that_cannot_be_taken(void **state)
{
    (void)state;
    cm_results *results = analyze(with_controls, CM_EVENTS_ALL, NAN, CM_METHOD_CATMINT),
               *other = analyze("branch", CM_EVENTS_ALL, NAN, CM_METHOD_CATMINT);
    cm_definitions *definitions = NULL;
    cm_error error;
    cm_status status = CM_NO_MEMORY;
    for (long allowed = 0; status == CM_NO_MEMORY && allowed < 2000; allowed++) {
        atomic_store(&allocations_left, allowed);
        status = cm_definitions_from_results_create(results, &definitions, &error);
        atomic_store(&allocations_left, -1);
    }
    assert_int_equal(status, CM_OK);
    cm_definitions_free(definitions);
    definitions = NULL;
    assert_int_equal(cm_results_set_pmu(results, "software:", "", &error), CM_OK);
    assert_int_equal(cm_definitions_from_results_create(results, &definitions, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "pmu is 'software:', expected \"hardware\" or \"software:<model>\"");
    assert_int_equal(cm_results_set_pmu(results, "hardware", "", &error), CM_OK);
    cm_benchmark_result *again = other->benchmarks[0];
    other->benchmark_count = 0;
    assert_int_equal(cm_results_add(results, again, &error), CM_OK);
    assert_int_equal(cm_definitions_from_results_create(results, &definitions, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "benchmark 'branch' appears twice");
    assert_null(definitions);
    cm_results_free(other);
    cm_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_back),
        cmocka_unit_test(results_that_cannot_be_taken),
    };
    return cmocka_run_group_tests_name("definitions_results", tests, make_path, remove_path);
}
