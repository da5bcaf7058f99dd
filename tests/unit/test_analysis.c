#include "analysis_tools.h"

static void thresholds_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name; /* named in the message; NULL: accepted */
        cm_thresholds thresholds;
    } rows[] = {
        {NULL, {1e-10, 5e-4, 1e-2, 0, 10}},
        {NULL, {0, 5e-4, 0, 0.25, 10}},
        {NULL, {INFINITY, 0.99, 0.99, 1, INFINITY}},
        {"tau", {-1e-10, 5e-4, 1e-2, 0, 10}},
        {"tau", {NAN, 5e-4, 1e-2, 0, 10}},
        {"alpha", {1e-10, 0, 1e-2, 0, 10}},
        {"alpha", {1e-10, 1, 1e-2, 0, 10}},
        {"alpha", {1e-10, -5e-4, 1e-2, 0, 10}},
        {"alpha", {1e-10, NAN, 1e-2, 0, 10}},
        {"residual", {1e-10, 5e-4, -1, 0, 10}},
        {"residual", {1e-10, 5e-4, 1, 0, 10}},
        {"residual", {1e-10, 5e-4, INFINITY, 0, 10}},
        {"residual", {1e-10, 5e-4, NAN, 0, 10}},
        {"quantum", {1e-10, 5e-4, 1e-2, -0.25, 10}},
        {"quantum", {1e-10, 5e-4, 1e-2, INFINITY, 10}},
        {"quantum", {1e-10, 5e-4, 1e-2, NAN, 10}},
        {"quantum", {1e-10, 5e-4, 1e-2, 1e-300, 10}},
        {"amplification", {1e-10, 5e-4, 1e-2, 0, 0}},
        {"amplification", {1e-10, 5e-4, 1e-2, 0, NAN}},
    };
    cm_matrix *basis = identity(2);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = NULL;
        cm_error error = {.text = ""};
        cm_status status = cm_analysis_create(basis, &rows[i].thresholds, &analysis, &error);
        bool named = rows[i].name == NULL || strncmp(error.text, rows[i].name, strlen(rows[i].name)) == 0;
        if (status != (rows[i].name == NULL ? CM_OK : CM_BAD_ARGUMENT) || !named)
            fail_msg("row %zu: %d, %s", i, status, error.text);
        assert_true((analysis != NULL) == (status == CM_OK));
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

static void defaults_are_those_of_cpu_flops(void **state)
{
    (void)state;
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    assert_true(thresholds.tau == 1e-10 && thresholds.alpha == 5e-4 && thresholds.residual == 1e-2);
    assert_true(thresholds.quantum == 0.0 && thresholds.amplification == 10.0);
}

static void bad_bases_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *said; /* in the message; NULL: accepted */
        size_t rows, columns;
        double values[4 * 3];
    } rows[] = {
        {NULL, 3, 2, {1, 0, 1, 1, 0, 1}},
        {NULL, 2, 2, {1e9, 0, 0, 1e-9}},
        {NULL, 2, 2, {1, 1, 1, 1.001}},
        {"symbol 2", 3, 2, {1, 2, 1, 2, 1, 2}},
        {"symbol 3", 3, 3, {1, 0, 1, 0, 1, 1, 1, 1, 2}},
        {"symbol 3",
         4,
         3,
         {0.1, 0.2, 0.3, 0.1, 0.1, 0.2, 0.7, 0.1, 0.8, 0.3, 0.3, 0.6}}, /* a sum, with rounding errors */
        {"symbol 2", 2, 2, {1, 1, 1, 1 + 1e-9}},
        {"symbol 1", 2, 2, {0, 1, 0, 1}},
        {"fewer kernels", 2, 3, {1, 0, 0, 0, 1, 0}},
        {"fewer kernels", 0, 3, {0}},
        {"no symbol", 3, 0, {0}},
        {"kernel 2, symbol 1", 2, 2, {1, 0, NAN, 1}},
        {"kernel 1, symbol 2", 2, 2, {1, INFINITY, 0, 1}},
        {"kernel 1, symbol 2", 2, 2, {1, -1e200, 0, 1}},
    };
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_matrix *basis = matrix_of(rows[i].rows, rows[i].columns, rows[i].values);
        cm_analysis *analysis = NULL;
        cm_error error = {.text = ""};
        cm_status status = cm_analysis_create(basis, &thresholds, &analysis, &error);
        if (status != (rows[i].said == NULL ? CM_OK : CM_BAD_INPUT) ||
            (rows[i].said != NULL && strstr(error.text, rows[i].said) == NULL))
            fail_msg("row %zu: %d, %s", i, status, error.text);
        cm_analysis_free(analysis);
        cm_matrix_free(basis);
    }
    cm_analysis *analysis = NULL;
    assert_int_equal(cm_analysis_create(NULL, &thresholds, &analysis, NULL), CM_BAD_ARGUMENT);
    cm_analysis_free(NULL);
}

