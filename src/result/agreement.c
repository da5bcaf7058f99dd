/* The metrics on which the types of a hybrid processor's cores agree, and those on which they differ. Nothing is
 * merged: an event of one type is another one than that of the same name on the next type. */
#include "result/result.h"

/* Representations that differ by more than this part of the larger one are of different events. */
static const double DIFFERENT = 0.05;

static const char *behind(const char *event, const char *prefix, const char *separator)
{
    size_t length = strlen(prefix);
    bool fits = length != 0 && strncmp(event, prefix, length) == 0 &&
                strncmp(event + length, separator, strlen(separator)) == 0;
    return fits ? event + length + strlen(separator) : NULL;
}

const char *cm_core_bare(const cm_core_type *core, const char *event)
{
    const char *bare = behind(event, core->pmu, "::");
    if (bare == NULL)
        bare = behind(event, core->name, ":");
    return bare != NULL ? bare : event;
}

static const cm_benchmark_result *find_benchmark(const cm_results *part, const char *name)
{
    for (size_t i = 0; i < part->benchmark_count; i++)
        if (strcmp(part->benchmarks[i]->benchmark, name) == 0)
            return part->benchmarks[i];
    return NULL;
}

static bool append_row(cm_core_row **rows, size_t *count, const cm_core_row *row)
{
    if (!CM_GROW_BY_ONE(*rows, *count))
        return false;
    (*rows)[(*count)++] = *row;
    return true;
}

/* ---- metrics ---- */

/* The composable definition of the row on cores of that type; NULL: there is none. */
static const cm_fit *definition_of(const cm_core_row *row, size_t core)
{
    const cm_benchmark_result *result = row->results[core];
    const cm_fit *fit = result != NULL ? result->fits[row->at[core]] : NULL;
    return fit != NULL && fit->composable ? fit : NULL;
}

static const char *term_name(const cm_results *results, const cm_core_row *row, size_t core, size_t term)
{
    const cm_benchmark_result *result = row->results[core];
    return cm_core_bare(&results->cores[core],
                        cm_analysis_event(result->analysis, definition_of(row, core)->events[term]).event);
}

/* Whether the other definition has this term, too. */
static bool has_term(const cm_results *results, const cm_core_row *row, size_t core, size_t term, size_t other)
{
    const cm_fit *fit = definition_of(row, other);
    const char *name = term_name(results, row, core, term);
    double coefficient = definition_of(row, core)->rounded[term];
    for (size_t i = 0; i < fit->term_count; i++)
        if (fit->rounded[i] == coefficient && strcmp(term_name(results, row, other, i), name) == 0)
            return true;
    return false;
}

static bool defined_alike(const cm_results *results, const cm_core_row *row, size_t core, size_t other)
{
    const cm_fit *fit = definition_of(row, core), *second = definition_of(row, other);
    if (fit == NULL || second == NULL)
        return fit == second;
    bool same = cm_fit_term_count(fit) == cm_fit_term_count(second);
    for (size_t i = 0; i < fit->term_count && same; i++)
        same = fit->rounded[i] == 0.0 || has_term(results, row, core, i, other);
    return same;
}

/* A metric on all types of cores, and whether their definitions are alike. */
static cm_core_row metric_row(const cm_results *results, const char *benchmark, const char *metric)
{
    cm_core_row row = {.benchmark = benchmark, .name = metric, .same = true};
    for (size_t i = 0; i < results->part_count; i++) {
        const cm_benchmark_result *result = find_benchmark(results->parts[i], benchmark);
        const cm_signatures *there = result != NULL ? result->signatures : NULL;
        row.at[i] = there != NULL ? CM_FIND_BY(metric, metric, there->metrics, there->metric_count) : 0;
        if (there != NULL && row.at[i] < there->metric_count)
            row.results[i] = result;
    }
    for (size_t i = 1; i < results->part_count; i++)
        row.same = row.same && defined_alike(results, &row, 0, i);
    return row;
}

static bool is_listed(const cm_core_row *rows, size_t count, const char *benchmark, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].benchmark, benchmark) == 0 && strcmp(rows[i].name, name) == 0)
            return true;
    return false;
}

