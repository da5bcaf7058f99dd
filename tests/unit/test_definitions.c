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

#include "failing_memory.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A small document, one thing a line. */
static const char sound[] =
    "{\n"
    " \"schema\": \"catmint.metrics/1\",\n"
    " \"machine\": {\"model_name\": \"A CPU\", \"cores\": 2},\n"
    " \"pmu\": \"software:toy\",\n"
    " \"benchmarks\": [\n"
    "  {\"benchmark\": \"flops\",\n"
    "   \"tau\": 1e-10,\n"
    "   \"alpha\": 0.0005, \"residual\": 0.01, \"counts\": {}, \"selected\": [\"FP:ALL\", \"FP:MUL\"],\n"
    "   \"kernels\": [\"k1\", \"k2\"],\n"
    "   \"symbols\": [\"ADD\", \"MUL\"],\n"
    "   \"events\": [\n"
    "    {\"event\": \"FP:ALL\", \"status\": \"selected\", \"max_rnmse\": 0.0, \"residual\": 1e-17, "
    "\"representation\": [1, 1.0],"
    " \"equivalent_to\": null},\n"
    "    {\"event\": \"FP:MUL\", \"status\": \"selected\", \"max_rnmse\": 0.0, \"residual\": 0, \"representation\": "
    "[0, 1],"
    " \"equivalent_to\": null},\n"
    "    {\"event\": \"FP:TWICE\", \"status\": \"dependent\", \"max_rnmse\": 0.0, \"residual\": 0, \"representation\": "
    "[2, 2],"
    " \"equivalent_to\": \"FP:ALL\"},\n"
    "    {\"event\": \"\xc3\xa4:CYCLES\", \"status\": \"noisy\", \"max_rnmse\": 0.25, \"residual\": null,"
    " \"representation\": null, \"equivalent_to\": null}\n"
    "   ],\n"
    "   \"metrics\": [\n"
    "    {\"metric\": \"Additions\", \"preset\": \"\", \"description\": \"adds\", \"signature\": [1, 0],\n"
    "     \"terms\": [{\"event\": \"FP:ALL\", \"coefficient\": 1.0000000000000002},"
    " {\"event\": \"FP:MUL\", \"coefficient\": -0.1}],\n"
    "     \"backward_error\": 1e-17, \"misfit\": 1e-17, \"amplification\": 2,\n"
    "     \"definition\": [{\"event\": \"FP:ALL\", \"coefficient\": 1.0}, {\"event\": \"FP:MUL\", \"coefficient\": "
    "-1.0}],\n"
    "     \"definition_backward_error\": 0.125, \"definition_misfit\": 0.25, \"definition_amplification\": 3.5,\n"
    "     \"composable\": true},\n"
    "    {\"metric\": \"Ops\", \"preset\": \"PAPI_FP_OPS\", \"signature\": [1, 1], \"terms\": [], \"definition\": [],\n"
    "     \"backward_error\": null, \"misfit\": null, \"amplification\": null, \"definition_backward_error\": null,\n"
    "     \"definition_misfit\": null, \"definition_amplification\": null, \"composable\": false, \"measurable\": "
    "false}\n"
    "   ]},\n"
    "  {\"benchmark\": \"branch\", \"tau\": null, \"alpha\": 0.0005, \"residual\": 0.01, \"kernels\": [], \"symbols\": "
    "[],"
    " \"events\": [],\n"
    "   \"metrics\": [{\"metric\": \"PAPI_FP_OPS\", \"preset\": \"Additions\", \"signature\": [], \"terms\": [],"
    " \"definition\": [{\"event\": \"A\", \"coefficient\": 3}],\n"
    "    \"backward_error\": 0, \"misfit\": 0, \"amplification\": 0, \"definition_backward_error\": 0,\n"
    "    \"definition_misfit\": 0, \"definition_amplification\": 0, \"composable\": true}]}\n"
    " ]\n"
    "}\n";

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

static cm_status load(const char *text, size_t size, cm_definitions **definitions, cm_error *error)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
    return cm_definitions_load(path, definitions, error);
}

/* The sound document with `old` replaced, where it first stands. */
static void replace(const char *old, const char *new, char *text, size_t size)
{
    const char *at = strstr(sound, old);
    if (at == NULL)
        fail_msg("the document has no '%s'", old);
    snprintf(text, size, "%.*s%s%s", (int)(at - sound), sound, new, at + strlen(old));
}

