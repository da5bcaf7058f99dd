/* Coefficients over given events: simple numbers, and others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "analysis/numerics.h"
#include "failing_memory.h"
#include "solving_scene.h"

static const double first[SYMBOLS] = {1, 0, 0, 0};
/* The first event drops a tenth of the first symbol, and counts the second one, too; that is 1.3667 of the second
 * event. */
static const double pair[][SYMBOLS] = {{0.9, 1, 0, 0}, {0, 0.7317, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

/* Where the first symbol is so noisy that 1 / 0.9 may be 1. */
static cm_status refit(scene *it, cm_solution *solution, cm_error *error)
{
    static const size_t both[] = {0, 1};
    static double none[ROWS];
    lay_out(it, pair, 4, first);
    it->problem.tolerance = 0.105;
    it->error[0] = 3.0;
    it->events[1].error = none;
    cm_target_limit(&it->problem, &it->target);
    return cm_refit_events(&it->problem, &it->target, both, 2, solution, error);
}

static void what_rounding_moves_the_other_terms_move_with(void **state)
{
    (void)state;
    scene it;
    cm_solution solution;
    assert_int_equal(refit(&it, &solution, NULL), CM_OK);
    assert_int_equal(solution.count, 2);
    assert_float_equal(solution.solved[0], 1.0 / 0.9, 1e-9);
    assert_float_equal(solution.terms[0].coefficient, 1.0, 1e-9);
    assert_float_equal(solution.terms[1].coefficient, -1.0 / 0.7317, 0.01);
    assert_true(cm_solution_holds(&solution));
    cm_solution_clear(&solution);
}

/* Where the first symbol is so noisy that several simple numbers lie around 10/9, but the second one is exact, and so
 * is the second event. */
static void what_simple_numbers_leave_is_surer(void **state)
{
    static const double ninths[][SYMBOLS] = {{0.9, 0.9, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    static const size_t both[] = {0, 1};
    static double none[ROWS];
    (void)state;
    scene it;
    cm_solution solution;
    lay_out(&it, ninths, 4, first);
    it.mean[0][0] = 90.03;
    it.error[0] = 0.1;
    it.events[1].error = none;
    assert_int_equal(cm_refit_events(&it.problem, &it.target, both, 2, &solution, NULL), CM_OK);
    assert_int_equal(solution.count, 2);
    assert_true(solution.solved[0] != 10.0 / 9.0);
    assert_float_equal(cm_simplest(solution.solved[0], solution.widths[0]), solution.solved[0], 1e-12);
    assert_float_equal(solution.terms[0].coefficient, 10.0 / 9.0, 1e-12);
    assert_float_equal(solution.terms[1].coefficient, -1.0, 1e-12);
    cm_solution_clear(&solution);
}

/* Both events count 0.03 of the second symbol, of which the second one counts 7 % more where a neighbour moves hits. */
static void what_a_neighbour_moves_is_no_coefficient(void **state)
{
    static const double moved[][SYMBOLS] = {{1, 0.03, 0, 0}, {0, 0.0321, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    static const size_t both[] = {0, 1};
    static double hits[ROWS] = {0, 100};
    (void)state;
    for (int loud = 0; loud < 2; loud++) {
        scene it;
        cm_solution solution;
        lay_out(&it, moved, 4, first);
        it.problem.hits = hits;
        it.problem.interference = 0.004 * loud;
        assert_int_equal(cm_refit_events(&it.problem, &it.target, both, 2, &solution, NULL), CM_OK);
        assert_int_equal(solution.count, 2);
        assert_float_equal(solution.solved[1], -0.03 / 0.0321, 1e-9);
        assert_float_equal(solution.terms[1].coefficient, loud ? -1.0 : -0.03 / 0.0321, 1e-9);
        cm_solution_clear(&solution);
    }
}

/* The second event and the third count the same on kernels, and differ by what the first one has too much of in a
 * program. */
static void programs_give_no_coefficients(void **state)
{
    static const double alike[][SYMBOLS] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    static const size_t three[] = {0, 1, 2};
    (void)state;
    for (size_t programs = 0; programs < 2; programs++) {
        scene it;
        cm_solution solution;
        lay_out(&it, alike, 4, first);
        it.problem.rows = SYMBOLS + 1;
        it.problem.programs = programs;
        it.iterations[SYMBOLS] = 1e5;
        it.low[SYMBOLS] = 100;
        it.mean[0][SYMBOLS] = 110;
        it.mean[1][SYMBOLS] = 10;
        cm_target_limit(&it.problem, &it.target);
        assert_int_equal(cm_refit_events(&it.problem, &it.target, three, 3, &solution, NULL), CM_OK);
        assert_int_equal(solution.count, programs == 0 ? 3 : 1);
        assert_float_equal(solution.terms[0].coefficient, 1.0, 1e-9);
        assert_int_equal(cm_solution_holds(&solution), programs == 0);
        cm_solution_clear(&solution);
    }
}

static void failed_allocations_lose_nothing(void **state)
{
    (void)state;
    scene it;
    cm_solution solution;
    cm_status status = CM_NO_MEMORY;
    for (long after = 0; status == CM_NO_MEMORY; after++) {
        atomic_store(&allocations_left, after);
        status = refit(&it, &solution, NULL);
        atomic_store(&allocations_left, -1);
        assert_true(status == CM_NO_MEMORY || (status == CM_OK && after > 5));
    }
    cm_solution_clear(&solution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rounding_moves_the_other_terms_move_with),
        cmocka_unit_test(what_simple_numbers_leave_is_surer),
        cmocka_unit_test(what_a_neighbour_moves_is_no_coefficient),
        cmocka_unit_test(programs_give_no_coefficients),
        cmocka_unit_test(failed_allocations_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
