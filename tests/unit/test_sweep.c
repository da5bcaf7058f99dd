/* The sweep, live on the software PMU. Faults are put in between the sweep and its event sets by the linker (--wrap).
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <catmint/kernels.h>
#include <catmint/software_pmu.h>
#include <catmint/sweep.h>
#include <catmint/tables.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/team.h"
#include "verify/fact_table.h"

#define TINY CM_TEST_SOURCE_DIR "/tests/data/pmu/tiny"

enum { TINY_EVENTS = 5, TINY_SETS = 2 }; /* four counters */

/* ---- faults ---- */

typedef struct fault {
    const char *first, *second; /* events, NULL: none; with two, only a set that holds both fails */
    int starts;                 /* that succeed before, in each process */
    size_t times;               /* that it fails, 0: always */
    bool negative;              /* counts -7 instead of failing to start */
    bool killed;                /* as if from outside, instead */
} fault;

/* In the workers; what all of them did is in memory that they share. */

static struct {
    fault fault;
    cm_counting *counting;
    const cm_event_set *first, *second; /* the sets that hold them */
    size_t position;                    /* of the first in its set */
    atomic_size_t *failures;
} faulty;

cm_status __real_cm_event_set_add(cm_event_set *set, size_t event, cm_error *error);
cm_status __wrap_cm_event_set_add(cm_event_set *set, size_t event, cm_error *error);
cm_status __real_cm_event_set_start(cm_event_set *set, cm_error *error);
cm_status __wrap_cm_event_set_start(cm_event_set *set, cm_error *error);
cm_status __real_cm_event_set_stop(cm_event_set *set, long long *counts, cm_error *error);
cm_status __wrap_cm_event_set_stop(cm_event_set *set, long long *counts, cm_error *error);
void __real_cm_event_set_free(cm_event_set *set);
void __wrap_cm_event_set_free(cm_event_set *set);

cm_status __wrap_cm_event_set_add(cm_event_set *set, size_t event, cm_error *error)
{
    cm_status status = __real_cm_event_set_add(set, event, error);
    const char *name = faulty.counting != NULL ? cm_counting_event(faulty.counting, event).name : "";
    if (status != CM_OK)
        return status;
    if (faulty.fault.first != NULL && strcmp(name, faulty.fault.first) == 0) {
        faulty.first = set;
        faulty.position = cm_event_set_size(set) - 1;
    }
    if (faulty.fault.second != NULL && strcmp(name, faulty.fault.second) == 0)
        faulty.second = set;
    return CM_OK;
}

static bool is_faulty(const cm_event_set *set)
{
    return faulty.first == set && (faulty.fault.second == NULL || faulty.second == set);
}

cm_status __wrap_cm_event_set_start(cm_event_set *set, cm_error *error)
{
    bool due = is_faulty(set) && (faulty.fault.times == 0 || atomic_load(faulty.failures) < faulty.fault.times);
    if (due && !faulty.fault.negative && faulty.fault.starts-- <= 0) {
        atomic_fetch_add(faulty.failures, 1);
        if (faulty.fault.killed)
            raise(SIGKILL);
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the counters are gone");
    }
    return __real_cm_event_set_start(set, error);
}

cm_status __wrap_cm_event_set_stop(cm_event_set *set, long long *counts, cm_error *error)
{
    cm_status status = __real_cm_event_set_stop(set, counts, error);
    if (status == CM_OK && is_faulty(set) && faulty.fault.negative && faulty.fault.starts-- <= 0)
        counts[faulty.position] = -7;
    return status;
}

void __wrap_cm_event_set_free(cm_event_set *set)
{
    if (faulty.first == set)
        faulty.first = NULL;
    if (faulty.second == set)
        faulty.second = NULL;
    __real_cm_event_set_free(set);
}

/* ---- a sweep in a folder of its own ---- */

