#include "analysis_tools.h"

#include "analysis/state.h"

enum { MOST_COLUMNS = 60, MOST_SYMBOLS = 8 };

static void scores_are_the_papers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double alpha;
        double column[4];
        double expected;
    } rows[] = {
        {"the paper's example", 0.01, {1.002, 0.001, -0.5, 1.5}, 4.5},
        {"one dimension", 5e-4, {0, 1, 0, 0}, 1.0},
        {"rounding errors above and below", 5e-4, {1e-17, 1 - 1e-16, -1e-17, 0}, 1.0},
        {"its negative", 5e-4, {0, -1, 0, 0}, 1.0},
        {"two", 5e-4, {2, 0, 0, 0}, 2.0},
        {"a half", 5e-4, {0.5, 0, 0, 0}, 2.0},
        {"nothing left", 5e-4, {2.4e-4, -2.4e-4, 0, 0}, 0.0},
        {"the smallest that counts", 5e-4, {2.6e-4, 0, 0, 0}, 2000.0},
        {"middle goes up", 0.05, {0.125, 0, 0, 0}, 1 / 0.15},
        {"with rounding error below", 0.05, {0.125 - 1e-15, 0, 0, 0}, 1 / 0.15},
        {"a negative middle goes up too: -0.1", 0.05, {-0.125, 0, 0, 0}, 10.0},
        {"with rounding error below", 0.05, {-0.125 - 1e-15, 0, 0, 0}, 10.0},
        {"clearly below the middle", 0.05, {0.1249, 0, 0, 0}, 10.0},
        {"zero", 5e-4, {0, 0, 0, 0}, 0.0},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_close(cm_score(rows[i].column, 4, rows[i].alpha), rows[i].expected, 1e-12 * (1 + rows[i].expected),
                     rows[i].name);
}

