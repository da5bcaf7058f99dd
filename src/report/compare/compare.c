/* Two results compared: metrics, definitions, events and settings. */
#include "report/compare/compare.h"

/* A comparison in progress; once memory has run out, nothing is added. */
typedef struct comparison {
    cm_differences *found;
    const char *benchmark;
    bool short_of_memory;
} comparison;

static bool is_same(const char *before, const char *after)
{
    return before == NULL || after == NULL ? before == after : strcmp(before, after) == 0;
}

/* Adds a difference unless both texts are the same; NULL: not there. */
static void compare_texts(comparison *compare, const char *subject, const char *name, const char *before,
                          const char *after)
{
    cm_differences *found = compare->found;
    if (compare->short_of_memory || is_same(before, after))
        return;
    compare->short_of_memory = !CM_GROW(found->list, found->count + 1, &found->capacity);
    if (!compare->short_of_memory)
        found->list[found->count++] = (cm_difference){compare->benchmark, subject, name, before, after};
}

/* ---- numbers and sums as text ---- */

/* Drops the digits in which numerics differ between machines. */
static double without_rounding(double value)
{
    enum { DIGITS = 11 };
    double scale = value != 0.0 ? pow(10.0, DIGITS - ceil(log10(fabs(value)))) : 1.0;
    double rounded = round(value * scale) / scale;
    return isfinite(rounded) ? rounded : value;
}

static void write_number(double value, FILE *stream)
{
    char text[CM_NUMBER_TEXT_SIZE];
    if (isfinite(value))
        cm_number_write(without_rounding(value), text);
    fputs(isnan(value) ? "unknown" : isinf(value) ? "no limit" : text, stream);
}

typedef void (*text_writer)(const void *content, FILE *stream);

/* The text in the arena; "" if memory runs out. */
static const char *text_of(comparison *compare, text_writer put, const void *content)
{
    char *text = NULL;
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream != NULL)
        put(content, stream);
    const char *kept = cm_memory_text(stream, &text) != NULL ? cm_arena_text(&compare->found->arena, text) : NULL;
    compare->short_of_memory = compare->short_of_memory || kept == NULL;
    free(text);
    return kept != NULL ? kept : "";
}

static void write_value(const void *content, FILE *stream)
{
    write_number(*(const double *)content, stream);
}

/* "- 2 x NAME" */
static void write_term(bool first, double coefficient, const char *name, FILE *stream)
{
    const char *sign = coefficient < 0.0 ? "- " : "+ ";
    fprintf(stream, "%s%s", first ? "" : " ", first && coefficient >= 0.0 ? "" : sign);
    write_number(fabs(coefficient), stream);
    fprintf(stream, " x %s", name);
}

/* Writes a sum in the order of its terms' names, because their order in a document has no meaning. */
static void write_sum(const void *content, FILE *stream)
{
    const cm_defined_metric *metric = content;
    const char *last = NULL;
    for (size_t i = 0; i < metric->term_count; i++) {
        const cm_defined_term *next = NULL;
        for (size_t k = 0; k < metric->term_count; k++)
            if ((last == NULL || strcmp(metric->terms[k].event, last) > 0) &&
                (next == NULL || strcmp(metric->terms[k].event, next->event) < 0))
                next = &metric->terms[k];
        if (next == NULL)
            break;
        write_term(i == 0, next->coefficient, next->event, stream);
        last = next->event;
    }
    if (metric->term_count == 0)
        fputs("none", stream);
}

/* A definition that measures its metric; of another, the terms say nothing. */
static void write_definition(const void *content, FILE *stream)
{
    const cm_defined_metric *metric = content;
    if (metric->usable)
        write_sum(metric, stream);
    else
        fputs("none that is right", stream);
}

typedef struct signature {
    const cm_defined_benchmark *benchmark;
    const cm_defined_metric *metric;
} signature;

/* The facts that make up a metric, as a sum, or "none". */
static void write_signature(const void *content, FILE *stream)
{
    const signature *of = content;
    bool first = true;
    for (size_t i = 0; i < of->benchmark->symbol_count; i++)
        if (of->metric->signature[i] != 0.0) {
            write_term(first, of->metric->signature[i], of->benchmark->symbols[i], stream);
            first = false;
        }
    if (first)
        fputs("none", stream);
}

/* ---- metrics ---- */

static const char *verdict_of(const cm_defined_metric *metric)
{
    if (!metric->measurable)
        return "not measurable";
    return metric->composable ? "composable" : metric->usable ? "composable in a range" : "not composable";
}

