/* Definitions over made-up events: which are found, for what they are refused, and what becomes of failed allocations.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "failing_memory.h"
#include "law/law.h"
#include "solving_scene.h"

/* What an event counts on each of the first so many controls. */
static void count_on_controls(scene *it, size_t event, double count, size_t controls)
{
    it->problem.rows = SYMBOLS + controls;
    for (size_t r = SYMBOLS; r < it->problem.rows; r++) {
        it->iterations[r] = 1e5;
        it->mean[event][r] = count;
    }
}

static const double all[SYMBOLS] = {1, 1, 1, 1};
static const double symbols_and_pairs[][SYMBOLS] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                                    {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};

static void check_terms(const cm_solution *solution, const double *expected)
{
    size_t terms = 0;
    for (size_t i = 0; i < MOST_EVENTS; i++)
        terms += expected[i] != 0.0;
    assert_int_equal(solution->count, terms);
    for (size_t k = 0; k < solution->count; k++)
        assert_float_equal(solution->terms[k].coefficient, expected[solution->terms[k].event], 1e-9);
}

static void fewer_events_win_where_they_sum_to_the_metric(void **state)
{
    (void)state;
    scene it;
    cm_solution solution;
    lay_out(&it, symbols_and_pairs, 6, all);
    for (size_t most = 0; most <= 3; most++) {
        assert_int_equal(cm_solve_metric(&it.problem, &it.target, NULL, most, &solution, NULL), CM_OK);
        assert_int_equal(cm_solution_holds(&solution), most != 1);
        if (most != 1)
            check_terms(&solution, (double[]){0, 0, 0, 0, 1, 1});
        cm_solution_clear(&solution);
    }
    lay_out(&it, symbols_and_pairs, 4, all);
    assert_int_equal(cm_solve_metric(&it.problem, &it.target, NULL, 0, &solution, NULL), CM_OK);
    check_terms(&solution, (double[]){1, 1, 1, 1, 0, 0});
    cm_solution_clear(&solution);
}

