/* The paper's Tables V to VIII from measurements made by hand: what each event counts is written as a combination of
 * ideal events, and counted through the expectation basis. */
#include "analysis_tools.h"

enum { MOST_SYMBOLS = 16, MOST_TERMS = 12 };

typedef struct event_row {
    const char *event;
    double counts[MOST_SYMBOLS]; /* in ideal events */
} event_row;

typedef struct metric_row {
    const char *metric;
    double signature[MOST_SYMBOLS];
    double coefficients[MOST_TERMS]; /* in the order of `selected` */
    double backward_error;           /* 0: below 1e-14 */
    double error_tolerance;          /* half of the last digit printed */
    bool composable;
} metric_row;

static void expect_selected(const cm_analysis *analysis, size_t count, const char *const *selected)
{
    assert_int_equal(cm_analysis_selected_count(analysis), count);
    for (size_t k = 0; k < count; k++) {
        cm_event_analysis event = cm_analysis_event(analysis, cm_analysis_selected(analysis, k));
        assert_string_equal(event.event, selected[k]);
        assert_int_equal(event.status, CM_EVENT_SELECTED);
        assert_true(event.residual < 1e-15);
        assert_true(event.max_rnmse == 0.0);
    }
}

static void expect_metric(const cm_analysis *analysis, const metric_row *row)
{
    cm_fit *fit = NULL;
    assert_int_equal(cm_fit_create(analysis, row->signature, &fit, NULL), CM_OK);
    for (size_t k = 0; k < fit->term_count; k++) {
        expect_close(fit->coefficients[k], row->coefficients[k], 1e-14, row->metric);
        expect_close(fit->rounded[k], row->coefficients[k], 0.0, row->metric);
    }
    double tolerance = row->backward_error == 0.0 ? 1e-14 : row->error_tolerance;
    expect_close(fit->fitness.backward_error, row->backward_error, tolerance, row->metric);
    expect_close(fit->rounded_fitness.backward_error, row->backward_error, tolerance, row->metric);
    if (row->backward_error == 0.0)
        expect_close(fit->rounded_fitness.misfit, 0.0, 1e-14, row->metric);
    if (fit->composable != row->composable)
        fail_msg("%s: composable is %d", row->metric, fit->composable);
    cm_fit_free(fit);
}

/* One loop of 24, 48 and 96 instructions a symbol; those from `halved` on of 12, 24, 48. */
static cm_matrix *basis_of_loops(size_t symbols, size_t halved)
{
    cm_matrix *basis = NULL;
    assert_int_equal(cm_matrix_create(3 * symbols, symbols, &basis, NULL), CM_OK);
    for (size_t j = 0; j < symbols; j++)
        for (size_t i = 0; i < 3; i++)
            *cm_matrix_at(basis, 3 * j + i, j) = (j < halved ? 24.0 : 12.0) * (double)(1 << i);
    return basis;
}

