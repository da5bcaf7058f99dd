/* Counting, sweeps and merges without memory: allocations fail in the process that sweeps, and in its workers. No event
 * is to blame, nothing half-written is left, and the next sweep is as good as ever. */
#include "failing_roads.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catmint/counting.h>
#include <catmint/merge.h>
#include <catmint/sweep.h>

#include "core/csv.h"

#define TINY CM_TEST_SOURCE_DIR "/tests/data/pmu/tiny"

enum { PATH_SIZE = 256, SHARDS = 2 };

static const char *const benchmarks[] = {"cpu-flops"};
static const char *const events[] = {"INST_RETIRED:ANY", "BR_RETIRED:COND", "MEM_RETIRED:LOADS"};

static char directory[] = "/tmp/catmint-test-XXXXXX";
static char output[PATH_SIZE], shards[SHARDS][PATH_SIZE];
static cm_counting *session;

/* ---- workers ---- */

static long allocations_of_workers = -1; /* that succeed in each; negative: all */

pid_t __real_fork(void);
pid_t __wrap_fork(void);

pid_t __wrap_fork(void)
{
    pid_t process = __real_fork();
    if (process == 0 && allocations_of_workers >= 0)
        atomic_store(&allocations_left, allocations_of_workers);
    return process;
}

/* ---- directories ---- */

static bool has(const char *name)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", output, name);
    return access(path, F_OK) == 0;
}

/* All of it or none, and a journal beside none at most. */
static void look_for_tables(const test_road *road, cm_status status)
{
    bool tables[] = {has("cpu-flops.csv"), has("events.csv"), has("manifest.json")};
    for (size_t i = 0; i < COUNT(tables); i++)
        if (tables[i] != (status == CM_OK))
            print_error("%s: status %d, file %zu is %s there\n", road->name, (int)status, i, tables[i] ? "" : "not");
    DIR *opened = opendir(output);
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;)
        if (strncmp(entry->d_name, ".sweep-", 7) == 0 || strstr(entry->d_name, ".csv.") != NULL)
            fail_msg("%s: %s was left", road->name, entry->d_name);
    if (opened != NULL)
        closedir(opened);
    assert_true(tables[0] == tables[2] && tables[1] == tables[2]);
    remove_all(output);
}

/* Which events were counted, and how the others ended: equal in all sweeps, whatever they counted. */
static cm_status tell_events(const char *place, FILE *sink, cm_error *error)
{
    char path[2 * PATH_SIZE];
    cm_csv *csv = NULL;
    cm_csv_row row;
    snprintf(path, sizeof path, "%s/events.csv", place);
    cm_status status = cm_csv_open(path, &csv, error);
    for (bool found = status == CM_OK; found && status == CM_OK;) {
        status = cm_csv_next(csv, &row, &found, error);
        if (status == CM_OK && found)
            fprintf(sink, "%s %s %s %s\n", row.fields[0], row.fields[1], row.fields[2], row.fields[3]);
    }
    cm_csv_close(csv);
    snprintf(path, sizeof path, "%s/manifest.json", place);
    json_t *manifest = json_load_file(path, 0, NULL), *value;
    const char *key;
    json_object_foreach(manifest, key, value)
        fprintf(sink, "%s %zu\n", key, json_is_array(value) ? json_array_size(value) : json_object_size(value));
    json_decref(manifest);
    return status;
}

/* ---- sweeps ---- */

static void say_to_nobody(const char *text, void *data)
{
    (void)text;
    (void)data;
}

static void stop_soon(const cm_sweep_progress *progress, void *data)
{
    int *stop = data;
    *stop = progress->done > 0;
}

typedef enum manner { WHOLE, TO_BE_STOPPED, RESUMED } manner;

static cm_status sweep(const char *place, size_t shard, manner how, cm_error *error)
{
    int stop = 0;
    cm_sweep_options options;
    cm_sweep_options_default(&options);
    options.directory = place;
    options.benchmarks = benchmarks;
    options.benchmark_count = COUNT(benchmarks);
    options.events = events;
    options.events_count = COUNT(events);
    options.repetitions = 2;
    options.workers = 1;
    options.shard = shard;
    options.shards = shard != 0 ? SHARDS : 0;
    options.message = say_to_nobody;
    options.resume = how == RESUMED;
    if (how == TO_BE_STOPPED) {
        options.progress = stop_soon;
        options.progress_data = &stop;
        options.stop = &stop;
    }
    return cm_sweep(session, &options, NULL, error);
}

/* What was swept runs without any limit; it is not what is tried. */
static cm_status tell_output(cm_status status, FILE *sink, cm_error *error)
{
    long left = atomic_exchange(&allocations_left, -1);
    if (status == CM_OK)
        status = tell_events(output, sink, error);
    atomic_store(&allocations_left, left);
    return status;
}

static cm_status go_sweep(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    return tell_output(sweep(output, 0, WHOLE, error), sink, error);
}