cm_status cm_core_metrics_list(const cm_results *results, cm_core_row **rows, size_t *count, cm_error *error)
{
    bool whole = true;
    *rows = NULL;
    *count = 0;
    for (size_t b = 0; b < results->benchmark_count && results->part_count != 0; b++) {
        const cm_benchmark_result *result = results->benchmarks[b];
        for (size_t m = 0; m < result->signatures->metric_count && whole; m++) {
            const char *metric = result->signatures->metrics[m].metric;
            const cm_core_row row = metric_row(results, result->benchmark, metric);
            whole = is_listed(*rows, *count, result->benchmark, metric) || append_row(rows, count, &row);
        }
    }
    if (whole)
        return CM_OK;
    free(*rows);
    *rows = NULL;
    return cm_error_no_memory(error);
}

/* ---- events ---- */

static double part_of(const cm_event_analysis *event, size_t symbol)
{
    return event->representation != NULL && event->status != CM_EVENT_ZERO ? event->representation[symbol] : 0.0;
}

static bool is_known(const cm_event_analysis *event)
{
    return event->status == CM_EVENT_ZERO || event->status == CM_EVENT_DEPENDENT || event->status == CM_EVENT_SELECTED;
}

/* Events of which one is unknown are not said to differ. */
static bool count_alike(const cm_benchmark_result *first, const cm_event_analysis *one,
                        const cm_benchmark_result *second, const cm_event_analysis *other)
{
    size_t symbols = first->basis->symbol_count;
    double difference = 0.0, largest = 0.0;
    if (!is_known(one) || !is_known(other) || symbols != second->basis->symbol_count)
        return true;
    for (size_t i = 0; i < symbols; i++) {
        if (strcmp(first->basis->symbols[i], second->basis->symbols[i]) != 0)
            return true;
        difference = fmax(difference, fabs(part_of(one, i) - part_of(other, i)));
        largest = fmax(largest, fmax(fabs(part_of(one, i)), fabs(part_of(other, i))));
    }
    return difference <= DIFFERENT * largest;
}

/* The event of the same name on the other type; SIZE_MAX: there is none. */
static size_t find_event(const cm_core_type *core, const cm_benchmark_result *result, const char *bare)
{
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis); i++)
        if (strcmp(cm_core_bare(core, cm_analysis_event(result->analysis, i).event), bare) == 0)
            return i;
    return SIZE_MAX;
}

/* `event` of the first type's benchmark on the others. */
static cm_core_row event_row(const cm_results *results, const cm_benchmark_result *result, size_t event)
{
    const cm_event_analysis first = cm_analysis_event(result->analysis, event);
    cm_core_row row = {.benchmark = result->benchmark, .name = cm_core_bare(&results->cores[0], first.event)};
    row.same = true;
    row.results[0] = result;
    row.at[0] = event;
    for (size_t i = 1; i < results->part_count; i++) {
        const cm_benchmark_result *there = find_benchmark(results->parts[i], result->benchmark);
        row.at[i] = there != NULL ? find_event(&results->cores[i], there, row.name) : SIZE_MAX;
        if (row.at[i] == SIZE_MAX)
            continue;
        const cm_event_analysis other = cm_analysis_event(there->analysis, row.at[i]);
        row.results[i] = there;
        row.same = row.same && count_alike(result, &first, there, &other);
    }
    return row;
}

cm_status cm_core_events_list(const cm_results *results, cm_core_row **rows, size_t *count, cm_error *error)
{
    bool whole = true;
    *rows = NULL;
    *count = 0;
    for (size_t b = 0; results->part_count != 0 && b < results->parts[0]->benchmark_count; b++) {
        const cm_benchmark_result *result = results->parts[0]->benchmarks[b];
        for (size_t i = 0; i < cm_analysis_event_count(result->analysis) && whole; i++) {
            const cm_core_row row = event_row(results, result, i);
            whole = row.same || append_row(rows, count, &row);
        }
    }
    if (whole)
        return CM_OK;
    free(*rows);
    *rows = NULL;
    return cm_error_no_memory(error);
}