static void events_get_their_status(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double tau, quantum;
        size_t repetitions;
        double vectors[3 * 3];
        cm_event_status status;
        double max_rnmse, residual, rounding_distance;
    } rows[] = {
        /* E = (1,0) (1,1) (0,1): orthogonal to it is (1,-1,1) */
        {"zero", 1e-10, 0, 3, {0}, CM_EVENT_ZERO, 0, NAN, 0},
        {"zero, one repetition", INFINITY, 0, 1, {0}, CM_EVENT_ZERO, NAN, NAN, 0},
        {"zero after rounding", 1e-10, 0.25, 2, {0.1, 0, 0, 0, 0.11, 0}, CM_EVENT_ZERO, 0, NAN, 0.11},
        {"exact", 1e-10, 0, 3, {2, 3, 1, 2, 3, 1, 2, 3, 1}, CM_EVENT_DEPENDENT, 0, 0, 0},
        {"noisy", 1e-10, 0, 2, {1, 2, 3, 1, 2, 4}, CM_EVENT_NOISY, 0.2672612419124244, 0.3475240234, 0},
        {"once there, once not", 0.5, 0, 2, {0, 0, 0, 1, 1, 0}, CM_EVENT_NOISY, 1, 0, 0},
        {"below tau", 0.1, 0, 2, {1, 1, 0, 1.05, 1.05, 0}, CM_EVENT_DEPENDENT, 0.0597614304667196903, 0, 0},
        {"tau itself", 0, 0, 2, {1, 1, 0, 1, 1, 0}, CM_EVENT_DEPENDENT, 0, 0, 0},
        {"tau infinite", INFINITY, 0, 2, {0, 0, 0, 2, 2, 0}, CM_EVENT_DEPENDENT, 1, 0, 0},
        {"one repetition", INFINITY, 0, 1, {1, 1, 0}, CM_EVENT_DEPENDENT, NAN, 0, 0},
        {"rounded", 1e-10, 0.25, 2, {1.1, 1.05, 0, 0.9, 1, 0}, CM_EVENT_DEPENDENT, 0, 0, 0.1},
        {"not controlled", 1e-10, 0, 2, {1, 1, 1, 1, 1, 1}, CM_EVENT_UNREPRESENTABLE, 0, 1.0 / 3.0, 0},
        {"not at all", 1e-10, 0, 2, {1, 0, 1, 1, 0, 1}, CM_EVENT_UNREPRESENTABLE, 0, 0.8164965809277260, 0},
        {"residual below", 1e-10, 0, 2, {101, 99, 1, 101, 99, 1}, CM_EVENT_DEPENDENT, 0, 0.0122465, 1},
    };
    cm_matrix *basis = matrix_of(3, 2, (double[]){1, 0, 1, 1, 0, 1});
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_thresholds thresholds = {rows[i].tau, 5e-4, 2e-2, rows[i].quantum, 10};
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        assert_int_equal(cm_analysis_add_event(analysis, "event", rows[i].vectors, rows[i].repetitions, NULL), CM_OK);
        cm_event_analysis event = cm_analysis_event(analysis, 0);
        if (event.status != rows[i].status)
            fail_msg("%s: %s", rows[i].name, cm_event_status_text(event.status));
        expect_close(event.max_rnmse, rows[i].max_rnmse, 1e-15, rows[i].name);
        expect_close(event.residual, rows[i].residual, 1e-6, rows[i].name);
        if (rows[i].rounding_distance < 1)
            expect_close(event.rounding_distance, rows[i].rounding_distance, 1e-15, rows[i].name);
        bool counts = rows[i].status != CM_EVENT_ZERO;
        assert_true((event.representation != NULL) == counts && (event.mean != NULL) == counts);
        assert_int_equal(event.equivalent_to, CM_NO_EVENT);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