static cm_status go_resume(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    long left = atomic_exchange(&allocations_left, -1);
    cm_status status = sweep(output, 0, TO_BE_STOPPED, error);
    assert_true(status == CM_INTERRUPTED);
    atomic_store(&allocations_left, left);
    return tell_output(sweep(output, 0, RESUMED, error), sink, error);
}

static void test_sweep(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"sweep", NULL, go_sweep, look_for_tables, 100, 2});
}

static void test_resume(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"resume", NULL, go_resume, look_for_tables, 100, 2});
}

static void test_workers(void **state)
{
    (void)state;
    const test_road road = {"a worker of a sweep", NULL, go_sweep, look_for_tables, 0, 0};
    journey whole = travel(&road, -1, false);
    assert_int_equal(whole.status, CM_OK);
    size_t refused_sweeps = 0, finished = 0;
    for (long n = 0; n < 200 && finished < 3; n = n < 20 ? n + 1 : n + 7) {
        char which[64];
        snprintf(which, sizeof which, "allocation %ld of a worker", n);
        allocations_of_workers = n;
        journey made = travel(&road, -1, false);
        allocations_of_workers = -1;
        assert_true(is_right(&road, &made, &whole, which));
        refused_sweeps += made.status != CM_OK;
        finished = made.status == CM_OK ? finished + 1 : 0;
        free(made.text);
    }
    print_message("%zu sweeps ended for lack of memory in a worker\n", refused_sweeps);
    free(whole.text);
}

/* ---- merging ---- */

static cm_status go_merge(const test_road *road, FILE *sink, cm_error *error)
{
    const char *const sources[] = {shards[0], shards[1]};
    const bool *again = road->what;
    long left = atomic_exchange(&allocations_left, -1);
    if (*again)
        assert_int_equal(cm_merge_sweeps(sources, SHARDS, output, NULL, error), CM_OK);
    atomic_store(&allocations_left, left);
    return tell_output(cm_merge_sweeps(sources, SHARDS, output, NULL, error), sink, error);
}

/* The one that was there before, or the other; where a commit did not end, the next one ends it. */
static void look_for_any(const test_road *road, cm_status status)
{
    const char *const sources[] = {shards[0], shards[1]};
    cm_error error;
    if (status != CM_OK && cm_merge_sweeps(sources, SHARDS, output, NULL, &error) != CM_OK)
        fail_msg("%s: there cannot be merged any more: %s", road->name, error.text);
    look_for_tables(road, CM_OK);
}

static void test_merge(void **state)
{
    (void)state;
    static const bool once = false, again = true;
    fail_on_road(&(test_road){"merge", &once, go_merge, look_for_tables, 100, 3});
    fail_on_road(&(test_road){"merge over a merge", &again, go_merge, look_for_any, 100, 3});
}

/* ---- sessions ---- */

static cm_status go_counting(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = TINY};
    cm_counting *opened = NULL;
    cm_event_set *set = NULL;
    cm_status status = cm_counting_open(&choice, &opened, error);
    for (size_t i = 0; status == CM_OK && i < cm_counting_event_count(opened); i++) {
        cm_native_event event = cm_counting_event(opened, i);
        fprintf(sink, "%s %d %s\n", event.name, event.countable, event.reason);
    }
    for (size_t i = 0; status == CM_OK && i < cm_counting_event_count(opened); i++) {
        cm_native_event event = cm_counting_event(opened, i);
        if (!event.countable || strcmp(event.name, events[0]) != 0)
            continue;
        status = cm_event_set_create(opened, event.component, &set, error);
        if (status == CM_OK)
            status = cm_event_set_add(set, i, error);
        break;
    }
    cm_event_set_free(set);
    cm_counting_close(opened);
    return status;
}

static void test_counting(void **state)
{
    (void)state;
    cm_counting_close(session); /* there is one at a time */
    session = NULL;
    fail_on_road(&(test_road){"counting", NULL, go_counting, NULL, 100, 0});
}

static int prepare(void **state)
{
    (void)state;
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = TINY};
    cm_error error;
    cm_status status = cm_counting_open(&choice, &session, &error);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error.text);
        exit(77);
    }
    assert_int_equal(status, CM_OK);
    assert_non_null(mkdtemp(directory));
    snprintf(output, sizeof output, "%s/output", directory);
    for (size_t i = 0; i < SHARDS; i++) {
        snprintf(shards[i], sizeof shards[i], "%s/shard-%zu", directory, i + 1);
        if (sweep(shards[i], i + 1, WHOLE, &error) != CM_OK)
            fail_msg("%s", error.text);
    }
    fail_jansson();
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    cm_counting_close(session);
    remove_all(directory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge),   cmocka_unit_test(test_sweep),    cmocka_unit_test(test_resume),
        cmocka_unit_test(test_workers), cmocka_unit_test(test_counting),
    };
    return cmocka_run_group_tests_name("sweeps without memory", tests, prepare, tidy_up);
}
