#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <catmint/results.h>

#include "core/base.h"
#include "core/json.h"

/* Two symbols, A and B, over four kernels; counts below are of 10 iterations each, in thousands. */
enum { KERNELS = 4, SYMBOLS = 2, MOST_EVENTS = 8, THOUSAND = 1000, ITERATIONS = 10 * THOUSAND };

static char *kernel_names[] = {"a.1", "a.2", "b.1", "b.2"};
static char *symbol_names[] = {"A", "B"};
static double basis_values[] = {1, 2, 0, 0, 0, 0, 1, 2}; /* column-major */
static double iterations[] = {ITERATIONS, ITERATIONS, ITERATIONS, ITERATIONS};

static cm_matrix expectations = {KERNELS, SYMBOLS, basis_values};
static cm_basis basis = {.file = "basis.csv",
                         .header_line = 1,
                         .kernel_count = KERNELS,
                         .kernels = kernel_names,
                         .symbol_count = SYMBOLS,
                         .symbols = symbol_names,
                         .expectations = &expectations};

static double both[] = {1, 1}, only_a[] = {1, 0}, only_b[] = {0, 1}, three_a[] = {3, -1};
static cm_signature metrics[] = {
    {"Both", "PAPI_BOTH", "A and B", both, NULL},
    {"A alone", "", "A", only_a, NULL},
    {"B alone", "", "B", only_b, NULL},
    {"Three A less B", "", "3 A - B", three_a, NULL},
};
static cm_signatures signatures = {.file = "signatures.csv",
                                   .header_line = 1,
                                   .symbol_count = SYMBOLS,
                                   .symbols = symbol_names,
                                   .metric_count = 4,
                                   .metrics = metrics};

/* Two repetitions of one thread. */
typedef struct event_row {
    const char *event;
    double first[KERNELS], second[KERNELS];
    cm_event_status status;
    const char *equivalent_to;
} event_row;

static const event_row all_rows[] = {
    {"ZERO", {0, 0, 0, 0}, {0, 0, 0, 0}, CM_EVENT_ZERO, NULL},
    {"NOISE", {7, 1, 9, 3}, {2, 8, 4, 4}, CM_EVENT_NOISY, NULL},
    {"STRANGE", {10, 10, 10, 10}, {10, 10, 10, 10}, CM_EVENT_UNREPRESENTABLE, NULL},
    {"SUM", {10, 20, 10, 20}, {10, 20, 10, 20}, CM_EVENT_DEPENDENT, NULL},
    {"EV_A", {10, 20, 0, 0}, {10, 20, 0, 0}, CM_EVENT_SELECTED, NULL},
    {"TWICE_B", {0, 0, 20, 40}, {0, 0, 20, 40}, CM_EVENT_DEPENDENT, "EV_B"},
    {"EV_B", {0, 0, 10, 20}, {0, 0, 10, 20}, CM_EVENT_SELECTED, NULL},
};
enum { ALL_ROWS = sizeof all_rows / sizeof all_rows[0] };

typedef struct table {
    cm_measurements measurements;
    cm_measurement events[MOST_EVENTS];
    double values[MOST_EVENTS][2 * KERNELS];
} table;

static void fill(table *t, const event_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(t->values[i], rows[i].first, sizeof rows[i].first);
        memcpy(t->values[i] + KERNELS, rows[i].second, sizeof rows[i].second);
        for (size_t k = 0; k < (size_t)2 * KERNELS; k++)
            t->values[i][k] *= THOUSAND;
        t->events[i] = (cm_measurement){.event = (char *)rows[i].event, .repetition_count = 2, .thread_count = 1};
        t->events[i].values = t->values[i];
    }
    t->measurements = (cm_measurements){.file = "counts.csv", .kernel_count = KERNELS, .kernels = kernel_names};
    t->measurements.iterations = iterations;
    t->measurements.event_count = count;
    t->measurements.events = t->events;
}

static cm_status analyse(const cm_measurements *measurements, double tau, cm_benchmark_result **result, cm_error *error)
{
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    thresholds.tau = tau;
    return cm_benchmark_result_create("toy", measurements, &basis, &signatures, &thresholds, 3, result, error);
}

