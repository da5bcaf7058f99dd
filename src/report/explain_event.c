/* The knowledge of one event. */
#include "analysis/numerics.h"
#include "report/report.h"

/* Whether the row is a kernel that nothing is fitted to: no program, and no difference of two. */
static bool is_control(const cm_evidence *evidence, size_t row)
{
    return row >= evidence->problem.fitted && evidence->rows[row].kernel != NULL && evidence->rows[row].means == NULL &&
           row != evidence->problem.difference;
}

/* Lists the control kernels on which the event counts more than it may. */
static void find_counted(const cm_evidence *evidence, const cm_usable_event *looked, cm_filler *filler,
                         cm_explained_event *explained)
{
    cm_explained_kernel *counted = cm_filler_allocate(filler, evidence->problem.rows, sizeof *counted);
    for (size_t r = 0; r < evidence->problem.rows && counted != NULL; r++) {
        if (!is_control(evidence, r) || isnan(looked->mean[r]))
            continue;
        explained->control_count++;
        if (fabs(looked->mean[r]) > looked->slack / evidence->problem.iterations[r])
            counted[explained->counted_count++] =
                (cm_explained_kernel){evidence->problem.kernels[r], looked->mean[r], NAN};
    }
    explained->counted = explained->control_count > 0 ? counted : NULL;
}

/* Writes why the term is refused into `text`, of CM_REFUSAL_TEXT bytes. False if memory ran out. */
static bool describe_refusal(const cm_benchmark_result *result, const cm_target *target, const cm_term *term,
                             const cm_verdict *verdict, char *text)
{
    const cm_law_verdict *found = NULL;
    const char *kernel = result->evidence->problem.kernels[verdict->place];
    if (verdict->refusal != CM_REFUSED_LAW)
        cm_refusal_words(verdict, kernel, text, CM_REFUSAL_TEXT);
    else if (cm_counted_law_judge(result->evidence->law, target, term, 1, &found, NULL) == CM_OK)
        cm_law_refusal_text(result->evidence->law, found, text, CM_REFUSAL_TEXT);
    return verdict->refusal != CM_REFUSED_LAW || found != NULL;
}

/* Writes why the event is refused as the metric that has its symbols; none if it is not, or they differ. */
static cm_refuted refused_as(const cm_benchmark_result *result, const cm_usable_event *looked, size_t metric,
                             cm_filler *filler)
{
    const cm_problem *problem = &result->evidence->problem;
    const cm_target *target = &result->evidence->targets[metric];
    double factor = cm_vector_factor(target->signature, looked->x, problem->symbols);
    const cm_term term = {(size_t)(looked - problem->events), cm_round_coefficient(factor, result->thresholds.alpha)};
    const cm_verdict rows = cm_judge_terms(problem, target, &term, 1);
    cm_verdict verdict = {0};
    char why[CM_REFUSAL_TEXT];
    cm_refuted refuted = {.counted = NAN, .expected = NAN};
    bool measured = cm_vector_norm(target->signature, problem->symbols) > 0.0; /* one of the metric's symbols was */
    if (!measured || rows.refusal == CM_REFUSED_SYMBOL || rows.refusal == CM_REFUSED_OTHERS)
        return refuted;
    filler->short_of_memory |= cm_give_verdict(problem, target, &term, 1, &verdict, NULL) != CM_OK;
    if (verdict.refusal == CM_REFUSED_NOT)
        return refuted;
    filler->short_of_memory |= !describe_refusal(result, target, &term, &verdict, why);
    if (filler->short_of_memory)
        return refuted;
    refuted.metric = result->signatures->metrics[metric].metric;
    refuted.why = cm_filler_print(filler, "%s", why);
    if (rows.refusal == CM_REFUSED_CONTROL) {
        refuted.kernel = problem->kernels[rows.place];
        refuted.counted = rows.value;
        refuted.expected = rows.expected;
    }
    return refuted;
}

/* Fills the control kernels on which an event counts, and the metrics as which it is refused. */
static void explain_controls(const cm_benchmark_result *result, size_t event, cm_filler *filler,
                             cm_explained_event *explained)
{
    const cm_evidence *evidence = result->evidence;
    const cm_usable_event *looked = evidence != NULL ? cm_evidence_event(evidence, event) : NULL;
    if (looked == NULL)
        return;
    find_counted(evidence, looked, filler, explained);
    cm_refuted *refuted = cm_filler_allocate(filler, result->signatures->metric_count, sizeof *refuted);
    for (size_t m = 0; m < result->signatures->metric_count && refuted != NULL; m++) {
        refuted[explained->refuted_count] = refused_as(result, looked, m, filler);
        explained->refuted_count += refuted[explained->refuted_count].metric != NULL;
    }
    explained->refuted = refuted;
}

