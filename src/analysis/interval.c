#include "analysis/state.h"

double cm_student_quantile(size_t freedom)
{
    /* Two-sided 95 %, from any table of Student's t. */
    static const double table[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600,
                                   2.26216, 2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991,
                                   2.10982, 2.10092, 2.09302, 2.08596, 2.07961, 2.07387, 2.06866, 2.06390,
                                   2.05954, 2.05553, 2.05183, 2.04841, 2.04523, 2.04227};
    if (freedom == 0)
        return INFINITY;
    if (freedom <= CM_COUNT_OF(table))
        return table[freedom - 1];
    /* Cornish and Fisher's expansion around the normal quantile; beyond 30 degrees right within 1e-4. */
    const double z = 1.959963984540054;
    double n = (double)freedom, z3 = z * z * z;
    return z + (z3 + z) / (4 * n) + (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * n * n);
}

/* Repetitions that all selected events have; 0 if they differ or are not known. */
static size_t common_repetitions(const cm_analysis *analysis)
{
    size_t repetitions = analysis->selected_count > 0 ? analysis->repetitions[0] : 0;
    for (size_t k = 0; k < analysis->selected_count; k++)
        if (analysis->repetitions[k] != repetitions)
            return 0;
    return repetitions;
}

/* The coefficients without each repetition: [repetition][rank]. */
static cm_status solve_without_each(const cm_analysis *analysis, const double *signature, size_t repetitions,
                                    double *solutions, cm_error *error)
{
    size_t symbols = analysis->basis->columns, count = analysis->selected_count;
    cm_matrix *columns = NULL;
    double *scratch = malloc((symbols + count) * sizeof *scratch);
    cm_status status = scratch != NULL ? cm_matrix_create(symbols, count, &columns, error) : cm_error_no_memory(error);
    for (size_t r = 0; r < repetitions && status == CM_OK; r++) {
        cm_least_squares *problem = NULL;
        for (size_t k = 0; k < count; k++)
            memcpy(cm_matrix_column(columns, k), analysis->left_out[k] + r * symbols, symbols * sizeof(double));
        status = cm_least_squares_create(columns, &problem, error);
        if (status == CM_OK)
            cm_least_squares_solve(problem, signature, solutions + r * count, scratch, scratch + symbols);
        cm_least_squares_free(problem);
    }
    cm_matrix_free(columns);
    free(scratch);
    return status;
}

cm_status cm_half_widths(const cm_analysis *analysis, const double *signature, double *half_widths, cm_error *error)
{
    size_t count = analysis->selected_count, repetitions = common_repetitions(analysis);
    for (size_t k = 0; k < count; k++)
        half_widths[k] = NAN;
    if (repetitions < 2 || count == 0)
        return CM_OK;
    double *solutions = malloc(repetitions * count * sizeof *solutions);
    cm_status status = solutions != NULL ? solve_without_each(analysis, signature, repetitions, solutions, error)
                                         : cm_error_no_memory(error);
    double n = (double)repetitions;
    for (size_t k = 0; k < count && status == CM_OK; k++) {
        /* Differences from the first, so that equal ones give exactly nothing. */
        double mean = 0.0, sum = 0.0;
        for (size_t r = 0; r < repetitions; r++)
            mean += (solutions[r * count + k] - solutions[k]) / n;
        for (size_t r = 0; r < repetitions; r++) {
            double difference = solutions[r * count + k] - solutions[k] - mean;
            sum += difference * difference;
        }
        half_widths[k] = cm_student_quantile(repetitions - 1) * sqrt((n - 1.0) / n * sum);
    }
    free(solutions);
    return status;
}
