/* What LAPACKE and OpenBLAS do for the analysis: each call of them can be made wrong here (catmint_wrong_algebra in
 * CMakeLists.txt), as OpenBLAS is on a processor that it does not know. */
#include "analysis_tools.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cblas.h>
#include <lapacke.h>

#include <catmint/error.h>

#include "analysis/numerics.h"

enum { ROWS = 30, COLUMNS = 12, THREADS = 4, ROUNDS = 200, FORKS = 100, SECONDS = 100 };

/* ---- calls that go wrong ---- */

static const char *wrong = ""; /* the one that does */

static void spoil(const char *name, double *value)
{
    if (strcmp(name, wrong) == 0)
        *value += 1e-3;
}

#define INTEGER(name, declared, passed, spoiled)                                                                       \
    lapack_int __real_##name declared;                                                                                 \
    lapack_int __wrap_##name declared;                                                                                 \
    lapack_int __wrap_##name declared                                                                                  \
    {                                                                                                                  \
        lapack_int status = __real_##name passed;                                                                      \
        spoil(#name, spoiled);                                                                                         \
        return status;                                                                                                 \
    }

INTEGER(LAPACKE_dgeqrf_work,
        (int layout, lapack_int m, lapack_int n, double *a, lapack_int lda, double *tau, double *work, lapack_int size),
        (layout, m, n, a, lda, tau, work, size), a)
INTEGER(LAPACKE_dorgqr_work,
        (int layout, lapack_int m, lapack_int n, lapack_int k, double *a, lapack_int lda, const double *tau,
         double *work, lapack_int size),
        (layout, m, n, k, a, lda, tau, work, size), a)
INTEGER(LAPACKE_dtrtrs_work,
        (int layout, char part, char transposed, char unit, lapack_int n, lapack_int sides, const double *a,
         lapack_int lda, double *b, lapack_int ldb),
        (layout, part, transposed, unit, n, sides, a, lda, b, ldb), b)
INTEGER(LAPACKE_dpotrf_work, (int layout, char part, lapack_int n, double *a, lapack_int lda),
        (layout, part, n, a, lda), a)
INTEGER(LAPACKE_dpotrs_work,
        (int layout, char part, lapack_int n, lapack_int sides, const double *a, lapack_int lda, double *b,
         lapack_int ldb),
        (layout, part, n, sides, a, lda, b, ldb), b)
INTEGER(LAPACKE_dpotri_work, (int layout, char part, lapack_int n, double *a, lapack_int lda),
        (layout, part, n, a, lda), a)
INTEGER(LAPACKE_dgesdd_work,
        (int layout, char job, lapack_int m, lapack_int n, double *a, lapack_int lda, double *s, double *u,
         lapack_int ldu, double *vt, lapack_int ldvt, double *work, lapack_int size, lapack_int *integers),
        (layout, job, m, n, a, lda, s, u, ldu, vt, ldvt, work, size, integers), s)

#define NOTHING(name, declared, passed, spoiled)                                                                       \
    void __real_##name declared;                                                                                       \
    void __wrap_##name declared;                                                                                       \
    void __wrap_##name declared                                                                                        \
    {                                                                                                                  \
        __real_##name passed;                                                                                          \
        spoil(#name, spoiled);                                                                                         \
    }

NOTHING(cblas_dgemv,
        (enum CBLAS_ORDER layout, enum CBLAS_TRANSPOSE transposed, blasint m, blasint n, double alpha, const double *a,
         blasint lda, const double *x, blasint stepx, double beta, double *y, blasint stepy),
        (layout, transposed, m, n, alpha, a, lda, x, stepx, beta, y, stepy), y)
NOTHING(cblas_dgemm,
        (enum CBLAS_ORDER layout, enum CBLAS_TRANSPOSE one, enum CBLAS_TRANSPOSE other, blasint m, blasint n, blasint k,
         double alpha, const double *a, blasint lda, const double *b, blasint ldb, double beta, double *c, blasint ldc),
        (layout, one, other, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc), c)
NOTHING(cblas_dtrsm,
        (enum CBLAS_ORDER layout, enum CBLAS_SIDE side, enum CBLAS_UPLO part, enum CBLAS_TRANSPOSE transposed,
         enum CBLAS_DIAG unit, blasint m, blasint n, double alpha, const double *a, blasint lda, double *b,
         blasint ldb),
        (layout, side, part, transposed, unit, m, n, alpha, a, lda, b, ldb), b)

static void wrong_code_is_found(void **state)
{
    (void)state;
    static const char *const calls[] = {"LAPACKE_dgeqrf_work", "LAPACKE_dorgqr_work", "LAPACKE_dtrtrs_work",
                                        "LAPACKE_dpotrf_work", "LAPACKE_dpotrs_work", "LAPACKE_dpotri_work",
                                        "LAPACKE_dgesdd_work", "cblas_dgemv",         "cblas_dgemm",
                                        "cblas_dtrsm"};
    for (size_t i = 0; i < COUNT(calls); i++) {
        cm_error error = {0};
        wrong = calls[i];
        if (cm_linear_start(&error) != CM_UNSUPPORTED || strstr(error.text, "OPENBLAS_CORETYPE") == NULL)
            fail_msg("%s: %s", calls[i], error.text);
    }
    wrong = "";
    assert_int_equal(cm_linear_start(NULL), CM_OK);
}

static void lapack_is_that_of_openblas(void **state)
{
    (void)state;
    Dl_info found;
    assert_true(dladdr(dlsym(RTLD_DEFAULT, "dgeqrf_"), &found) != 0);
    if (strstr(found.dli_fname, "openblas") == NULL)
        fail_msg("dgeqrf is that of %s", found.dli_fname);
}

/* ---- what is computed ---- */

static void fill(double *values, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_signed(&seed);
}

static void shares_are_what_solutions_are_made_of(void **state)
{
    (void)state;
    double a[ROWS * COLUMNS], b[ROWS], shares[ROWS * COLUMNS], solution[COLUMNS], residual[ROWS], step[COLUMNS];
    fill(a, ROWS * COLUMNS, 1);
    fill(b, ROWS, 2);
    cm_matrix matrix = {.rows = ROWS, .columns = COLUMNS, .values = a};
    cm_least_squares *problem = NULL;
    assert_int_equal(cm_least_squares_create(&matrix, &problem, NULL), CM_OK);
    cm_least_squares_solve(problem, b, solution, residual, step);
    cm_least_squares_shares(problem, shares);
    for (size_t j = 0; j < COLUMNS; j++) {
        expect_close(cm_vector_dot(shares + j * ROWS, b, ROWS), solution[j], 1e-13, "shares");
        expect_close(cm_vector_dot(a + j * ROWS, residual, ROWS), 0.0, 1e-13, "what is left is outside");
    }
    cm_least_squares_free(problem);
}

/* Of the columns, the third is the sum of the others, nearly or exactly, or nothing. */
static void dependent_columns_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double added, scale;
        size_t dependent;
    } rows[] = {
        {"independent", 1e-3, 1.0, 3}, {"nearly", 1e-10, 1.0, 2}, {"exactly", 0.0, 1.0, 2}, {"zero", 0.0, 0.0, 2}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double a[] = {1, 2, 3, 4, 0, 1, 0, -1, 0, 0, 0, 0}, solution[3], residual[4], step[3];
        for (size_t r = 0; r < 4; r++)
            a[8 + r] = rows[i].scale * (a[r] + a[4 + r] + (r == 3 ? rows[i].added : 0.0));
        cm_matrix matrix = {.rows = 4, .columns = 3, .values = a};
        cm_least_squares *problem = NULL;
        assert_int_equal(cm_least_squares_create(&matrix, &problem, NULL), CM_OK);
        if (cm_least_squares_dependent(problem) != rows[i].dependent)
            fail_msg("%s: column %zu is dependent", rows[i].name, cm_least_squares_dependent(problem));
        cm_least_squares_solve(problem, (double[]){1, 0, 0, 0}, solution, residual, step);
        assert_true(rows[i].scale != 0.0 || isnan(solution[2]));
        cm_least_squares_free(problem);
    }
}