/* Results with the one benchmark, or a failed test. */
static cm_results *results_of(const cm_measurements *measurements)
{
    cm_results *results = NULL;
    cm_benchmark_result *result = NULL;
    assert_int_equal(analyse(measurements, 1e-10, &result, NULL), CM_OK);
    assert_int_equal(cm_results_create(&results, NULL), CM_OK);
    assert_int_equal(cm_results_add(results, result, NULL), CM_OK);
    return results;
}

static void events_end_where_they_belong(void **state)
{
    (void)state;
    table t;
    fill(&t, all_rows, ALL_ROWS);
    cm_benchmark_result *result = NULL;
    assert_int_equal(analyse(&t.measurements, 1e-10, &result, NULL), CM_OK);
    const cm_analysis *analysis = cm_benchmark_result_analysis(result);
    assert_int_equal(cm_analysis_event_count(analysis), ALL_ROWS);
    for (size_t i = 0; i < ALL_ROWS; i++) {
        cm_event_analysis event = cm_analysis_event(analysis, i);
        assert_string_equal(event.event, all_rows[i].event);
        if (event.status != all_rows[i].status)
            fail_msg("%s is %s, expected %s", event.event, cm_event_status_text(event.status),
                     cm_event_status_text(all_rows[i].status));
        if (all_rows[i].equivalent_to == NULL)
            assert_int_equal(event.equivalent_to, CM_NO_EVENT);
        else
            assert_string_equal(cm_analysis_event(analysis, (size_t)event.equivalent_to).event,
                                all_rows[i].equivalent_to);
    }
    /* Counts of ten thousand iterations became one of each: coefficients are those of the signatures. */
    const cm_fit *fit = cm_benchmark_result_fit(result, 3);
    assert_true(fit->composable);
    for (size_t k = 0; k < fit->term_count; k++)
        assert_float_equal(
            fit->rounded[k],
            strcmp(cm_analysis_event(analysis, cm_analysis_selected(analysis, k)).event, "EV_A") == 0 ? 3 : -1, 0);
    cm_benchmark_result_free(result);
}

static void several_threads_give_their_median(void **state)
{
    (void)state;
    /* [repetition][thread][kernel]: the third thread is disturbed, another one in each repetition. */
    double values[2][3][KERNELS] = {{{10, 20, 0, 0}, {10, 20, 0, 0}, {99, 99, 99, 99}},
                                    {{77, 77, 77, 77}, {10, 20, 0, 0}, {10, 20, 0, 0}}};
    cm_measurement event = {.event = "EV_A", .repetition_count = 2, .thread_count = 3, .values = &values[0][0][0]};
    table t;
    fill(&t, all_rows, 0);
    t.measurements.event_count = 1;
    t.measurements.events = &event;
    cm_benchmark_result *result = NULL;
    assert_int_equal(analyse(&t.measurements, 1e-10, &result, NULL), CM_OK);
    cm_event_analysis analysed = cm_analysis_event(cm_benchmark_result_analysis(result), 0);
    assert_int_equal(analysed.status, CM_EVENT_SELECTED);
    assert_true(analysed.max_rnmse == 0.0);
    cm_benchmark_result_free(result);
}

static void what_was_not_run_leaves_no_trace_and_no_lie(void **state)
{
    (void)state;
    table t;
    const event_row rows[] = {{"EV_A", {10, 20}, {0}, CM_EVENT_SELECTED, NULL}};
    fill(&t, rows, 1);
    t.measurements.kernel_count = 2; /* only a.1 and a.2 */
    double values[] = {10, 20, 10, 20};
    t.events[0].values = values;
    cm_results *results = results_of(&t.measurements);
    const cm_benchmark_result *result = cm_results_benchmark(results, 0);
    assert_int_equal(cm_benchmark_result_basis(result)->symbol_count, 1);
    static const bool measurable[] = {true, true, false, true};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cm_benchmark_result_fit(result, i) != NULL, measurable[i]);
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const cm_output_style style = {CM_FORMAT_JSON, 0, false};
    assert_int_equal(cm_results_write(results, &style, stream, NULL), CM_OK);
    fclose(stream);
    json_t *json = json_loads(text, 0, NULL);
    json_t *metric =
        json_array_get(json_object_get(json_array_get(json_object_get(json, "benchmarks"), 0), "metrics"), 2);
    assert_true(json_is_false(json_object_get(metric, "composable")));
    assert_true(json_is_null(json_object_get(metric, "definition_misfit")));
    assert_int_equal(json_array_size(json_object_get(metric, "terms")), 0);
    json_decref(json);
    free(text);
    cm_results_free(results);
}