static const cm_defined_metric *find_metric(const cm_view_benchmark *benchmark, const char *name)
{
    for (size_t i = 0; i < benchmark->metric_count; i++)
        if (strcmp(benchmark->metrics[i].defined->metric, name) == 0)
            return benchmark->metrics[i].defined;
    return NULL;
}

static void compare_metric(comparison *compare, const signature *before, const signature *after)
{
    const char *name = before->metric->metric;
    compare_texts(compare, "verdict of metric", name, verdict_of(before->metric), verdict_of(after->metric));
    compare_texts(compare, "preset of metric", name, before->metric->preset, after->metric->preset);
    compare_texts(compare, "signature of metric", name, text_of(compare, write_signature, before),
                  text_of(compare, write_signature, after));
    compare_texts(compare, "definition of metric", name, text_of(compare, write_definition, before->metric),
                  text_of(compare, write_definition, after->metric));
}

/* Adds metrics that only one benchmark has, and differences of those that both have. */
static void compare_metrics(comparison *compare, const cm_view_benchmark *before, const cm_view_benchmark *after)
{
    for (size_t i = 0; i < before->metric_count; i++) {
        const cm_defined_metric *metric = before->metrics[i].defined, *other = find_metric(after, metric->metric);
        if (other != NULL)
            compare_metric(compare, &(signature){before->listed, metric}, &(signature){after->listed, other});
        else
            compare_texts(compare, "metric", metric->metric, verdict_of(metric), NULL);
    }
    for (size_t i = 0; i < after->metric_count; i++) {
        const cm_defined_metric *metric = after->metrics[i].defined;
        if (find_metric(before, metric->metric) == NULL)
            compare_texts(compare, "metric", metric->metric, NULL, verdict_of(metric));
    }
}

/* ---- lists of names, and events ---- */