static void symmetric_matrices(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double matrix[9]; /* what is above the diagonal is not looked at */
        bool definite;
    } rows[] = {{"definite", {4, 99, 99, 2, 3, 99, 1, 0, 2}, true},
                {"indefinite", {1, 99, 99, 2, 1, 99, 0, 0, 1}, false},
                {"singular", {1, 99, 99, 1, 1, 99, 0, 0, 1}, false},
                {"nearly singular", {1, 99, 99, 1, 1 + 1e-15, 99, 0, 0, 1}, false},
                {"no number", {1, 99, 99, NAN, 1, 99, 0, 0, 1}, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double factor[9], b[] = {7, 5, 3}; /* 4 2 1, 2 3 0, 1 0 2 times 1 1 1 */
        memcpy(factor, rows[i].matrix, sizeof factor);
        if (cm_cholesky(factor, 3) != rows[i].definite)
            fail_msg("%s", rows[i].name);
        if (!rows[i].definite)
            continue;
        cm_cholesky_solve(factor, 3, b);
        cm_cholesky_invert(factor, 3);
        static const double inverse[] = {6, -4, -3, -4, 7, 2, -3, 2, 8}; /* thirteenths */
        for (size_t k = 0; k < 9; k++)
            expect_close(factor[k], inverse[k] / 13.0, 1e-15, "inverse");
        for (size_t k = 0; k < 3; k++)
            expect_close(b[k], 1.0, 1e-15, "solution");
    }
}

