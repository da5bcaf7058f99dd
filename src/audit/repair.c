/* The right coefficients for the events that a formula has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/least_squares.h"
#include "analysis/rounding.h"
#include "audit/judge.h"
#include "core/error.h"

/* Part of a column that must not be a combination of the others. */
static const double independent = 1e-6;

/* Appends the representation as a column unless it is a combination of the columns that are there. */
static cm_status try_column(cm_matrix *columns, const double *representation, bool *kept, cm_error *error)
{
    cm_least_squares *problem = NULL;
    *kept = false;
    if (columns->columns == columns->rows)
        return CM_OK;
    memcpy(cm_matrix_column(columns, columns->columns++), representation, columns->rows * sizeof *representation);
    cm_status status = cm_least_squares_create(columns, &problem, error);
    if (status == CM_OK)
        *kept = cm_least_squares_independence(problem, columns->columns - 1) > independent;
    if (!*kept)
        columns->columns--;
    cm_least_squares_free(problem);
    return status;
}

/* Gathers independent representations; chosen[k] is the term of column k. */
static cm_status gather(const cm_judge_case *asked, cm_matrix *columns, size_t *chosen, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < asked->term_count && status == CM_OK; i++) {
        const cm_judge_term *term = &asked->terms[i];
        bool usable = term->representation != NULL && term->status != CM_EVENT_ZERO && term->status != CM_EVENT_NOISY &&
                      term->status != CM_EVENT_UNREPRESENTABLE;
        bool kept = false;
        if (usable)
            status = try_column(columns, term->representation, &kept, error);
        if (kept)
            chosen[columns->columns - 1] = i;
    }
    return status;
}

static cm_status solve(const cm_judge_case *asked, const cm_matrix *columns, double *solution, cm_error *error)
{
    cm_least_squares *problem = NULL;
    double *scratch = calloc(asked->symbol_count + columns->columns, sizeof *scratch);
    cm_status status = scratch != NULL ? cm_least_squares_create(columns, &problem, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        cm_least_squares_solve(problem, asked->signature, solution, scratch, scratch + asked->symbol_count);
    cm_least_squares_free(problem);
    free(scratch);
    return status;
}

/* Whether the coefficients make the form right. */
static cm_status prove(const cm_judge_case *asked, const double *coefficients, bool *right, cm_error *error)
{
    cm_judgement judgement = {0};
    cm_judge_case repaired = *asked;
    cm_judge_term *terms = calloc(asked->term_count, sizeof *terms);
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

cm_status cm_judge_repair(const cm_judge_case *asked, double *coefficients, bool *found, cm_error *error)
{
    cm_matrix *columns = NULL;
    size_t *chosen = calloc(asked->symbol_count, sizeof *chosen);
    double *solution = calloc(asked->symbol_count, sizeof *solution);
    cm_status status = chosen != NULL && solution != NULL ? CM_OK : cm_error_no_memory(error);
    bool right = false;
    if (status == CM_OK)
        status = cm_matrix_create(asked->symbol_count, asked->symbol_count, &columns, error);
    if (status == CM_OK) {
        columns->columns = 0; /* as many as have been gathered; there is room for all */
        status = gather(asked, columns, chosen, error);
    }
    if (status == CM_OK && columns->columns > 0) {
        status = solve(asked, columns, solution, error);
        for (size_t i = 0; i < asked->term_count; i++)
            coefficients[i] = 0.0;
        for (size_t k = 0; k < columns->columns; k++)
            coefficients[chosen[k]] = cm_round_coefficient(solution[k], asked->alpha);
        if (status == CM_OK)
            status = prove(asked, coefficients, &right, error);
    }
    *found = right;
    cm_matrix_free(columns);
    free(solution);
    free(chosen);
    return status;
}
