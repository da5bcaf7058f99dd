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
        status = cm_fit_create(analysis, (double[]){1, 2}, &fit, error);
    if (status == CM_OK)
        assert_true(fit->composable && fit->term_count == 2);
    else
        assert_null(fit);
    cm_fit_free(fit);
    cm_analysis_free(analysis);
    return status;
}

/* What is left when the events are selected. */
typedef struct extras {
    cm_tau_choice *tau;
    cm_alpha_choice *alpha;
    cm_fit *fit;
    cm_definition_stability stability;
    cm_equivalent_event *equivalents;
    cm_definition *alternatives, *limited;
    size_t equivalent_count, alternative_count;
} extras;

static cm_status ask_further(cm_analysis *analysis, extras *found, cm_error *error)
{
    static const double repetitions[] = {1, 2, 0, 0, 1, 2, 0, 0};
    static const double signature[] = {1, 1}, *const signatures[] = {signature};
    size_t first = cm_analysis_selected(analysis, 0);
    cm_status status = cm_analysis_add_repetitions(analysis, first, repetitions, 2, error);
    if (status == CM_OK)
        status = cm_fit_create(analysis, signature, &found->fit, error);
    if (status == CM_OK)
        status = cm_analysis_stability(analysis, signatures, 1, &found->stability, error);
    if (status == CM_OK)
        status = cm_equivalents_create(analysis, first, &found->equivalents, &found->equivalent_count, error);
    if (status == CM_OK)
        status = cm_analysis_alternatives(analysis, signature, found->fit, &found->alternatives,
                                          &found->alternative_count, error);
    return status == CM_OK ? cm_analysis_define_with(analysis, signature, 1, &found->limited, error) : status;
}

/* Everything else that can be asked: thresholds from the data, offsets, stability, other events, fewer events. */
static cm_status analyse_further(const cm_matrix *basis, cm_error *error)
{
    static const double vectors[][8] = {
        {1, 2, 0, 0, 1, 2, 0, 0}, {0, 0, 1, 3, 0, 0, 1, 3}, {2, 4, 0, 0, 2, 4, 0, 0}, {0, 0, 2, 6, 0, 0, 2, 6},
        {1, 2, 1, 3, 1, 2, 1, 3}, {2, 3, 1, 1, 2, 3, 1, 1}, {1, 2, 0, 0, 9, 2, 5, 0},
    };
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    cm_analysis *analysis = NULL;
    extras found = {0};
    cm_status status = cm_analysis_create(basis, &thresholds, &analysis, error);
    for (size_t i = 0; status == CM_OK && i < COUNT(vectors); i++)
        status = cm_analysis_add_event(analysis, "event", vectors[i], 2, error);
    if (status == CM_OK)
        status = cm_analysis_use_offsets(analysis, error);
    if (status == CM_OK)
        status = cm_tau_choice_create(analysis, &found.tau, error);
    if (status == CM_OK)
        status = cm_alpha_choice_create(analysis, &found.alpha, error);
    if (status == CM_OK)
        status = cm_analysis_select(analysis, error);
    if (status == CM_OK)
        status = ask_further(analysis, &found, error);
    if (status == CM_OK)
        assert_true(found.equivalent_count > 0 && found.alternative_count > 0 && found.limited->composable);
    cm_tau_choice_free(found.tau);
    cm_alpha_choice_free(found.alpha);
    cm_fit_free(found.fit);
    free(found.equivalents);
    cm_definition_free(found.alternatives, found.alternative_count);
    cm_definition_free(found.limited, found.limited != NULL);
    cm_analysis_free(analysis);
    return status;
}

static void fail_each(cm_status (*whole)(const cm_matrix *basis, cm_error *error), const cm_matrix *basis, long least)
{
    long allowed = 0;
    for (;; allowed++) {
        cm_error error;
        allocations_left = allowed;
        cm_status status = whole(basis, &error);
        allocations_left = -1;
        if (status == CM_OK)
            break;
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(error.status, CM_NO_MEMORY);
    }
    assert_true(allowed > least); /* else the linker did not lead them here */
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cm_matrix *basis = identity(2);
    fail_each(analyse, basis, 15);
    cm_matrix_free(basis);
}

static void every_further_allocation_may_fail(void **state)
{
    (void)state;
    cm_matrix *basis = matrix_of(4, 2, (double[]){1, 0, 2, 0, 0, 1, 0, 3});
    fail_each(analyse_further, basis, 100);
    cm_matrix_free(basis);
}

/* What failed for lack of memory can be done again. */
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
        cm_status status = cm_fit_create(analysis, (double[]){3, 0}, &fit, NULL);
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
        cmocka_unit_test(every_further_allocation_may_fail),
        cmocka_unit_test(a_failed_step_can_be_repeated),
    };
    return cmocka_run_group_tests_name("analysis memory", tests, NULL, NULL);
}
