/* The benchmarks of the results, made ready to judge formulas in. */
#include "audit/audit.h"

/* Makes the names of the benchmark's events searchable. */
static cm_status gather_names(const cm_audit *audit, cm_audit_context *context, cm_error *error)
{
    size_t count = context->benchmark->event_count;
    const char **events = calloc(count + 1, sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        events[i] = cm_definitions_event(audit->definitions, context->index, i)->event;
    cm_status status = cm_event_names_create(events, count, &context->names, error);
    free(events);
    return status;
}

/* Lists the benchmark's measurable metrics on its type of cores. */
static cm_status gather_metrics(const cm_audit *audit, cm_audit_context *context, cm_error *error)
{
    size_t count = cm_definitions_count(audit->definitions);
    if (!CM_ALLOCATE(context->known, count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const cm_defined_metric *metric = cm_definitions_get(audit->definitions, i);
        if (metric->measurable && strcmp(metric->benchmark, context->benchmark->benchmark) == 0 &&
            strcmp(metric->core, context->benchmark->core) == 0)
            context->known[context->known_count++] = (cm_known_metric){metric->metric, metric->signature, metric};
    }
    return CM_OK;
}

/* All symbols of the benchmark, also those whose kernels were not run. */
static cm_status gather_whole(cm_audit_context *context, const char *parts_file, cm_error *error)
{
    char *path = NULL;
    cm_error none;
    const cm_defined_benchmark *benchmark = context->benchmark;
    cm_status status =
        cm_find_tables(benchmark->benchmark, benchmark->kernel_count, benchmark->kernels, false, NULL, &path, &none);
    bool ours = status == CM_OK;
    if (ours)
        status = cm_signatures_load(path, &context->whole, error);
    else
        status = status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
    if (status == CM_OK && ours) {
        context->flags = calloc(2 * context->whole->symbol_count + 1, sizeof *context->flags);
        status = context->flags != NULL ? CM_OK : cm_error_no_memory(error);
    }
    if (status == CM_OK && ours)
        status = cm_symbol_parts_load(parts_file, context->benchmark->benchmark, context->whole->symbol_count,
                                      (const char *const *)context->whole->symbols, &context->whole_parts, error);
    free(path);
    return status;
}

/* Symbols of which all facts are of other machines. */
static cm_status gather_elsewhere(const cm_audit *audit, const cm_symbol_words *words, cm_audit_context *context,
                                  cm_error *error)
{
    size_t symbols = context->whole != NULL ? context->whole->symbol_count : 0;
    double *weights = calloc(cm_fact_count() + 1, sizeof *weights);
    context->elsewhere = calloc(symbols + 1, sizeof *context->elsewhere);
    cm_status status = weights != NULL && context->elsewhere != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t j = 0; j < symbols && status == CM_OK; j++) {
        const char *text = cm_symbol_words_expression(words, context->benchmark->benchmark, context->whole->symbols[j]);
        if (text == NULL || text[0] == '\0')
            continue;
        memset(weights, 0, cm_fact_count() * sizeof *weights);
        status = cm_meaning_parse(audit->facts, text, context->whole->file, weights, error);
        context->elsewhere[j] = true;
        for (size_t i = 0; i < cm_fact_count(); i++)
            context->elsewhere[j] = context->elsewhere[j] && (weights[i] == 0.0 || audit->facts->facts[i].elsewhere);
    }
    free(weights);
    return status;
}

/* The meanings of the metrics of our signatures. */
static cm_status gather_meanings(cm_audit *audit, const cm_audit_context *context, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; context->whole != NULL && i < context->whole->metric_count && status == CM_OK; i++) {
        const cm_signature *metric = &context->whole->metrics[i];
        status = cm_meanings_add(&audit->meanings, audit->facts, metric->metric, metric->preset, metric->meaning,
                                 context->whole->file, 0, error);
    }
    return status;
}

static cm_status load_words(cm_symbol_words **words, cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path("bases/symbols.csv", &path, error);
    CM_THEN(status, cm_symbol_words_load(path, words, error));
    free(path);
    return status;
}

