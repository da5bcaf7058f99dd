/* The sweep, live on the software PMU: counts, the record, options, interrupts. */
#include "sweep_bench.h"
#include "verify/verify.h"

/* Every kernel executes what its facts say, so the count is known. */
static void counts_equal_the_basis(void **state)
{
    (void)state;
    bench opened;
    open_bench(&opened, TINY);
    cm_sweep_summary summary;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, &summary, NULL), CM_OK);
    assert_int_equal(opened.done, 2 * TINY_SETS * 3);
    assert_int_equal(opened.total, 2 * TINY_SETS * 3);
    assert_int_equal(summary.counted, TINY_EVENTS);
    assert_int_equal(summary.given_up, 0);

    cm_measurements *flops = load(&opened, "cpu-flops.csv");
    const cm_measurement *event = find(flops, "FP_RETIRED:SCALAR_DOUBLE");
    cm_fact_table *facts = NULL;
    ptrdiff_t fact = cm_fact_find("fp_d_scalar");
    assert_int_equal(cm_fact_table_load(CM_TEST_SOURCE_DIR "/bases/facts.csv", NULL, &facts, NULL), CM_OK);
    assert_non_null(event);
    assert_int_equal(event->repetition_count, 3);
    assert_int_equal(event->thread_count, 1);
    double sum = 0.0;
    for (size_t i = 0; i < 3 * flops->kernel_count; i++) {
        size_t kernel = i % flops->kernel_count;
        const cm_kernel_facts *row = cm_fact_table_find(facts, "cpu-flops", flops->kernels[kernel]);
        assert_non_null(row);
        double expected = row->values[fact] * flops->iterations[kernel];
        if (event->values[i] != expected)
            fail_msg("%s: %g, expected %g", flops->kernels[kernel], event->values[i], expected);
        sum += expected;
    }
    assert_true(sum > 0.0);
    size_t available = 0, lacking = 0;
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        bool wanted = strcmp(cm_kernel_get(i)->benchmark, "cpu-flops") == 0;
        available += wanted && cm_kernel_available(cm_kernel_get(i));
        lacking += wanted && !cm_kernel_available(cm_kernel_get(i));
    }
    assert_int_equal(flops->kernel_count, available);
    assert_int_equal(summary.kernels_left_out, lacking);

    cm_measurements *branch = load(&opened, "branch.csv");
    assert_int_equal(branch->kernel_count, 44);
    assert_string_equal(branch->kernels[10], "b7");
    assert_true(find(branch, "BR_RETIRED:COND")->values[10] == branch->iterations[10]);
    assert_true(find(branch, "BR_RETIRED:COND_TAKEN")->values[10] == branch->iterations[10] - 1);
    cm_measurements_free(flops);
    cm_measurements_free(branch);
    cm_fact_table_free(facts);
    close_bench(&opened);
}

/* Two sets have the same counts of what is different each time: the second was not stepped. */
static void sets_count_the_same_runs(void **state)
{
    (void)state;
    static const char *const benchmarks[] = {"branch", "dcache"}; /* by workers, and by a team */
    bench opened;
    open_bench(&opened, CM_TEST_SOURCE_DIR "/tests/data/pmu/clock");
    opened.options.benchmarks = benchmarks;
    opened.options.workers = 2;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, NULL), CM_OK);
    for (size_t b = 0; b < 2; b++) {
        char name[32];
        snprintf(name, sizeof name, "%s.csv", benchmarks[b]);
        cm_measurements *table = load(&opened, name);
        const cm_measurement *one = find(table, "TIME:ONE"), *other = find(table, "TIME:OTHER");
        const size_t runs = one->repetition_count * one->thread_count * table->kernel_count;
        for (size_t i = 0; i < runs; i++)
            if (one->values[i] != other->values[i] || !(one->values[i] > 0.0))
                fail_msg("%s, run %zu: %g and %g", name, i, one->values[i], other->values[i]);
        cm_measurements_free(table);
    }
    unlink(path_in(&opened, "dcache.csv"));
    close_bench(&opened);
}

