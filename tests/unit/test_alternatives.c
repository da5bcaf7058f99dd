/* The same metric from other events, and from fewer. */
#include "analysis_tools.h"

enum { SYMBOLS = 3, MOST = 8 };

typedef struct table {
    const char *name;
    double events[MOST][SYMBOLS]; /* exact, until one that counts nothing; in the order of their indices */
    double signature[SYMBOLS];
} table;

/* All of them, and the fit of the signature. */
static void solve(const table *row, const cm_matrix *basis, cm_analysis **analysis, cm_fit **fit)
{
    *analysis = analysis_of(basis, NULL);
    for (size_t k = 0; k < MOST; k++) {
        const double *x = row->events[k];
        if (x[0] != 0 || x[1] != 0 || x[2] != 0)
            add_exact(*analysis, basis, "event", x);
    }
    assert_int_equal(cm_analysis_select(*analysis, NULL), CM_OK);
    assert_int_equal(cm_fit_create(*analysis, row->signature, fit, NULL), CM_OK);
}

/* "2*0-1*3": coefficients and events. */
static const char *text_of(const cm_definition *definition, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t k = 0; k < definition->count; k++)
        length += (size_t)snprintf(text + length, size - length, "%+g*%zu", definition->coefficients[k],
                                   definition->events[k]);
    return text;
}

