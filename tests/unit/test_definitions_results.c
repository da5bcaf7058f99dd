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
#include "result/result.h"

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

static bool same_text(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

/* All that the file has, with its size. */
static char *content_of(const char *file, size_t *size)
{
    char *text = calloc(1, 1 << 24);
    FILE *stream = fopen(file, "r");
    assert_true(text != NULL && stream != NULL);
    *size = fread(text, 1, (1 << 24) - 1, stream);
    fclose(stream);
    return text;
}

/* Written again, definitions are the file that their results were written into: every field is in them. */
static void compare_definitions(const cm_definitions *definitions, const char *what)
{
    char *written = NULL;
    size_t size = 0, file_size;
    cm_error error;
    FILE *stream = open_memstream(&written, &size);
    assert_non_null(stream);
    assert_int_equal(cm_fields_write(&cm_result_document_fields, definitions, stream, &error), CM_OK);
    fclose(stream);
    char *file = content_of(path, &file_size);
    size_t at = 0;
    while (at < size && at < file_size && written[at] == file[at])
        at++;
    if (at < size || at < file_size)
        fail_msg("%s differ at byte %zu: '%.60s', expected '%.60s'", what, at, written + at, file + at);
    free(file);
    free(written);
}

static const char with_controls[] = "/tests/data/controls/cv32e40p-branch.csv";

/* The paper's events, or another table of branch. */
static cm_results *analyze(const char *benchmark, cm_events_detail detail, double tau, cm_analysis_method method)
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
        cm_analysis_method method;
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
        const cm_output_style style = {.format = CM_FORMAT_JSON};
        if (rows[i].pmu != NULL)
            assert_int_equal(cm_results_set_pmu(results, rows[i].pmu, "", &error), CM_OK);
        assert_int_equal(cm_results_save(results, &style, path, &error), CM_OK);
        if (cm_definitions_load(path, &read, &error) != CM_OK)
            fail_msg("%s:%zu:%zu: %s", rows[i].benchmark, error.line, error.column, error.text);
        assert_int_equal(cm_definitions_from_results_create(results, &made, &error), CM_OK);
        assert_true(same_text(cm_definitions_pmu(read), rows[i].pmu));
        compare_definitions(read, "definitions that were read");
        compare_definitions(made, "definitions of results");
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