/* Adds the names that only one of two lists has. */
static cm_status compare_names(comparison *compare, const char *subject, const char *const *names, size_t count,
                               const char *const *others, size_t other_count, bool are_before, cm_error *error)
{
    cm_name_index *index = NULL;
    size_t at;
    cm_status status = cm_name_index_create(&index, error);
    for (size_t i = 0; i < other_count && status == CM_OK; i++)
        status = cm_name_index_add(index, others[i], i, error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        if (!cm_name_index_find(index, names[i], &at))
            compare_texts(compare, subject, names[i], are_before ? "there" : NULL, are_before ? NULL : "there");
    cm_name_index_free(index);
    return status;
}

static cm_status compare_both(comparison *compare, const char *subject, const char *const *before, size_t before_count,
                              const char *const *after, size_t after_count, cm_error *error)
{
    cm_status status = compare_names(compare, subject, before, before_count, after, after_count, true, error);
    return status == CM_OK ? compare_names(compare, subject, after, after_count, before, before_count, false, error)
                           : status;
}

static const char *status_of(const cm_defined_event *event)
{
    return cm_event_status_text(event->status);
}

/* Whether the list has every measured event; otherwise a missing event may still have been counted. */
static bool lists_all(const cm_view_benchmark *benchmark)
{
    return benchmark->listed->event_count >= benchmark->listed->measured_count;
}

static cm_status index_events(const cm_view_benchmark *benchmark, cm_name_index **index, cm_error *error)
{
    cm_status status = cm_name_index_create(index, error);
    for (size_t i = 0; i < benchmark->listed->event_count && status == CM_OK; i++)
        status = cm_name_index_add(*index, benchmark->events[i].event, i, error);
    return status;
}

/* The counts of an event whose repetitions agree: of symbols, and on kernels. */
static cm_status compare_counts(comparison *compare, const cm_compared_event *before, const cm_compared_event *after,
                                cm_error *error)
{
    static const char *const subjects[] = {"counts of event", "counts on kernels of event"};
    cm_status status = CM_OK;
    for (size_t i = 0; i < 2 && status == CM_OK; i++) {
        cm_changed_counts changed = {0};
        status = cm_changed_counts_find(before, after, i == 1, &changed, error);
        const char *text = changed.count > 0 ? text_of(compare, cm_changed_counts_write, &changed) : NULL;
        changed.are_after = true;
        if (text != NULL)
            compare_texts(compare, subjects[i], before->event->event, text,
                          text_of(compare, cm_changed_counts_write, &changed));
        cm_changed_counts_clear(&changed);
    }
    return status;
}

/* Compares each event's status and counts, and lists those of one document alone. */
static cm_status compare_events(comparison *compare, const cm_view_benchmark *before, const cm_view_benchmark *after,
                                cm_error *error)
{
    cm_name_index *was = NULL, *is = NULL;
    size_t at;
    cm_status status = index_events(before, &was, error);
    CM_THEN(status, index_events(after, &is, error));
    for (size_t i = 0; status == CM_OK && i < before->listed->event_count; i++) {
        const cm_defined_event *event = &before->events[i];
        bool there = cm_name_index_find(is, event->event, &at);
        if (there || lists_all(after))
            compare_texts(compare, "event", event->event, status_of(event),
                          there ? status_of(&after->events[at]) : NULL);
        if (there)
            status = compare_counts(compare, &(cm_compared_event){before->listed, event},
                                    &(cm_compared_event){after->listed, &after->events[at]}, error);
    }
    for (size_t i = 0; status == CM_OK && lists_all(before) && i < after->listed->event_count; i++)
        if (!cm_name_index_find(was, after->events[i].event, &at))
            compare_texts(compare, "event", after->events[i].event, NULL, status_of(&after->events[i]));
    cm_name_index_free(was);
    cm_name_index_free(is);
    return status;
}

/* ---- benchmarks and documents ---- */

static void compare_value(comparison *compare, const char *subject, double before, double after)
{
    compare_texts(compare, subject, NULL, text_of(compare, write_value, &before),
                  text_of(compare, write_value, &after));
}

/* Adds the differences of two benchmarks of the same name. */
static cm_status compare_benchmark(comparison *compare, const cm_view_benchmark *before, const cm_view_benchmark *after,
                                   cm_error *error)
{
    const cm_defined_benchmark *was = before->listed, *is = after->listed;
    compare->benchmark = before->title;
    compare_value(compare, "tau", was->tau, is->tau);
    compare_value(compare, "alpha", was->alpha, is->alpha);
    compare_value(compare, "residual", was->residual, is->residual);
    cm_status status =
        compare_both(compare, "kernel", was->kernels, was->kernel_count, is->kernels, is->kernel_count, error);
    CM_THEN(status,
            compare_both(compare, "symbol", was->symbols, was->symbol_count, is->symbols, is->symbol_count, error));
    if (status == CM_OK)
        compare_metrics(compare, before, after);
    CM_THEN(status, compare_events(compare, before, after, error));
    compare->benchmark = NULL;
    return status;
}

static const char *pmu_of(const cm_results_view *view)
{
    const char *pmu = cm_definitions_pmu(view->definitions);
    return pmu != NULL ? pmu : "unknown";
}

/* Adds the differences of two documents. */
static cm_status compare_views(comparison *compare, const cm_results_view *before, const cm_results_view *after,
                               cm_error *error)
{
    cm_status status = CM_OK;
    compare_texts(compare, "PMU", NULL, pmu_of(before), pmu_of(after));
    compare_texts(compare, "machine", NULL, cm_definitions_machine(before->definitions),
                  cm_definitions_machine(after->definitions));
    for (size_t i = 0; i < before->benchmark_count && status == CM_OK; i++) {
        const char *name = before->benchmarks[i].title;
        const cm_view_benchmark *other = CM_FIND_ITEM(title, name, after->benchmarks, after->benchmark_count);
        if (other != NULL)
            status = compare_benchmark(compare, &before->benchmarks[i], other, error);
        else
            compare_texts(compare, "benchmark", name, "there", NULL);
    }
    for (size_t i = 0; i < after->benchmark_count; i++)
        if (CM_FIND_ITEM(title, after->benchmarks[i].title, before->benchmarks, before->benchmark_count) == NULL)
            compare_texts(compare, "benchmark", after->benchmarks[i].title, NULL, "there");
    return status;
}

cm_status cm_differences_create(const cm_results_view *before, const cm_results_view *after,
                                cm_differences **differences, cm_error *error)
{
    cm_differences *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    comparison compare = {.found = made};
    cm_status status = compare_views(&compare, before, after, error);
    if (status == CM_OK && compare.short_of_memory)
        status = cm_error_no_memory(error);
    CM_HAND_OVER(status, differences, made, cm_differences_free);
    return status;
}

void cm_differences_free(cm_differences *differences)
{
    if (differences == NULL)
        return;
    cm_arena_clear(&differences->arena);
    CM_FREE(differences->list, differences);
}