static void verdicts(void **state)
{
    (void)state;
    static const double first[SYMBOLS] = {1, 0, 0, 0};
    static const struct {
        double x[SYMBOLS];
        cm_refusal refusal;
    } rows[] = {
        {{1, 0, 0, 0}, CM_REFUSED_NOT},
        {{1, 0.009, 0, -0.009}, CM_REFUSED_NOT}, /* within a symbol's limit, to both sides */
        {{1, 0, 0.02, 0}, CM_REFUSED_SYMBOL},
        {{0.98, 0, 0, 0}, CM_REFUSED_SYMBOL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scene it;
        lay_out(&it, &rows[i].x, 1, first);
        cm_verdict found = cm_judge_terms(&it.problem, &it.target, &(cm_term){0, 1}, 1);
        if (found.refusal != rows[i].refusal)
            fail_msg("row %zu: %d, expected %d", i, (int)found.refusal, (int)rows[i].refusal);
    }
}

/* Whoever has the last word: what it says of an event, by its place. */
typedef struct word {
    cm_refusal refusals[MOST_EVENTS];
    double shares[MOST_EVENTS];
    size_t asked;
} word;

static cm_status say(void *context, const cm_target *target, const cm_term *terms, size_t count, cm_verdict *verdict,
                     cm_error *error)
{
    word *own = context;
    (void)target;
    (void)error;
    own->asked++;
    verdict->refusal = count == 1 ? own->refusals[terms[0].event] : CM_REFUSED_LAW;
    verdict->share = own->shares[terms[0].event];
    verdict->ratio = verdict->refusal == CM_REFUSED_NOT ? 0 : 2;
    return CM_OK;
}

/* Of events that are near the metric the first that holds everywhere is taken; else the one that holds in most
 * programs; else one that is refused. Nobody asks about those that are far. */
static void the_last_word_decides(void **state)
{
    (void)state;
    static const double near[][SYMBOLS] = {{1, 0, 0, 0}, {1, 0.009, 0, 0}, {1, 0, 0.009, 0}, {0, 0, 0, 1}};
    static const struct {
        word said;
        bool usable, holds;
        size_t taken;
    } rows[] = {
        {{{CM_REFUSED_NOT}, {1, 1, 1}, 0}, true, true, 0},
        {{{CM_REFUSED_LAW}, {1, 1, 1}, 0}, true, true, 1},
        {{{CM_REFUSED_NOT}, {0.5, 0.7, 0.6}, 0}, true, false, 1},
        {{{CM_REFUSED_NOT, CM_REFUSED_LAW, CM_REFUSED_NOT}, {0.5, 1, 0.6}, 0}, true, false, 2},
        {{{CM_REFUSED_LAW, CM_REFUSED_LAW, CM_REFUSED_LAW}, {1, 1, 1}, 0}, false, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scene it;
        word said = rows[i].said;
        cm_solution solution;
        lay_out(&it, near, 4, near[0]);
        it.problem.judge = say;
        it.problem.judge_context = &said;
        assert_int_equal(cm_solve_metric(&it.problem, &it.target, NULL, 1, &solution, NULL), CM_OK);
        assert_true(said.asked > 0);
        if (cm_solution_is_usable(&solution) != rows[i].usable || cm_solution_holds(&solution) != rows[i].holds ||
            solution.count != 1 || solution.terms[0].event != rows[i].taken)
            fail_msg("row %zu: %zu terms, event %zu", i, solution.count,
                     solution.count > 0 ? solution.terms[0].event : 9);
        cm_solution_clear(&solution);
    }
}

/* The first set that is offered. */
static cm_status take_first(void *context, const size_t *events, size_t count, bool *stop, cm_error *error)
{
    size_t *sum = context;
    (void)error;
    for (size_t i = 0; i < count; i++)
        *sum = 10 * *sum + events[i];
    *stop = true;
    return CM_OK;
}

static cm_status find_few(scene *it, cm_error *error)
{
    static const bool usable[MOST_EVENTS] = {true, true, true, true, true, true};
    size_t found = 0;
    cm_pool pool = {0};
    cm_status status = cm_pool_make(&it->problem, &it->target, usable, &pool, error);
    if (status == CM_OK)
        status = cm_find_few(&pool, 3, take_first, &found, error);
    if (status == CM_OK)
        assert_int_equal(found, 45); /* events 4 and 5 */
    cm_pool_clear(&pool);
    return status;
}

static cm_status solve(scene *it, cm_error *error)
{
    cm_solution solution;
    cm_status status = cm_solve_metric(&it->problem, &it->target, NULL, 2, &solution, error);
    assert_int_equal(cm_solution_holds(&solution), status == CM_OK);
    cm_solution_clear(&solution);
    return status;
}

/* One that counts on a control as well takes another one that counts there alone. */
static cm_status solve_with_one_that_cancels(scene *it, cm_error *error)
{
    scene narrow = *it;
    cm_solution solution;
    narrow.problem.event_count = 2;
    narrow.problem.selected_count = 1;
    narrow.events[1] = (cm_usable_event){1, 0, 0, 0, narrow.x[4], narrow.mean[1], narrow.error, NULL, NULL};
    memset(narrow.x[4], 0, sizeof narrow.x[4]);
    memset(narrow.mean[1], 0, sizeof narrow.mean[1]);
    narrow.events[0].mean = narrow.mean[0];
    count_on_controls(&narrow, 0, 40, CONTROLS);
    count_on_controls(&narrow, 1, 40, CONTROLS);
    narrow.target.signature = symbols_and_pairs[0];
    narrow.target.low = narrow.target.high = narrow.low;
    memset(narrow.low, 0, sizeof narrow.low);
    narrow.low[0] = 100;
    narrow.problem.events = narrow.events;
    narrow.problem.iterations = narrow.iterations;
    narrow.target.limits = narrow.limits;
    narrow.target.symbol_limits = narrow.symbol_limits;
    cm_target_limit(&narrow.problem, &narrow.target);
    cm_status status = cm_solve_metric(&narrow.problem, &narrow.target, NULL, 0, &solution, error);
    assert_int_equal(cm_solution_holds(&solution), status == CM_OK);
    cm_solution_clear(&solution);
    return status;
}

/* Of an event that is the metric, but counts something on controls, one that counts nothing else takes that away: by a
 * simple number, once, and where at least three controls need it. */
static void what_counts_on_controls_alone_cancels(void **state)
{
    (void)state;
    static const double rows[][SYMBOLS] = {{1, 0, 0, 0}, {0}, {0}};
    static const struct {
        double own, other, third; /* counts on each control */
        size_t cancelling, controls;
        bool holds;
        double coefficient;
    } cases[] = {
        {0, 40, 0, 1, 3, true, 0},      {40, 40, 0, 1, 3, true, -1}, {40, 80, 0, 1, 3, true, -0.5},
        {40, 31.7, 0, 1, 3, false, 0},  {40, 0, 0, 0, 3, false, 0},  {-40, 40, 0, 1, 3, true, 1},
        {40, 80, 80, 2, 3, true, -0.5}, {40, 40, 0, 1, 2, false, 0}, {40, 40, 0, 1, 1, false, 0},
        {40, 150, 0, 1, 3, false, 0}, /* 4/15: on controls that count alike any event has its fraction */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene it;
        cm_solution solution;
        lay_out(&it, rows, 3, rows[0]);
        it.problem.selected_count = 1;
        it.problem.event_count = 1 + cases[i].cancelling;
        count_on_controls(&it, 0, cases[i].own, cases[i].controls);
        count_on_controls(&it, 1, cases[i].other, cases[i].controls);
        count_on_controls(&it, 2, cases[i].third, cases[i].controls);
        cm_target_limit(&it.problem, &it.target);
        assert_int_equal(cm_solve_metric(&it.problem, &it.target, NULL, 0, &solution, NULL), CM_OK);
        if (cm_solution_holds(&solution) != cases[i].holds)
            fail_msg("case %zu: refused by %d", i, (int)solution.verdict.refusal);
        if (cases[i].holds)
            check_terms(&solution, (double[]){1, cases[i].coefficient, 0, 0, 0, 0});
        cm_solution_clear(&solution);
    }
}

/* Events that are alike in symbols differ on controls: of two both take part. */
static void controls_tell_events_apart(void **state)
{
    (void)state;
    static const double rows[][SYMBOLS] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}};
    scene it;
    cm_solution solution;
    lay_out(&it, rows, 3, rows[0]);
    it.problem.selected_count = 1;
    count_on_controls(&it, 0, 40, CONTROLS);
    count_on_controls(&it, 1, 80, CONTROLS);
    count_on_controls(&it, 2, 0, CONTROLS);
    cm_target_limit(&it.problem, &it.target);
    assert_int_equal(cm_solve_metric(&it.problem, &it.target, NULL, 0, &solution, NULL), CM_OK);
    assert_true(cm_solution_holds(&solution));
    check_terms(&solution, (double[]){2, -1, 0, 0, 0, 0});
    cm_solution_clear(&solution);
}

