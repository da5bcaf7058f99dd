/* The right coefficients for the events that a formula has. */
#include "audit/audit.h"
#include "analysis/numerics.h"

/* Part of a column that must not be a combination of the others. */
static const double independent = 1e-6;

/* Copies the columns taken to `matrix`; chosen[k] is which one column k is. `directions` has room for one a symbol. */
static void gather_columns(const double *const *columns, size_t count, cm_matrix *matrix, size_t *chosen,
                           double *directions)
{
    size_t symbols = matrix->rows, taken = 0;
    for (size_t i = 0; i < count && taken < symbols; i++) {
        if (columns[i] == NULL)
            continue;
        memcpy(directions + taken * symbols, columns[i], symbols * sizeof *directions);
        if (!cm_extend_directions(directions, taken, symbols, independent))
            continue;
        memcpy(cm_matrix_column(matrix, taken), columns[i], symbols * sizeof *directions);
        chosen[taken++] = i;
    }
    matrix->columns = taken;
}

/* Takes of `count` columns (one element a symbol; NULL: none) those of which a part of more than 1e-6 is no combination
 * of those taken before, solves for the signature over them, and rounds to alpha. coefficients[i] is 0 for a column
 * that is not taken. */
static cm_status solve_independent(const double *const *columns, size_t count, const double *signature, size_t symbols,
                                   double alpha, double *coefficients, cm_error *error)
{
    cm_matrix *matrix = NULL;
    cm_least_squares *problem = NULL;
    size_t *chosen = calloc(symbols, sizeof *chosen);
    double *scratch = malloc((symbols + 3) * symbols * sizeof *scratch);
    cm_status status = chosen != NULL && scratch != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_matrix_create(symbols, symbols, &matrix, error));
    if (status == CM_OK) {
        memset(coefficients, 0, count * sizeof *coefficients);
        gather_columns(columns, count, matrix, chosen, scratch);
        if (matrix->columns > 0)
            status = cm_least_squares_create(matrix, &problem, error);
    }
    if (problem != NULL) {
        double *solution = scratch, *residual = scratch + symbols, *step = residual + symbols;
        cm_least_squares_solve(problem, signature, solution, residual, step);
        for (size_t k = 0; k < matrix->columns; k++)
            coefficients[chosen[k]] = cm_round_coefficient(solution[k], alpha);
    }
    cm_least_squares_free(problem);
    cm_matrix_free(matrix);
    CM_FREE(scratch, chosen);
    return status;
}

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
    cm_status status = solve_independent(columns, asked->term_count, asked->signature, asked->symbol_count,
                                         asked->alpha, coefficients, error);
    CM_THEN(status, prove_coefficients(asked, coefficients, found, error));
    free(columns);
    return status;
}
