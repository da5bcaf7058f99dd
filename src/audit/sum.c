/* Judges one form of a formula: looks its events up, and keeps the outcome. */
#include "audit/audit.h"

enum { CANDIDATES = 8 };

static void *allocate_bytes(cm_audit_evaluation *in, size_t size)
{
    return cm_arena_allocate(&in->audit->arena, size > 0 ? size : 1);
}

static bool add_offending_event(cm_audit_evaluation *in, size_t term)
{
    if (in->sum->offending_events == NULL)
        in->sum->offending_events = allocate_bytes(in, in->trial->form->count * sizeof *in->sum->offending_events);
    if (in->sum->offending_events == NULL)
        return false;
    ((const char **)in->sum->offending_events)[in->sum->offending_event_count++] = cm_audit_event_name(in, term);
    return true;
}

/* Looks up the event of a term, and notes on the sum if it cannot be used; false without memory. */
static bool look_up_one(cm_audit_evaluation *in, size_t term)
{
    size_t indices[CANDIDATES], count = 0;
    size_t quantity = in->trial->form->quantities[term];
    if (cm_formulas_quantity_kind(in->trial->formulas, quantity) == CM_QUANTITY_VARIABLE) {
        if (in->sum->verdict == CM_VERDICT_RIGHT)
            in->sum->verdict = CM_VERDICT_NOT_LINEAR;
        cm_finding_list_add(&in->remarks,
                            &(cm_audit_finding){.kind = CM_FINDING_VARIABLE, .subject = cm_audit_event_name(in, term)});
        return true;
    }
    const cm_pair *alias = NULL;
    cm_name_match match = cm_audit_find_event(in->audit, in->context->names, cm_audit_event_name(in, term), indices,
                                              CANDIDATES, &count, &alias);
    if (match == CM_NAME_FOUND && alias != NULL && alias != in->noted_alias) {
        cm_finding_list_add(
            &in->remarks,
            &(cm_audit_finding){.kind = CM_FINDING_ALIAS, .subject = alias->first, .other = alias->second});
        in->noted_alias = alias;
    }
    if (match == CM_NAME_FOUND) {
        const cm_defined_event *event = cm_definitions_event(in->audit->definitions, in->context->index, indices[0]);
        in->events[term] = event;
        in->terms[term] =
            (cm_judge_term){in->trial->form->coefficients[term], event->status, event->residual, event->representation};
        return true;
    }
    bool unlisted =
        match == CM_NAME_UNKNOWN && in->context->benchmark->event_count < in->context->benchmark->measured_count;
    bool gone = in->sum->verdict == CM_VERDICT_EVENT_MISSING || in->sum->verdict == CM_VERDICT_EVENT_NOT_LISTED;
    if (match == CM_NAME_UNKNOWN && cm_audit_is_unmodelled(in->audit, cm_audit_event_name(in, term))) {
        in->sum->verdict = gone ? in->sum->verdict : CM_VERDICT_NOT_MODELLED;
        return add_offending_event(in, term);
    }
    if (in->sum->verdict != CM_VERDICT_EVENT_MISSING)
        in->sum->verdict = unlisted ? CM_VERDICT_EVENT_NOT_LISTED : CM_VERDICT_EVENT_MISSING;
    if (match == CM_NAME_AMBIGUOUS)
        cm_audit_remark_candidates(in, term, indices, CANDIDATES, count);
    if (unlisted && in->sum->offending_event_count == 0)
        cm_audit_remark_unlisted(in);
    return add_offending_event(in, term);
}

/* ---- the definition that would be right ---- */

/* Keeps the same events with other coefficients, without terms of 0, as the right definition. */
static cm_status keep_scaled_definition(cm_audit_evaluation *in, const double *coefficients, cm_error *error)
{
    cm_defined_term *terms = allocate_bytes(in, in->trial->form->count * sizeof *terms);
    if (terms == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < in->trial->form->count; i++)
        if (coefficients[i] != 0.0)
            terms[in->sum->definition_count++] =
                (cm_defined_term){.event = cm_audit_event_name(in, i), .coefficient = coefficients[i]};
    in->sum->definition = terms;
    in->sum->same_events = true;
    return CM_OK;
}

