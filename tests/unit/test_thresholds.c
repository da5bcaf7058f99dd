/* Thresholds from the data. */
#include "analysis_tools.h"

/* Two repetitions of four equal counts whose max_rnmse is `noise`: what one kernel gains another loses. */
static void add_constant(cm_analysis *analysis, const char *event, double count, double noise)
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
        double residual;
    } rows[] = {
        {"exact and noisy", 4, {0, 0, 1e-4, 0.1}, false, 2, 1e-10, 1e-2},
        {"none exact", 5, {1e-6, 1e-5, 1e-4, 1e-3, 0.5}, false, 4, 0.02236, 1e-2},
        {"all exact: the loudest is the other side", 3, {0, 0, 0}, false, 3, 1e-8, 1e-2},
        {"one quiet event is no cluster", 4, {0, 1e-3, 1e-3, 0.3}, false, 3, 0.01732, 1e-2},
        {"as in dcache", 4, {0.02, 0.05, 0.5, 0.9}, false, 2, 0.1581, 1e-1},
        {"no gap", 6, {0.1, 0.2, 0.3, 0.4, 0.6, 0.8}, true, 0, 1e-10, 0.9},
        {"noisier than what is tolerated", 4, {0.02, 0.05, 0.5, 0.9}, true, 0, 1e-10, 1e-2},
        {"one event", 1, {0}, true, 0, 1e-10, 1e-2},
        {"no event", 0, {0}, true, 0, 1e-10, 1e-2},
    };
    cm_matrix *basis = identity(4);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const cm_thresholds thresholds = {1e-10, 5e-4, rows[i].residual, 0, 10};
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t k = 0; k < rows[i].count; k++)
            add_constant(analysis, "event", 1, rows[i].noises[k]);
        add_constant(analysis, "zero", 0, 0);
        cm_tau_choice *choice = NULL;
        assert_int_equal(cm_tau_choice_create(analysis, &choice, NULL), CM_OK);
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

