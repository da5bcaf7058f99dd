#include "sweep/plan/promise.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/data_path.h>

#include "core/csv.h"
#include "core/error.h"
#include "counting/raw/device.h"
#include "events/component.h"

enum { BENCHMARK, PATTERN, COLUMNS };

/* A code less its device; with its names, where a table has them. */
static bool fits(const cm_native_event *event, const char *pattern)
{
    const char *name = cm_component_bare(event->name);
    if (!cm_raw_is_name(name))
        return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
    return fnmatch(pattern, strchr(name, ':') + 1, 0) == 0 ||
           (event->description[0] != '\0' && fnmatch(pattern, event->description, FNM_CASEFOLD) == 0);
}

static bool is_asked_for(const cm_sweep_state *state, const char *benchmark)
{
    bool asked = benchmark[0] == '\0';
    for (size_t i = 0; i < state->benchmark_count && !asked; i++)
        asked = strcmp(state->benchmarks[i].name, benchmark) == 0;
    return asked;
}

/* Of the `count` events marks those that fit some row. */
static cm_status mark(const cm_sweep_state *state, const size_t *events, size_t count, bool *promising, cm_error *error)
{
    static const char *const columns[COLUMNS] = {"benchmark", "pattern"};
    char *path = NULL;
    cm_csv *csv = NULL;
    bool found = true;
    cm_status status = cm_data_path("data/promising.csv", &path, error);
    if (status == CM_OK)
        status = cm_csv_open(path, &csv, error);
    if (status == CM_OK)
        status = cm_csv_expect(csv, COLUMNS, columns, false, error);
    while (status == CM_OK && found) {
        cm_csv_row row;
        status = cm_csv_next(csv, &row, &found, error);
        bool heeded = status == CM_OK && found && is_asked_for(state, row.fields[BENCHMARK]);
        for (size_t i = 0; i < count && heeded; i++) {
            const cm_native_event event = cm_counting_event(state->counting, events[i]);
            promising[i] = promising[i] || fits(&event, row.fields[PATTERN]);
        }
    }
    cm_csv_close(csv);
    free(path);
    return status;
}

cm_status cm_promising_first(const cm_sweep_state *state, size_t *events, size_t count, cm_error *error)
{
    bool *promising = calloc(count + 1, sizeof *promising);
    size_t *sorted = malloc((count + 1) * sizeof *sorted), placed = 0;
    cm_status status =
        promising != NULL && sorted != NULL ? mark(state, events, count, promising, error) : cm_error_no_memory(error);
    for (int first = 1; first >= 0 && status == CM_OK; first--)
        for (size_t i = 0; i < count; i++)
            if (promising[i] == (first == 1))
                sorted[placed++] = events[i];
    if (status == CM_OK)
        memcpy(events, sorted, count * sizeof *events);
    free(promising);
    free(sorted);
    return status;
}
