#include "sweep/plan/plan.h"

#include <fnmatch.h>

enum { BENCHMARK, PATTERN, COLUMNS };

/* Whether the name fits the pattern, or the code without its device; or one of its names, if a table has any. */
static bool fits_pattern(const cm_native_event *event, const char *pattern)
{
    const char *name = cm_component_bare(event->name);
    if (!cm_raw_is_name(name))
        return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
    return fnmatch(pattern, strchr(name, ':') + 1, 0) == 0 ||
           (event->description[0] != '\0' && fnmatch(pattern, event->description, FNM_CASEFOLD) == 0);
}

static bool is_asked_for(const cm_sweep_state *state, const char *benchmark)
{
    const size_t count = state->benchmark_count;
    return benchmark[0] == '\0' || CM_FIND_BY(name, benchmark, state->benchmarks, count) < count;
}

typedef struct marking {
    const cm_sweep_state *state;
    const size_t *events;
    size_t count;
    bool *promising;
} marking;

/* Marks the events that fit this row, if its benchmark is swept. */
static cm_status mark_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    (void)error;
    const marking *work = data;
    bool heeded = is_asked_for(work->state, row->fields[BENCHMARK]);
    for (size_t i = 0; i < work->count && heeded; i++) {
        const cm_native_event event = cm_counting_event(work->state->counting, work->events[i]);
        work->promising[i] = work->promising[i] || fits_pattern(&event, row->fields[PATTERN]);
    }
    return CM_OK;
}

/* Marks those of the `count` events that fit some row. */
static cm_status mark_events(const cm_sweep_state *state, const size_t *events, size_t count, bool *promising,
                             cm_error *error)
{
    static const char *const columns[COLUMNS] = {"benchmark", "pattern"};
    marking work = {state, events, count, promising};
    return cm_csv_each_data("data/promising.csv", COLUMNS, columns, mark_row, &work, error);
}

cm_status cm_promising_first(const cm_sweep_state *state, size_t *events, size_t count, cm_error *error)
{
    bool *promising = calloc(count + 1, sizeof *promising);
    size_t *sorted = malloc((count + 1) * sizeof *sorted), placed = 0;
    cm_status status = promising != NULL && sorted != NULL ? mark_events(state, events, count, promising, error)
                                                           : cm_error_no_memory(error);
    for (int first = 1; first >= 0 && status == CM_OK; first--)
        for (size_t i = 0; i < count; i++)
            if (promising[i] == (first == 1))
                sorted[placed++] = events[i];
    if (status == CM_OK)
        memcpy(events, sorted, count * sizeof *events);
    CM_FREE(promising, sorted);
    return status;
}
