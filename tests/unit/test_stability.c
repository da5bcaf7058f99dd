/* How stable definitions are: intervals of tau, alpha and coefficients. */
#include "analysis_tools.h"

#include "analysis/state.h"
#include "tests/bench/coverage.h"

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    static const struct {
        size_t repetitions;
        double noise;
    } rows[] = {{3, 1e-3}, {5, 1e-6}, {5, 1e-2}, {10, 1e-3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t seed = 11 + i;
        coverage total = {0};
        for (int n = 0; n < 500; n++)
            assert_int_equal(coverage_once(&seed, rows[i].repetitions, rows[i].noise, &total), CM_OK);
        double held = (double)total.held / (double)total.intervals;
        if (total.intervals != 2000 || held < 0.93 || held > 0.97)
            fail_msg("%zu repetitions, noise %g: %g of %zu intervals hold the truth", rows[i].repetitions,
                     rows[i].noise, held, total.intervals);
    }
}

static void exact_events_have_intervals_without_width(void **state)
{
    (void)state;
    uint64_t seed = 1;
    coverage total = {0};
    assert_int_equal(coverage_once(&seed, 5, 0.0, &total), CM_OK);
    assert_true(total.intervals == 4 && total.width == 0.0);
}

static void quantiles_are_students(void **state)
{
    (void)state;
    static const struct {
        size_t freedom;
        double quantile;
    } rows[] = {{1, 12.7062},  {4, 2.77645},   {30, 2.04227},    {31, 2.03951},
                {40, 2.02108}, {120, 1.97993}, {100000, 1.95999}};
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_close(cm_student_quantile(rows[i].freedom), rows[i].quantile, 1e-4, "quantile");
    assert_true(isinf(cm_student_quantile(0)));
}

