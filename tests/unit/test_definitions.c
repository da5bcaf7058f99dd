/* Definitions read from results: what is in them, how metrics are found, and their values. */
#include <math.h>

#include "definitions_text.h"

static void everything_is_there(void **state)
{
    (void)state;
    cm_definitions *definitions = load_sound();
    assert_string_equal(cm_definitions_pmu(definitions), "software:toy");
    assert_string_equal(cm_definitions_machine(definitions), "A CPU");
    assert_int_equal(cm_definitions_count(definitions), 3);
    assert_int_equal(cm_definitions_benchmark_count(definitions), 2);

    const cm_defined_metric *metric = cm_definitions_get(definitions, 0);
    assert_string_equal(metric->benchmark, "flops");
    assert_string_equal(metric->description, "adds");
    assert_int_equal(metric->term_count, 2);
    assert_string_equal(metric->terms[1].event, "FP:MUL");
    assert_true(metric->terms[1].coefficient == -1.0);
    assert_int_equal(metric->solved_count, 2);
    assert_true(metric->solved[0].coefficient == 1.0000000000000002);
    assert_true(metric->backward_error == 0.125 && metric->misfit == 0.25 && metric->amplification == 3.5);
    assert_true(metric->symbol_count == 2 && metric->signature[0] == 1.0 && metric->signature[1] == 0.0);
    assert_true(metric->composable && metric->measurable);
    metric = cm_definitions_get(definitions, 1);
    assert_string_equal(metric->description, "");
    assert_true(!metric->composable && !metric->measurable && isnan(metric->misfit) && metric->term_count == 0);
    assert_string_equal(cm_definitions_get(definitions, 2)->benchmark, "branch");

    const cm_defined_benchmark *benchmark = cm_definitions_benchmark(definitions, 0);
    assert_true(benchmark->tau == 1e-10 && benchmark->alpha == 0.0005 && benchmark->residual == 0.01);
    assert_true(benchmark->kernel_count == 2 && benchmark->symbol_count == 2 && benchmark->event_count == 4);
    assert_string_equal(benchmark->kernels[1], "k2");
    assert_string_equal(benchmark->symbols[0], "ADD");
    assert_true(isinf(cm_definitions_benchmark(definitions, 1)->tau));

    const cm_defined_event *event = cm_definitions_event(definitions, 0, 2);
    assert_true(event->status == CM_EVENT_DEPENDENT && event->residual == 0.0 && event->representation[1] == 2.0);
    assert_string_equal(event->equivalent_to, "FP:ALL");
    event = cm_definitions_event(definitions, 0, 3);
    assert_true(event->status == CM_EVENT_NOISY && event->max_rnmse == 0.25 && isnan(event->residual));
    assert_null(event->representation);
    assert_null(event->equivalent_to);
    cm_definitions_free(definitions);
    cm_definitions_free(NULL);
}

static void metrics_are_found_by_name_and_by_preset(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *metric; /* NULL: none */
    } rows[] = {
        {"Additions", "Additions"}, {"Ops", "Ops"},    {"PAPI_FP_OPS", "PAPI_FP_OPS"},
        {"additions", NULL},        {"PAPI_NO", NULL}, {"", NULL},
    };
    cm_definitions *definitions = load_sound();
    for (size_t i = 0; i < COUNT(rows); i++) {
        const cm_defined_metric *metric = cm_definitions_find(definitions, rows[i].wanted);
        if ((metric == NULL) != (rows[i].metric == NULL) ||
            (metric != NULL && strcmp(metric->metric, rows[i].metric) != 0))
            fail_msg("'%s' finds '%s'", rows[i].wanted, metric != NULL ? metric->metric : "nothing");
    }
    cm_definitions_free(definitions);

    char text[8192];
    cm_error error;
    replace("\"metric\": \"PAPI_FP_OPS\"", "\"metric\": \"Branches\"", text, sizeof text);
    assert_int_equal(load(text, strlen(text), &definitions, &error), CM_OK);
    assert_string_equal(cm_definitions_find(definitions, "PAPI_FP_OPS")->metric, "Ops");
    cm_definitions_free(definitions);
}

