/* The right coefficients for the events that a formula has. */
#include "audit/audit.h"

/* Whether the coefficients make the form right. */
static cm_status prove_coefficients(const cm_judge_case *asked, const double *coefficients, bool *right,
                                    cm_error *error)
{
    cm_judgement judgement = {0};
    cm_judge_case repaired = *asked;
    cm_judge_term *terms = calloc(asked->term_count + 1, sizeof *terms);
    if (terms == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < asked->term_count; i++) {
        terms[i] = asked->terms[i];
        terms[i].coefficient = coefficients[i];
    }
    repaired.terms = terms;
    repaired.factor = 1.0;
    repaired.constant = 0.0;
    cm_status status = cm_judge(&repaired, &judgement, error);
    *right = status == CM_OK && judgement.verdict == CM_VERDICT_RIGHT;
    cm_judgement_clear(&judgement);
    free(terms);
    return status;
}

static bool is_usable(const cm_judge_term *term)
{
    return term->status != CM_EVENT_ZERO && term->status != CM_EVENT_NOISY && term->status != CM_EVENT_UNREPRESENTABLE;
}

cm_status cm_judge_repair(const cm_judge_case *asked, double *coefficients, bool *found, cm_error *error)
{
    *found = false;
    const double **columns = calloc(asked->term_count + 1, sizeof *columns);
    if (columns == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < asked->term_count; i++)
        columns[i] = is_usable(&asked->terms[i]) ? asked->terms[i].representation : NULL;
    cm_status status = cm_solve_independent(columns, asked->term_count, asked->signature, asked->symbol_count,
                                            asked->alpha, coefficients, error);
    CM_THEN(status, prove_coefficients(asked, coefficients, found, error));
    free(columns);
    return status;
}
