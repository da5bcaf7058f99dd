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

/* ---- metrics ---- */

/* Whether the definition has this term, whose event is bare. */
static bool has_term(const cm_core_type *core, const cm_defined_metric *metric, double coefficient, const char *event)
{
    for (size_t i = 0; i < metric->term_count; i++)
        if (metric->terms[i].coefficient == coefficient &&
            strcmp(cm_core_bare(core, metric->terms[i].event), event) == 0)
            return true;
    return false;
}

bool cm_core_defined_alike(const cm_core_type *core, const cm_defined_metric *metric, const cm_core_type *on,
                           const cm_defined_metric *other)
{
    const bool defined = metric != NULL && metric->usable, also = other != NULL && other->usable;
    if (!defined || !also)
        return defined == also;
    bool same = metric->term_count == other->term_count;
    for (size_t i = 0; i < metric->term_count && same; i++)
        same = has_term(on, other, metric->terms[i].coefficient, cm_core_bare(core, metric->terms[i].event));
    return same;
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
            if (row.same)
                continue;
            whole = CM_GROW_BY_ONE(*rows, *count);
            if (whole)
                (*rows)[(*count)++] = row;
        }
    }
    if (whole)
        return CM_OK;
    free(*rows);
    *rows = NULL;
    return cm_error_no_memory(error);
}
