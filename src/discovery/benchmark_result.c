#include "discovery/results.h"

#include "analysis/state.h"

/* An error of the numerics knows no file: it is the table's that was handed over. */
static cm_status in_file(cm_status status, const char *file, size_t line, cm_error *error)
{
    if (status == CM_BAD_INPUT && error != NULL && error->file[0] == '\0') {
        cm_error inner = *error;
        cm_error_set(error, inner.status, file, line, 0, "%s", inner.text);
    }
    return status;
}

/* Lists the symbols of the whole basis that no kernel of this machine has. */
static cm_status note_dropped(cm_benchmark_result *result, const cm_basis *whole, cm_error *error)
{
    const cm_basis *kept = result->basis;
    result->dropped_kernel_count = whole->kernel_count - kept->kernel_count;
    if (!CM_ALLOCATE(result->dropped_symbols, whole->symbol_count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < whole->symbol_count; i++) {
        if (CM_HAS(whole->symbols[i], kept->symbols, kept->symbol_count))
            continue;
        char *symbol = strdup(whole->symbols[i]);
        if (symbol == NULL)
            return cm_error_no_memory(error);
        result->dropped_symbols[result->dropped_symbol_count++] = symbol;
    }
    return CM_OK;
}

/* Finds the parts of metrics that no kernel can show, such as a precision; a metric that lacks one is left with no
 * symbol. */
static cm_status note_lacking(cm_benchmark_result *result, const cm_signatures *whole, cm_error *error)
{
    cm_status status = cm_lacking_find(result->benchmark, whole, result->basis, &result->lacking, error);
    for (size_t m = 0; status == CM_OK && m < whole->metric_count; m++)
        for (size_t j = 0; result->lacking[m] != NULL && j < result->basis->symbol_count; j++)
            result->signatures->metrics[m].values[j] = 0.0;
    return status;
}

/* Restricts basis and signatures to the kernels that were counted, and lists the losses. */
static cm_status restrict_tables(cm_benchmark_result *result, const cm_measurements *measurements,
                                 const cm_kernel_choice *choice, const cm_basis *basis, const cm_signatures *signatures,
                                 cm_error *error)
{
    cm_measurements chosen = *measurements;
    chosen.kernel_count = choice->count;
    chosen.kernels = choice->names;
    cm_status status = cm_basis_restrict_to_create(basis, &chosen, &result->basis, error);
    CM_THEN(status, cm_signatures_restrict_create(signatures, result->basis, &result->signatures, error));
    CM_THEN(status, note_dropped(result, basis, error));
    CM_THEN(status, note_lacking(result, signatures, error));
    return status;
}

/* Adds an event's counts to the analysis; an error names its line. */
static cm_status add_event(cm_analysis *analysis, const cm_event_source *source, size_t index, double tau,
                           cm_error *error)
{
    const cm_measurements *table = source->measurements;
    const cm_measurement *event = &table->events[index];
    if (event->repetition_count < 2 && !isinf(tau))
        return cm_error_set(error, CM_BAD_INPUT, table->file, event->line, 0,
                            "one repetition of '%s' does not show noise, expected two or more: measure again, or keep "
                            "every event with --tau inf",
                            event->event);
    double *vectors = NULL, slack;
    size_t repetitions;
    cm_status status = cm_event_source_vectors(source, &source->choice, index, &vectors, &slack, &repetitions, error);
    if (status == CM_OK && source->choice.empty != CM_NO_COLUMN)
        status = cm_analysis_add_counts(analysis, event->event, vectors, repetitions, slack, error);
    else if (status == CM_OK)
        status = cm_analysis_add_event(analysis, event->event, vectors, repetitions, error);
    free(vectors);
    return in_file(status, table->file, event->line, error);
}

static bool matches_event(const cm_benchmark_request *request, const char *event)
{
    for (size_t i = 0; i < request->only_count; i++)
        if (cm_event_fits(event, request->only[i], request->components))
            return true;
    return request->only_count == 0;
}

/* A name that means two events is the asker's fault, not the table's. */
static cm_status leave_out(cm_analysis *analysis, const cm_benchmark_request *request, const char *table,
                           cm_error *error)
{
    cm_status status = CM_OK;
    size_t count = cm_analysis_event_count(analysis);
    for (size_t i = 0; status == CM_OK && request->only_count > 0 && i < count; i++)
        if (!matches_event(request, cm_analysis_event(analysis, i).event))
            status = cm_analysis_avoid(analysis, i, error);
    for (size_t k = 0; status == CM_OK && k < request->avoid_count; k++) {
        size_t i = 0;
        status = cm_event_find(analysis, request->avoid[k], request->components, &i, error);
        CM_THEN(status, i < count
                            ? cm_analysis_avoid(analysis, i, error)
                            : cm_error_set(error, CM_BAD_INPUT, table, 0, 0,
                                           "event '%s', which is to be avoided, was not measured", request->avoid[k]));
    }
    return status;
}

/* Chooses thresholds from the data if asked: tau first, then alpha for the events that tau keeps. */
static cm_status choose_thresholds(cm_benchmark_result *result, cm_error *error)
{
    cm_status status = CM_OK;
    if (result->tau_source == CM_THRESHOLD_AUTO) {
        status = cm_tau_choice_create(result->analysis, &result->tau_choice, error);
        if (status == CM_OK && result->tau_choice->refused)
            result->tau_source = CM_THRESHOLD_REFUSED;
    }
    if (status == CM_OK && result->alpha_source == CM_THRESHOLD_AUTO) {
        status = cm_alpha_choice_create(result->analysis, &result->alpha_choice, error);
        if (status == CM_OK && result->alpha_choice->refused)
            result->alpha_source = CM_THRESHOLD_REFUSED;
    }
    result->thresholds = cm_analysis_thresholds(result->analysis);
    return status;
}

/* The repetitions of the selected events once more. */
static cm_status add_repetitions(cm_benchmark_result *result, const cm_event_source *source, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t k = 0; k < cm_analysis_selected_count(result->analysis) && status == CM_OK; k++) {
        size_t index = cm_analysis_selected(result->analysis, k), repetitions = 0;
        double *vectors = NULL, slack;
        status = cm_event_source_vectors(source, &source->choice, index, &vectors, &slack, &repetitions, error);
        CM_THEN(status, cm_analysis_add_repetitions(result->analysis, index, vectors, repetitions, error));
        free(vectors);
    }
    return status;
}