/* What kernels do not explain of one event is what they do not explain of the other. */
static void what_kernels_do_not_explain_adds_up(void **state)
{
    (void)state;
    static const double rows[][SYMBOLS] = {{0.5, 0.5, 0, 0}, {0.5, 0.5, 0, 0}}, signature[SYMBOLS] = {1, 1, 0, 0};
    scene it;
    cm_solution solution;
    lay_out(&it, rows, 2, signature);
    it.problem.selected_count = 0;
    for (size_t i = 0; i < 2; i++) {
        it.mean[i][0] += i == 0 ? 50 : -50;
        it.mean[i][1] -= i == 0 ? 50 : -50;
    }
    assert_int_equal(cm_solve_metric(&it.problem, &it.target, NULL, 0, &solution, NULL), CM_OK);
    assert_true(cm_solution_holds(&solution));
    check_terms(&solution, (double[]){1, 1, 0, 0, 0, 0});
    cm_solution_clear(&solution);
}

/* Each of two events counts a kernel's hundred in one run and none in the next; the third counts what the first does,
 * and nobody kept its runs. The last control comes from nowhere. */
static cm_status sum_noise(scene *it, cm_error *error)
{
    enum { RUNS = 4 };
    static double errors[3][ROWS], runs[2][ROWS * RUNS];
    cm_noise_row rows[ROWS];
    cm_sum_noise *noise = NULL;
    count_on_controls(it, 0, 50, CONTROLS);
    for (size_t r = 0; r < ROWS; r++) {
        rows[r] = (cm_noise_row){r < SYMBOLS ? 1 : r + 1 < ROWS ? 2 : CM_NO_TABLE, r};
        for (size_t i = 0; i < RUNS; i++) {
            runs[0][r * RUNS + i] = i % 2 == 0 ? 100 : 0;
            runs[1][r * RUNS + i] = i % 2 == 0 ? 0 : 100;
        }
        errors[0][r] = errors[1][r] = errors[2][r] = sqrt(1e4 / 3.0 / RUNS); /* as the runs have it */
    }
    for (size_t i = 0; i < 3; i++) {
        it->events[i].error = errors[i];
        it->events[i].runs = i < 2 ? runs[i] : NULL;
    }
    cm_status status = cm_sum_noise_create(&it->problem, rows, (double[ROWS]){0}, ROWS, RUNS, &noise, error);
    static const struct {
        cm_term terms[2];
        double kept, unknown; /* squared, in those of one event */
    } sums[] = {
        {{{0, 1}, {1, 1}}, 0, 2}, {{{0, 1}, {1, -1}}, 4, 2}, {{{0, 1}, {2, 1}}, 2, 2}, {{{0, 2}, {1, 1}}, 1, 5}};
    for (size_t i = 0; status == CM_OK && i < sizeof sums / sizeof sums[0]; i++)
        for (size_t r = 0; r < ROWS; r++) {
            double value, error_there, expected = rows[r].table == CM_NO_TABLE ? sums[i].unknown : sums[i].kept;
            cm_value_on(&it->problem, sums[i].terms, 2, r, &value, &error_there);
            assert_float_equal(error_there, sqrt(expected) * errors[0][r], 1e-9);
        }
    cm_sum_noise_free(noise);
    it->problem.errors_of = NULL;
    return status;
}