static cm_definitions *load_sound(void)
{
    cm_definitions *definitions = NULL;
    cm_error error;
    if (load(sound, sizeof sound - 1, &definitions, &error) != CM_OK)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.text);
    return definitions;
}

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
    static const cm_defined_term terms[] = {{"perf_event:::BR:COND", 2.0}, {"sde:::BR:COND", -1.0}};
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

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        size_t line, column;
        const char *message;
    } rows[] = {
        {"{\n", "", 1, 9, "'[' or '{' expected"},
        {"\"A CPU\",", "\"A CPU\"", 3, 42, "'}' expected near '\"cores\"'"},
        {" \"pmu\": \"software:toy\",", " \"schema\": \"x\",", 4, 9, "duplicate object key"},
        {"metrics/1", "metrics/2", 2, 12, "schema is a different one, expected the schema \"catmint.metrics/1\""},
        {"\"schema\": \"catmint.metrics/1\",", "", 1, 1, "the document names no schema"},
        {"\"software:toy\"", "\"software:\"", 4, 9, "pmu is 'software:', expected \"hardware\" or"},
        {"\"software:toy\"", "7", 4, 9, "pmu is a number, expected a text or null"},
        {"\"machine\"", "\"mechanism\"", 1, 1, "the document has no object \"machine\""},
        {"\"benchmarks\"", "\"benches\"", 1, 1, "the document has no \"benchmarks\""},
        {"\"benchmarks\": [", "\"benchmarks\": {}, \"b\": [", 5, 16, "benchmarks is an object, expected a list"},
        {"\"benchmark\": \"branch\"", "\"benchmark\": \"flops\"", 28, 3, "benchmarks[1] repeats benchmark 'flops'"},
        {"   \"tau\": 1e-10,\n", "", 6, 3, "benchmarks[0] has no \"tau\""},
        {"1e-10", "-1", 7, 11, "benchmarks[0].tau is -1, expected 0 or more"},
        {"1e-10", "1e999", 7, 15, "real number overflow"},
        {"{}", "{\"measured\": 1.5}", 8, 49, "benchmarks[0].counts has 1.5 events measured, expected a whole number"},
        {"0.0005", "null", 8, 13, "benchmarks[0].alpha is null, expected a number"},
        {"\"k2\"", "\"k1\"", 9, 22, "benchmarks[0].kernels[1] repeats 'k1'"},
        {"\"k2\"", "\"\"", 9, 22, "benchmarks[0].kernels[1] is empty, expected a name"},
        {"[\"k1\", \"k2\"]", "\"k1\"", 9, 15, "benchmarks[0].kernels is a text, expected a list of names"},
        {"\"MUL\"],", "\"MUL\", true],", 10, 30, "benchmarks[0].symbols[2] is true, expected a name"},
        {"\"MUL\"],", "\"MUL\", \"DIV\"],", 12, 102,
         "benchmarks[0].events[0].representation has 2 numbers, expected 3"},
        {"\"FP:TWICE\"", "\"FP:MUL\"", 14, 5, "benchmarks[0].events[2] repeats event 'FP:MUL'"},
        {"\"dependent\"", "\"fine\"", 14, 37, "benchmarks[0].events[2].status is 'fine', expected zero, noisy,"},
        {"null, \"representation\": null", "null, \"representation\": [1, \"x\"]", 15, 105,
         "benchmarks[0].events[3].representation[1] is a text, expected a number"},
        {"{\"event\": \"FP:MUL\", \"coefficient\": -1.0}", "7", 21, 62,
         "benchmarks[0].metrics[0].definition[1] is a number, expected an object"},
        {"\"coefficient\": -1.0", "\"factor\": -1.0", 21, 62,
         "benchmarks[0].metrics[0].definition[1] has no \"coefficient\""},
        {"{\"event\": \"FP:MUL\", \"coefficient\": -1.0}", "{\"event\": \"FP:ALL\", \"coefficient\": -1.0}", 21, 62,
         "benchmarks[0].metrics[0].definition[1] repeats event 'FP:ALL'"},
        {"\"event\": \"FP:MUL\", \"coefficient\": -1.0", "\"event\": \"\", \"coefficient\": -1.0", 21, 62,
         "benchmarks[0].metrics[0].definition[1] has an empty event, expected a name"},
        {"\"definition_misfit\": 0.25", "\"definition_misfit\": \"0.25\"", 22, 63,
         "benchmarks[0].metrics[0].definition_misfit is a text, expected a number or null"},
        {"\"composable\": true", "\"composable\": 1", 23, 20,
         "benchmarks[0].metrics[0].composable is a number, expected true or false"},
        {"\"signature\": [1, 1]", "\"signature\": [1]", 24, 61,
         "benchmarks[0].metrics[1].signature has 1 numbers, expected 2"},
        {"\"metric\": \"Ops\"", "\"metric\": \"Additions\"", 24, 5,
         "benchmarks[0].metrics[1] repeats metric 'Additions'"},
        {"\"metric\": \"Ops\"", "\"metric\": \"\"", 24, 5, "benchmarks[0].metrics[1] has an empty name"},
        {"\"composable\": false", "\"composable\": true", 24, 5,
         "benchmarks[0].metrics[1] is not measurable, but has a definition"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[8192];
        cm_definitions *definitions = NULL;
        cm_error error = {.text = ""};
        replace(rows[i].old, rows[i].new, text, sizeof text);
        cm_status status = load(text, strlen(text), &definitions, &error);
        if (status != CM_BAD_INPUT || definitions != NULL || strstr(error.text, rows[i].message) == NULL ||
            error.line != rows[i].line || error.column != rows[i].column || strcmp(error.file, path) != 0)
            fail_msg("row %zu: %s:%zu:%zu: %s, expected %zu:%zu: %s", i, error.file, error.line, error.column,
                     error.text, rows[i].line, rows[i].column, rows[i].message);
    }
    /* Wherever the file ends too early. */
    for (size_t size = 0; size < sizeof sound - 3; size += 7) {
        cm_definitions *definitions = NULL;
        cm_error error;
        assert_int_equal(load(sound, size, &definitions, &error), CM_BAD_INPUT);
        assert_true(error.line > 0);
    }
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    cm_definitions *definitions = NULL;
    cm_error error;
    assert_int_equal(cm_definitions_load("/no/such/file", &definitions, &error), CM_IO);
    assert_string_equal(error.file, "/no/such/file");
    assert_int_equal(cm_definitions_load("/", &definitions, &error), CM_IO);
    assert_int_equal(load("[]", 2, &definitions, &error), CM_BAD_INPUT);
    assert_int_equal(load("{\"schema\": \"catmint.\0metrics/1\"}", 32, &definitions, &error), CM_BAD_INPUT);
    assert_null(definitions);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const events[] = {"FP:ALL", "FP:MUL"};
    static const double counts[] = {100, 30};
    cm_error error;
    cm_definitions_free(load_sound());
    cm_status status = CM_NO_MEMORY;
    long allowed = 0;
    for (; status == CM_NO_MEMORY && allowed < 1000; allowed++) {
        cm_definitions *definitions = NULL;
        double value = 0.0;
        atomic_store(&allocations_left, allowed);
        status = cm_definitions_load(path, &definitions, &error);
        const cm_defined_metric *none = NULL;
        if (status == CM_OK && cm_definitions_resolve(definitions, "additions", &none, &error) == CM_NO_MEMORY)
            status = CM_NO_MEMORY;
        if (status == CM_OK)
            status =
                cm_defined_metric_evaluate_named(cm_definitions_get(definitions, 0), events, counts, 2, &value, &error);
        atomic_store(&allocations_left, -1);
        assert_true(status == CM_OK ? value == 70.0 : status == CM_NO_MEMORY && error.status == status);
        cm_definitions_free(definitions);
    }
    assert_int_equal(status, CM_OK);
    assert_in_range(allowed, 8, 999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_there),
        cmocka_unit_test(metrics_are_found_by_name_and_by_preset),
        cmocka_unit_test(metrics_are_found_by_other_spellings),
        cmocka_unit_test(counts_give_values),
        cmocka_unit_test(one_count_is_not_two_events),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(what_cannot_be_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("definitions", tests, make_path, remove_path);
}
