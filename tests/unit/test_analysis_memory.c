/* Every allocation of an analysis fails once, at each place: CM_NO_MEMORY, nothing lost, nothing handed out. */
#include "analysis_tools.h"
#include "failing_memory.h"

/* A whole analysis; more events than the first room for them holds. */
static cm_status analyse(const cm_matrix *basis, cm_error *error)
{
    static const double vectors[][4] = {{1, 0, 1, 0}, {0, 2, 0, 2}, {1, 1, 1, 1}, {0, 0, 0, 0}, {1, 0, 5, 0}};
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    thresholds.quantum = 0.25;
    cm_analysis *analysis = NULL;
    cm_fit *fit = NULL;
    cm_status status = cm_analysis_create(basis, &thresholds, &analysis, error);
    for (size_t i = 0; status == CM_OK && i < 100; i++) {
        status = cm_analysis_add_event(analysis, "event", vectors[i % COUNT(vectors)], 2, error);
        assert_int_equal(cm_analysis_event_count(analysis), status == CM_OK ? i + 1 : i);
    }
    if (status == CM_OK)
        status = cm_analysis_select(analysis, error);
    if (status == CM_OK)
        status = cm_analysis_fit(analysis, (double[]){1, 2}, &fit, error);
    if (status == CM_OK)
        assert_true(fit->composable && fit->term_count == 2);
    else
        assert_null(fit);
    cm_fit_free(fit);
    cm_analysis_free(analysis);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    long allowed = 0;
    for (;; allowed++) {
        cm_error error;
        allocations_left = allowed;
        cm_status status = analyse(basis, &error);
        allocations_left = -1;
        if (status == CM_OK)
            break;
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(error.status, CM_NO_MEMORY);
    }
    cm_matrix_free(basis);
    assert_true(allowed > 15); /* else the linker did not lead them here */
}

/* What failed for want of memory can be done again. */
static void a_failed_step_can_be_repeated(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    cm_analysis *analysis = analysis_of(basis, NULL);
    static const double vectors[] = {1, 0, 1, 0};
    size_t failures[3] = {0};
    for (long allowed = 0;; allowed++, failures[0]++) {
        allocations_left = allowed;
        cm_status status = cm_analysis_add_event(analysis, "event", vectors, 2, NULL);
        allocations_left = -1;
        if (status == CM_OK)
            break;
    }
    for (long allowed = 0;; allowed++, failures[1]++) {
        allocations_left = allowed;
        cm_status status = cm_analysis_select(analysis, NULL);
        allocations_left = -1;
        if (status == CM_OK)
            break;
    }
    assert_int_equal(cm_analysis_event_count(analysis), 1);
    assert_int_equal(cm_analysis_selected_count(analysis), 1);
    cm_fit *fit = NULL;
    for (long allowed = 0;; allowed++, failures[2]++) {
        allocations_left = allowed;
        cm_status status = cm_analysis_fit(analysis, (double[]){3, 0}, &fit, NULL);
        allocations_left = -1;
        if (status == CM_OK)
            break;
    }
    assert_true(fit->composable && fit->rounded[0] == 3.0);
    assert_true(failures[0] > 0 && failures[1] > 0 && failures[2] > 0);
    cm_fit_free(fit);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_failed_step_can_be_repeated),
    };
    return cmocka_run_group_tests_name("analysis memory", tests, NULL, NULL);
}