typedef struct bench {
    char parent[32], directory[64];
    cm_counting *counting;
    cm_sweep_options options;
    size_t done, total; /* as the progress function was last called */
    int stop;
    size_t stop_at;      /* so much is done, 0: never */
    const char *stop_in; /* a benchmark, NULL: none */
} bench;

static const char *const both[] = {"cpu-flops", "branch"};
static const char *const software[] = {"sde"}; /* what else PAPI can count here would change the number of sets */

static void note_progress(const cm_sweep_progress *progress, void *data)
{
    bench *seen = data;
    seen->done = progress->done;
    seen->total = progress->total;
    assert_true(progress->done <= progress->total);
    if (seen->stop_at != 0 && progress->done >= seen->stop_at)
        seen->stop = 1;
    if (seen->stop_in != NULL && strcmp(progress->benchmark, seen->stop_in) == 0)
        seen->stop = 1;
}

static void open_bench(bench *opened, const char *model)
{
    *opened = (bench){.parent = "/tmp/catmint-test-XXXXXX"};
    faulty.fault = (fault){0};
    faulty.failures = cm_team_memory_create(sizeof *faulty.failures);
    assert_non_null(faulty.failures);
    cm_error error = {0};
    cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = model};
    cm_status status = cm_counting_open(&choice, &opened->counting, &error);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    if (status != CM_OK)
        fail_msg("%s", error.text);
    assert_non_null(mkdtemp(opened->parent));
    snprintf(opened->directory, sizeof opened->directory, "%s/sweep", opened->parent);
    faulty.counting = opened->counting;
    cm_sweep_options_default(&opened->options);
    opened->options.workers = 1;
    assert_int_equal(opened->options.repetitions, 5);
    opened->options.directory = opened->directory;
    opened->options.benchmarks = both;
    opened->options.benchmark_count = 2;
    opened->options.components = software;
    opened->options.component_count = 1;
    opened->options.repetitions = 3;
    opened->options.progress = note_progress;
    opened->options.progress_data = opened;
    opened->options.stop = &opened->stop;
}

static const char *path_in(const bench *opened, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", opened->directory, name);
    return path;
}