static void counts_that_are_noisy_alone_may_be_exact_together(void **state)
{
    (void)state;
    scene it;
    lay_out(&it, symbols_and_pairs, 6, all);
    assert_int_equal(sum_noise(&it, NULL), CM_OK);
}

static void failed_allocations_lose_nothing(void **state)
{
    (void)state;
    static cm_status (*const roads[])(scene * it, cm_error * error) = {find_few, solve, solve_with_one_that_cancels,
                                                                       sum_noise};
    scene it;
    lay_out(&it, symbols_and_pairs, 6, all);
    for (size_t i = 0; i < sizeof roads / sizeof roads[0]; i++) {
        cm_status status = CM_NO_MEMORY;
        for (long after = 0; status == CM_NO_MEMORY; after++) {
            atomic_store(&allocations_left, after);
            status = roads[i](&it, NULL);
            atomic_store(&allocations_left, -1);
            assert_true(status == CM_NO_MEMORY || (status == CM_OK && after > 5));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_events_win_where_they_sum_to_the_metric),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(the_last_word_decides),
        cmocka_unit_test(what_counts_on_controls_alone_cancels),
        cmocka_unit_test(controls_tell_events_apart),
        cmocka_unit_test(what_kernels_do_not_explain_adds_up),
        cmocka_unit_test(counts_that_are_noisy_alone_may_be_exact_together),
        cmocka_unit_test(failed_allocations_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
