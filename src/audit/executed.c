/* Facts that the processor of the formulas cannot execute: symbols and rows that need them are left out. */
#include "audit/audit.h"

cm_status cm_audit_find_missing(cm_audit *audit, cm_error *error)
{
    char text[256];
    const char *cpu = NULL, *model = NULL;
    cm_status status =
        cm_upstream_find_names(audit->upstream.cpu, audit->definitions, &audit->arena, &cpu, &model, error);
    if (status == CM_OK && model != NULL)
        status = cm_model_left_out(model, &audit->left_out, error);
    cm_fact_table_leave_out(audit->facts, audit->left_out);
    if (status != CM_OK || audit->left_out == 0)
        return status;
    audit->upstream.cpu = cpu;
    audit->missing = cm_arena_text(&audit->arena, cm_isa_names(audit->left_out, text, sizeof text));
    return audit->missing != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Marks the benchmark's symbols that consist of missing facts alone. */
static cm_status mark_symbols(const cm_audit *audit, const cm_symbol_words *words,
                              const cm_defined_benchmark *benchmark, bool *lacking, bool *any, cm_error *error)
{
    double *weights = calloc(cm_fact_count() + 1, sizeof *weights);
    cm_status status = weights != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t j = 0; j < benchmark->symbol_count && status == CM_OK; j++) {
        const char *text = cm_symbol_words_expression(words, benchmark->benchmark, benchmark->symbols[j]);
        if (text == NULL || text[0] == '\0')
            continue;
        memset(weights, 0, cm_fact_count() * sizeof *weights);
        status = cm_meaning_parse(audit->facts, text, NULL, weights, error);
        lacking[j] = true;
        for (size_t i = 0; i < cm_fact_count(); i++)
            lacking[j] = lacking[j] && (weights[i] == 0.0 || audit->facts->facts[i].lacking);
        *any = *any || lacking[j];
    }
    free(weights);
    return status;
}

/* Whether anything is left of the values, one a symbol, without the lacking ones, which become 0. They are the
 * definitions' own, which the audit has read. */
static bool clear_symbols(const double *values, size_t count, const bool *lacking)
{
    bool left = false;
    for (size_t j = 0; j < count && values != NULL; j++) {
        if (lacking[j])
            ((double *)(uintptr_t)values)[j] = 0.0;
        left = left || values[j] != 0.0;
    }
    return left;
}

/* Takes terms out of a definition whose events count nothing that is left. */
static void clear_terms(const cm_read_benchmark *benchmark, cm_defined_metric *metric)
{
    cm_defined_term *terms = (cm_defined_term *)(uintptr_t)metric->terms;
    size_t kept = 0;
    for (size_t k = 0; k < metric->term_count; k++) {
        const cm_defined_event *event = NULL;
        bool counts = false;
        for (size_t i = 0; i < benchmark->listed.event_count && event == NULL; i++)
            event = strcmp(benchmark->events[i].event, terms[k].event) == 0 ? &benchmark->events[i] : NULL;
        for (size_t j = 0; event != NULL && event->representation != NULL && j < metric->symbol_count; j++)
            counts = counts || event->representation[j] != 0.0;
        if (counts || event == NULL || event->representation == NULL)
            terms[kept++] = terms[k];
    }
    metric->term_count = kept;
}

cm_status cm_audit_leave_out(cm_audit *audit, const cm_symbol_words *words, size_t benchmark, cm_error *error)
{
    cm_read_benchmark *of = &audit->definitions->benchmarks[benchmark];
    bool any = false, *lacking = calloc(of->listed.symbol_count + 1, sizeof *lacking);
    cm_status status = lacking != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && audit->missing != NULL)
        status = mark_symbols(audit, words, &of->listed, lacking, &any, error);
    for (size_t i = 0; i < of->listed.event_count && any; i++)
        clear_symbols(of->events[i].representation, of->listed.symbol_count, lacking);
    for (size_t m = 0; m < of->metric_count && any; m++) {
        of->metrics[m].measurable =
            clear_symbols(of->metrics[m].signature, of->listed.symbol_count, lacking) && of->metrics[m].measurable;
        clear_terms(of, &of->metrics[m]);
    }
    free(lacking);
    return status;
}
