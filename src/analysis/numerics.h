/* The numerics of the analysis: constants, matrices, noise and rounding. */
#ifndef CM_ANALYSIS_NUMERICS_H
#define CM_ANALYSIS_NUMERICS_H

#include <math.h>
#include <stdbool.h>

#include <catmint/matrix.h>

/* ---- linear ---- */

/* Dense linear algebra, by LAPACKE and CBLAS of OpenBLAS; nothing else in the analysis includes these. Matrices are
 * column-major. Every work array is allocated here, so that a lack of memory is an error; OpenBLAS's own buffer is
 * asked for before the first call (cm_linear_start). Several threads may call at once. */

/* Before the first factorisation of a process: sets OpenBLAS to one thread, and proves on a small problem that it
 * computes rightly on this processor. CM_UNSUPPORTED if it does not. */
cm_status cm_linear_start(cm_error *error);
/* Lets a process fork while another of its threads computes: the child can, too. False: memory ran out. */
bool cm_linear_survives_forks(void);

/* ---- least squares of A x = b with one A and many b: A is factorised once ---- */

typedef struct cm_least_squares {
    size_t rows, columns;
    double *matrix;   /* A */
    double *q;        /* Q, rows x columns */
    double *triangle; /* R, columns x columns; above the diagonal and on it */
    double values[];  /* of all three */
} cm_least_squares;

/* rows >= columns >= 1. `matrix` is copied. */
cm_status cm_least_squares_create(const cm_matrix *matrix, cm_least_squares **problem, cm_error *error);
void cm_least_squares_free(cm_least_squares *problem);

/* The part of a column that is no combination of those before it: |R_jj| / ||A_j||, 0 to 1; 0 for a zero column. */
double cm_least_squares_independence(const cm_least_squares *problem, size_t column);
/* The first column that is dependent: of which no more than 1e-8 is its own. `columns` if there is none. */
size_t cm_least_squares_dependent(const cm_least_squares *problem);

/* Solves for `solution` (columns elements) and writes A x - b, computed directly, with changed sign to `residual` (rows
 * elements). `step` (columns elements) is scratch. The figures of one b depend on no other. NaN if a column is
 * zero or exactly a combination of others. */
void cm_least_squares_solve(const cm_least_squares *problem, const double *right_side, double *solution,
                            double *residual, double *step);
/* The part of each row in each element of a solution, an element after another: the transposed pseudo-inverse, rows x
 * columns. The columns are independent. */
void cm_least_squares_shares(const cm_least_squares *problem, double *shares);

/* Takes from `vector` (rows elements) its part that is a combination of the columns: `step` (columns elements) times
 * these. `along`: as many, scratch. */
void cm_least_squares_take(const cm_least_squares *problem, double *vector, double *step, double *along);

/* ---- norms ---- */

/* The largest singular value. */
cm_status cm_spectral_norm(const cm_matrix *matrix, double *norm, cm_error *error);

/* ---- symmetric matrices: rows to the diagonal are looked at ---- */

/* The factor of a matrix in its place. False if it is not positive definite, within 1e-14. */
bool cm_cholesky(double *matrix, size_t size);
/* Solves in place by the factor. */
void cm_cholesky_solve(const double *factor, size_t size, double *vector);
/* Takes the factor from columns of `size` numbers, in place: products with basis vectors become parts along
 * orthonormal ones. */
void cm_cholesky_reduce(const double *factor, size_t size, double *columns, size_t count);
/* The inverse, whole, in place of the factor. */
void cm_cholesky_invert(double *factor, size_t size);

/* ---- products ---- */

/* a' b, columns_a x columns_b, of two matrices with as many rows. */
void cm_multiply_transposed(const double *a, size_t columns_a, const double *b, size_t columns_b, size_t rows,
                            double *product);
/* Adds factor A x to `sum`, of as many elements as A has rows. */
void cm_add_product(const double *matrix, size_t rows, size_t columns, double factor, const double *x, double *sum);

/* ---- projections ---- */

/* Takes from `part` its components along `count` directions, orthonormal; twice, because once leaves rounding errors if
 * little remains. */