/* The gap is the widest above which nothing new is measured. Kernels: each symbol by itself, and all together. */
static void tau_keeps_what_true_events_measure(void **state)
{
    (void)state;
    typedef struct event {
        double x[3], noise;
        double besides; /* counted on the last kernel, and by no symbol */
    } event;
    static const struct {
        const char *name;
        event events[6];
        size_t needed, quiet;
    } rows[] = {
        {"exact sums, noisy parts",
         {{{1, 1, 1}, 0, 0}, {{2, 2, 2}, 0, 0}, {{1, 0, 0}, 5e-3, 0}, {{0, 1, 0}, 8e-3, 0}, {{0, 0, 1}, 0.5, 0}},
         4,
         4},
        {"a noisy copy measures nothing new",
         {{{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{0, 0, 1}, 0, 0}, {{0, 0, 3}, 5e-3, 0}, {{1, 1, 0}, 9e-3, 0}},
         3,
         3},
        {"an event that is not true may be left out",
         {{{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{0, 0, 1}, 1e-5, 5e-3}},
         2,
         2},
        {"the same with noise enough to hide it",
         {{{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{0, 0, 1}, 9e-3, 5e-3}},
         3,
         3},
        {"nearly a copy is a copy",
         {{{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{1, 0, 1e-3}, 5e-3, 0}, {{1, 1, 0}, 9e-3, 0}},
         2,
         2},
        {"too noisy to be true", {{{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{0, 0, 1}, 2e-2, 0}}, 2, 2},
        {"none is true", {{{1, 0, 0}, 1e-6, 1e-3}, {{0, 1, 0}, 1e-6, 1e-3}, {{0, 0, 1}, 0.5, 0}}, 0, 2},
    };
    cm_matrix *basis = matrix_of(4, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
    cm_matrix *wider = matrix_of(4, 4, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1});
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        for (size_t k = 0; k < 6 && rows[i].events[k].x[0] + rows[i].events[k].x[1] + rows[i].events[k].x[2] > 0; k++) {
            const event *added = &rows[i].events[k];
            add_noisy(analysis, wider, "event", (double[]){added->x[0], added->x[1], added->x[2], added->besides},
                      added->noise);
        }
        cm_tau_choice *choice = NULL;
        assert_int_equal(cm_tau_choice_create(analysis, &choice, NULL), CM_OK);
        if (choice->refused || choice->needed != rows[i].needed || choice->quiet != rows[i].quiet)
            fail_msg("%s: %s; %zu needed, %zu quiet", rows[i].name, choice->reason, choice->needed, choice->quiet);
        cm_tau_choice_free(choice);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
    cm_matrix_free(wider);
}

static void alpha_is_the_middle_of_the_widest_plateau(void **state)
{
    (void)state;
    /* The third event becomes the first one's copy where alpha is about 1e-3: its own part is beta = alpha sqrt(3). */
    static const struct {
        const char *name;
        size_t events;
        double columns[3][3];
        double noise; /* of the last event */
        bool refused;
        double alpha, low, high;
    } rows[] = {
        {"always the same", 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0, false, 3.162e-5, 1e-8, 0.1},
        {"a shadow of another", 2, {{1, 0, 0}, {1, 1e-3, 0}}, 0, false, 2.4e-6, 1e-8, 5.77e-4},
        {"the plateau above", 2, {{1, 0, 0}, {1, 1e-6, 0}}, 0, false, 2.4e-4, 5.77e-7, 0.1},
        {"a noisy shadow", 2, {{1, 0, 0}, {1, 1e-3, 0}}, 1e-2, false, 7.6e-3, 5.77e-4, 0.1},
        {"noise leaves a part of it", 2, {{1, 0, 0}, {0, 1, 0}}, 2e-2, false, 3.162e-2, 1e-8, 0.1},
        {"noise up to the top", 2, {{1, 0, 0}, {0, 1, 0}}, 0.15, true, 5e-4, 0, 0},
        {"noise in large numbers", 2, {{1, 0, 0}, {1000, 1, 0}}, 3e-3, true, 5e-4, 0, 0},
        {"the same large numbers, quiet", 2, {{1, 0, 0}, {1000, 1, 0}}, 1e-6, false, 2.236e-4, 1e-8, 0.1},
        {"nothing is left", 0, {{0}}, 0, true, 5e-4, 0, 0},
    };
    cm_matrix *basis = identity(3);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const cm_thresholds thresholds = {1, 5e-4, 0.1, 0, 10};
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t k = 0; k < rows[i].events; k++)
            add_noisy(analysis, basis, "event", rows[i].columns[k], k + 1 == rows[i].events ? rows[i].noise : 0);
        cm_alpha_choice *choice = NULL;
        assert_int_equal(cm_alpha_choice_create(analysis, &choice, NULL), CM_OK);
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
        assert_int_equal(cm_alpha_choice_create(analysis, &choice, NULL), CM_BAD_ARGUMENT);
        assert_null(choice);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* The noise of an event: of all sizes from 1e-6 to 1e-3, or in two clusters of which one alone is not enough. */
static double noise_level(int round, size_t event, uint64_t *seed)
{
    switch (round % 4) {
    case 0: return event == 0 || event == 2 ? 0.0 : 3e-4;
    case 1: return event % 4 == 0 ? 2e-6 : 5e-4;
    default: return pow(10, -4.5 + 1.2 * random_signed(seed));
    }
}

/* True events with noise of 1e-6 to 1e-3, combinations of them, and events that have nothing to do with the kernels. */
static void true_events_are_found_in_noise(void **state)
{
    (void)state;
    enum { SYMBOLS = 4, REPETITIONS = 5, ROUNDS = 100 };
    cm_matrix *basis = matrix_of(5, SYMBOLS, (double[]){2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1, 1, 1, 0, 2, 1, 1, 1, 1});
    uint64_t seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        double truths[16][SYMBOLS] = {0};
        for (size_t event = 0; event < 16; event++) {
            double *x = truths[event];
            if (event < SYMBOLS)
                x[event] = 1;
            else
                for (size_t s = 0; s < SYMBOLS; s++)
                    x[s] = (double)random_below(&seed, 3);
            x[0] += event >= SYMBOLS;
            double level = event < 12 ? noise_level(round, event, &seed) : 0.5;
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
        assert_int_equal(cm_tau_choice_create(analysis, &tau, NULL), CM_OK);
        assert_int_equal(cm_alpha_choice_create(analysis, &alpha, NULL), CM_OK);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        if (tau->refused || alpha->refused || tau->quiet > 12 || cm_analysis_selected_count(analysis) != SYMBOLS)
            fail_msg("round %d: %s; %s; %zu selected", round, tau->reason, alpha->reason,
                     cm_analysis_selected_count(analysis));
        for (size_t s = 0; s < SYMBOLS; s++) {
            double signature[SYMBOLS] = {0};
            signature[s] = 1;
            cm_fit *fit = NULL;
            assert_int_equal(cm_fit_create(analysis, signature, &fit, NULL), CM_OK);
            if (!fit->composable)
                fail_msg("round %d: %s; %s: misfit %g, amplification %g, worst %g", round, tau->reason, alpha->reason,
                         fit->rounded_fitness.misfit, fit->rounded_fitness.amplification, fit->check.worst);
            for (size_t i = 0; i < SYMBOLS; i++) {
                double measured = 0.0;
                for (size_t k = 0; k < SYMBOLS; k++)
                    measured += fit->rounded[k] * truths[cm_analysis_selected(analysis, k)][i];
                expect_close(measured, signature[i], 1e-9, alpha->reason);
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
        cmocka_unit_test(tau_keeps_what_true_events_measure),
        cmocka_unit_test(alpha_is_the_middle_of_the_widest_plateau),
        cmocka_unit_test(true_events_are_found_in_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