static cm_status add_events(cm_benchmark_result *result, cm_event_source *source, cm_error *error)
{
    cm_status status = CM_OK;
    if (source->stream != NULL)
        return cm_add_streamed(result->analysis, source, error);
    for (size_t i = 0; status == CM_OK && i < source->measurements->event_count; i++)
        status = add_event(result->analysis, source, i, result->thresholds.tau, error);
    return status;
}

/* Adds all events, chooses thresholds, selects, and counts the events of each status. */
static cm_status analyse_events(cm_benchmark_result *result, const cm_benchmark_request *request,
                                cm_event_source *source, cm_error *error)
{
    const cm_measurements *measurements = source->measurements;
    cm_status status = add_events(result, source, error);
    if (status == CM_OK && source->good)
        status = leave_out(result->analysis, request, measurements->file, error);
    if (status != CM_OK || !source->good)
        return status;
    if (request->with_offset_events)
        status = cm_analysis_use_offsets(result->analysis, error);
    CM_THEN(status, choose_thresholds(result, error));
    CM_THEN(status, cm_analysis_select(result->analysis, error));
    if (status == CM_OK && result->evidence == NULL)
        status = add_repetitions(result, source, error);
    if (status == CM_OK && result->evidence != NULL)
        status = cm_evidence_gather(result->evidence, request, source, result->analysis, error);
    if (status != CM_OK)
        return in_file(status, measurements->file, measurements->header_line, error);
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis); i++) {
        cm_event_analysis event = cm_analysis_event(result->analysis, i);
        result->status_counts[event.status]++;
        result->with_offset += event.status == CM_EVENT_UNREPRESENTABLE && event.offset != 0.0;
        result->varying += event.status == CM_EVENT_NOISY && cm_event_nature(event.event) != NULL;
    }
    return CM_OK;
}