void cm_orthogonalise(double *part, const double *directions, size_t count, size_t size);
/* Makes the vector behind `count` directions the next one, if a larger part of it than `tolerance` is no combination of
 * them; else false, and it is worth nothing. */
bool cm_extend_directions(double *directions, size_t count, size_t size, double tolerance);
/* Orthonormal directions of all that is outside of `count` directions: `size` - `count` of them, into `rest`. False
 * if memory is short. */
bool cm_find_complement(const double *directions, size_t count, size_t size, double *rest);
/* The parts of `count` vectors along `width` directions: width x count. */
void cm_find_parts(const double *directions, size_t width, size_t size, const double *vectors, size_t count,
                   double *parts);

/* ---- weighted.c ---- */

/* Weighted least squares over a basis that is mostly zero, many times with other weights. */

/* The elements of a matrix that are not zero, row by row. */
typedef struct cm_sparse_rows {
    size_t rows, columns;
    size_t *starts; /* rows + 1 */
    size_t *places;
    double *values;
} cm_sparse_rows;

bool cm_sparse_rows_make(const cm_matrix *matrix, cm_sparse_rows *rows);
void cm_sparse_rows_clear(cm_sparse_rows *rows);
/* The product of a row and a vector. */
double cm_sparse_row_dot(const cm_sparse_rows *rows, size_t row, const double *vector);

/* The lower half of A^T W^2 A, with weights W (rows), and zeros; `products`: columns^2 elements. */
void cm_weighted_products(const cm_sparse_rows *rows, const double *weights, double *products);
/* Factorises A^T W^2 A, with weights W (rows); `factor`: columns^2 elements. False if it is singular. */
bool cm_weighted_factorise(const cm_sparse_rows *rows, const double *weights, double *factor);
/* The solution of W A x = W b; `rest` is scratch for a row each. */
void cm_weighted_solve(const cm_sparse_rows *rows, const double *weights, const double *factor,
                       const double *right_side, double *solution, double *step, double *rest);

/* ---- least_absolute.c ---- */

/* Fits A x = b so that the sum of absolute deviations is least: a few rows that are off do not spread over the others.
 * False: short of memory, or the rows that agree do not determine x. */
bool cm_least_absolute_solve(const cm_matrix *matrix, const double *right_side, double *solution);

/* ---- vectors ---- */

/* Small vectors by hand: a benchmark has tens of kernels and symbols, so that a call costs more than the work. The
 * loops over contiguous elements are vectorised by the compiler. */

/* The range of the analysis's numbers: squares and products of two stay in the range of a double. */
#define CM_LARGEST_VALUE 1e100
#define CM_SMALLEST_VALUE 1e-100

static inline bool cm_vector_is_zero(const double *a, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != 0.0)
            return false;
    return true;
}

static inline double cm_vector_dot(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double cm_vector_norm(const double *a, size_t count)
{
    return sqrt(cm_vector_dot(a, a, count));
}

/* For qsort: doubles in rising order. */
int cm_compare_numbers(const void *left, const void *right);
/* The largest magnitude; 0 if there is none. */
static inline double cm_vector_largest(const double *a, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

/* The factor with which `b` is nearest to `a`: a least-squares fit of one column. 0 if `b` is 0. */
static inline double cm_vector_factor(const double *a, const double *b, size_t count)
{
    double square = cm_vector_dot(b, b, count);
    return square > 0.0 ? cm_vector_dot(a, b, count) / square : 0.0;
}

/* y += factor * x */
static inline void cm_vector_add(double *restrict y, double factor, const double *restrict x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] += factor * x[i];
}

static inline void cm_vector_divide(double *a, double divisor, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] /= divisor;
}

/* Rounds to 33 significant bits (about 10 digits): values that differ by a few rounding errors become equal, and
 * comparing rounded values is transitive, as comparing within a tolerance is not. Bits, not digits: exact events
 * give sums of powers of two, which then lie in the middle of the values that round to them. */
static inline double cm_without_rounding_error(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    return ldexp(nearbyint(ldexp(fraction, 33)), exponent - 33);
}