/* As other programs spell them; what fits several is refused. */
static void metrics_are_found_by_other_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *metric; /* NULL: none */
        const char *message;         /* NULL: no error */
    } rows[] = {
        {"Additions", "Additions", NULL},
        {"additions", NULL, "metric 'additions' is ambiguous: it may be Additions of flops or PAPI_FP_OPS of branch"},
        {"papi-fp_ops", NULL, "metric 'papi-fp_ops' is ambiguous: it may be Ops of flops or PAPI_FP_OPS of branch"},
        {"PAPI_FP_OPS", "PAPI_FP_OPS", NULL},
        {"ops.", "Ops", NULL},
        {" OPS -_", "Ops", NULL},
        {"FP_OPS", "Ops", NULL},
        {"fp. ops", "Ops", NULL},
        {"FPOPS", NULL, NULL},
        {"OPS_2", NULL, NULL},
        {"PAPI_", NULL, NULL},
        {"_", NULL, NULL},
        {"", NULL, NULL},
    };
    cm_definitions *definitions = load_sound();
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_error error = {.text = ""};
        const cm_defined_metric *metric = NULL;
        cm_status status = cm_definitions_resolve(definitions, rows[i].wanted, &metric, &error);
        if (status != (rows[i].message != NULL ? CM_BAD_INPUT : CM_OK) ||
            (metric == NULL) != (rows[i].metric == NULL) ||
            (metric != NULL && strcmp(metric->metric, rows[i].metric) != 0) ||
            (rows[i].message != NULL && strcmp(error.text, rows[i].message) != 0))
            fail_msg("'%s' finds '%s': %s", rows[i].wanted, metric != NULL ? metric->metric : "nothing", error.text);
    }
    cm_definitions_free(definitions);
}

static void counts_give_values(void **state)
{
    (void)state;
    cm_definitions *definitions = load_sound();
    const cm_defined_metric *metric = cm_definitions_find(definitions, "Additions");
    const double counts[] = {100, 30};
    assert_true(cm_defined_metric_evaluate(metric, counts) == 70.0);
    assert_true(cm_defined_metric_evaluate(cm_definitions_find(definitions, "Ops"), NULL) == 0.0);

    static const struct {
        const char *events[3];
        double counts[3];
        double value;
        const char *message; /* NULL: it has a value */
    } rows[] = {
        {{"FP:ALL", "FP:MUL", "X"}, {100, 30, 7}, 70, NULL},
        {{"X", "fp_mul", "toy::FP.ALL"}, {7, 30, 100}, 70, NULL},
        {{"FP:ALL", "X", "Y"}, {1, 1, 1}, 0, "event 'FP:MUL' of 'Additions' is not among the counts"},
        {{"FP_ALL", "FP.MUL", "fp_mul"}, {1, 1, 1}, 0, "event 'FP:MUL' is ambiguous, expected 'FP.MUL' or 'fp_mul'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double value = 1234.5;
        cm_error error;
        cm_status status = cm_defined_metric_evaluate_named(metric, rows[i].events, rows[i].counts, 3, &value, &error);
        assert_int_equal(status, rows[i].message != NULL ? CM_BAD_INPUT : CM_OK);
        assert_true(value == (rows[i].message != NULL ? 1234.5 : rows[i].value));
        if (rows[i].message != NULL)
            assert_string_equal(error.text, rows[i].message);
    }
    cm_definitions_free(definitions);
}

static void one_count_is_not_two_events(void **state)
{
    (void)state;
    static const cm_defined_term terms[] = {{.event = "perf_event:::BR:COND", .coefficient = 2.0},
                                            {.event = "sde:::BR:COND", .coefficient = -1.0}};
    static const cm_defined_metric metric = {.metric = "M", .term_count = 2, .terms = terms};
    static const struct {
        const char *events[2];
        double value;
        const char *message; /* NULL: no error */
    } rows[] = {
        {{"perf_event:::BR:COND", "sde:::BR:COND"}, 20.0 - 7.0, NULL},
        {{"spr::BR.COND", "sde:::golden-cove::BR:COND"}, 20.0 - 7.0, NULL},
        {{"sde:::BR_COND", "perf_event:::br.cond"}, 14.0 - 10.0, NULL},
        {{"BR:COND", "OTHER"},
         0.0,
         "events 'perf_event:::BR:COND' and 'sde:::BR:COND' of 'M' match the same row of the counts, expected two "
         "rows"},
        {{"perf_event:::BR:COND", "OTHER"}, 0.0, "event 'sde:::BR:COND' of 'M' is not among the counts"},
        {{"rocm:::BR:COND", "sde:::BR:COND"}, 0.0, "event 'perf_event:::BR:COND' of 'M' is not among the counts"},
    };
    static const double counts[] = {10.0, 7.0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_error error = {.text = ""};
        double value = 0.0;
        cm_status status = cm_defined_metric_evaluate_named(&metric, rows[i].events, counts, 2, &value, &error);
        if (status != (rows[i].message != NULL ? CM_BAD_INPUT : CM_OK) || value != rows[i].value ||
            (rows[i].message != NULL && strcmp(error.text, rows[i].message) != 0))
            fail_msg("row %zu: status %d, %g, %s", i, status, value, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_there),
        cmocka_unit_test(metrics_are_found_by_name_and_by_preset),
        cmocka_unit_test(metrics_are_found_by_other_spellings),
        cmocka_unit_test(counts_give_values),
        cmocka_unit_test(one_count_is_not_two_events),
    };
    return cmocka_run_group_tests_name("definitions", tests, make_path, remove_path);
}
