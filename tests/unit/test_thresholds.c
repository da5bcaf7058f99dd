/* Thresholds from the data. */
#include "analysis_tools.h"

/* Two repetitions of four equal counts whose max_rnmse is `noise`: what one kernel gains another loses. */
static void add_noisy(cm_analysis *analysis, const char *event, double count, double noise)
{
    double shift = noise * count * sqrt(2.0);
    double vectors[2 * 4] = {count, count, count, count, count + shift, count, count, count};
    if (shift <= count)
        vectors[5] -= shift;
    else
        vectors[1] += shift; /* in the other repetition, which comes to the same */
    assert_int_equal(cm_analysis_add_event(analysis, event, vectors, 2, NULL), CM_OK);
}

static void tau_is_the_middle_of_the_widest_gap(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count;
        double noises[6];
        bool refused;
        size_t quiet;
        double tau;
    } rows[] = {
        {"exact and noisy", 4, {0, 0, 1e-4, 0.1}, false, 2, 1e-10},
        {"none exact", 5, {1e-6, 1e-5, 1e-4, 1e-3, 0.5}, false, 4, 0.02236},
        {"all exact: the loudest is the other side", 3, {0, 0, 0}, false, 3, 1e-8},
        {"one quiet event is no cluster", 4, {0, 1e-3, 1e-3, 0.3}, false, 3, 0.01732},
        {"as in dcache", 4, {0.02, 0.05, 0.5, 0.9}, false, 2, 0.1581},
        {"no gap", 6, {0.1, 0.2, 0.3, 0.4, 0.6, 0.8}, true, 0, 1e-10},
        {"one event", 1, {0}, true, 0, 1e-10},
        {"no event", 0, {0}, true, 0, 1e-10},
    };
    cm_matrix *basis = identity(4);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        for (size_t k = 0; k < rows[i].count; k++)
            add_noisy(analysis, "event", 1, rows[i].noises[k]);
        add_noisy(analysis, "zero", 0, 0);
        cm_tau_choice *choice = NULL;
        assert_int_equal(cm_analysis_choose_tau(analysis, &choice, NULL), CM_OK);
        if (choice->refused != rows[i].refused || choice->quiet != rows[i].quiet || choice->count != rows[i].count)
            fail_msg("%s: %s, %zu quiet of %zu", rows[i].name, choice->reason, choice->quiet, choice->count);
        expect_close(choice->value, rows[i].tau, 2e-3 * rows[i].tau, rows[i].name);
        assert_true(cm_analysis_thresholds(analysis).tau == choice->value);
        assert_true(choice->reason[0] != '\0' && isnan(choice->gap[0]) == rows[i].refused);
        cm_tau_choice_free(choice);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

static void alpha_is_the_middle_of_the_widest_plateau(void **state)
{
    (void)state;
    /* The third event becomes the first one's copy where alpha is about 1e-3: its own part is beta = alpha sqrt(3). */
    static const struct {
        const char *name;
        size_t events;
        double columns[3][3];
        bool refused;
        double alpha, low, high;
    } rows[] = {
        {"always the same", 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, false, 3.162e-5, 1e-8, 0.1},
        {"a shadow of another", 2, {{1, 0, 0}, {1, 1e-3, 0}}, false, 2.4e-6, 1e-8, 5.77e-4},
        {"the plateau above", 2, {{1, 0, 0}, {1, 1e-6, 0}}, false, 2.4e-4, 5.77e-7, 0.1},
        {"nothing is left", 0, {{0}}, true, 5e-4, 0, 0},
    };
    cm_matrix *basis = identity(3);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        for (size_t k = 0; k < rows[i].events; k++)
            add_exact(analysis, basis, "event", rows[i].columns[k]);
        cm_alpha_choice *choice = NULL;
        assert_int_equal(cm_analysis_choose_alpha(analysis, &choice, NULL), CM_OK);
        if (choice->refused != rows[i].refused)
            fail_msg("%s: %s", rows[i].name, choice->reason);
        expect_close(choice->value, rows[i].alpha, 0.1 * rows[i].alpha, rows[i].name);
        if (!rows[i].refused) {
            const cm_alpha_plateau *plateau = &choice->plateaus[choice->widest];
            expect_close(plateau->low, rows[i].low, 0.25 * rows[i].low, rows[i].name);
            expect_close(plateau->high, rows[i].high, 0.05 * rows[i].high, rows[i].name);
        }
        cm_alpha_choice_free(choice);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        choice = NULL;
        assert_int_equal(cm_analysis_choose_alpha(analysis, &choice, NULL), CM_BAD_ARGUMENT);
        assert_null(choice);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* True events with noise of 1e-6 to 1e-3, combinations of them, and events that have nothing to do with the kernels. */
static void true_events_are_found_in_noise(void **state)
{
    (void)state;
    enum { SYMBOLS = 4, REPETITIONS = 5, ROUNDS = 50 };
    cm_matrix *basis = matrix_of(5, SYMBOLS, (double[]){2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1, 1, 1, 0, 2, 1, 1, 1, 1});
    uint64_t seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        for (size_t event = 0; event < 16; event++) {
            double x[SYMBOLS] = {0};
            if (event < SYMBOLS)
                x[event] = 1;
            else
                for (size_t s = 0; s < SYMBOLS; s++)
                    x[s] = (double)random_below(&seed, 3);
            x[0] += event >= SYMBOLS;
            double level = event < 12 ? pow(10, -4.5 + 1.2 * random_signed(&seed)) : 0.5;
            double vectors[REPETITIONS * 5] = {0};
            for (size_t r = 0; r < REPETITIONS; r++)
                for (size_t k = 0; k < 5; k++) {
                    for (size_t s = 0; s < SYMBOLS; s++)
                        vectors[r * 5 + k] += *cm_matrix_at(basis, k, s) * x[s];
                    vectors[r * 5 + k] *= 1 + level * random_signed(&seed);
                }
            assert_int_equal(cm_analysis_add_event(analysis, "event", vectors, REPETITIONS, NULL), CM_OK);
        }
        cm_tau_choice *tau = NULL;
        cm_alpha_choice *alpha = NULL;
        assert_int_equal(cm_analysis_choose_tau(analysis, &tau, NULL), CM_OK);
        assert_int_equal(cm_analysis_choose_alpha(analysis, &alpha, NULL), CM_OK);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        if (tau->refused || alpha->refused || tau->quiet != 12 || cm_analysis_selected_count(analysis) != SYMBOLS)
            fail_msg("round %d: %s; %s; %zu selected", round, tau->reason, alpha->reason,
                     cm_analysis_selected_count(analysis));
        for (size_t s = 0; s < SYMBOLS; s++) {
            double signature[SYMBOLS] = {0};
            signature[s] = 1;
            cm_fit *fit = NULL;
            assert_int_equal(cm_analysis_fit(analysis, signature, &fit, NULL), CM_OK);
            assert_true(fit->composable);
            for (size_t k = 0; k < SYMBOLS; k++) {
                size_t event = cm_analysis_selected(analysis, k);
                if (fit->rounded[k] != (event == s ? 1.0 : 0.0) && event < SYMBOLS)
                    fail_msg("round %d: %g of event %zu for symbol %zu", round, fit->rounded[k], event, s);
            }
            cm_fit_free(fit);
        }
        cm_tau_choice_free(tau);
        cm_alpha_choice_free(alpha);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tau_is_the_middle_of_the_widest_gap),
        cmocka_unit_test(alpha_is_the_middle_of_the_widest_plateau),
        cmocka_unit_test(true_events_are_found_in_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
