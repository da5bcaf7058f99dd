/* A snippet counted under events, and what each counts of it. */
#include "verify/snippet/snippet.h"
#include "sweep/run/run.h"

/* Counts of several repetitions that differ by less are the same. */
static const double SAME = 5e-3;

/* Repetitions that are further apart than this share of the count, or of one a copy, tell nothing: they vary. */
static const double MOST_SPREAD = 0.1;

/* Counts the loops under all events of the options. */
static cm_status sweep_loops(cm_counting *counting, const cm_snippet_options *options, const cm_snippet_code *code,
                             cm_snippet *snippet, cm_error *error)
{
    const cm_kernel *kernels[CM_SNIPPET_LOOPS];
    cm_sweep_options wanted = *options->sweep;
    cm_sweep_summary summary = {0};
    for (size_t i = 0; i < CM_SNIPPET_LOOPS; i++)
        kernels[i] = &code->kernels[i];
    const cm_sweep_extension extension = {
        .benchmark = cm_snippet_benchmark, .kernel_count = CM_SNIPPET_LOOPS, .kernels = kernels};
    wanted.directory = options->directory;
    wanted.benchmarks = &extension.benchmark;
    wanted.benchmark_count = 1;
    cm_status status = cm_sweep_extended(counting, &wanted, &extension, &summary, error);
    snippet->unavailable = summary.unavailable;
    return status;
}

/* Their median, and how far they are apart. */
static double median(double *values, size_t count, double *spread)
{
    double least = values[0], most = values[0];
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    *spread = most - least;
    return cm_median(values, count);
}

/* A count of one copy by two loops that differ in so many copies; values: one a repetition, as scratch. */
static double copies_differ(const cm_measurements *table, const cm_measurement *event, size_t loop, size_t copies,
                            double *values, double *spread)
{
    for (size_t r = 0; r < event->repetition_count; r++) {
        const double *counts = event->values + r * event->thread_count * table->kernel_count;
        values[r] =
            (counts[loop + 1] / table->iterations[loop + 1] - counts[loop] / table->iterations[loop]) / (double)copies;
    }
    return median(values, event->repetition_count, spread);
}

/* Notes the facts of the event's number: those that are no sums of others first. */
static cm_status note_facts(const cm_snippet *snippet, cm_snippet_event *event, cm_error *error)
{
    const double tolerance = fmax(event->spread, SAME * fabs(event->value));
    if (!CM_ALLOCATE(event->facts, snippet->fact_count + 1))
        return cm_error_no_memory(error);
    for (int derived = 0; derived < 2 && event->steady && fabs(event->value) > tolerance; derived++)
        for (size_t i = 0; i < snippet->fact_count; i++) {
            const cm_snippet_fact *fact = &snippet->facts[i];
            if (fact->derived == derived && fact->value != 0.0 && fabs(fact->value - event->value) <= tolerance)
                event->facts[event->fact_count++] = i;
        }
    return CM_OK;
}

/* Adds an event's count in a copy, and whether it is steady. */
static cm_status take_event(const cm_measurements *table, const cm_measurement *counted, cm_snippet *snippet,
                            cm_error *error)
{
    cm_snippet_event *event = &snippet->events[snippet->event_count++];
    double less_spread = 0.0, *values = calloc(counted->repetition_count + 1, sizeof *values);
    event->name = strdup(counted->event);
    if (values == NULL || event->name == NULL) {
        free(values);
        return cm_error_no_memory(error);
    }
    const double less = copies_differ(table, counted, 0, snippet->copies, values, &less_spread);
    event->value = copies_differ(table, counted, 1, snippet->copies, values, &event->spread);
    const double noise = fmax(event->spread, less_spread), most = fmax(fabs(event->value), fabs(less));
    event->steady = noise <= MOST_SPREAD * fmax(most, 1.0) && fabs(event->value - less) <= fmax(noise, SAME * most);
    free(values);
    return note_facts(snippet, event, error);
}

/* Reads the sweep's table. */
static cm_status take_events(const cm_snippet_options *options, cm_snippet *snippet, cm_error *error)
{
    char *path = cm_path_join(options->directory, cm_snippet_benchmark, ".csv");
    cm_measurements *table = NULL;
    cm_status status = path != NULL ? cm_measurements_load(path, &table, error) : cm_error_no_memory(error);
    if (status == CM_OK) {
        snippet->events = calloc(table->event_count + 1, sizeof *snippet->events);
        status = snippet->events != NULL ? CM_OK : cm_error_no_memory(error);
    }
    for (size_t i = 0; status == CM_OK && i < table->event_count; i++)
        status = take_event(table, &table->events[i], snippet, error);
    cm_measurements_free(table);
    free(path);
    return status;
}

cm_status cm_snippet_measure(cm_counting *counting, const cm_snippet_options *options, cm_snippet **snippet,
                             cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_snippet_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_snippet_code code = {0};
    cm_snippet *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->copies = options->copies != 0 ? options->copies : CM_SNIPPET_COPIES;
    made->file = strdup(options->file);
    made->pmu = strdup(cm_counting_pmu(counting));
    cm_status status = made->file != NULL && made->pmu != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_snippet_assemble(options, &code, error));
    CM_THEN(status, cm_snippet_prove(&code, counting, made, error));
    CM_THEN(status, sweep_loops(counting, options, &code, made, error));
    CM_THEN(status, take_events(options, made, error));
    cm_snippet_code_clear(&code);
    CM_HAND_OVER(status, snippet, made, cm_snippet_free);
    return status;
}

void cm_snippet_free(cm_snippet *snippet)
{
    if (snippet == NULL)
        return;
    for (size_t i = 0; i < snippet->event_count; i++) {
        CM_FREE(snippet->events[i].name, snippet->events[i].facts);
    }
    CM_FREE(snippet->events, snippet->facts, snippet->file, snippet->pmu, snippet);
}