static void tau_may_move_as_far_as_nothing_changes(void **state)
{
    (void)state;
    typedef struct event {
        double x[3], noise;
    } event;
    static const struct {
        const char *name;
        event events[4];
        double from[2], to[2]; /* of the metrics (1,0,0) and (0,0,1) */
    } rows[] = {
        {"exact and alone", {{{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{0, 0, 1}, 0}}, {0, 0}, {INFINITY, INFINITY}},
        {"one is noisy", {{{1, 0, 0}, 1e-3}, {{0, 1, 0}, 0}, {{0, 0, 1}, 0}}, {1e-3, 0}, {INFINITY, INFINITY}},
        {"a noisy one is missing", {{{1, 0, 0}, 0}, {{0, 0, 1}, 0.3}}, {0, 0}, {INFINITY, 0.3}},
        {"a simpler one is noisy", {{{2, 0, 0}, 0}, {{1, 0, 0}, 0.2}, {{0, 0, 1}, 0}}, {0, 0}, {0.2, INFINITY}},
        {"a copy is noisy", {{{1, 0, 0}, 0}, {{1, 0, 0}, 0.2}, {{0, 0, 1}, 0}}, {0, 0}, {INFINITY, INFINITY}},
        {"a quiet one stands behind",
         {{{1, 0, 0}, 1e-3}, {{2, 0, 0}, 0}, {{0, 0, 1}, 0}},
         {1e-3, 0},
         {INFINITY, INFINITY}},
        {"first without effect, then with",
         {{{1, 0, 0}, 0}, {{0, 1, 0}, 0.1}, {{0, 0, 1}, 0.2}},
         {0, 0},
         {INFINITY, 0.2}},
    };
    cm_matrix *basis = identity(3);
    static const double first[] = {1, 0, 0}, last[] = {0, 0, 1};
    const double *const signatures[] = {first, last};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_thresholds thresholds = {1e-2, 1e-3, 1e-2, 0, 10};
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t k = 0; k < 4 && rows[i].events[k].x[0] + rows[i].events[k].x[1] + rows[i].events[k].x[2] > 0; k++)
            add_noisy(analysis, basis, "event", rows[i].events[k].x, rows[i].events[k].noise);
        cm_definition_stability stability[2];
        assert_int_equal(cm_analysis_stability(analysis, signatures, 2, stability, NULL), CM_BAD_ARGUMENT);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_stability(analysis, signatures, 2, stability, NULL), CM_OK);
        for (size_t m = 0; m < 2; m++) {
            expect_close(stability[m].tau[0], rows[i].from[m], 1e-6 * rows[i].from[m], rows[i].name);
            if (isinf(rows[i].to[m]) ? !isinf(stability[m].tau[1])
                                     : !(fabs(stability[m].tau[1] - rows[i].to[m]) < 1e-6))
                fail_msg("%s, metric %zu: to %g, expected %g", rows[i].name, m, stability[m].tau[1], rows[i].to[m]);
        }
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* Both ends are ends: a little inside a definition made anew is the same, a little outside it is not. */
static void alpha_has_the_ends_it_is_said_to_have(void **state)
{
    (void)state;
    static const double signature[] = {1, 0.003, 0};
    static const double events[][3] = {{1, 0, 0}, {0.02, 1, 0}, {0, 0, 1}};
    const double *const signatures[] = {signature};
    cm_matrix *basis = identity(3);
    double rounded[5][3];
    double alphas[5] = {2e-3};
    for (size_t i = 0; i < 5; i++) {
        cm_thresholds thresholds = {1e-10, alphas[i], 1e-2, 0, 10};
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t k = 0; k < 3; k++)
            add_exact(analysis, basis, "event", events[k]);
        cm_fit *fit = NULL;
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_fit_create(analysis, signature, &fit, NULL), CM_OK);
        assert_int_equal(fit->term_count, 3);
        for (size_t k = 0; k < 3; k++)
            rounded[i][cm_analysis_selected(analysis, k)] = fit->rounded[k];
        cm_definition_stability stability;
        assert_int_equal(cm_analysis_stability(analysis, signatures, 1, &stability, NULL), CM_OK);
        assert_true(stability.alpha[0] <= alphas[i] && stability.alpha[1] >= alphas[i]);
        if (i == 0)
            memcpy(alphas + 1,
                   (double[]){stability.alpha[0] * 1.001, stability.alpha[1] / 1.001, stability.alpha[0] / 1.05,
                              stability.alpha[1] * 1.05},
                   4 * sizeof(double));
        else if ((memcmp(rounded[i], rounded[0], sizeof rounded[0]) == 0) != (i <= 2))
            fail_msg("alpha %g: %g %g %g, with %g: %g %g %g", alphas[i], rounded[i][0], rounded[i][1], rounded[i][2],
                     alphas[0], rounded[0][0], rounded[0][1], rounded[0][2]);
        cm_fit_free(fit);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

static void repetitions_are_of_selected_events_once(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    cm_analysis *analysis = analysis_of(basis, NULL);
    add_exact(analysis, basis, "first", (double[]){1, 0});
    add_exact(analysis, basis, "copy", (double[]){1, 0});
    static const double vectors[] = {1, 0, 1, 0}, signature[] = {1, 0};
    assert_int_equal(cm_analysis_add_repetitions(analysis, 0, vectors, 2, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    cm_fit *fit = NULL;
    assert_int_equal(cm_fit_create(analysis, signature, &fit, NULL), CM_OK);
    assert_true(isnan(fit->half_widths[0]));
    cm_fit_free(fit);
    assert_int_equal(cm_analysis_add_repetitions(analysis, 1, vectors, 2, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_analysis_add_repetitions(analysis, 0, vectors, 2, NULL), CM_OK);
    assert_int_equal(cm_analysis_add_repetitions(analysis, 0, vectors, 2, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_fit_create(analysis, signature, &fit, NULL), CM_OK);
    assert_true(fit->half_widths[0] == 0.0);
    cm_fit_free(fit);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(exact_events_have_intervals_without_width),
        cmocka_unit_test(quantiles_are_students),
        cmocka_unit_test(tau_may_move_as_far_as_nothing_changes),
        cmocka_unit_test(alpha_has_the_ends_it_is_said_to_have),
        cmocka_unit_test(repetitions_are_of_selected_events_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