static void pivots_in_order_of_score_norm_and_input(void **state)
{
    (void)state;
    enum { S = 3, N = 6 };
    static const struct {
        const char *name;
        double alpha;
        size_t count;
        double columns[N][S];
        size_t chosen_count;
        size_t chosen[S];
    } rows[] = {
        {"nothing", 5e-4, 0, {{0}}, 0, {0}},
        {"score", 5e-4, 3, {{1, 1, 1}, {1, 1, 0}, {1, 0, 0}}, 3, {2, 1, 0}},
        {"input among ties", 5e-4, 4, {{0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, 3, {0, 1, 3}},
        {"rounding errors are no difference", 5e-4, 3, {{1 + 3e-16, 1e-17, 0}, {1 - 2e-16, 0, 0}, {1, 0, 0}}, 1, {0}},
        {"norm among ties", 5e-4, 3, {{2, 0, 0}, {0, 1, 1}, {1, 0, 1}}, 3, {1, 2, 0}}, /* score 2; sqrt 2 before 2 */
        {"a stray count breaks no tie", 0.05, 2, {{1.00001, 0, 0}, {1, 0, 0}}, 1, {0}},
        {"norm within a score's rounding", 0.05, 2, {{1.02, 0, 0}, {1.01, 0, 0}}, 1, {1}},
        {"a sum is dependent", 5e-4, 3, {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 2, {0, 1}},
        {"full rank ends it", 5e-4, 4, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 2, 1}}, 3, {0, 1, 2}},
        {"score 0 is never chosen", 5e-4, 2, {{2e-4, 0, 0}, {0, 0, 0}}, 0, {0}},
        /* beta = 0.05 sqrt 3 = 0.0866 */
        {"a norm below beta", 0.05, 1, {{0.08, 0, 0}}, 0, {0}},
        {"a norm above beta", 0.05, 1, {{0.09, 0, 0}}, 1, {0}},
        {"a part below beta", 0.05, 2, {{1, 0, 0}, {1, 0.08, 0.0}}, 1, {0}},
        {"a part above beta", 0.05, 2, {{1, 0, 0}, {1, 0.09, 0.0}}, 2, {0, 1}},
        {"beta itself counts", 0.25, 1, {{0.25, 0.25, 0.25}}, 1, {0}},
        /* the second's own part is small, so once leaves it oblique, and then the third seems independent */
        {"orthogonalised twice", 5e-4, 3, {{1, 1, 1}, {1e5, 100000.0078125, 99999.9921875}, {1e7, 2e7, 0}}, 2, {0, 1}},
        {"rounding errors of large columns are no part",
         5e-4,
         2,
         {{1e15, 2e15, 0}, {1e15 + 0.5, 2e15 - 0.25, 0}},
         1,
         {0}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double *columns[N];
        for (size_t j = 0; j < rows[i].count; j++)
            columns[j] = rows[i].columns[j];
        size_t chosen[S], count = 99;
        assert_int_equal(cm_pivot(columns, rows[i].count, S, rows[i].alpha, chosen, &count, NULL), CM_OK);
        if (count != rows[i].chosen_count || memcmp(chosen, rows[i].chosen, count * sizeof *chosen) != 0)
            fail_msg("%s: %zu chosen: %zu ...", rows[i].name, count, count > 0 ? chosen[0] : 0);
    }
}

/* Algorithm 2 as it is written: at each step all remaining columns are scored, the pivot is taken, and all remaining
 * columns are updated. */
static size_t reference(const double *const *columns, size_t count, size_t symbols, double alpha, size_t *chosen)
{
    static double updated[MOST_COLUMNS][MOST_SYMBOLS];
    bool taken[MOST_COLUMNS] = {false};
    size_t found = 0;
    for (size_t j = 0; j < count; j++)
        memcpy(updated[j], columns[j], symbols * sizeof(double));
    for (;;) {
        size_t pivot = count;
        double best_score = 0.0, best_norm = 0.0;
        for (size_t j = 0; j < count; j++) {
            double score = 0.0, norm = 0.0, part = 0.0;
            for (size_t i = 0; i < symbols; i++) {
                double v = fabs(alpha * floor(columns[j][i] / alpha + 0.5));
                score += v >= 1.0 ? v : v > 0.0 ? 1.0 / v : 0.0;
                norm += columns[j][i] * columns[j][i];
                part += updated[j][i] * updated[j][i];
            }
            norm = nearbyint(sqrt(norm) / (alpha / 200)); /* within which norms count as equal */
            if (taken[j] || score == 0.0 || sqrt(part) < alpha * sqrt((double)symbols))
                continue;
            bool same = fabs(score - best_score) < 1e-9 * score;
            if (pivot == count || (same ? norm < best_norm : score < best_score)) {
                pivot = j;
                best_score = score;
                best_norm = norm;
            }
        }
        if (pivot == count)
            return found;
        taken[pivot] = true;
        chosen[found++] = pivot;
        double size = 0.0;
        for (size_t i = 0; i < symbols; i++)
            size += updated[pivot][i] * updated[pivot][i];
        for (size_t j = 0; j < count; j++) {
            double along = 0.0;
            for (size_t i = 0; i < symbols; i++)
                along += updated[pivot][i] * updated[j][i] / size;
            for (size_t i = 0; i < symbols && j != pivot; i++)
                updated[j][i] -= along * updated[pivot][i];
        }
    }
}

/* A column as events have them: mostly zeros and small numbers, some fractions, sometimes rounding errors. */
static void random_column(double *column, size_t symbols, uint64_t *random)
{
    static const double values[] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 4, 8, 0.5, 0.25, -1, 1.5, 1000};
    for (size_t i = 0; i < symbols; i++) {
        column[i] = values[random_below(random, COUNT(values))];
        if (random_below(random, 2) == 0)
            column[i] += 1e-16 * random_signed(random);
    }
}

static void selection_is_that_of_the_naive_algorithm(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (size_t round = 0; round < 3000; round++) {
        double values[MOST_COLUMNS][MOST_SYMBOLS];
        const double *columns[MOST_COLUMNS];
        size_t count = random_below(&random, MOST_COLUMNS + 1), symbols = 1 + random_below(&random, MOST_SYMBOLS);
        for (size_t j = 0; j < count; j++) {
            random_column(values[j], symbols, &random);
            columns[j] = values[j];
        }
        size_t chosen[MOST_SYMBOLS], expected[MOST_SYMBOLS + 1], found = 99;
        assert_int_equal(cm_pivot(columns, count, symbols, 5e-4, chosen, &found, NULL), CM_OK);
        size_t expected_count = reference(columns, count, symbols, 5e-4, expected);
        if (found != expected_count || memcmp(chosen, expected, found * sizeof *chosen) != 0)
            fail_msg("round %zu: %zu columns chosen, expected %zu", round, found, expected_count);
    }
}

static void noisy_selection_is_that_of_the_naive_algorithm(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (size_t round = 0; round < 3000; round++) {
        double values[MOST_COLUMNS][MOST_SYMBOLS];
        const double *columns[MOST_COLUMNS];
        size_t count = random_below(&random, MOST_COLUMNS + 1), symbols = 1 + random_below(&random, MOST_SYMBOLS);
        for (size_t j = 0; j < count; j++) {
            for (size_t i = 0; i < symbols; i++)
                values[j][i] = (random_below(&random, 3) == 0 ? 1.0 : 0.0) + 0.03 * random_signed(&random);
            columns[j] = values[j];
        }
        size_t chosen[MOST_SYMBOLS], expected[MOST_SYMBOLS + 1], found = 99;
        assert_int_equal(cm_pivot(columns, count, symbols, 5e-2, chosen, &found, NULL), CM_OK);
        size_t expected_count = reference(columns, count, symbols, 5e-2, expected);
        if (found != expected_count || memcmp(chosen, expected, found * sizeof *chosen) != 0)
            fail_msg("round %zu: %zu columns chosen, expected %zu", round, found, expected_count);
    }
}

/* Thousands that are dependent stand before the two that are not, and between and behind them. */
static void many_refusals_hide_no_candidate(void **state)
{
    (void)state;
    enum { S = 5, N = 8000, FIRST = 4321, SECOND = 7654 };
    double(*values)[S] = calloc(N, sizeof *values);
    const double **columns = calloc(N, sizeof *columns);
    assert_non_null(values);
    assert_non_null(columns);
    for (size_t i = 0; i < N; i++) {
        values[i][0] = (double)(1 + i % 7);
        values[i][1] = (double)(i % 5);
        columns[i] = values[i];
    }
    values[FIRST][2] = 50.0;
    values[SECOND][2] = 60.0;
    values[SECOND][3] = 60.0;
    static const size_t expected[] = {0, 21, FIRST, SECOND}; /* (1, 0) and (1, 1) are the smallest of the many */
    size_t chosen[S], found = 0;
    assert_int_equal(cm_pivot(columns, N, S, 5e-4, chosen, &found, NULL), CM_OK);
    assert_int_equal(found, COUNT(expected));
    assert_memory_equal(chosen, expected, sizeof expected);
    free(values);
    free(columns);
}

/* The order of symbols and new rounding errors change nothing; the order of columns changes nothing but which of
 * several ties is taken first. */
static void order_and_rounding_error_change_nothing(void **state)
{
    (void)state;
    enum { S = 6, N = 12 };
    static const double table[N][S] = {
        {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0},   {0, 1, 1, 0, 0, 0}, {1, 1, 1, 1, 0, 0},
        {0, 0, 0, 1, 2, 0}, {0, 0, 0, 1, 0.5, 0}, {2, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0}, {3, 1, 4, 1, 5, 9},   {0, 0, 0, 0, 3, 7}, {8, 4, 2, 1, 0, 0},
    };
    /* first {0,1} in either order, then 2, then the two of score 3: sqrt 1.25 before sqrt 5, then by score */
    static const size_t expected[] = {0, 1, 2, 5, 4, 10};
    uint64_t random = 5;
    for (size_t round = 0; round < 2000; round++) {
        size_t order[N], symbols[S], chosen[S], found = 0;
        double values[N][S];
        const double *columns[N];
        for (size_t i = 0; i < N; i++)
            order[i] = i;
        for (size_t i = 0; i < S; i++)
            symbols[i] = i;
        shuffle(order, N, &random);
        shuffle(symbols, S, &random);
        for (size_t j = 0; j < N; j++) {
            for (size_t i = 0; i < S; i++)
                values[j][i] =
                    table[order[j]][symbols[i]] * (1 + 2e-16 * random_signed(&random)) + 1e-16 * random_signed(&random);
            columns[j] = values[j];
        }
        assert_int_equal(cm_pivot(columns, N, S, 5e-4, chosen, &found, NULL), CM_OK);
        assert_int_equal(found, COUNT(expected));
        size_t first = order[chosen[0]] == 0 ? 0 : 1; /* the tie: input order decides */
        assert_true((chosen[0] < chosen[1]));
        for (size_t k = 0; k < found; k++) {
            size_t wanted = k < 2 ? expected[k ^ first] : expected[k];
            if (order[chosen[k]] != wanted)
                fail_msg("round %zu, step %zu: %zu, expected %zu", round, k, order[chosen[k]], wanted);
        }
    }
}

static void multiples_of_one_selected_column_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double alpha;
        double column[3];
        ptrdiff_t expected;
    } rows[] = {
        {"the same", 5e-4, {1, 0, 0}, 0},
        {"a multiple", 5e-4, {0, 16, 32}, 1},
        {"a small part", 5e-4, {0, 0.01, 0.02}, 1},
        {"a negative multiple", 5e-4, {-1, 0, 0}, 0},
        {"rounding error", 5e-4, {2 + 1e-15, -1e-16, 0}, 0},
        {"a sum", 5e-4, {1, 1, 2}, -1},
        {"within alpha", 5e-2, {0.03, 1.0, 2.0}, 1},
        {"not within alpha", 5e-2, {0.2, 1.0, 2.0}, -1},
        {"within alpha of a multiple", 5e-4, {0.02, 100, 200}, 1},
        {"not within alpha of it", 5e-4, {0.2, 100, 200}, -1},
        {"the closest of two, the first", 5e-1, {0.0, 1, 1.5}, 1},
        {"the closest of two, the second", 5e-1, {0.0, 1, 1.3}, 2},
        {"nothing left after rounding", 5e-4, {1e-4, 0, 0}, -1},
        {"zero", 5e-4, {0, 0, 0}, -1},
    };
    cm_matrix *selected = matrix_of(3, 3, (double[]){1, 0, 0, 0, 1, 1, 0, 2, 1});
    cm_matrix *none = NULL;
    assert_int_equal(cm_matrix_create(3, 0, &none, NULL), CM_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (cm_equivalent_column(rows[i].column, selected, rows[i].alpha) != rows[i].expected)
            fail_msg("%s: expected %td", rows[i].name, rows[i].expected);
        assert_int_equal(cm_equivalent_column(rows[i].column, none, rows[i].alpha), -1);
    }
    cm_matrix_free(selected);
    cm_matrix_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_the_papers),
        cmocka_unit_test(pivots_in_order_of_score_norm_and_input),
        cmocka_unit_test(selection_is_that_of_the_naive_algorithm),
        cmocka_unit_test(noisy_selection_is_that_of_the_naive_algorithm),
        cmocka_unit_test(many_refusals_hide_no_candidate),
        cmocka_unit_test(order_and_rounding_error_change_nothing),
        cmocka_unit_test(multiples_of_one_selected_column_are_found),
    };
    return cmocka_run_group_tests_name("pivoting", tests, NULL, NULL);
}