static void close_bench(bench *opened)
{
    static const char *const names[] = {"cpu-flops.csv", "branch.csv", "events.csv", "manifest.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(path_in(opened, names[i]));
    rmdir(opened->directory);
    if (rmdir(opened->parent) != 0)
        fail_msg("the sweep left something in %s", opened->directory);
    cm_counting_close(opened->counting);
    faulty.counting = NULL;
    cm_team_memory_free(faulty.failures, sizeof *faulty.failures);
}

static cm_measurements *load(const bench *opened, const char *name)
{
    cm_measurements *measurements = NULL;
    cm_error error = {0};
    if (cm_measurements_load(path_in(opened, name), &measurements, &error) != CM_OK)
        fail_msg("%s: %s", name, error.text);
    return measurements;
}

static const cm_measurement *find(const cm_measurements *measurements, const char *event)
{
    for (size_t i = 0; i < measurements->event_count; i++)
        if (strcmp(measurements->events[i].event, event) == 0)
            return &measurements->events[i];
    return NULL;
}

/* The status and reason of an event in events.csv. */
static void expect_status(const bench *opened, const char *event, const char *status, const char *reason)
{
    cm_csv *csv = NULL;
    assert_int_equal(cm_csv_open(path_in(opened, "events.csv"), &csv, NULL), CM_OK);
    static const char *const columns[] = {"event", "component", "status", "reason", "hint", "description"};
    assert_int_equal(cm_csv_expect(csv, 6, columns, false, NULL), CM_OK);
    cm_csv_row row;
    bool found = true, seen = false;
    while (cm_csv_next(csv, &row, &found, NULL) == CM_OK && found) {
        if (strcmp(row.fields[0], event) != 0 || strcmp(row.fields[1], "sde") != 0)
            continue;
        seen = true;
        if (strcmp(row.fields[2], status) != 0 || strcmp(row.fields[3], reason) != 0)
            fail_msg("%s: %s, %s", event, row.fields[2], row.fields[3]);
    }
    cm_csv_close(csv);
    assert_true(seen);
}

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
    assert_int_equal(cm_fact_table_load(CM_TEST_SOURCE_DIR "/bases/facts.csv", &facts, NULL), CM_OK);
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
    size_t available = 0;
    for (size_t i = 0; i < cm_kernel_count(); i++)
        if (strcmp(cm_kernel_get(i)->benchmark, "cpu-flops") == 0 && cm_kernel_available(cm_kernel_get(i)))
            available++;
    assert_int_equal(flops->kernel_count, available);
    assert_int_equal(summary.kernels_left_out + available + 30 + 25, cm_kernel_count());

    cm_measurements *branch = load(&opened, "branch.csv");
    assert_int_equal(branch->kernel_count, 30);
    assert_string_equal(branch->kernels[10], "b7");
    assert_true(find(branch, "BR_RETIRED:COND")->values[10] == branch->iterations[10]);
    assert_true(find(branch, "BR_RETIRED:COND_TAKEN")->values[10] == branch->iterations[10] - 1);
    cm_measurements_free(flops);
    cm_measurements_free(branch);
    cm_fact_table_free(facts);
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
        {unknown, 2, NULL, 0, 3, NULL, CM_BAD_ARGUMENT, "\"brunch\": expected one of cpu-flops, branch, dcache"},
        {twice, 2, NULL, 0, 3, NULL, CM_BAD_ARGUMENT, "named twice"},
        {both, 0, NULL, 0, 3, NULL, CM_BAD_ARGUMENT, "no benchmark is named"},
        {both, 2, NULL, 0, 0, NULL, CM_BAD_ARGUMENT, "0 repetitions, expected at least one"},
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

static void a_failing_event_costs_only_itself(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        size_t given_up;
        const char *reason; /* of BR_RETIRED:COND */
    } rows[] = {
        {{"BR_RETIRED:COND", NULL, 0, 0, false, false}, 1, "the counters are gone"},
        {{"BR_RETIRED:COND", NULL, 20, 0, false, false}, 1, "the counters are gone"},
        {{"BR_RETIRED:COND", NULL, 20, 1, false, false}, 0, ""}, /* nobody is to blame: the set is split */
        {{"BR_RETIRED:COND", NULL, 0, 3, false, false}, 0, ""},  /* in its set, in half of it, and once alone */
        {{"BR_RETIRED:COND", NULL, 0, 4, false, false}, 1, "the counters are gone"}, /* and once more */
        {{"BR_RETIRED:COND", "INST_RETIRED:ANY", 3, 0, false, false}, 0, ""},
        {{"BR_RETIRED:COND", "BR_RETIRED:COND_TAKEN", 0, 0, false, false}, 0, ""},
        {{"BR_RETIRED:COND", NULL, 0, 0, true, false}, 1, "counted -7 in kernel b1, repetition 1"},
    };
    static const char *const branch[] = {"branch"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench opened;
        open_bench(&opened, TINY);
        faulty.fault = rows[i].fault;
        opened.options.benchmarks = branch;
        opened.options.benchmark_count = 1;
        cm_sweep_summary summary;
        cm_error error = {0};
        if (cm_sweep(opened.counting, &opened.options, &summary, &error) != CM_OK)
            fail_msg("row %zu: %s", i, error.text);
        if (summary.given_up != rows[i].given_up)
            fail_msg("row %zu: %zu given up", i, summary.given_up);
        cm_measurements *measurements = load(&opened, "branch.csv");
        if (measurements->event_count != TINY_EVENTS - rows[i].given_up)
            fail_msg("row %zu: %zu events", i, measurements->event_count);
        for (size_t e = 0; e < measurements->event_count; e++)
            assert_int_equal(measurements->events[e].repetition_count, 3);
        bool counted = rows[i].given_up == 0;
        assert_true((find(measurements, "BR_RETIRED:COND") != NULL) == counted);
        const cm_measurement *taken = find(measurements, "BR_RETIRED:COND_TAKEN");
        assert_true(taken->values[10] == measurements->iterations[10] - 1); /* columns did not shift */
        char refused[128];
        snprintf(refused, sizeof refused, "refused (%s)", rows[i].reason);
        expect_status(&opened, "BR_RETIRED:COND", counted ? "counted" : refused, rows[i].reason);
        expect_status(&opened, "BR_RETIRED:COND_TAKEN", "counted", "");
        cm_measurements_free(measurements);
        faulty.fault = (fault){0};
        close_bench(&opened);
    }
}