cm_status cm_benchmark_result_create(const char *benchmark, const cm_measurements *measurements, const cm_basis *basis,
                                     const cm_signatures *signatures, const cm_thresholds *thresholds,
                                     size_t unavailable, cm_benchmark_result **result, cm_error *error)
{
    const cm_benchmark_request request = {.thresholds = *thresholds};
    return cm_benchmark_result_create_for(&request, benchmark, measurements, basis, signatures, unavailable, result,
                                          error);
}

/* Creates the benchmark's result from its counts: events analysed, metrics solved. */
static cm_status create_result(const cm_benchmark_request *request, const char *benchmark, cm_event_source *source,
                               const cm_basis *basis, const cm_signatures *signatures, size_t unavailable,
                               cm_benchmark_result **result, cm_error *error)
{
    cm_benchmark_result *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->benchmark = strdup(benchmark);
    created->method = request->method;
    created->tried = request->tried;
    created->thresholds = request->thresholds;
    if (request->deterministic && source->stream == NULL && source->measurements->events[0].repetition_count == 1)
        created->thresholds.tau = INFINITY; /* there is no noise */
    created->tau_source = request->tau_source;
    created->alpha_source = request->alpha_source;
    created->max_events = request->max_events;
    created->events_detail = request->events_detail;
    created->unavailable = unavailable;
    cm_status status = created->benchmark != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_kernel_choice_make(benchmark, request, source->measurements, basis, &source->choice, error));
    CM_THEN(status, restrict_tables(created, source->measurements, &source->choice, basis, signatures, error));
    CM_THEN(status,
            in_file(cm_analysis_create(created->basis->expectations, &created->thresholds, &created->analysis, error),
                    basis->file, basis->header_line, error));
    if (status == CM_OK && request->method != CM_METHOD_PAPER)
        status = cm_evidence_create(created->benchmark, request, source, created->basis, created->signatures,
                                    created->analysis, &created->evidence, error);
    if (status == CM_OK) {
        cm_analysis_set_stop(created->analysis, request->stop);
        status = analyse_events(created, request, source, error);
    }
    if (status == CM_OK && !source->good) {
        cm_benchmark_result_free(created);
        return CM_OK;
    }
    if (status == CM_OK && created->evidence != NULL)
        status = cm_solve_by_evidence(created, error);
    else if (status == CM_OK)
        status = in_file(cm_solve_metrics(created, error), signatures->file, signatures->header_line, error);
    CM_HAND_OVER(status, result, created, cm_benchmark_result_free);
    return status;
}

cm_status cm_benchmark_result_create_from(const cm_benchmark_request *request, const char *benchmark,
                                          const cm_measurements *measurements, const cm_stream *stream,
                                          const cm_basis *basis, const cm_signatures *signatures, size_t unavailable,
                                          cm_benchmark_result **result, cm_error *error)
{
    cm_event_source source = {
        .measurements = measurements, .stream = stream, .good = true, .choice = {.empty = CM_NO_COLUMN}};
    cm_status status = create_result(request, benchmark, &source, basis, signatures, unavailable, result, error);
    cm_kernel_choice_clear(&source.choice);
    free(source.tags);
    return status;
}

cm_status cm_benchmark_result_create_for(const cm_benchmark_request *request, const char *benchmark,
                                         const cm_measurements *measurements, const cm_basis *basis,
                                         const cm_signatures *signatures, size_t unavailable,
                                         cm_benchmark_result **result, cm_error *error)
{
    return cm_benchmark_result_create_from(request, benchmark, measurements, NULL, basis, signatures, unavailable,
                                           result, error);
}

