/* What the tests of the sweep share: a sweep in a directory of its own, and what it wrote there. */
#ifndef SWEEP_BENCH_H
#define SWEEP_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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
#include <catmint/sweep.h>
#include <catmint/tables.h>

#include "core/csv.h"

#define TINY CM_TEST_SOURCE_DIR "/tests/data/pmu/tiny"

enum { TINY_EVENTS = 5, TINY_SETS = 2 }; /* four counters */

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

static inline void note_progress(const cm_sweep_progress *progress, void *data)
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

static inline void open_bench(bench *opened, const char *model)
{
    *opened = (bench){.parent = "/tmp/catmint-test-XXXXXX"};
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
    cm_sweep_options_default(&opened->options);
    opened->options.workers = 1;
    assert_int_equal(opened->options.repetitions, 0); /* each benchmark's own */
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

static inline void close_bench(bench *opened)
{
    static const char *const names[] = {"cpu-flops.csv", "branch.csv", "events.csv", "manifest.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(path_in(opened, names[i]));
    rmdir(opened->directory);
    if (rmdir(opened->parent) != 0)
        fail_msg("the sweep left something in %s", opened->directory);
    cm_counting_close(opened->counting);
}

static inline cm_measurements *load(const bench *opened, const char *name)
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
static inline void expect_status(const bench *opened, const char *event, const char *status, const char *reason)
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

#endif
