/* Events that count a constant per iteration beside what they measure. */
#include "analysis_tools.h"

enum { KERNELS = 6, SYMBOLS = 2 };

/* Loops of 1, 2 and 4 instructions of two kinds: no combination counts the same in all. */
static cm_matrix *loops(void)
{
    return matrix_of(KERNELS, SYMBOLS, (double[]){1, 0, 2, 0, 4, 0, 0, 1, 0, 2, 0, 4});
}

static void add_counts(cm_analysis *analysis, const double *counts)
{
    double vectors[2 * KERNELS];
    memcpy(vectors, counts, KERNELS * sizeof *vectors);
    memcpy(vectors + KERNELS, counts, KERNELS * sizeof *vectors);
    assert_int_equal(cm_analysis_add_event(analysis, "event", vectors, 2, NULL), CM_OK);
}

static void a_constant_is_separated_from_what_is_measured(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double counts[KERNELS];
        double offset, x[SYMBOLS];
        bool representable; /* without the offset */
    } rows[] = {
        {"payload alone", {1, 2, 4, 0, 0, 0}, 0, {1, 0}, true},
        {"payload and 3", {4, 5, 7, 3, 3, 3}, 3, {1, 0}, false},
        {"both kinds and a half", {1.5, 2.5, 4.5, 2.5, 4.5, 8.5}, 0.5, {1, 2}, false},
        {"the constant alone", {7, 7, 7, 7, 7, 7}, 7, {0, 0}, false},
        {"so little that it is tolerated", {1.001, 2.001, 4.001, 0.001, 0.001, 0.001}, 0, {1, 0}, true},
        {"a constant less what is measured", {9, 8, 6, 10, 10, 10}, 10, {-1, 0}, false},
        {"a negative constant", {0, 1, 3, 0, 1, 3}, 0, {0, 0}, false},
        {"something else", {1, 5, 2, 9, 0, 4}, 0, {0, 0}, false},
    };
    cm_matrix *basis = loops();
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        add_counts(analysis, rows[i].counts);
        cm_event_analysis event = cm_analysis_event(analysis, 0);
        expect_close(event.offset, rows[i].offset, 1e-12, rows[i].name);
        if (rows[i].offset != 0 || rows[i].representable)
            for (size_t s = 0; s < SYMBOLS; s++)
                expect_close(event.representation[s], rows[i].x[s], 2e-3, rows[i].name);
        if ((event.offset_residual < 1e-12) != (rows[i].offset != 0 || event.residual < 1e-12))
            fail_msg("%s: %g is left over beside the constant", rows[i].name, event.offset_residual);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        event = cm_analysis_event(analysis, 0);
        assert_int_equal(event.status, rows[i].representable ? CM_EVENT_SELECTED : CM_EVENT_UNREPRESENTABLE);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

static void it_is_selected_only_when_asked_for(void **state)
{
    (void)state;
    static const double counts[] = {4, 5, 7, 3, 3, 3}, constant[] = {7, 7, 7, 7, 7, 7}, junk[] = {1, 5, 2, 9, 0, 4};
    cm_matrix *basis = loops();
    for (int asked = 0; asked <= 1; asked++) {
        cm_analysis *analysis = analysis_of(basis, NULL);
        add_counts(analysis, counts);
        add_counts(analysis, constant);
        add_counts(analysis, junk);
        if (asked == 1)
            assert_int_equal(cm_analysis_use_offsets(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_use_offsets(analysis, NULL), CM_BAD_ARGUMENT);
        assert_int_equal(cm_analysis_selected_count(analysis), asked);
        assert_int_equal(cm_analysis_event(analysis, 0).status, asked ? CM_EVENT_SELECTED : CM_EVENT_UNREPRESENTABLE);
        /* Of a constant alone nothing is left beside it. */
        assert_int_equal(cm_analysis_event(analysis, 1).status, asked ? CM_EVENT_DEPENDENT : CM_EVENT_UNREPRESENTABLE);
        assert_int_equal(cm_analysis_event(analysis, 2).status, CM_EVENT_UNREPRESENTABLE);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* Where ideal events can count a constant themselves there is no offset to find. */
static void a_basis_may_count_it_itself(void **state)
{
    (void)state;
    cm_matrix *basis = matrix_of(KERNELS, SYMBOLS, (double[]){1, 1, 2, 1, 4, 1, 0, 1, 0, 1, 0, 1});
    cm_analysis *analysis = analysis_of(basis, NULL);
    add_counts(analysis, (double[]){4, 5, 7, 3, 3, 3});
    add_counts(analysis, (double[]){4, 5, 7, 9, 3, 0});
    cm_event_analysis counted = cm_analysis_event(analysis, 0), junk = cm_analysis_event(analysis, 1);
    expect_close(counted.representation[0], 1, 1e-12, "payload");
    expect_close(counted.representation[1], 3, 1e-12, "constant");
    assert_true(counted.offset == 0 && junk.offset == 0 && junk.offset_residual == junk.residual);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_is_separated_from_what_is_measured),
        cmocka_unit_test(it_is_selected_only_when_asked_for),
        cmocka_unit_test(a_basis_may_count_it_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
