/* The largest singular value of a small matrix, by one-sided Jacobi rotations (Golub and Van Loan, Matrix Computations,
 * section 8.6.3): once all columns are orthogonal to each other, their norms are the singular values. */
#include <math.h>

#include "analysis/state.h"
#include "analysis/vector.h"
#include "core/error.h"

/* Convergence is quadratic: ten sweeps are many. */
enum { MOST_SWEEPS = 40 };
static const double orthogonal = 1e-15;

/* Turns two columns until they are orthogonal; whether they were not. */
static bool rotate(double *a, double *b, size_t rows)
{
    double aa = cm_vector_dot(a, a, rows), bb = cm_vector_dot(b, b, rows), ab = cm_vector_dot(a, b, rows);
    if (!(fabs(ab) > orthogonal * sqrt(aa) * sqrt(bb)))
        return false;
    double slope = (bb - aa) / (2.0 * ab);
    double tangent = copysign(1.0 / (fabs(slope) + hypot(1.0, slope)), slope);
    double cosine = 1.0 / hypot(1.0, tangent), sine = cosine * tangent;
    for (size_t i = 0; i < rows; i++) {
        double before = a[i];
        a[i] = cosine * before - sine * b[i];
        b[i] = sine * before + cosine * b[i];
    }
    return true;
}

cm_status cm_spectral_norm(cm_matrix *matrix, double *norm, cm_error *error)
{
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MOST_SWEEPS; sweep++) {
        rotated = false;
        for (size_t i = 0; i < matrix->columns; i++)
            for (size_t j = i + 1; j < matrix->columns; j++)
                rotated |= rotate(cm_matrix_column(matrix, i), cm_matrix_column(matrix, j), matrix->rows);
    }
    double largest = 0.0;
    for (size_t i = 0; i < matrix->columns; i++) {
        double length = cm_vector_norm(cm_matrix_column(matrix, i), matrix->rows);
        if (!isfinite(length))
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "the norm of the selected events cannot be computed");
        largest = fmax(largest, length);
    }
    *norm = largest;
    return CM_OK;
}
