/* Holds a formula that values call right to the law: a sum of events, or a ratio of two, that no symbols judge, since
 * the results lack its metric or know an event by the parts that it is a sum of. */
#include "audit/values.h"

/* A sum of a formula to be held, and the benchmark whose law does it. */
typedef struct held_sum {
    cm_audit *audit;
    const cm_formulas *formulas;
    const cm_linear_form *form;
    const cm_claimed_metric *metric;
    double factor;
    size_t count; /* terms: events, and parts of such */
    const cm_defined_event **events;
    double *coefficients;
} held_sum;

/* Finds the events of the form in a benchmark; false if it has not all of them. */
static bool find_terms(held_sum *in, const cm_audit_context *context)
{
    in->count = 0;
    for (size_t i = 0; i < in->form->count; i++) {
        size_t parts[CM_MOST_PARTS], quantity = in->form->quantities[i];
        const char *name = cm_formulas_quantity_name(in->formulas, quantity);
        bool event = cm_formulas_quantity_kind(in->formulas, quantity) == CM_QUANTITY_EVENT;
        size_t found = event ? cm_audit_find_parts(in->audit, context->names, name, parts) : 0;
        for (size_t part = 0; part < found; part++) {
            in->events[in->count] = cm_definitions_event(in->audit->definitions, context->index, parts[part]);
            in->coefficients[in->count++] = in->form->coefficients[i];
        }
        if (found == 0)
            return false;
    }
    return true;
}

/* Whether a fitted kernel of the benchmark surely does some of the metric. */
static bool does(const cm_audit_context *context, const cm_claimed_metric *metric)
{
    bool done = false;
    for (size_t row = 0; row < context->rows.control && !done; row++) {
        double allowed = 0.0, tolerated = 0.0;
        done = cm_claimed_value(metric, &context->rows, row, &allowed, &tolerated) > allowed;
    }
    return done;
}

/* Chooses the benchmark: the metric's own; of a metric that the results lack the one that tolerates most, of those that
 * do it and have the events. NULL: there is none. */
static const cm_audit_context *choose_context(held_sum *in)
{
    const cm_audit_context *chosen = NULL;
    for (size_t i = 0; i < in->audit->context_count && in->metric->metric == NULL; i++) {
        const cm_audit_context *context = &in->audit->contexts[i];
        bool looser = chosen == NULL || context->benchmark->residual > chosen->benchmark->residual;
        if (looser && does(context, in->metric) && find_terms(in, context))
            chosen = context;
    }
    if (in->metric->metric != NULL)
        chosen = cm_audit_context_of(in->audit, in->metric->metric);
    return chosen != NULL && find_terms(in, chosen) ? chosen : NULL;
}

/* Asks the law of a benchmark. */
static cm_status ask_benchmark_law(held_sum *in, cm_held *held, cm_error *error)
{
    cm_defined_law *law = NULL;
    const cm_audit_context *context = choose_context(in);
    cm_status status = context != NULL ? cm_audit_find_law(in->audit, context, &law, error) : CM_OK;
    if (status != CM_OK || law == NULL)
        return status;
    return in->metric->metric != NULL
               ? cm_defined_law_judge(law, in->metric->metric, in->events, in->coefficients, in->count, in->factor,
                                      held, error)
               : cm_defined_law_judge_meaning(law, in->metric->meaning->coefficients, in->events, in->coefficients,
                                              in->count, in->factor, held, error);
}

/* The law's answer for a sum; it knows nothing of what the machine alone decides. */
static cm_status hold_sum(held_sum *in, cm_held *held, cm_error *error)
{
    *held = (cm_held){0};
    if (in->metric->meaning == NULL || in->metric->meaning->of_machine || in->form->constant != 0.0)
        return CM_OK;
    in->events = calloc(in->form->count * CM_MOST_PARTS + 1, sizeof *in->events);
    in->coefficients = calloc(in->form->count * CM_MOST_PARTS + 1, sizeof *in->coefficients);
    cm_status status =
        in->events != NULL && in->coefficients != NULL ? ask_benchmark_law(in, held, error) : cm_error_no_memory(error);
    CM_FREE(in->events, in->coefficients);
    return status;
}

/* Makes a sum wrong for the law's reason. */
static cm_status refuse_sum(cm_audit *audit, const cm_held *held, cm_audit_entry *entry, cm_error *error)
{
    cm_finding_list list = {.arena = &audit->arena};
    const char *why = cm_arena_text(&audit->arena, held->text);
    if (why != NULL)
        cm_finding_list_add(&list, &(cm_audit_finding){.kind = CM_FINDING_REFUSED, .subject = why});
    entry->verdict = entry->numerator.verdict = CM_VERDICT_WRONG;
    entry->numerator.measure_count = list.count;
    entry->numerator.measures = list.items;
    return why == NULL || list.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

/* The factor of the numerator by itself; NaN if the form below leaves it open. */
static double factor_above(const cm_audit_entry *entry, const cm_linear_form *below)
{
    bool rate = entry->rate[0] != '\0' && entry->numerator.representation == NULL;
    double divisor = below->count == 1 && below->constant == 0.0 ? below->coefficients[0] : NAN;
    return entry->numerator.factor * (rate ? divisor : 1.0);
}

cm_status cm_audit_hold(cm_audit *audit, const cm_formulas *formulas, size_t formula, const cm_claimed_quantity *claim,
                        cm_audit_entry *entry, cm_error *error)
{
    cm_linear_form forms[2];
    cm_held held, held_below = {.right = true};
    const cm_formula_shape shape = cm_formulas_shape(formulas, formula, &forms[0], &forms[1]);
    const bool ratio = claim->denominator.name != NULL,
               events_below = shape == CM_FORMULA_RATIO && entry->rate[0] == '\0';
    held_sum above = {.audit = audit,
                      .formulas = formulas,
                      .form = &forms[0],
                      .metric = &claim->numerator,
                      .factor = factor_above(entry, &forms[1])};
    held_sum below = {
        .audit = audit, .formulas = formulas, .form = &forms[1], .metric = &claim->denominator, .factor = 1.0};
    cm_status status = CM_OK;
    if (shape == CM_FORMULA_OTHER || ratio != events_below || isnan(above.factor))
        return CM_OK;
    if (ratio)
        status = hold_sum(&below, &held_below, error);
    if (status != CM_OK || !held_below.right)
        return status;
    status = hold_sum(&above, &held, error);
    if (status != CM_OK || !held.judged)
        return status;
    cm_audit_keep_held(&entry->numerator, &held);
    cm_audited_sum *sum = ratio ? cm_arena_allocate(&audit->arena, sizeof *sum) : NULL;
    if (ratio && sum == NULL)
        return cm_error_no_memory(error);
    if (ratio) {
        *sum = *entry->denominator;
        cm_audit_keep_held(sum, &held_below);
        entry->denominator = sum;
    }
    return held.right ? CM_OK : refuse_sum(audit, &held, entry, error);
}