static void bad_tables_are_named(void **state)
{
    (void)state;
    static char *strange_kernels[] = {"a.1", "a.2", "b.1", "c.1"};
    static double dependent_values[] = {1, 2, 0, 0, 2, 4, 0, 0};
    static double dense_values[] = {1, 2, 0, 1, 1, 0, 1, 2};
    cm_matrix dependent = {KERNELS, SYMBOLS, dependent_values};
    cm_matrix dense = {KERNELS, SYMBOLS, dense_values};
    const struct {
        const char *name;
        char **kernels;
        size_t kernel_count;
        size_t repetitions;
        double tau;
        cm_matrix *expectations;
        cm_status status;
        const char *file;
        const char *text;
    } rows[] = {
        {"sound", kernel_names, 4, 2, 1e-10, &expectations, CM_OK, "", ""},
        {"unknown kernel", strange_kernels, 4, 2, 1e-10, &expectations, CM_BAD_INPUT, "counts.csv", "c.1"},
        {"one repetition", kernel_names, 4, 1, 1e-10, &expectations, CM_BAD_INPUT, "counts.csv", "one repetition"},
        {"one repetition, all kept", kernel_names, 4, 1, INFINITY, &expectations, CM_OK, "", ""},
        {"dependent basis", kernel_names, 4, 2, 1e-10, &dependent, CM_BAD_INPUT, "basis.csv", "dependent"},
        {"one kernel of one symbol", kernel_names, 1, 2, 1e-10, &expectations, CM_OK, "", ""},
        {"one kernel of two symbols", kernel_names, 1, 2, 1e-10, &dense, CM_OK, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        table t;
        fill(&t, &all_rows[4], 1);
        t.measurements.kernels = rows[i].kernels;
        t.measurements.kernel_count = rows[i].kernel_count;
        t.events[0].repetition_count = rows[i].repetitions;
        cm_matrix *before = basis.expectations;
        basis.expectations = rows[i].expectations;
        cm_error error = {0};
        cm_benchmark_result *result = NULL;
        cm_status status = analyse(&t.measurements, rows[i].tau, &result, &error);
        basis.expectations = before;
        cm_benchmark_result_free(result);
        if (status != rows[i].status || strcmp(error.file, rows[i].file) != 0 ||
            strstr(error.text, rows[i].text) == NULL)
            fail_msg("%s: %s, %s: %s", rows[i].name, cm_status_text(status), error.file, error.text);
    }
}

static char *table_text(const cm_results *results, size_t width, bool colour)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const cm_output_style style = {CM_FORMAT_TABLE, width, colour};
    assert_int_equal(cm_results_write(results, &style, stream, NULL), CM_OK);
    fclose(stream);
    return text;
}

static void the_table_fits_its_width(void **state)
{
    (void)state;
    table t;
    fill(&t, all_rows, ALL_ROWS);
    cm_results *results = results_of(&t.measurements);
    assert_int_equal(cm_results_set_pmu(results, "software:toy",
                                        "a reason that is long enough to need a second line, and on a narrow page a "
                                        "third one",
                                        NULL),
                     CM_OK);
    static const size_t widths[] = {60, 80, 140};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        char *text = table_text(results, widths[i], false);
        assert_null(strchr(text, '\033'));
        assert_non_null(strstr(text, "3 x EV_A"));
        assert_non_null(strstr(text, "- 1 x EV_B"));
        assert_int_equal(strncmp(text, "PMU ", 4), 0);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
            if (cm_text_width(line) > widths[i])
                fail_msg("at width %zu: %s", widths[i], line);
        free(text);
    }
    char *coloured = table_text(results, 80, true);
    assert_non_null(strstr(coloured, "\033[32myes"));
    free(coloured);
    cm_results_free(results);
}