/* Symbols: S_SCAL S_128 S_256 S_512, D_..., S_FMA_..., D_FMA_... Intel's events count an FMA twice. */
static void cpu_flops_is_table_5(void **state)
{
    (void)state;
    static const event_row events[] = {
        {"INST_RETIRED_SSE", {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}},
        {"FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0}},
        {"FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", {0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0}},
        {"FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0}},
        {"FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0}},
        {"FP_ARITH_INST_RETIRED:4_FLOPS", {0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 2, 0}},
        {"FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2}},
        {"FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0}},
        {"FP_ARITH_INST_RETIRED:SCALAR", {1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0}},
        {"FP_ARITH_INST_RETIRED:SCALAR_SINGLE", {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}},
        {"TWICE_SCALAR_SINGLE", {2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}},
    };
    static const char *const selected[] = {
        "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE",
        "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE", "FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE",
        "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE", "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE",
        "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE",      "FP_ARITH_INST_RETIRED:SCALAR_SINGLE",
    };
    static const metric_row metrics[] = {
        {"SP Instrs.", {1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2, 2}, {0, 1, 0, 1, 0, 1, 0, 1}, 0, 0, true},
        {"SP Ops.", {1, 4, 8, 16, 0, 0, 0, 0, 2, 8, 16, 32}, {0, 4, 0, 8, 0, 16, 0, 1}, 0, 0, true},
        {"SP FMA Instrs.",
         {0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2},
         {0, 0.8, 0, 0.8, 0, 0.8, 0, 0.8},
         2.36e-1,
         5e-4,
         false},
        {"DP Instrs.", {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2, 2}, {1, 0, 1, 0, 1, 0, 1, 0}, 0, 0, true},
        {"DP Ops.", {0, 0, 0, 0, 1, 2, 4, 8, 0, 0, 0, 0, 2, 4, 8, 16}, {2, 0, 4, 0, 8, 0, 1, 0}, 0, 0, true},
        {"DP FMA Instrs.",
         {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2},
         {0.8, 0, 0.8, 0, 0.8, 0, 0.8, 0},
         2.36e-1,
         5e-4,
         false},
    };
    cm_matrix *basis = basis_of_loops(16, 8);
    cm_analysis *analysis = analysis_of(basis, NULL);
    for (size_t i = 0; i < COUNT(events); i++)
        add_exact(analysis, basis, events[i].event, events[i].counts);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    expect_selected(analysis, COUNT(selected), selected);
    for (size_t i = 0; i < COUNT(metrics); i++)
        expect_metric(analysis, &metrics[i]);
    assert_int_equal(cm_analysis_event(analysis, 5).status, CM_EVENT_DEPENDENT);
    assert_int_equal(cm_analysis_event(analysis, 5).equivalent_to, CM_NO_EVENT);
    assert_int_equal(cm_analysis_event(analysis, 11).equivalent_to, 10); /* TWICE_ ... */
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

/* Symbols: A S M SQ F x H S D. Of each precision: ADD (and subtract), MUL, TRANS (square roots), FMA. */
static void gpu_flops_is_table_6(void **state)
{
    (void)state;
    static const char *const names[] = {
        "SQ_INSTS_VALU_ADD_F16",   "SQ_INSTS_VALU_ADD_F32", "SQ_INSTS_VALU_ADD_F64",   "SQ_INSTS_VALU_MUL_F16",
        "SQ_INSTS_VALU_MUL_F32",   "SQ_INSTS_VALU_MUL_F64", "SQ_INSTS_VALU_TRANS_F16", "SQ_INSTS_VALU_TRANS_F32",
        "SQ_INSTS_VALU_TRANS_F64", "SQ_INSTS_VALU_FMA_F16", "SQ_INSTS_VALU_FMA_F32",   "SQ_INSTS_VALU_FMA_F64",
    };
    /* MUL, TRANS, FMA (score 1) in the order of input, then ADD (score 2) */
    static const char *const selected[] = {
        "SQ_INSTS_VALU_MUL_F16",   "SQ_INSTS_VALU_MUL_F32",   "SQ_INSTS_VALU_MUL_F64", "SQ_INSTS_VALU_TRANS_F16",
        "SQ_INSTS_VALU_TRANS_F32", "SQ_INSTS_VALU_TRANS_F64", "SQ_INSTS_VALU_FMA_F16", "SQ_INSTS_VALU_FMA_F32",
        "SQ_INSTS_VALU_FMA_F64",   "SQ_INSTS_VALU_ADD_F16",   "SQ_INSTS_VALU_ADD_F32", "SQ_INSTS_VALU_ADD_F64",
    };
    static const metric_row metrics[] = {
        {"HP Add.", {1}, {[9] = 0.5}, 4.14e-1, 5e-4, false},
        {"HP Sub.", {[3] = 1}, {[9] = 0.5}, 4.14e-1, 5e-4, false},
        {"HP Add. and Sub.", {[0] = 1, [3] = 1}, {[9] = 1}, 0, 0, true},
        {"All HP Ops.", {[0] = 1, [3] = 1, [6] = 1, [9] = 1, [12] = 2}, {1, 0, 0, 1, 0, 0, 2, 0, 0, 1}, 0, 0, true},
        {"All SP Ops.", {[1] = 1, [4] = 1, [7] = 1, [10] = 1, [13] = 2}, {0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1}, 0, 0, true},
        {"All DP Ops.",
         {[2] = 1, [5] = 1, [8] = 1, [11] = 1, [14] = 2},
         {0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1},
         0,
         0,
         true},
    };
    cm_matrix *basis = basis_of_loops(15, 15);
    cm_analysis *analysis = analysis_of(basis, NULL);
    for (size_t i = 0; i < COUNT(names); i++) {
        double counts[15] = {0};
        size_t precision = i % 3, kind = i / 3; /* ADD counts A and S */
        counts[3 * (kind == 0 ? 0 : kind + 1) + precision] = 1.0;
        if (kind == 0)
            counts[3 + precision] = 1.0;
        add_exact(analysis, basis, names[i], counts);
    }
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    expect_selected(analysis, COUNT(selected), selected);
    for (size_t i = 0; i < COUNT(metrics); i++)
        expect_metric(analysis, &metrics[i]);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

static cm_matrix *branch_basis(void)
{
    return matrix_of(11, 5,
                     (double[]){
                         2,   2,   1.5, 0,   0, 2,   2,   1,   0, 0, 2,   2,   2, 0,   0, 2,   2, 1.5, 0,
                         0.5, 2.5, 2.5, 1.5, 0, 0.5, 2.5, 2.5, 2, 0, 0.5, 2.5, 2, 1.5, 0, 0.5, 3, 2.5, 1.5,
                         0,   0.5, 3,   2.5, 2, 0,   0.5, 2,   2, 1, 1,   0,   1, 1,   1, 0,   0,
                     });
}

static const metric_row branch_metrics[] = {
    {"Unconditional Branches.", {0, 0, 0, 1, 0}, {0, -1, 0, 1}, 0, 0, true},
    {"Conditional Branches Taken.", {0, 0, 1, 0, 0}, {0, 0, 1, 0}, 0, 0, true},
    {"Conditional Branches Not Taken.", {0, 1, -1, 0, 0}, {0, 1, -1, 0}, 0, 0, true},
    {"Mispredicted Branches.", {0, 0, 0, 0, 1}, {1, 0, 0, 0}, 0, 0, true},
    {"Correctly Predicted Branches.", {0, 1, 0, 0, -1}, {-1, 1, 0, 0}, 0, 0, true},
    {"Conditional Branches Retired.", {0, 1, 0, 0, 0}, {0, 1, 0, 0}, 0, 0, true},
    {"Conditional Branches Executed.", {1, 0, 0, 0, 0}, {0, 0, 0, 0}, 1.0, 0, false},
};

static const event_row branch_events[] = {
    {"BR_MISP_RETIRED", {0, 0, 0, 0, 1}},
    {"BR_INST_RETIRED:COND", {0, 1, 0, 0, 0}},
    {"BR_INST_RETIRED:COND_TAKEN", {0, 0, 1, 0, 0}},
    {"BR_INST_RETIRED:ALL_BRANCHES", {0, 1, 0, 1, 0}},
    {"BR_INST_RETIRED:COND_NTAKEN", {0, 1, -1, 0, 0}},
    {"BR_INST_RETIRED:NEAR_TAKEN", {0, 0, 1, 1, 0}},
    {"BR_INST_RETIRED:ALL_BRANCHES_TWICE", {0, 2, 0, 2, 0}},
};

static void branch_is_table_7(void **state)
{
    (void)state;
    static const char *const selected[] = {"BR_MISP_RETIRED", "BR_INST_RETIRED:COND", "BR_INST_RETIRED:COND_TAKEN",
                                           "BR_INST_RETIRED:ALL_BRANCHES"};
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    thresholds.quantum = 0.25;
    cm_matrix *basis = branch_basis();
    cm_analysis *analysis = analysis_of(basis, &thresholds);
    for (size_t i = 0; i < COUNT(branch_events); i++)
        add_exact(analysis, basis, branch_events[i].event, branch_events[i].counts);
    assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
    expect_selected(analysis, COUNT(selected), selected);
    for (size_t i = 0; i < COUNT(branch_metrics); i++)
        expect_metric(analysis, &branch_metrics[i]);
    assert_int_equal(cm_analysis_event(analysis, 6).equivalent_to, 3);
    cm_analysis_free(analysis);
    cm_matrix_free(basis);
}

/* Random branches of a real run are mispredicted not quite half of the time: the quantum makes exact events of them. */
static void branch_noise_is_rounded_away(void **state)
{
    (void)state;
    uint64_t random = 4;
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    cm_matrix *basis = branch_basis();
    for (int rounded = 0; rounded < 2; rounded++) {
        thresholds.quantum = rounded ? 0.25 : 0.0;
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t e = 0; e < 4; e++) {
            double vectors[5 * 11];
            for (size_t i = 0; i < COUNT(vectors); i++) {
                double exact = 0.0;
                for (size_t j = 0; j < 5; j++)
                    exact += *cm_matrix_at(basis, i % 11, j) * branch_events[e].counts[j];
                vectors[i] = exact == 0.0 ? 0.0 : exact + 0.1 * random_signed(&random);
            }
            assert_int_equal(cm_analysis_add_event(analysis, branch_events[e].event, vectors, 5, NULL), CM_OK);
            cm_event_analysis event = cm_analysis_event(analysis, e);
            assert_int_equal(event.status, rounded ? CM_EVENT_DEPENDENT : CM_EVENT_NOISY);
            expect_close(event.rounding_distance, rounded ? 0.1 : 0.0, rounded ? 0.03 : 0.0, "rounding distance");
        }
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_selected_count(analysis), rounded ? 4 : 0);
        for (size_t i = 0; rounded && i < COUNT(branch_metrics); i++)
            expect_metric(analysis, &branch_metrics[i]);
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* Symbols: L1_DM L1_DH L2_DH L3_DH. Noise of some percent: raw coefficients are not exact, rounded ones are. */
static void dcache_is_table_8(void **state)
{
    (void)state;
    enum { KERNELS = 16, REPETITIONS = 5 };
    static const event_row events[] = {
        {"MEM_LOAD_RETIRED:L3_HIT", {0, 0, 0, 1}},
        {"L2_RQSTS:DEMAND_DATA_RD_HIT", {0, 0, 1, 0}},
        {"MEM_LOAD_RETIRED:L1_MISS", {1, 0, 0, 0}},
        {"MEM_LOAD_RETIRED:L1_HIT", {0, 1, 0, 0}},
    };
    static const struct {
        const char *metric;
        double signature[4], coefficients[4];
    } metrics[] = {
        {"L1 Misses.", {1, 0, 0, 0}, {0, 0, 1, 0}},   {"L1 Hits.", {0, 1, 0, 0}, {0, 0, 0, 1}},
        {"L1 Reads.", {1, 1, 0, 0}, {0, 0, 1, 1}},    {"L2 Hits.", {0, 0, 1, 0}, {0, 1, 0, 0}},
        {"L2 Misses.", {1, 0, -1, 0}, {0, -1, 1, 0}}, {"L3 Hits.", {0, 0, 0, 1}, {1, 0, 0, 0}},
    };
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    thresholds.tau = thresholds.residual = 1e-1;
    thresholds.alpha = 5e-2;
    cm_matrix *basis = NULL; /* regions L1, L2, L3, MEM */
    assert_int_equal(cm_matrix_create(KERNELS, 4, &basis, NULL), CM_OK);
    for (size_t i = 0; i < KERNELS; i++) {
        *cm_matrix_at(basis, i, i < 4 ? 1 : 0) = 1.0;
        if (i >= 4 && i < 12)
            *cm_matrix_at(basis, i, i < 8 ? 2 : 3) = 1.0;
    }
    uint64_t random = 1;
    for (size_t round = 0; round < 100; round++) {
        cm_analysis *analysis = analysis_of(basis, &thresholds);
        for (size_t e = 0; e < 4; e++) {
            double vectors[REPETITIONS * KERNELS];
            for (size_t i = 0; i < COUNT(vectors); i++) {
                double exact = 0.0;
                for (size_t j = 0; j < 4; j++)
                    exact += *cm_matrix_at(basis, i % KERNELS, j) * events[e].counts[j];
                vectors[i] = fabs(exact * (1 + 0.02 * random_signed(&random)) + 0.01 * random_signed(&random));
            }
            assert_int_equal(cm_analysis_add_event(analysis, events[e].event, vectors, REPETITIONS, NULL), CM_OK);
        }
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_selected_count(analysis), 4);
        for (size_t i = 0; i < COUNT(metrics); i++) {
            cm_fit *fit = NULL;
            assert_int_equal(cm_fit_create(analysis, metrics[i].signature, &fit, NULL), CM_OK);
            assert_true(fit->composable);
            expect_close(fit->fitness.backward_error, 0.0, 1e-14, metrics[i].metric);
            double inexact = 0.0;
            for (size_t k = 0; k < 4; k++) {
                double expected = metrics[i].coefficients[cm_analysis_selected(analysis, k)];
                expect_close(fit->rounded[k], expected, 0.0, metrics[i].metric);
                expect_close(fit->coefficients[k], expected, 5e-2, metrics[i].metric);
                inexact = fmax(inexact, fabs(fit->coefficients[k] - expected));
            }
            assert_true(inexact > 1e-4);
            cm_fit_free(fit);
        }
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

/* Events in any order: the same definitions, of the same events. */
static void shuffled_events_give_the_same_definitions(void **state)
{
    (void)state;
    uint64_t random = 21;
    cm_matrix *basis = branch_basis();
    for (size_t round = 0; round < 500; round++) {
        size_t order[COUNT(branch_events)], place[COUNT(branch_events)];
        for (size_t i = 0; i < COUNT(order); i++)
            order[i] = i;
        shuffle(order, COUNT(order), &random);
        cm_analysis *analysis = analysis_of(basis, NULL);
        for (size_t i = 0; i < COUNT(order); i++) {
            add_exact(analysis, basis, branch_events[order[i]].event, branch_events[order[i]].counts);
            place[order[i]] = i;
        }
        assert_int_equal(cm_analysis_select(analysis, NULL), CM_OK);
        /* One dimension each, in whatever order; then the events of score 2 and equal norm, of which the first is
         * independent (ALL_BRANCHES or NEAR_TAKEN, COND_NTAKEN is not). */
        assert_int_equal(cm_analysis_selected_count(analysis), 4);
        size_t last = order[cm_analysis_selected(analysis, 3)];
        assert_int_equal(last, place[3] < place[5] ? 3 : 5);
        assert_int_equal(cm_analysis_event(analysis, place[4]).status, CM_EVENT_DEPENDENT);
        assert_int_equal(cm_analysis_event(analysis, place[6]).equivalent_to, last == 3 ? (ptrdiff_t)place[3] : -1);
        for (size_t i = 0; i < COUNT(branch_metrics); i++) {
            cm_fit *fit = NULL;
            assert_int_equal(cm_fit_create(analysis, branch_metrics[i].signature, &fit, NULL), CM_OK);
            assert_int_equal(fit->composable, branch_metrics[i].composable);
            for (size_t k = 0; k < 4; k++) {
                size_t event = order[cm_analysis_selected(analysis, k)];
                /* D = ALL - CR, or NEAR_TAKEN - T */
                double expected = event < 4 ? branch_metrics[i].coefficients[event] : i == 0 ? 1.0 : 0.0;
                if (i == 0 && last == 5 && event < 3)
                    expected = event == 2 ? -1.0 : 0.0;
                expect_close(fit->rounded[k], expected, 0.0, branch_metrics[i].metric);
            }
            cm_fit_free(fit);
        }
        cm_analysis_free(analysis);
    }
    cm_matrix_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_flops_is_table_5), cmocka_unit_test(gpu_flops_is_table_6),
        cmocka_unit_test(branch_is_table_7),    cmocka_unit_test(branch_noise_is_rounded_away),
        cmocka_unit_test(dcache_is_table_8),    cmocka_unit_test(shuffled_events_give_the_same_definitions),
    };
    return cmocka_run_group_tests_name("paper tables", tests, NULL, NULL);
}