/* ---- spread ---- */

/* Repetitions of one event: how much they differ, and their mean. `vectors` holds R measurement vectors of N elements
 * one after another. */

/* ---- noise.c: by the paper, section IV; no element is negative ---- */

/* The paper's eq. 4: the largest ||m_i - m_j|| / sqrt(N mean_i mean_j) over all pairs of repetitions; a pair of which
 * exactly one mean is zero counts as 1, a pair of zero vectors as 0. NaN if R < 2: there is no pair. */
double cm_max_rnmse(const double *vectors, size_t repetitions, size_t kernels);

/* The mean over repetitions, element by element. The mean of equal values is that value, bit by bit. */
void cm_mean_vector(const double *vectors, size_t repetitions, size_t kernels, double *mean);

/* ---- majority.c: repetitions that a neighbour disturbed: on a real machine it comes and goes, and takes lines of
 * caches from some runs and not from others ---- */

/* The range of the counts that are kept. */
typedef struct cm_majority {
    double low, high;
} cm_majority;

/* R counts, `stride` apart: if more than half of them lie close together, those that are far from all of these are not
 * kept. Far is more than ten times as wide as they lie, and more than a hundredth of `scale`. If more than half lie no
 * closer than that hundredth, a crowd of a third that does is kept, if no other is half as large. All are kept if R is
 * below 9 or above 64. */
cm_majority cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale);

static inline bool cm_majority_has(cm_majority kept, double count)
{
    return count >= kept.low && count <= kept.high;
}

/* ---- spread.c: how far the mean may be off ---- */

/* R vectors of N elements: means, and their standard errors, each the larger of its own and of one pooled over the
 * kernels that count most (relative to their counts). Returns the pooled deviation of one repetition, relative; 0 if R
 * < 2. `rough`: caches are measured; repetitions that a neighbour disturbed are left out (majority.c), and of what is
 * pooled a kernel that is noisier than all others together; `trust`, one a kernel: the weight of its own noise in
 * what is pooled (NULL: all alike). */
double cm_spread(const double *vectors, size_t repetitions, size_t kernels, const double *trust, bool rough,
                 double *mean, double *error);

/* Mean and standard deviation of repeated counts of one kernel; the deviation is 0 if there is one. `scale`: the
 * largest count, if caches are measured, and disturbed repetitions are left out; 0: none is. */
void cm_runs(const double *runs, size_t repetitions, double scale, double *mean, double *deviation);

/* The paper's eq. 4 over the kernels above a tenth of the event's largest count, of the differences beyond what
 * `chance` (N standard deviations of a run; NULL: none) explains. NaN if R < 2. */
double cm_noise_beyond(const double *vectors, size_t repetitions, size_t kernels, const double *mean,
                       const double *chance, bool rough);

/* ---- Simple numbers: of counts, and of coefficients ---- */

/* Rounding counts to a quantum: step 1 of the method. */

/* Rounds each of `counts` to the nearest multiple of `quantum` (> 0; halves go away from zero) and writes them to
 * `rounded`, which may be `counts`. Returns the largest distance that a count was moved. */
double cm_round_to_quantum(const double *counts, size_t count, double quantum, double *rounded);

/* Rounding of coefficients: step 8 of the method. */

/* 0 if |coefficient| < alpha; else the first of these within alpha of it, relative: the nearest integer, the nearest
 * 1/n, the nearest p/q for q = 2, 3 ... 16; else the coefficient itself. Beyond 1/(2 alpha) an integer is always near
 * enough, as 1/n is below 2 alpha: no more digits than that were trusted. */
double cm_round_coefficient(double coefficient, double alpha);

/* The simplest number of an interval. */

/* The simplest number of value +- width: a power of two or ten, an integer, 1/n, p/q with q up to 16; `value` if there
 * is none, or if so wide an interval would hold one as simple by chance. */
double cm_snap_number(double value, double width);

/* As cm_snap_number; where that gives `value`, it is rounded to the digits behind the point that the interval
 * determines. */
double cm_simplest(double value, double width);

#endif
