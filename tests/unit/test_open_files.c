/* A sweep whose workers have as many files open as they may: no event is to blame, and no set is parted. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <papi.h>

#include <catmint/sweep.h>

#define TINY CM_TEST_SOURCE_DIR "/tests/data/pmu/tiny"

enum { TINY_EVENTS = 5, TINY_SETS = 2 }; /* four counters */

static bool no_files;
static size_t done;

int __real_PAPI_start(int set);
int __wrap_PAPI_start(int set);

int __wrap_PAPI_start(int set)
{
    if (!no_files)
        return __real_PAPI_start(set);
    errno = EMFILE;
    return PAPI_ESYS;
}

static void note_progress(const cm_sweep_progress *progress, void *data)
{
    (void)data;
    done = progress->done;
}

static void want_of_files_ends_the_sweep(void **state)
{
    (void)state;
    static const char *const branch = "branch", *const software = "sde";
    char parent[] = "/tmp/catmint-test-XXXXXX", directory[64], path[128];
    cm_counting *counting = NULL;
    cm_error error = {0};
    cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = TINY};
    cm_status status = cm_counting_open(&choice, &counting, &error);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    assert_int_equal(status, CM_OK);
    assert_non_null(mkdtemp(parent));
    snprintf(directory, sizeof directory, "%s/sweep", parent);
    cm_sweep_options options;
    cm_sweep_options_default(&options);
    options.workers = 1;
    options.directory = directory;
    options.benchmarks = &branch;
    options.components = &software;
    options.benchmark_count = options.component_count = 1;
    options.repetitions = 2;
    options.progress = note_progress;

    cm_sweep_summary summary;
    no_files = true;
    assert_int_equal(cm_sweep(counting, &options, &summary, &error), CM_NO_MEMORY);
    assert_string_equal(error.text, "the process has as many files open as it may: raise the limit (ulimit -n)");
    no_files = false;
    options.resume = true;
    if (cm_sweep(counting, &options, &summary, &error) != CM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(done, TINY_SETS * 2);
    assert_int_equal(summary.counted, TINY_EVENTS);
    assert_int_equal(summary.given_up, 0);

    static const char *const names[] = {"branch.csv", "events.csv", "manifest.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(directory), 0);
    assert_int_equal(rmdir(parent), 0);
    cm_counting_close(counting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(want_of_files_ends_the_sweep),
    };
    return cmocka_run_group_tests_name("open files", tests, NULL, NULL);
}