cm_status cm_audit_contexts_open(cm_audit *audit, cm_own_tables own, cm_error *error)
{
    char *parts_file = NULL;
    cm_symbol_words *words = NULL;
    size_t count = cm_definitions_benchmark_count(audit->definitions);
    cm_status status = cm_data_path("bases/symbol-parts.csv", &parts_file, error);
    CM_THEN(status, load_words(&words, error));
    CM_THEN(status, cm_fact_table_load(NULL, audit->definitions->architecture, &audit->facts, error));
    if (status == CM_OK)
        cm_meaning_set_levels(audit->facts, audit->definitions->cache_levels);
    CM_THEN(status, cm_meant_sectors_find(audit->definitions, &audit->meanings.sectors, error));
    CM_THEN(status, cm_audit_find_missing(audit, error));
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_audit_leave_out(audit, words, i, error);
    audit->contexts = calloc(count + 1, sizeof *audit->contexts);
    audit->kernels = calloc(count + 1, sizeof(const cm_row_group *));
    if (status == CM_OK && (audit->contexts == NULL || audit->kernels == NULL))
        status = cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        cm_audit_context *context = &audit->contexts[audit->context_count++];
        audit->kernels[i] = &context->rows;
        context->index = i;
        context->benchmark = cm_definitions_benchmark(audit->definitions, i);
        status = gather_names(audit, context, error);
        CM_THEN(status, gather_metrics(audit, context, error));
        CM_THEN(status,
                cm_symbol_parts_load(parts_file, context->benchmark->benchmark, context->benchmark->symbol_count,
                                     context->benchmark->symbols, &context->parts, error));
        CM_THEN(status, gather_whole(context, parts_file, error));
        CM_THEN(status, gather_elsewhere(audit, words, context, error));
        CM_THEN(status, gather_meanings(audit, context, error));
        CM_THEN(status, cm_row_group_of_benchmark(audit->definitions, i, own, audit->facts, context->names,
                                                  &audit->arena, &context->rows, error));
    }
    CM_THEN(status, cm_meanings_load(audit->facts, &audit->meanings, error));
    cm_symbol_words_free(words);
    free(parts_file);
    return status;
}

const cm_audit_context *cm_audit_context_of(const cm_audit *audit, const cm_defined_metric *metric)
{
    for (size_t i = 0; i < audit->context_count; i++)
        if (strcmp(audit->contexts[i].benchmark->benchmark, metric->benchmark) == 0 &&
            strcmp(audit->contexts[i].benchmark->core, metric->core) == 0)
            return &audit->contexts[i];
    return NULL;
}

cm_status cm_audit_find_law(const cm_audit *audit, const cm_audit_context *context, cm_defined_law **law,
                            cm_error *error)
{
    cm_audit_context *own = &audit->contexts[context->index];
    cm_status status = CM_OK;
    if (!own->asked)
        status = cm_defined_law_create(audit->definitions, own->index, audit->left_out, &own->law, error);
    if (status == CM_BAD_INPUT && error != NULL)
        snprintf(error->file, sizeof error->file, "%s", audit->against);
    own->asked = true;
    *law = own->law;
    return status;
}

bool cm_audit_lacks_controls(const cm_audit *audit, const cm_audit_context *context)
{
    const cm_defined_benchmark *benchmark = context->benchmark;
    return benchmark->held_count == 0 && benchmark->control_count == 0 && !cm_definitions_by_paper(audit->definitions);
}

void cm_audit_contexts_close(cm_audit *audit)
{
    for (size_t i = 0; i < audit->context_count; i++) {
        cm_event_names_free(audit->contexts[i].names);
        cm_symbol_parts_free(audit->contexts[i].parts);
        cm_symbol_parts_free(audit->contexts[i].whole_parts);
        cm_signatures_free(audit->contexts[i].whole);
        CM_FREE(audit->contexts[i].flags, audit->contexts[i].elsewhere, audit->contexts[i].known);
        cm_defined_law_free(audit->contexts[i].law);
    }
    CM_FREE(audit->contexts, audit->kernels);
    cm_meanings_clear(&audit->meanings);
    cm_fact_table_free(audit->facts);
}
