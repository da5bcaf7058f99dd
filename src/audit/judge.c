/* The verdict about a sum of events on the symbols of a benchmark: signature, tolerances, and the law. */
#include "audit/audit.h"

#include "analysis/numerics.h"

/* The obstacle to a judgement. */
static cm_audit_verdict obstacle(const cm_judge_case *asked)
{
    static const struct {
        cm_event_status status;
        cm_audit_verdict verdict;
    } rows[] = {{CM_EVENT_NOISY, CM_VERDICT_EVENT_NOISY}, {CM_EVENT_UNREPRESENTABLE, CM_VERDICT_UNREPRESENTABLE_EVENT}};
    for (size_t row = 0; row < CM_COUNT_OF(rows); row++)
        for (size_t i = 0; i < asked->term_count; i++)
            if (asked->terms[i].coefficient != 0.0 && asked->terms[i].status == rows[row].status)
                return rows[row].verdict;
    return CM_VERDICT_RIGHT;
}

/* The power of 1000 that is nearest to the fitted multiple of the signature. */
static double power_of_1000(const cm_judge_case *asked, const double *representation)
{
    double factor = cm_vector_factor(representation, asked->signature, asked->symbol_count);
    return factor > 0.0 ? pow(1000.0, round(log10(factor) / 3.0)) : 1.0;
}

/* Sums the terms; the tolerances get the events' residuals, the same for each symbol. */
static void add_up(const cm_judge_case *asked, cm_judgement *judgement)
{
    double explained = 0.0, grown = 0.0;
    for (size_t i = 0; i < asked->term_count; i++) {
        const cm_judge_term *term = &asked->terms[i];
        if (term->coefficient == 0.0 || term->status == CM_EVENT_ZERO || term->representation == NULL)
            continue;
        double largest = 0.0;
        cm_vector_add(judgement->representation, term->coefficient, term->representation, asked->symbol_count);
        for (size_t j = 0; j < asked->symbol_count; j++)
            largest = fmax(largest, fabs(term->representation[j]));
        explained += fabs(term->coefficient) * (isnan(term->residual) ? 0.0 : term->residual) * largest;
        grown += fabs(term->coefficient) * cm_vector_norm(term->representation, asked->symbol_count);
    }
    judgement->factor = isnan(asked->factor) ? power_of_1000(asked, judgement->representation) : asked->factor;
    cm_vector_divide(judgement->representation, judgement->factor, asked->symbol_count);
    for (size_t j = 0; j < asked->symbol_count; j++)
        judgement->tolerance[j] = explained / fabs(judgement->factor);
    judgement->amplification = grown / fabs(judgement->factor) / cm_vector_norm(asked->signature, asked->symbol_count);
}

/* Sets misfit and verdict: right if the form is the signature, or an accepted one, within tolerances. */
static void compare_form(const cm_judge_case *asked, cm_judgement *judgement)
{
    size_t count = asked->symbol_count;
    double smallest = INFINITY, missed = 0.0;
    bool as_signature = true, as_accepted = asked->accepted != NULL;
    for (size_t j = 0; j < count; j++)
        if (asked->signature[j] != 0.0)
            smallest = fmin(smallest, fabs(asked->signature[j]));
    for (size_t j = 0; j < count; j++) {
        double deviation = judgement->representation[j] - asked->signature[j];
        judgement->tolerance[j] += asked->alpha * fmax(fabs(asked->signature[j]), smallest);
        missed += deviation * deviation;
        as_signature = as_signature && fabs(deviation) <= judgement->tolerance[j];
        as_accepted = as_accepted && fabs(judgement->representation[j] - asked->accepted[j]) <= judgement->tolerance[j];
    }
    judgement->misfit = sqrt(missed) / cm_vector_norm(asked->signature, count);
    bool right = asked->constant == 0.0 && judgement->misfit <= asked->residual && (as_signature || as_accepted);
    judgement->verdict = right ? CM_VERDICT_RIGHT : CM_VERDICT_WRONG;
}

/* The law decides if it judges at all. */
static cm_status ask_law(const cm_judge_case *asked, cm_judgement *judgement, cm_error *error)
{
    double *coefficients = calloc(asked->term_count + 1, sizeof *coefficients);
    cm_status status = coefficients != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < asked->term_count && status == CM_OK; i++)
        coefficients[i] = asked->terms[i].coefficient;
    if (status == CM_OK && asked->law != NULL)
        status = cm_defined_law_judge(asked->law, asked->metric, asked->events, coefficients, asked->term_count,
                                      judgement->factor, &judgement->held, error);
    if (status == CM_OK && !judgement->held.judged && asked->uncontrolled && judgement->verdict == CM_VERDICT_RIGHT)
        status = cm_hold_uncontrolled(coefficients, asked->term_count, judgement->factor, &judgement->held, error);
    if (judgement->held.judged)
        judgement->verdict = judgement->held.right && asked->constant == 0.0 ? CM_VERDICT_RIGHT : CM_VERDICT_WRONG;
    free(coefficients);
    return status;
}

static cm_status judge_form(const cm_judge_case *asked, cm_judgement *judgement, cm_error *error)
{
    if (!CM_ALLOCATE(judgement->representation, asked->symbol_count) ||
        !CM_ALLOCATE(judgement->tolerance, asked->symbol_count))
        return cm_error_no_memory(error);
    add_up(asked, judgement);
    compare_form(asked, judgement);
    return ask_law(asked, judgement, error);
}

/* The part of one event that kernels do not explain may be subtracted by another, as may its noise: the law judges all
 * of them together. */
cm_status cm_judge(const cm_judge_case *asked, cm_judgement *judgement, cm_error *error)
{
    cm_judgement judged = {0};
    cm_audit_verdict prevented = obstacle(asked);
    cm_status status = judge_form(asked, &judged, error);
    bool told = prevented == CM_VERDICT_RIGHT || judged.held.judged;
    if (status != CM_OK || !told) {
        cm_judgement_clear(&judged);
        judged.verdict = prevented;
    }
    *judgement = judged;
    return status;
}

void cm_judgement_clear(cm_judgement *judgement)
{
    CM_FREE(judgement->representation, judgement->tolerance);
    *judgement = (cm_judgement){0};
}