static void others_share_nothing_or_one_event(void **state)
{
    (void)state;
    static const struct {
        table table;
        size_t count;
        const char *definitions[2];
    } rows[] = {
        {{"alone", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 0, 0}}, 0, {NULL}},
        {{"a copy", {{1, 0, 0}, {0, 1, 0}, {1, 0, 0}}, {1, 0, 0}}, 1, {"+1*2"}},
        {{"a multiple", {{1, 0, 0}, {0, 1, 0}, {4, 0, 0}}, {1, 0, 0}}, 1, {"+0.25*2"}},
        {{"two copies, and no more than two", {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {1, 0, 0}},
         2,
         {"+1*1", "+1*2"}},
        {{"a sum stands for its parts", {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {1, 1, 0}}, 1, {"+1*2"}},
        {{"one event is shared", {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}, {1, 1, 0}}, 1, {"+1*0+1*2"}},
        {{"nothing is gained by sharing the only event", {{1, 0, 0}, {0, 1, 0}}, {1, 0, 0}}, 0, {NULL}},
        {{"copies that count something else, too", {{1, 0, 0}, {0, 1, 0}, {1, 0, 0.5}}, {1, 0, 0}}, 0, {NULL}},
    };
    cm_matrix *basis = identity(SYMBOLS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = NULL;
        cm_fit *fit = NULL;
        solve(&rows[i].table, basis, &analysis, &fit);
        assert_true(fit->composable);
        cm_definition *list = NULL;
        size_t count = 99;
        assert_int_equal(cm_analysis_alternatives(analysis, rows[i].table.signature, fit, &list, &count, NULL), CM_OK);
        if (count != rows[i].count)
            fail_msg("%s: %zu alternatives, expected %zu", rows[i].table.name, count, rows[i].count);
        for (size_t k = 0; k < count; k++) {
            char text[200];
            assert_true(list[k].composable && list[k].fitness.misfit < 1e-12);
            if (strcmp(text_of(&list[k], text, sizeof text), rows[i].definitions[k]) != 0)
                fail_msg("%s: %s, expected %s", rows[i].table.name, text, rows[i].definitions[k]);
        }
        cm_definition_free(list, count);
        cm_fit_free(fit);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

static void there_are_none_of_what_is_not_composable(void **state)
{
    (void)state;
    static const table row = {"one of two parts", {{1, 0, 0}}, {1, 1, 0}};
    cm_matrix *basis = identity(SYMBOLS);
    cm_analysis *analysis = NULL;
    cm_fit *fit = NULL;
    solve(&row, basis, &analysis, &fit);
    cm_definition *list = NULL;
    size_t count = 99;
    assert_false(fit->composable);
    assert_int_equal(cm_analysis_alternatives(analysis, row.signature, fit, &list, &count, NULL), CM_BAD_ARGUMENT);
    assert_true(list == NULL && count == 99);
    cm_fit_free(fit);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
    cm_definition_free(NULL, 3);
}

static void few_events_come_as_near_as_they_can(void **state)
{
    (void)state;
    static const struct {
        table table;
        size_t most;
        const char *definition;
        double misfit;
        bool composable;
    } rows[] = {
        {{"enough", {{1, 0, 0}, {0, 1, 0}}, {2, 3, 0}}, 2, "+2*0+3*1", 0, true},
        {{"the larger part", {{1, 0, 0}, {0, 1, 0}}, {3, 4, 0}}, 1, "+4*1", 0.6, false},
        {{"a sum that is dependent", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {1, 1, 1}}, 1, "+1*3", 0, true},
        {{"fewer than allowed, where they do", {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {1, 1, 0}}, 2, "+1*2", 0, true},
        {{"two of three, one of them a sum", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}}, {5, 2, 2}},
         2,
         "+5*0+2*3",
         0,
         true},
        {{"nothing points there", {{1, 0, 0}}, {0, 1, 0}}, 1, "", 1, false},
        {{"no event", {{0}}, {0, 1, 0}}, 3, "", 1, false},
    };
    cm_matrix *basis = identity(SYMBOLS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = NULL;
        cm_fit *fit = NULL;
        solve(&rows[i].table, basis, &analysis, &fit);
        cm_definition *best = NULL;
        char text[200];
        assert_int_equal(cm_analysis_define_with(analysis, rows[i].table.signature, 0, &best, NULL), CM_BAD_ARGUMENT);
        assert_int_equal(cm_analysis_define_with(analysis, rows[i].table.signature, rows[i].most, &best, NULL), CM_OK);
        if (strcmp(text_of(best, text, sizeof text), rows[i].definition) != 0)
            fail_msg("%s: %s, expected %s", rows[i].table.name, text, rows[i].definition);
        expect_close(best->fitness.misfit, rows[i].misfit, 1e-12, rows[i].table.name);
        assert_int_equal(best->composable, rows[i].composable);
        assert_true(best->count <= rows[i].most);
        cm_definition_free(best, 1);
        cm_fit_free(fit);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* With more events than combinations can be tried of, those that point to the signature are. */
static void of_many_events_the_nearest_are_tried(void **state)
{
    (void)state;
    cm_matrix *basis = identity(SYMBOLS);
    cm_analysis *analysis = analysis_of(basis, NULL);
    for (size_t k = 0; k < 3; k++)
        add_exact(analysis, basis, "part", (double[]){k == 0, k == 1, k == 2});
    uint64_t seed = 3;
    for (size_t k = 0; k < 2000; k++)
        add_exact(analysis, basis, "sum",
                  (double[]){1 + (double)random_below(&seed, 5), (double)random_below(&seed, 3), 0});
    add_exact(analysis, basis, "wanted", (double[]){7, 8, 9});
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    cm_definition *best = NULL;
    assert_int_equal(cm_analysis_define_with(analysis, (double[]){14, 16, 18}, 2, &best, NULL), CM_OK);
    assert_true(best->composable && best->count == 1 && best->events[0] == 2003 && best->coefficients[0] == 2);
    cm_definition_free(best, 1);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

static void equivalents_stand_in_order_of_their_noise(void **state)
{
    (void)state;
    typedef struct event {
        double x[SYMBOLS], noise;
    } event;
    static const struct {
        const char *name;
        event events[5];
        size_t of, count;
        struct {
            size_t event;
            double factor;
        } expected[4];
    } rows[] = {
        {"none", {{{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{1, 1, 0}, 0}}, 0, 0, {{0}}},
        {"copies, the quiet one first", {{{1, 0, 0}, 0}, {{1, 0, 0}, 2e-4}, {{1, 0, 0}, 1e-4}}, 0, 2, {{2, 1}, {1, 1}}},
        {"of a noisy one", {{{1, 0, 0}, 2e-4}, {{1, 0, 0}, 0}, {{0, 1, 0}, 0}}, 0, 1, {{1, 1}}},
        {"multiples, also of what is dependent",
         {{{1, 1, 0}, 0}, {{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{3, 3, 0}, 0}, {{0.5, 0.5, 0}, 0}},
         0,
         2,
         {{3, 3}, {4, 0.5}}},
        {"equal noise: in their order", {{{2, 0, 0}, 0}, {{2, 0, 0}, 0}, {{1, 0, 0}, 0}}, 2, 2, {{0, 2}, {1, 2}}},
        {"nearly, within alpha", {{{1, 0, 0}, 0}, {{1, 4e-4, 0}, 0}}, 0, 1, {{1, 1}}},
        {"nearly, beyond alpha", {{{1, 0, 0}, 0}, {{1, 6e-4, 0}, 0}}, 0, 0, {{0}}},
        {"what is too noisy is none", {{{1, 0, 0}, 0}, {{1, 0, 0}, 0.2}}, 0, 0, {{0}}},
    };
    const cm_thresholds thresholds = {1e-2, 5e-4, 1e-2, 0, 10};
    cm_matrix *basis = identity(SYMBOLS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t k = 0; k < 5 && rows[i].events[k].x[0] + rows[i].events[k].x[1] > 0; k++)
            add_noisy(analysis, basis, "event", rows[i].events[k].x, rows[i].events[k].noise);
        cm_equivalent_event *list = NULL;
        size_t count = 99;
        assert_int_equal(cm_equivalents_create(analysis, rows[i].of, &list, &count, NULL), CM_BAD_ARGUMENT);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_equivalents_create(analysis, 99, &list, &count, NULL), CM_BAD_ARGUMENT);
        assert_int_equal(cm_equivalents_create(analysis, rows[i].of, &list, &count, NULL), CM_OK);
        if (count != rows[i].count)
            fail_msg("%s: %zu equivalents, expected %zu", rows[i].name, count, rows[i].count);
        for (size_t k = 0; k < count; k++) {
            if (list[k].event != rows[i].expected[k].event)
                fail_msg("%s: event %zu in place %zu", rows[i].name, list[k].event, k);
            expect_close(list[k].factor, rows[i].expected[k].factor, 1e-6, rows[i].name);
        }
        free(list);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_share_nothing_or_one_event),
        cmocka_unit_test(there_are_none_of_what_is_not_composable),
        cmocka_unit_test(few_events_come_as_near_as_they_can),
        cmocka_unit_test(of_many_events_the_nearest_are_tried),
        cmocka_unit_test(equivalents_stand_in_order_of_their_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