/* Two events that refuse each other are found out once, also where the sweep is interrupted after that. */
static void what_refused_together_stays_apart(void **state)
{
    (void)state;
    bench opened;
    open_bench(&opened, TINY);
    faulty.fault = (fault){"FP_RETIRED:SCALAR_DOUBLE", "INST_RETIRED:ANY", 0, 0, false, false};
    opened.stop_in = "branch"; /* after all of the first benchmark */
    assert_int_equal(cm_sweep(opened.counting, &opened.options, NULL, NULL), CM_INTERRUPTED);
    assert_int_equal(atomic_load(faulty.failures), 2); /* the four of their set, and the two of them */
    cm_counting_close(opened.counting);                /* with which all is forgotten that is not in the journal */
    assert_int_equal(cm_counting_open(&(cm_pmu_choice){.kind = CM_PMU_SOFTWARE, .model = TINY}, &opened.counting, NULL),
                     CM_OK);
    faulty.counting = opened.counting;
    opened.stop = 0;
    opened.stop_in = NULL;
    opened.options.resume = true;
    cm_sweep_summary summary;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, &summary, NULL), CM_OK);
    assert_int_equal(atomic_load(faulty.failures), 2);
    assert_int_equal(summary.given_up, 0);
    cm_measurements *measurements = load(&opened, "branch.csv");
    assert_int_equal(measurements->event_count, TINY_EVENTS);
    cm_measurements_free(measurements);
    faulty.fault = (fault){0};
    close_bench(&opened);
}

/* Nobody can tell who sent SIGKILL: a few of them are overcome, many end the sweep, which goes on afterwards. */
static void what_ends_workers_from_outside_is_nobodys_fault(void **state)
{
    (void)state;
    bench opened;
    open_bench(&opened, TINY);
    faulty.fault = (fault){.first = "BR_RETIRED:COND", .times = CM_OUTSIDE_LOSSES - 1, .killed = true};
    opened.options.benchmark_count = 1;
    cm_sweep_summary summary;
    cm_error error = {0};
    if (cm_sweep(opened.counting, &opened.options, &summary, &error) != CM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(atomic_load(faulty.failures), CM_OUTSIDE_LOSSES - 1);
    assert_int_equal(summary.counted, TINY_EVENTS);
    assert_int_equal(summary.given_up, 0);

    faulty.fault.times = 0;
    atomic_store(faulty.failures, 0);
    assert_int_equal(cm_sweep(opened.counting, &opened.options, &summary, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "processes of catmint were killed from outside 8 times in a row"));
    assert_int_equal(atomic_load(faulty.failures), CM_OUTSIDE_LOSSES);
    faulty.fault = (fault){0};
    opened.options.resume = true;
    assert_int_equal(cm_sweep(opened.counting, &opened.options, &summary, NULL), CM_OK);
    assert_int_equal(summary.counted, TINY_EVENTS);
    assert_int_equal(summary.given_up, 0);
    close_bench(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_the_basis),
        cmocka_unit_test(the_record_is_complete),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(an_interrupt_leaves_what_was_there),
        cmocka_unit_test(a_failing_event_costs_only_itself),
        cmocka_unit_test(what_refused_together_stays_apart),
        cmocka_unit_test(what_ends_workers_from_outside_is_nobodys_fault),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