/* A definition of the formula's own events if it is wrong and they suffice, else that of the results. */
static cm_status find_right_definition(cm_audit_evaluation *in, cm_error *error)
{
    const cm_defined_metric *metric = in->trial->metric;
    bool found = false;
    cm_status status = CM_OK;
    if (in->sum->verdict == CM_VERDICT_WRONG) {
        double *coefficients = calloc(in->trial->form->count + 1, sizeof *coefficients);
        status =
            coefficients != NULL ? cm_judge_repair(&in->asked, coefficients, &found, error) : cm_error_no_memory(error);
        if (status == CM_OK && found)
            status = keep_scaled_definition(in, coefficients, error);
        free(coefficients);
    }
    if (status != CM_OK || found)
        return status;
    if (metric->usable) {
        in->sum->definition_count = metric->term_count;
        in->sum->definition = metric->terms;
    } else {
        cm_finding_list_add(&in->remarks,
                            &(cm_audit_finding){.kind = CM_FINDING_NO_COMBINATION, .value = metric->misfit});
    }
    return CM_OK;
}

/* ---- an evaluation ---- */

/* The representation of the metric's composable definition, over the symbols; NULL if an event of it is not listed. */
static const double *accept_definition(const cm_audit_evaluation *in)
{
    const cm_defined_metric *metric = in->trial->metric;
    for (size_t i = 0; i < metric->term_count && metric->composable; i++) {
        size_t index = 0, count = 0;
        if (cm_event_names_find(in->context->names, metric->terms[i].event, &index, 1, &count) != CM_NAME_FOUND)
            return NULL;
        const double *representation =
            cm_definitions_event(in->audit->definitions, in->context->index, index)->representation;
        if (representation == NULL)
            return NULL;
        for (size_t j = 0; j < metric->symbol_count; j++)
            in->accepted[j] += metric->terms[i].coefficient * representation[j];
    }
    return metric->composable ? in->accepted : NULL;
}

/* Looks up the context, the law and the events of a trial. */
static cm_status begin_evaluation(cm_audit_evaluation *in, cm_error *error)
{
    const cm_trial_form *trial = in->trial;
    size_t symbols = trial->metric->symbol_count;
    in->context = cm_audit_context_of(in->audit, trial->metric);
    if (in->context == NULL || in->context->benchmark->symbol_count != symbols)
        return CM_FAIL(error, CM_BAD_INPUT, "the results have no benchmark %s", trial->metric->benchmark);
    cm_defined_law *law = NULL;
    cm_status status = cm_audit_find_law(in->audit, in->context, &law, error);
    if (status != CM_OK)
        return status;
    in->terms = calloc(trial->form->count + 1, sizeof *in->terms);
    in->events = calloc(trial->form->count + 1, sizeof *in->events);
    in->accepted = calloc(symbols + 1, sizeof *in->accepted);
    in->measures.arena = in->remarks.arena = &in->audit->arena;
    if (in->terms == NULL || in->events == NULL || in->accepted == NULL)
        return cm_error_no_memory(error);
    *in->sum = cm_audited_sum_of(CM_VERDICT_RIGHT, "", trial->metric->benchmark);
    in->sum->symbol_count = symbols;
    in->sum->symbols = in->context->benchmark->symbols;
    in->asked = (cm_judge_case){.symbol_count = symbols,
                                .signature = trial->metric->signature,
                                .alpha = in->context->benchmark->alpha,
                                .residual = in->context->benchmark->residual,
                                .factor = trial->factor,
                                .accepted = accept_definition(in),
                                .term_count = trial->form->count,
                                .terms = in->terms,
                                .constant = trial->form->constant,
                                .law = law,
                                .uncontrolled = cm_audit_lacks_controls(in->audit, in->context),
                                .metric = trial->metric,
                                .events = in->events};
    for (size_t i = 0; i < trial->form->count; i++)
        if (!look_up_one(in, i))
            return cm_error_no_memory(error);
    return CM_OK;
}