void cm_refuted_text(const cm_refuted *refuted, bool whole, char *text, size_t size)
{
    if (refuted->kernel == NULL) {
        snprintf(text, size, "is not %.200s by itself: it %.512s", refuted->metric, refuted->why);
        return;
    }
    snprintf(text, size, "counts %s than %.200s: %.6g on the kernel %.100s, which has %.6g",
             refuted->counted > refuted->expected ? "more" : "less", refuted->metric, refuted->counted, refuted->kernel,
             refuted->expected);
    if (whole)
        cm_text_append(text, size, "", " (%.512s)", refuted->why);
}

/* Relative to the largest count: a kernel disagrees if it differs by more than this and by more than the noise. */
static const double agreement = 1e-9;

static double largest_of(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; values != NULL && i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static double expected_count(const cm_basis *basis, const double *representation, double offset, size_t kernel)
{
    double sum = offset;
    for (size_t s = 0; s < basis->symbol_count; s++)
        sum += *cm_matrix_at(basis->expectations, kernel, s) * representation[s];
    return sum;
}

/* Finds the kernels on which the counts differ from the representation. */
static void find_disagreements(const cm_benchmark_result *result, const cm_event_analysis *event, cm_filler *filler,
                               cm_explained_event *explained)
{
    double largest = 0.0, tolerated = event->max_rnmse > agreement ? event->max_rnmse : agreement;
    size_t kernels = event->representation != NULL && event->mean != NULL ? result->basis->kernel_count : 0;
    cm_explained_kernel *found = cm_filler_allocate(filler, kernels, sizeof *found);
    for (size_t k = 0; k < kernels; k++)
        largest = fmax(largest, event->mean[k]);
    for (size_t k = 0; k < kernels && found != NULL; k++) {
        double expected = expected_count(result->basis, event->representation, event->offset, k);
        if (fabs(event->mean[k] - expected) > tolerated * largest)
            found[explained->disagreement_count++] =
                (cm_explained_kernel){result->basis->kernels[k], event->mean[k], expected};
    }
    explained->disagreements = found;
}

/* If a few kernels contradict the symbols, replaces least squares, which blame all, by the fit in which others agree.
 * At least so many more kernels than symbols must agree as others do not. */
static void explain_most(const cm_benchmark_result *result, cm_event_analysis *event, cm_filler *filler)
{
    const cm_basis *basis = result->basis;
    double *most = cm_filler_allocate(filler, basis->symbol_count, sizeof *most);
    double largest = event->mean != NULL ? largest_of(event->mean, basis->kernel_count) : 0.0;
    size_t off = 0;
    if (event->status != CM_EVENT_UNREPRESENTABLE || event->offset != 0.0 || largest == 0.0 || most == NULL ||
        !cm_least_absolute_solve(basis->expectations, event->mean, most))
        return;
    for (size_t k = 0; k < basis->kernel_count; k++)
        off += fabs(event->mean[k] - expected_count(basis, most, 0.0, k)) > agreement * largest;
    if (basis->symbol_count + 2 * off <= basis->kernel_count)
        event->representation = most;
}

/* Smaller coefficients are rounding errors: of the largest coefficient, or of the counts if these are constant. */
static double smallest_listed(const cm_benchmark_result *result, const cm_event_analysis *event)
{
    double largest = largest_of(event->representation, result->basis->symbol_count);
    return fmax(result->thresholds.alpha * fmin(1.0, largest), agreement * fabs(event->offset));
}

static const char *noisy(const cm_event_analysis *event, double tau, cm_filler *filler)
{
    const char *nature = cm_event_nature(event->event);
    return cm_explain_sentence(filler, "its repetitions differ by %.3g, more than tau = %.3g%s%s%s", event->max_rnmse,
                               tau, nature != NULL ? ": it " : "", nature != NULL ? nature : "",
                               nature != NULL ? ", which is never twice the same" : "");
}

/* "" if the event counts like the selected one on controls, too. */
static const char *but_for_controls(const cm_benchmark_result *result, size_t index, const cm_event_analysis *event)
{
    size_t selected = (size_t)event->equivalent_to;
    double factor =
        cm_vector_factor(event->representation, cm_analysis_event(result->analysis, selected).representation,
                         result->basis->symbol_count);
    return cm_counts_alike(result->evidence, selected, index, factor) ? "" : ", but not on control kernels";
}

/* The reason for the event's status, a sentence. */
static const char *reason_of(const cm_benchmark_result *result, size_t index, const cm_event_analysis *event,
                             cm_filler *filler)
{
    switch (event->status) {
    case CM_EVENT_ZERO:
        return event->max_rnmse > 0.0
                   ? "it counted nothing but a few strays on the kernels that definitions are fitted to"
                   : "it counted nothing on the kernels that definitions are fitted to";
    case CM_EVENT_NOISY: return noisy(event, result->thresholds.tau, filler);
    case CM_EVENT_UNREPRESENTABLE:
        if (event->offset != 0.0)
            return cm_explain_sentence(
                filler,
                "it counts a constant %.6g per iteration, as loop instructions do, %s; such events are "
                "selected only with --with-offset",
                event->offset,
                largest_of(event->representation, result->basis->symbol_count) > smallest_listed(result, event)
                    ? "in addition to its facts"
                    : "and none of the ideal events");
        return cm_explain_sentence(
            filler,
            "the ideal events do not explain %.3g %% of its counts, %.3g %% are tolerated: it counts "
            "something that the kernels do not control",
            100.0 * event->residual, 100.0 * result->thresholds.residual);
    case CM_EVENT_DEPENDENT:
        if (largest_of(event->representation, result->basis->symbol_count) < 0.5 * result->thresholds.alpha)
            return cm_explain_sentence(
                filler, "it counts so little of every ideal event that rounding to alpha = %.3g leaves nothing",
                result->thresholds.alpha);
        if (event->equivalent_to != CM_NO_EVENT)
            return cm_explain_sentence(filler, "it measures the same as %.300s, which is selected%s",
                                       cm_analysis_event(result->analysis, (size_t)event->equivalent_to).event,
                                       but_for_controls(result, index, event));
        return "it is a combination of selected events";
    case CM_EVENT_AVOIDED: return "left out, as asked";
    case CM_EVENT_SELECTED: return "it is independent of the events selected before it: definitions may use it";
    }
    return "";
}

/* Finds the metrics whose definitions contain the event. */
static void find_metrics(const cm_benchmark_result *result, size_t event, cm_filler *filler,
                         cm_explained_event *explained)
{
    const char **names = cm_filler_allocate(filler, result->signatures->metric_count, sizeof *names);
    for (size_t m = 0; m < result->signatures->metric_count && names != NULL; m++)
        for (size_t k = 0; result->fits[m] != NULL && k < result->fits[m]->term_count; k++)
            if (result->fits[m]->events[k] == event && result->fits[m]->rounded[k] != 0.0)
                names[explained->metric_count++] = result->signatures->metrics[m].metric;
    explained->metrics = names;
}

/* Its place among the selected events, from 1; 0 if it is not selected. */
static size_t rank_of_selected(const cm_analysis *analysis, size_t index)
{
    for (size_t rank = 0; rank < cm_analysis_selected_count(analysis); rank++)
        if (cm_analysis_selected(analysis, rank) == index)
            return rank + 1;
    return 0;
}

cm_status cm_explain_event(const cm_benchmark_result *result, size_t index, const cm_symbol_words *words,
                           cm_filler *filler, cm_explained_event *explained, cm_error *error)
{
    cm_event_analysis event = cm_analysis_event(result->analysis, index);
    explain_most(result, &event, filler);
    const double *representation = event.representation;
    /* A dependent event over the selected ones is a metric whose signature is its representation. */
    cm_fit *fit = NULL;
    cm_status status =
        event.status == CM_EVENT_DEPENDENT ? cm_fit_create(result->analysis, representation, &fit, error) : CM_OK;
    if (status != CM_OK)
        return cm_error_no_memory(error);
    *explained = (cm_explained_event){
        .benchmark = result->benchmark,
        .core = result->core,
        .event = event.event,
        .status = event.status,
        .reason = reason_of(result, index, &event, filler),
        .selected_as = event.status == CM_EVENT_SELECTED ? rank_of_selected(result->analysis, index) : 0,
        .max_rnmse = event.max_rnmse,
        .residual = event.offset_residual,
        .offset = event.offset,
        .representation = cm_explain_symbols(result, words, representation, smallest_listed(result, &event), filler)};
    explained->terms = cm_explain_terms(result, fit, SIZE_MAX, filler, &explained->term_count);
    if (representation != NULL)
        explained->equivalents = cm_explain_equivalents(result, index, filler, &explained->equivalent_count);
    explained->names = cm_explain_names(result, event.event, filler, &explained->name_count);
    find_disagreements(result, &event, filler, explained);
    explain_controls(result, index, filler, explained);
    find_metrics(result, index, filler, explained);
    cm_fit_free(fit);
    return CM_OK;
}
