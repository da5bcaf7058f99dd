/* Results that definitions cannot be read from: faults with their place, and memory that runs out. */
#include "failing_memory.h"

#include "definitions_text.h"

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        size_t line, column;
        const char *message;
    } rows[] = {
        {"{\n", "", 1, 0, "it is no JSON, expected the JSON that catmint analyze writes"},
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
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(what_cannot_be_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("definitions_faults", tests, make_path, remove_path);
}
