#include "analysis/equivalence.h"

#include "analysis/score.h"
#include "analysis/vector.h"

/* The square of ||x - c y|| with the best c, computed directly: a difference of squares would end at 1e-8. */
static double squared_distance(const double *x, const double *y, size_t count)
{
    double factor = cm_vector_factor(x, y, count);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        double difference = x[i] - factor * y[i];
        sum += difference * difference;
    }
    return sum;
}

ptrdiff_t cm_equivalent_column(const double *column, const cm_matrix *selected, double alpha)
{
    if (cm_score(column, selected->rows, alpha) == 0.0)
        return -1;
    double closest = alpha * alpha * cm_vector_dot(column, column, selected->rows);
    ptrdiff_t found = -1;
    for (size_t k = 0; k < selected->columns; k++) {
        double distance = squared_distance(column, cm_matrix_column(selected, k), selected->rows);
        if (found < 0 ? distance <= closest : distance < closest) {
            closest = distance;
            found = (ptrdiff_t)k;
        }
    }
    return found;
}