static void results_that_cannot_be_written_are_an_error(void **state)
{
    (void)state;
    table t;
    fill(&t, all_rows, ALL_ROWS);
    cm_results *results = results_of(&t.measurements);
    static const cm_output_format formats[] = {CM_FORMAT_TABLE, CM_FORMAT_JSON};
    cm_error error;
    for (size_t i = 0; i < 2; i++) {
        cm_output_style style = {formats[i], 0, false};
        assert_int_equal(cm_results_save(results, &style, "/dev/full", &error), CM_IO);
        assert_string_equal(error.file, "/dev/full");
        assert_int_equal(cm_results_save(results, &style, "/nowhere/at/all", &error), CM_IO);
        FILE *full = fopen("/dev/full", "w");
        assert_int_equal(cm_results_write(results, &style, full, &error), CM_IO);
        fclose(full);
        assert_int_equal(cm_results_save(results, &style, "/dev/null", &error), CM_OK);
    }
    const cm_output_style csv = {.format = CM_FORMAT_CSV};
    assert_int_equal(cm_results_save(results, &csv, "/dev/null", &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.text, "results cannot be written in that format");
    assert_int_equal(cm_results_write(results, &csv, stdout, &error), CM_BAD_ARGUMENT);
    cm_results_free(results);
    cm_results_free(NULL);
    cm_benchmark_result_free(NULL);
}

static void coefficients_read_simply(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *coefficient, *figure;
    } rows[] = {
        {0.0, "0", "0"},
        {1.0, "1", "1"},
        {0.8, "0.8", "8.00e-1"},
        {16.0, "16", "1.60e1"},
        {1001.0, "1001", "1.00e3"},
        {3.0 - 4e-16, "3", "3.00e0"},
        {1.0 / 3.0, "1/3", "3.33e-1"},
        {2.0 / 3.0, "2/3", "6.67e-1"},
        {1.0 / 48.0, "1/48", "2.08e-2"},
        {13.0 / 7.0, "13/7", "1.86e0"},
        {0.2360679, "0.23607", "2.36e-1"},
        {1.668e-16, "1.668e-16", "1.67e-16"},
        {0.33333, "0.33333", "3.33e-1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[CM_NUMBER_SIZE];
        assert_string_equal(cm_coefficient_text(rows[i].value, text), rows[i].coefficient);
        assert_string_equal(cm_figure_text(rows[i].value, text), rows[i].figure);
    }
}

static void json_reads_back_the_same(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1.0, 1e-10, 5e-4, 1.0 / 3.0, 0.23606797749978969, 1e300, 4.9e-324, -2.5};
    json_t *array = json_array();
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        json_array_append_new(array, json_real(values[i]));
    json_t *document = json_pack("{s:O, s:s, s:{}, s:[], s:n, s:b}", "values", array, "text", "quote \" line \n \\",
                                 "object", "array", "null", "true", 1);
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_true(cm_json_write(document, stream));
    fclose(stream);
    assert_non_null(strstr(text, "0.1, 1.0, 1e-10, 0.0005, 0.3333333333333333, "));
    json_t *read = json_loads(text, 0, NULL);
    assert_true(json_equal(document, read));
    json_decref(read);
    json_decref(document);
    json_decref(array);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_end_where_they_belong),
        cmocka_unit_test(several_threads_give_their_median),
        cmocka_unit_test(what_was_not_run_leaves_no_trace_and_no_lie),
        cmocka_unit_test(bad_tables_are_named),
        cmocka_unit_test(the_table_fits_its_width),
        cmocka_unit_test(results_that_cannot_be_written_are_an_error),
        cmocka_unit_test(coefficients_read_simply),
        cmocka_unit_test(json_reads_back_the_same),
    };
    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
