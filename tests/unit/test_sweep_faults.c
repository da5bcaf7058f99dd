/* Events that fail while a sweep counts them, live on the software PMU. Faults are put in between the sweep and its
 * event sets by the linker (--wrap). */
#include <signal.h>
#include <stdatomic.h>

#include "sweep_bench.h"

#include "core/base.h"
#include "core/system.h"

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

static void open_faulty(bench *opened, const char *model)
{
    faulty.fault = (fault){0};
    faulty.failures = cm_team_memory_create(sizeof *faulty.failures);
    assert_non_null(faulty.failures);
    open_bench(opened, model);
    faulty.counting = opened->counting;
}

static void close_faulty(bench *opened)
{
    close_bench(opened);
    faulty.counting = NULL;
    cm_team_memory_free(faulty.failures, sizeof *faulty.failures);
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
        open_faulty(&opened, TINY);
        faulty.fault = rows[i].fault;
        opened.options.benchmarks = branch;
        opened.options.benchmark_count = 1;
        opened.options.repetitions = 2;
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
            assert_int_equal(measurements->events[e].repetition_count, 2);
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
        close_faulty(&opened);
    }
}

/* Two events that refuse each other are found out once, also where the sweep is interrupted after that. */
static void what_refused_together_stays_apart(void **state)
{
    (void)state;
    bench opened;
    open_faulty(&opened, TINY);
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
    close_faulty(&opened);
}

/* Nobody can tell who sent SIGKILL: a few of them are overcome, many end the sweep, which goes on afterwards. */
static void what_ends_workers_from_outside_is_nobodys_fault(void **state)
{
    (void)state;
    bench opened;
    open_faulty(&opened, TINY);
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
    close_faulty(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failing_event_costs_only_itself),
        cmocka_unit_test(what_refused_together_stays_apart),
        cmocka_unit_test(what_ends_workers_from_outside_is_nobodys_fault),
    };
    return cmocka_run_group_tests_name("sweep_faults", tests, NULL, NULL);
}