static void the_record_is_complete(void **state)
{
    (void)state;
    bench opened;
    open_bench(&opened, TINY);
    static const char *const globs[] = {"*RETIRED:*", "!BR_*"};
    opened.options.events = globs;
    opened.options.events_count = 2;
    opened.options.benchmark_count = 1;
    cm_sweep_summary summary;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, &summary, NULL), CM_OK);
    assert_int_equal(summary.counted, 3);
    cm_measurements *flops = load(&opened, "cpu-flops.csv");
    assert_int_equal(flops->event_count, 3);
    assert_null(find(flops, "BR_RETIRED:COND"));
    cm_measurements_free(flops);
    expect_status(&opened, "MEM_RETIRED:LOADS", "counted", "");
    assert_int_equal(access(path_in(&opened, "branch.csv"), F_OK), -1);

    json_error_t fault_location;
    json_t *manifest = json_load_file(path_in(&opened, "manifest.json"), 0, &fault_location);
    assert_non_null(manifest);
    const char *schema, *pmu, *benchmark, *file, *glob, *started;
    int repetitions, counted, cores;
    json_t *kernels, *left_out;
    assert_int_equal(json_unpack_ex(manifest, &fault_location, 0,
                                    "{s:s, s:s, s:i, s:{s:i}, s:{s:i}, s:s, s:{s:[s, s]}, s:[{s:s, s:s, s:o, s:o}]}",
                                    "schema", &schema, "pmu", &pmu, "repetitions", &repetitions, "events", "counted",
                                    &counted, "machine", "cores", &cores, "started", &started, "options", "events",
                                    &glob, &glob, "benchmarks", "benchmark", &benchmark, "file", &file, "kernels",
                                    &kernels, "left_out", &left_out),
                     0);
    assert_string_equal(schema, "catmint.sweep/1");
    assert_string_equal(pmu, "software:tiny");
    assert_string_equal(benchmark, "cpu-flops");
    assert_string_equal(file, "cpu-flops.csv");
    assert_string_equal(glob, "!BR_*");
    assert_int_equal(repetitions, 3);
    assert_int_equal(counted, 3);
    assert_true(cores >= 1);
    assert_int_equal(strlen(started), strlen("2026-01-01T00:00:00Z"));
    assert_int_equal(json_array_size(left_out), summary.kernels_left_out);
    for (size_t i = 0; i < json_array_size(left_out); i++)
        assert_true(json_string_length(json_object_get(json_array_get(left_out, i), "missing")) != 0);
    json_decref(manifest);
    close_bench(&opened);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const char *const unknown[] = {"branch", "brunch"}, *const twice[] = {"branch", "branch"};
    static const char *const no_event[] = {"NO_SUCH_*"}, *const nothing[] = {"!*"};
    static const struct {
        const char *const *benchmarks;
        size_t count;
        const char *const *events;
        size_t events_count, repetitions;
        const char *directory; /* NULL: a good one */
        cm_status expected;
        const char *text;
    } rows[] = {
        {unknown, 2, NULL, 0, 3, NULL, CM_BAD_ARGUMENT, "'brunch', expected one of cpu-flops, branch, dcache"},
        {twice, 2, NULL, 0, 3, NULL, CM_BAD_ARGUMENT, "named twice"},
        {both, 0, NULL, 0, 3, NULL, CM_BAD_ARGUMENT, "no benchmark is named"},
        {both, 2, no_event, 1, 3, NULL, CM_BAD_ARGUMENT, "no event matches \"NO_SUCH_*\""},
        {both, 2, nothing, 1, 3, NULL, CM_BAD_ARGUMENT, "no event is selected"},
        {both, 2, NULL, 0, 3, "/nowhere/sweep", CM_IO, "the directory cannot be made"},
        {both, 2, NULL, 0, 3, TINY "/events.csv", CM_IO, "it is a file"},
    };
    bench opened;
    open_bench(&opened, TINY);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_sweep_options options = opened.options;
        options.benchmarks = rows[i].benchmarks;
        options.benchmark_count = rows[i].count;
        options.events = rows[i].events;
        options.events_count = rows[i].events_count;
        options.repetitions = rows[i].repetitions;
        if (rows[i].directory != NULL)
            options.directory = rows[i].directory;
        cm_error error = {0};
        cm_status status = cm_sweep(opened.counting, &options, NULL, &error);
        if (status != rows[i].expected || strstr(error.text, rows[i].text) == NULL)
            fail_msg("row %zu: %s", i, error.text);
        assert_int_equal(access(opened.directory, F_OK), -1);
    }
    close_bench(&opened);
}

static void an_interrupt_leaves_what_was_there(void **state)
{
    (void)state;
    bench opened;
    open_bench(&opened, TINY);
    cm_error error = {0};
    opened.stop_at = 4;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, &error), CM_INTERRUPTED);
    assert_int_equal(access(path_in(&opened, "cpu-flops.csv"), F_OK), -1);
    assert_int_equal(access(path_in(&opened, "manifest.json"), F_OK), -1);
    assert_int_equal(access(path_in(&opened, "journal"), F_OK), 0); /* a set was done */

    opened.stop = 0;
    opened.stop_at = 0;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, NULL), CM_BAD_ARGUMENT);
    opened.options.resume = true;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, NULL), CM_OK);
    cm_measurements *before = load(&opened, "branch.csv");
    opened.options.repetitions = 2;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, NULL), CM_BAD_ARGUMENT); /* it had 3 */
    opened.options.resume = false;
    opened.stop_at = TINY_SETS * 2 + 1; /* the first table is complete, the second is not */
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, &error), CM_INTERRUPTED);
    cm_measurements *after = load(&opened, "branch.csv");
    assert_int_equal(after->event_count, before->event_count);
    cm_measurements *flops = load(&opened, "cpu-flops.csv");
    assert_int_equal(flops->events[0].repetition_count, 3);
    cm_measurements_free(before);
    cm_measurements_free(after);
    cm_measurements_free(flops);
    unlink(path_in(&opened, "journal"));
    close_bench(&opened); /* finds nothing aside */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_the_basis),
        cmocka_unit_test(sets_count_the_same_runs),
        cmocka_unit_test(the_record_is_complete),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(an_interrupt_leaves_what_was_there),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