/* Moves findings to the sum, and frees the rest. */
static cm_status end_evaluation(cm_audit_evaluation *in, cm_status status, cm_error *error)
{
    double factor = isnan(in->sum->factor) ? in->trial->factor : in->sum->factor;
    in->sum->definition_factor = isnan(factor) ? 1.0 : factor;
    in->sum->measure_count = in->measures.count;
    in->sum->measures = in->measures.items;
    in->sum->remark_count = in->remarks.count;
    in->sum->remarks = in->remarks.items;
    CM_FREE(in->accepted, in->events, in->terms);
    bool enough = !in->measures.short_of_memory && !in->remarks.short_of_memory;
    return status == CM_OK && !enough ? cm_error_no_memory(error) : status;
}

/* In the law's words. */
static bool describe_reason(cm_audit_evaluation *in, cm_audit_finding_kind kind, const cm_held *held, const char *other)
{
    const char *why = cm_arena_text(&in->audit->arena, held->text);
    if (why != NULL)
        cm_finding_list_add(&in->measures, &(cm_audit_finding){.kind = kind, .subject = why, .other = other});
    return why != NULL;
}

/* For a form that is another metric by its symbols: the reason why the law says that it is not. */
static cm_status refute_other(cm_audit_evaluation *in, double factor, const cm_audit_finding *found, cm_error *error)
{
    const cm_defined_metric *other = NULL;
    for (size_t i = 0; i < in->context->known_count && found->subject != NULL; i++)
        if (strcmp(in->context->known[i].metric, found->subject) == 0)
            other = in->context->known[i].defined;
    if (other == NULL || (found->kind != CM_FINDING_OTHER_METRIC && found->kind != CM_FINDING_OTHER_MULTIPLE))
        return CM_OK;
    cm_held held = {0};
    cm_status status = CM_OK;
    if (in->asked.law != NULL)
        status = cm_defined_law_judge(in->asked.law, other, in->events, in->trial->form->coefficients,
                                      in->trial->form->count, factor * found->value, &held, error);
    if (status == CM_OK && held.judged && !held.right &&
        !describe_reason(in, CM_FINDING_NOT_OTHER, &held, other->metric))
        status = cm_error_no_memory(error);
    return status;
}

/* Says how a wrong form deviates: by its symbols, else by the law's reason. */
static cm_status explain_verdict(cm_audit_evaluation *in, const cm_judgement *judgement, cm_error *error)
{
    const cm_deviation deviation = {in->context->parts,   judgement->representation, in->asked.signature,
                                    judgement->tolerance, in->context->known_count,  in->context->known};
    const cm_held *held = &judgement->held;
    cm_status status = held->right ? CM_OK : cm_deviation_explain(&deviation, &in->measures, error);
    if (status == CM_OK && held->judged && !held->right && (!held->by_symbols || in->measures.count == 0)) {
        if (!describe_reason(in, CM_FINDING_REFUSED, held, NULL))
            status = cm_error_no_memory(error);
    } else if (status == CM_OK && in->measures.count == 1)
        status = refute_other(in, judgement->factor, &in->measures.items[0], error);
    if (in->asked.constant != 0.0)
        cm_finding_list_add(&in->measures,
                            &(cm_audit_finding){.kind = CM_FINDING_CONSTANT, .value = in->asked.constant});
    return status;
}

void cm_audit_keep_held(cm_audited_sum *sum, const cm_held *held)
{
    sum->by_law = held->judged;
    sum->range_count = held->range_count;
    sum->ranges = held->ranges;
    sum->range_share = held->range_share;
    sum->confounded_count = held->confounded_count;
    sum->confounded = held->confounded;
    sum->also_count = held->also_count;
    sum->also_counts = held->also;
}