static void bad_events_are_refused_and_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        size_t repetitions;
        double vectors[4];
        cm_status status;
    } rows[] = {
        {"event BAD has one repetition", 1, {1, 2}, CM_BAD_INPUT},
        {"at least one repetition", 0, {1, 2}, CM_BAD_ARGUMENT},
        {"repetition 2, kernel 1", 2, {1, 2, NAN, 2}, CM_BAD_INPUT},
        {"repetition 1, kernel 2", 2, {1, INFINITY, 1, 2}, CM_BAD_INPUT},
        {"repetition 2, kernel 2", 2, {1, 2, 1, -2}, CM_BAD_INPUT},
        {"1e+200", 2, {1e200, 2, 1, 2}, CM_BAD_INPUT},
        {"1e-200", 2, {1e-200, 2, 1, 2}, CM_BAD_INPUT},
    };
    cm_matrix *basis = identity(2);
    cm_analysis *analysis = analysis_of(basis, NULL);
    cm_error error;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_status status = cm_analysis_add_event(analysis, "BAD", rows[i].vectors, rows[i].repetitions, &error);
        if (status != rows[i].status || strstr(error.text, rows[i].said) == NULL)
            fail_msg("row %zu: %d, %s", i, status, error.text);
        assert_int_equal(cm_analysis_event_count(analysis), 0);
    }
    add_exact(analysis, basis, "good", (double[]){1, 2});
    assert_int_equal(cm_analysis_event_count(analysis), 1);
    assert_int_equal(cm_analysis_add_event(analysis, NULL, (double[]){1, 2, 1, 2}, 2, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_analysis_add_event(analysis, "BAD", NULL, 2, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_analysis_add_event(NULL, "BAD", (double[]){1, 2, 1, 2}, 2, NULL), CM_BAD_ARGUMENT);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

/* What takes long looks at it: the first selection, then each one that finds out how stable it is. */
static void a_stop_ends_it(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    cm_analysis *analysis = analysis_of(basis, NULL);
    const double signature[] = {1, 0};
    const double *const signatures[] = {signature};
    volatile int stop = 1;
    cm_definition_stability stability;
    cm_alpha_choice *choice = NULL;
    add_exact(analysis, basis, "event", signature);
    cm_analysis_set_stop(analysis, &stop);
    assert_int_equal(cm_alpha_choice_create(analysis, &choice, NULL), CM_INTERRUPTED);
    assert_null(choice);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_INTERRUPTED);
    stop = 0;
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    stop = 1;
    assert_int_equal(cm_analysis_stability(analysis, (const double **)signatures, 1, &stability, NULL), CM_INTERRUPTED);
    cm_analysis_set_stop(analysis, NULL);
    assert_int_equal(cm_analysis_stability(analysis, (const double **)signatures, 1, &stability, NULL), CM_OK);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

static void steps_out_of_order_are_refused(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    cm_analysis *analysis = analysis_of(basis, NULL);
    cm_fit *fit = NULL;
    add_exact(analysis, basis, "event", (double[]){1, 0});
    assert_int_equal(cm_fit_create(analysis, (double[]){1, 0}, &fit, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_analysis_add_event(analysis, "late", (double[]){1, 0, 1, 0}, 2, NULL), CM_BAD_ARGUMENT);
    static const double bad[][2] = {{0, 0}, {NAN, 1}, {1, INFINITY}, {1e200, 0}, {1e-200, 0}};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(cm_fit_create(analysis, bad[i], &fit, NULL), CM_BAD_ARGUMENT);
    assert_int_equal(cm_fit_create(analysis, NULL, &fit, NULL), CM_BAD_ARGUMENT);
    assert_null(fit);
    assert_int_equal(cm_analysis_select(NULL, NULL), CM_BAD_ARGUMENT);
    cm_fit_free(NULL);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

static void without_selected_events_nothing_is_composable(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    for (int events = 0; events < 2; events++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        if (events) {
            add_exact(analysis, basis, "zero", (double[]){0, 0});
            add_exact(analysis, basis, "too small", (double[]){1e-4, 0});
        }
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_selected_count(analysis), 0);
        cm_fit *fit = NULL;
        assert_int_equal(cm_fit_create(analysis, (double[]){3, 4}, &fit, NULL), CM_OK);
        assert_int_equal(fit->term_count, 0);
        assert_true(fit->fitness.backward_error == 1.0 && fit->fitness.misfit == 1.0);
        assert_true(fit->fitness.amplification == 0.0 && !fit->composable);
        assert_true(fit->rounded_fitness.misfit == 1.0);
        cm_fit_free(fit);
        if (events) {
            assert_int_equal(cm_analysis_event(analysis, 1).status, CM_EVENT_DEPENDENT);
            assert_int_equal(cm_analysis_event(analysis, 1).equivalent_to, CM_NO_EVENT);
        }
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* DESIGN's step 7: the backward error is divided by ||X^|| ||y||, so it alone must never decide. */
static void the_backward_error_alone_does_not_decide(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double alpha;
        double events[3][3]; /* up to three; a zero one is none */
        double signature[3];
        double largest_backward_error, misfit, amplification; /* of the rounded definition */
        bool composable;
    } rows[] = {
        {"one of two ideal events", 5e-4, {{1, 0, 0}, {0, 1, 0}}, {1, 0, 0}, 1e-15, 0, 1, true},
        /* 71 % of the signature is missed; a large event that is no part of it hides that */
        {"hidden by large columns", 5e-4, {{1, 1, 0}, {0, 0, 50}}, {1, 0, 0}, 2.8e-2, 0.70711, 0.70711, false},
        {"the same without them", 5e-4, {{1, 1, 0}}, {1, 0, 0}, 0.42, 0.70711, 0.70711, false},
        {"hidden by far", 5e-4, {{1, 1, 0}, {0, 0, 5e6}}, {1, 0, 0}, 3e-7, 0.70711, 0.70711, false},
        /* -1001 x (1,1) + 1000 x (1.002,1.001): exact, and noise of a thousandth makes nonsense of it */
        {"cancelling", 1e-4, {{1, 1, 0}, {1.002, 1.001, 0}}, {1, 0, 0}, 1e-12, 0, 2832, false},
        {"cancelling little", 5e-4, {{1, 1, 0}, {1, 1.5, 0}}, {1, 0, 0}, 1e-15, 0, 7.848, true},
        {"cancelling more", 5e-4, {{1, 1, 0}, {1, 1.25, 0}}, {1, 0, 0}, 1e-15, 0, 13.474, false},
        /* the solved coefficient 3e-4 is rounded away, and 30 % of the signature with it */
        {"lost in rounding", 5e-4, {{1000, 0, 0}, {0, 1, 0}}, {0.3, 1, 0}, 0.15, 0.28735, 0.95783, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_matrix *basis = identity(3);
        cm_thresholds thresholds = {1e-10, rows[i].alpha, 1e-2, 0, 10};
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        size_t count = 0;
        for (; count < 3 &&
               (rows[i].events[count][0] != 0 || rows[i].events[count][1] != 0 || rows[i].events[count][2] != 0);
             count++)
            add_exact(analysis, basis, "event", rows[i].events[count]);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_selected_count(analysis), count);
        cm_fit *fit = NULL;
        assert_int_equal(cm_fit_create(analysis, rows[i].signature, &fit, NULL), CM_OK);
        if (!(fit->rounded_fitness.backward_error <= rows[i].largest_backward_error))
            fail_msg("%s: backward error %g", rows[i].name, fit->rounded_fitness.backward_error);
        expect_close(fit->rounded_fitness.misfit, rows[i].misfit, 1e-5, rows[i].name);
        expect_close(fit->rounded_fitness.amplification, rows[i].amplification, 1e-3 * (1 + rows[i].amplification),
                     rows[i].name);
        if (fit->composable != rows[i].composable)
            fail_msg("%s: composable is %d", rows[i].name, fit->composable);
        cm_fit_free(fit);
        cm_analysis_free(analysis);
        cm_matrix_free(basis);
    }
}

static void values_stay_where_they_are(void **state)
{
    (void)state;
    enum { EVENTS = 5000 };
    cm_matrix *basis = identity(3);
    cm_analysis *analysis = analysis_of(basis, NULL);
    add_exact(analysis, basis, "first", (double[]){1, 2, 3});
    cm_event_analysis first = cm_analysis_event(analysis, 0);
    char name[32];
    for (size_t i = 1; i < EVENTS; i++) {
        snprintf(name, sizeof name, "event %zu", i);
        add_exact(analysis, basis, name, (double[]){(double)i, 0, 1});
    }
    char *long_name = malloc(1 << 20);
    assert_non_null(long_name);
    memset(long_name, 'x', (1 << 20) - 1);
    long_name[(1 << 20) - 1] = '\0';
    add_exact(analysis, basis, long_name, (double[]){0, 1, 0});
    assert_int_equal(cm_analysis_event_count(analysis), EVENTS + 1);
    assert_string_equal(cm_analysis_event(analysis, EVENTS).event, long_name);
    free(long_name);
    assert_string_equal(cm_analysis_event(analysis, EVENTS - 1).event, "event 4999");
    cm_event_analysis again = cm_analysis_event(analysis, 0);
    assert_ptr_equal(again.event, first.event);
    assert_ptr_equal(again.representation, first.representation);
    assert_string_equal(first.event, "first");
    for (size_t j = 0; j < 3; j++)
        assert_true(first.representation[j] == (double)j + 1 && first.mean[j] == (double)j + 1);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

static void statuses_have_their_words(void **state)
{
    (void)state;
    static const char *const words[] = {"zero",     "noisy",   "unrepresentable", "dependent",
                                        "selected", "avoided", "unknown"};
    for (size_t i = 0; i < COUNT(words); i++)
        assert_string_equal(cm_event_status_text((cm_event_status)i), words[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_out_of_range_are_refused),
        cmocka_unit_test(defaults_are_those_of_cpu_flops),
        cmocka_unit_test(bad_bases_are_refused),
        cmocka_unit_test(events_get_their_status),
        cmocka_unit_test(bad_events_are_refused_and_not_there),
        cmocka_unit_test(a_stop_ends_it),
        cmocka_unit_test(steps_out_of_order_are_refused),
        cmocka_unit_test(without_selected_events_nothing_is_composable),
        cmocka_unit_test(the_backward_error_alone_does_not_decide),
        cmocka_unit_test(values_stay_where_they_are),
        cmocka_unit_test(statuses_have_their_words),
    };
    return cmocka_run_group_tests_name("analysis", tests, NULL, NULL);
}