/* Directions, and those of all that they leave. */
static void directions_and_their_complement(void **state)
{
    (void)state;
    double directions[(COLUMNS + 1) * COLUMNS], part[COLUMNS];
    for (size_t count = 0; count <= COLUMNS; count++) {
        fill(directions, COUNT(directions), 3 + count);
        for (size_t k = 0; k < count; k++)
            assert_true(cm_extend_directions(directions, k, COLUMNS, 1e-6));
        assert_true(cm_find_complement(directions, count, COLUMNS, directions + count * COLUMNS));
        for (size_t i = 0; i < COLUMNS; i++)
            for (size_t j = 0; j <= i; j++)
                expect_close(cm_vector_dot(directions + i * COLUMNS, directions + j * COLUMNS, COLUMNS), i == j, 1e-14,
                             "orthonormal");
        fill(part, COLUMNS, 99);
        cm_orthogonalise(part, directions, COLUMNS, COLUMNS);
        expect_close(cm_vector_norm(part, COLUMNS), 0.0, 1e-14, "nothing is left");
    }
    double twice[] = {1, 2, 2, 4, 0, 0};
    assert_true(cm_extend_directions(twice, 0, 2, 1e-6));
    assert_false(cm_extend_directions(twice, 1, 2, 1e-6));
}

/* ---- threads and forks ---- */

static double sum_of_everything(void)
{
    double a[ROWS * COLUMNS], products[COLUMNS * COLUMNS], solution[COLUMNS], residual[ROWS], step[COLUMNS], norm = 0.0;
    fill(a, ROWS * COLUMNS, 5);
    cm_matrix matrix = {.rows = ROWS, .columns = COLUMNS, .values = a};
    cm_least_squares *problem = NULL;
    if (cm_least_squares_create(&matrix, &problem, NULL) != CM_OK)
        return NAN;
    cm_least_squares_solve(problem, a, solution, residual, step);
    cm_find_parts(a, COLUMNS, ROWS, a, COLUMNS, products);
    cm_least_squares_free(problem);
    if (!cm_cholesky(products, COLUMNS) || cm_spectral_norm(&matrix, &norm, NULL) != CM_OK)
        return NAN;
    return cm_vector_norm(products, COLUMNS * COLUMNS) + cm_vector_norm(solution, COLUMNS) + norm;
}

static void *sum_often(void *expected)
{
    for (size_t i = 0; i < ROUNDS; i++)
        if (sum_of_everything() != *(const double *)expected)
            return expected;
    return NULL;
}

static void threads_get_the_same_bytes(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    double expected = sum_of_everything();
    assert_true(isfinite(expected));
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, sum_often, &expected), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *wrongly = NULL;
        assert_int_equal(pthread_join(threads[i], &wrongly), 0);
        assert_null(wrongly);
    }
}

static void forks_get_the_same_bytes(void **state)
{
    (void)state;
    double expected = sum_of_everything();
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(cm_linear_start(NULL) == CM_OK && sum_of_everything() == expected ? 0 : 1);
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_true(sum_of_everything() == expected);
    }
}

#ifndef __SANITIZE_ADDRESS__ /* whose malloc keeps the other thread's lock in the child, so that any child may wait */
static void *sum_until_told(void *told)
{
    while (!atomic_load((atomic_bool *)told))
        sum_of_everything();
    return NULL;
}

/* A child that is made while another thread computes would wait for that thread, which it does not have. */
static void forks_beside_a_thread_compute(void **state)
{
    (void)state;
    atomic_bool told = false;
    pthread_t thread;
    double expected = sum_of_everything();
    int status = 0;
    assert_int_equal(cm_linear_start(NULL), CM_OK);
    assert_int_equal(pthread_create(&thread, NULL, sum_until_told, &told), 0);
    for (int i = 0; i < FORKS && status == 0; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS);
            _exit(sum_of_everything() == expected ? 0 : 1);
        }
        status = child > 0 && waitpid(child, &status, 0) == child ? status : -1;
    }
    atomic_store(&told, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_code_is_found),
        cmocka_unit_test(lapack_is_that_of_openblas),
        cmocka_unit_test(shares_are_what_solutions_are_made_of),
        cmocka_unit_test(dependent_columns_are_found),
        cmocka_unit_test(symmetric_matrices),
        cmocka_unit_test(directions_and_their_complement),
        cmocka_unit_test(threads_get_the_same_bytes),
        cmocka_unit_test(forks_get_the_same_bytes),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(forks_beside_a_thread_compute),
#endif
    };
    return cmocka_run_group_tests_name("linear algebra", tests, NULL, NULL);
}
