/* Symbols, terms and equivalent events, as explanations list them. */
#include "report/report.h"

const char *cm_explain_sentence(cm_filler *filler, const char *format, ...)
{
    char text[CM_EXPLAIN_SENTENCE];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    return cm_filler_print(filler, "%s", text);
}

cm_symbol_list cm_explain_symbols(const cm_benchmark_result *result, const cm_symbol_words *words, const double *values,
                                  double smallest, cm_filler *filler)
{
    cm_symbol_part_of *parts = cm_filler_allocate(filler, result->basis->symbol_count, sizeof *parts);
    cm_symbol_list list = {0, parts};
    for (size_t i = 0; i < result->basis->symbol_count && values != NULL && parts != NULL; i++) {
        const char *symbol = result->basis->symbols[i];
        if (fabs(values[i]) > smallest)
            parts[list.count++] =
                (cm_symbol_part_of){symbol, cm_symbol_words_find(words, result->benchmark, symbol), values[i]};
    }
    return list;
}

const cm_defined_equivalent *cm_explain_equivalents(const cm_benchmark_result *result, size_t event, cm_filler *filler,
                                                    size_t *count)
{
    cm_equivalent_event *list = NULL;
    size_t all = 0, kept = 0;
    if (cm_equivalents_create(result->analysis, event, &list, &all, NULL) != CM_OK) {
        filler->short_of_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < all; i++)
        if (cm_counts_alike(result->evidence, event, list[i].event, list[i].factor))
            list[kept++] = list[i];
    const cm_defined_equivalent *filled = cm_fill_equivalents(result, list, &kept, filler);
    free(list);
    *count = filled != NULL ? kept : 0;
    return filled;
}

const char *const *cm_explain_names(const cm_benchmark_result *result, const char *event, cm_filler *filler,
                                    size_t *count)
{
    const json_t *names = json_object_get(result->code_names, event);
    const char **list = names != NULL ? cm_filler_allocate(filler, json_array_size(names), sizeof *list) : NULL;
    for (size_t i = 0; i < json_array_size(names) && list != NULL; i++)
        list[(*count)++] = json_string_value(json_array_get(names, i));
    return list;
}

/* A term with its interval and the events that may replace its event. */
static cm_explained_term explain_term(const cm_benchmark_result *result, const cm_fit *fit, size_t term, size_t metric,
                                      cm_filler *filler)
{
    const char *event = cm_analysis_event(result->analysis, fit->events[term]).event;
    double half = fit->half_widths[term], value = fit->coefficients[term];
    double *interval = isfinite(half) ? cm_filler_allocate(filler, 2, sizeof *interval) : NULL;
    cm_explained_term explained = {.solved = value};
    explained.rounded.event = event;
    explained.rounded.coefficient = fit->rounded[term];
    explained.rounded.interval = interval;
    if (interval != NULL) {
        interval[0] = value - half;
        interval[1] = value + half;
    }
    if (metric != SIZE_MAX)
        cm_fill_term_equivalents(result, metric, term, filler, &explained.rounded);
    else
        explained.rounded.equivalents =
            cm_explain_equivalents(result, fit->events[term], filler, &explained.rounded.equivalent_count);
    explained.names = cm_explain_names(result, event, filler, &explained.name_count);
    return explained;
}

const cm_explained_term *cm_explain_terms(const cm_benchmark_result *result, const cm_fit *fit, size_t metric,
                                          cm_filler *filler, size_t *count)
{
    size_t terms = fit != NULL ? fit->term_count : 0;
    cm_explained_term *explained = cm_filler_allocate(filler, terms, sizeof *explained);
    for (size_t k = 0; k < terms && explained != NULL; k++)
        if (fit->rounded[k] != 0.0)
            explained[(*count)++] = explain_term(result, fit, k, metric, filler);
    return explained;
}