void cm_benchmark_result_free(cm_benchmark_result *result)
{
    if (result == NULL)
        return;
    cm_proofs_free(result);
    if (result->fits != NULL)
        for (size_t i = 0; i < result->signatures->metric_count; i++)
            cm_fit_free(result->fits[i]);
    CM_FREE(result->fits, result->stability, result->validations, result->workloads);
    for (size_t i = 0; result->alternatives != NULL && i < result->signatures->metric_count; i++) {
        cm_definition_free(result->alternatives[i].list, result->alternatives[i].count);
        cm_definition_free(result->alternatives[i].limited, result->alternatives[i].limited != NULL);
    }
    free(result->alternatives);
    for (size_t k = 0; result->equivalents != NULL && k < cm_analysis_selected_count(result->analysis); k++)
        free(result->equivalents[k].list);
    free(result->equivalents);
    cm_free_list(result->dropped_symbols, result->dropped_symbol_count);
    if (result->signatures != NULL)
        cm_lacking_free(result->signatures->metric_count, result->lacking);
    cm_tau_choice_free(result->tau_choice);
    cm_alpha_choice_free(result->alpha_choice);
    cm_evidence_free(result->evidence);
    json_decref(result->code_names);
    cm_analysis_free(result->analysis);
    cm_signatures_free(result->signatures);
    cm_basis_free(result->basis);
    CM_FREE(result->benchmark, result);
}

CM_GETTER(const char *cm_benchmark_result_name(const cm_benchmark_result *result), result->benchmark)
CM_GETTER(const cm_tau_choice *cm_benchmark_result_tau_choice(const cm_benchmark_result *result), result->tau_choice)
CM_GETTER(const cm_alpha_choice *cm_benchmark_result_alpha_choice(const cm_benchmark_result *result),
          result->alpha_choice)
CM_GETTER(const cm_analysis *cm_benchmark_result_analysis(const cm_benchmark_result *result), result->analysis)
CM_GETTER(const cm_basis *cm_benchmark_result_basis(const cm_benchmark_result *result), result->basis)
CM_GETTER(size_t cm_benchmark_result_metric_count(const cm_benchmark_result *result), result->signatures->metric_count)
CM_GETTER(const char *cm_benchmark_result_metric_name(const cm_benchmark_result *result, size_t metric),
          result->signatures->metrics[metric].metric)

const cm_definition *cm_benchmark_result_alternatives(const cm_benchmark_result *result, size_t metric, size_t *count)
{
    *count = result->alternatives[metric].count;
    return result->alternatives[metric].list;
}

CM_GETTER(const cm_definition *cm_benchmark_result_limited(const cm_benchmark_result *result, size_t metric),
          result->alternatives[metric].limited)

const cm_definition_stability *cm_benchmark_result_stability(const cm_benchmark_result *result, size_t metric)
{
    return result->fits[metric] != NULL ? &result->stability[metric] : NULL;
}

CM_GETTER(const cm_fit *cm_benchmark_result_fit(const cm_benchmark_result *result, size_t metric), result->fits[metric])

bool cm_benchmark_result_lists(const cm_benchmark_result *result, size_t event)
{
    cm_event_status status = cm_analysis_event(result->analysis, event).status;
    return result->events_detail == CM_EVENTS_ALL || status == CM_EVENT_SELECTED ||
           (result->events_detail == CM_EVENTS_KEPT && status == CM_EVENT_DEPENDENT);
}

double cm_symbol_part(const cm_analysis *analysis, size_t event, size_t symbol)
{
    const double *representation = cm_analysis_event(analysis, event).representation;
    return representation != NULL ? representation[symbol] : 0.0;
}

const struct cm_term_equivalents *cm_equivalents_of(const cm_benchmark_result *result, size_t metric, size_t term)
{
    return result->proofs != NULL ? &result->proofs[metric].equivalents[term] : &result->equivalents[term];
}