/* Copies a judgement's figures to the sum. CM_OK or CM_NO_MEMORY. */
static cm_status keep_figures(cm_audit_evaluation *in, const cm_judgement *judgement, cm_error *error)
{
    size_t count = in->asked.symbol_count;
    double *representation = allocate_bytes(in, count * sizeof *representation);
    bool *off = allocate_bytes(in, count * sizeof *off);
    if (representation == NULL || off == NULL)
        return cm_error_no_memory(error);
    for (size_t j = 0; j < count; j++) {
        double deviation = judgement->representation[j] - in->asked.signature[j];
        representation[j] = judgement->representation[j];
        off[j] = !judgement->held.right && !(fabs(deviation) <= judgement->tolerance[j]);
    }
    in->sum->representation = representation;
    in->sum->off = off;
    in->sum->factor = judgement->factor;
    in->sum->misfit = judgement->misfit;
    in->sum->amplification = judgement->amplification;
    return CM_OK;
}

/* Takes over the judge's answer. */
static cm_status conclude_sum(cm_audit_evaluation *in, const cm_judgement *judgement, cm_error *error)
{
    static const cm_event_status blamed[CM_VERDICT_COUNT] = {
        [CM_VERDICT_EVENT_NOISY] = CM_EVENT_NOISY, [CM_VERDICT_UNREPRESENTABLE_EVENT] = CM_EVENT_UNREPRESENTABLE};
    in->sum->verdict = judgement->verdict;
    cm_audit_keep_held(in->sum, &judgement->held);
    if (judgement->verdict == CM_VERDICT_RIGHT || judgement->verdict == CM_VERDICT_WRONG) {
        cm_status status = keep_figures(in, judgement, error);
        return status == CM_OK ? explain_verdict(in, judgement, error) : status;
    }
    for (size_t i = 0; i < in->trial->form->count; i++) {
        if (in->events[i] == NULL || in->events[i]->status != blamed[judgement->verdict])
            continue;
        cm_audit_remark_blame(in, i);
        if (!add_offending_event(in, i))
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

cm_status cm_audit_judge(cm_audit *audit, const cm_trial_form *trial, cm_audited_sum *sum, cm_error *error)
{
    cm_judgement judgement = {0};
    cm_audit_evaluation in = {.audit = audit, .trial = trial, .sum = sum};
    cm_status status = begin_evaluation(&in, error);
    if (status == CM_OK) {
        sum->metric = trial->metric->metric;
        sum->signature = trial->metric->signature;
    }
    if (status == CM_OK && sum->verdict == CM_VERDICT_RIGHT) {
        status = cm_judge(&in.asked, &judgement, error);
        CM_THEN(status, conclude_sum(&in, &judgement, error));
        if (status == CM_OK) {
            cm_audit_remark_zeros(&in);
            cm_audit_add_dropped(in.context, trial->metric->metric, &in.remarks);
        }
    }
    if (status == CM_OK && (sum->verdict != CM_VERDICT_RIGHT || (sum->range_count > 0 && trial->metric->composable)))
        status = find_right_definition(&in, error);
    cm_judgement_clear(&judgement);
    return end_evaluation(&in, status, error);
}

cm_status cm_audit_recognise(cm_audit *audit, const cm_trial_form *trial, cm_audited_sum *sum, cm_error *error)
{
    cm_audit_evaluation in = {.audit = audit, .trial = trial, .sum = sum};
    cm_status status = begin_evaluation(&in, error);
    bool found = status != CM_OK || sum->verdict != CM_VERDICT_RIGHT;
    for (size_t i = 0; !found && i < in.context->known_count && status == CM_OK; i++) {
        cm_judgement judgement = {0};
        in.asked.signature = in.context->known[i].signature;
        in.asked.metric = in.context->known[i].defined;
        in.asked.accepted = NULL;
        status = cm_judge(&in.asked, &judgement, error);
        found = status == CM_OK && judgement.verdict != CM_VERDICT_WRONG;
        if (found && judgement.verdict == CM_VERDICT_RIGHT)
            cm_finding_list_add(&in.measures, &(cm_audit_finding){.kind = CM_FINDING_OTHER_METRIC,
                                                                  .subject = in.context->known[i].metric,
                                                                  .value = 1.0});
        else if (found)
            status = conclude_sum(&in, &judgement, error);
        cm_judgement_clear(&judgement);
    }
    if (status == CM_OK && sum->verdict == CM_VERDICT_RIGHT)
        sum->verdict = CM_VERDICT_NO_SIGNATURE;
    return end_evaluation(&in, status, error);
}
