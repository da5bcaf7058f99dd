/* The paper's Tables V to VIII, from the tables in data/paper-events through loading, restriction and analysis. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/analysis.h>
#include <catmint/tables.h>

typedef struct recording {
    cm_measurements *measurements;
    cm_basis *basis;
    cm_signatures *signatures;
    cm_thresholds thresholds;
    cm_analysis *analysis;
} recording;

/* The paper's where it has its own. */
static char *table_of(const char *folder, const char *benchmark)
{
    char relative[128], *file = NULL;
    snprintf(relative, sizeof relative, "%s/paper/%s.csv", folder, benchmark);
    if (cm_data_path(relative, &file, NULL) == CM_OK)
        return file;
    snprintf(relative, sizeof relative, "%s/%s.csv", folder, benchmark);
    assert_int_equal(cm_data_path(relative, &file, NULL), CM_OK);
    return file;
}

static char *data_file(const char *folder, const char *name)
{
    char relative[128], *file = NULL;
    snprintf(relative, sizeof relative, "%s/%s.csv", folder, name);
    assert_int_equal(cm_data_path(relative, &file, NULL), CM_OK);
    return file;
}

/* Counts per iteration, median over threads: R x N. */
static double *vectors_of(const cm_measurements *table, const cm_measurement *event)
{
    size_t kernels = table->kernel_count, threads = event->thread_count;
    double *vectors = calloc(event->repetition_count * kernels, sizeof *vectors);
    double *of_threads = calloc(threads, sizeof *of_threads);
    assert_true(vectors != NULL && of_threads != NULL);
    for (size_t r = 0; r < event->repetition_count; r++)
        for (size_t k = 0; k < kernels; k++) {
            for (size_t t = 0; t < threads; t++)
                of_threads[t] = event->values[(r * threads + t) * kernels + k];
            vectors[r * kernels + k] = cm_median(of_threads, threads) / table->iterations[k];
        }
    free(of_threads);
    return vectors;
}

static recording analyse(const char *table, const char *benchmark, bool backwards)
{
    recording made = {0};
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_benchmarks *benchmarks = NULL;
    char *files[] = {data_file("data/paper-events", table), table_of("bases", benchmark),
                     table_of("signatures", benchmark), data_file("bases", "benchmarks")};
    assert_int_equal(cm_measurements_load(files[0], &made.measurements, NULL), CM_OK);
    assert_int_equal(cm_basis_load(files[1], &basis, NULL), CM_OK);
    assert_int_equal(cm_signatures_load(files[2], &signatures, NULL), CM_OK);
    assert_int_equal(cm_benchmarks_load(files[3], &benchmarks, NULL), CM_OK);
    assert_int_equal(cm_basis_restrict_to(basis, made.measurements, &made.basis, NULL), CM_OK);
    assert_int_equal(cm_signatures_restrict(signatures, made.basis, &made.signatures, NULL), CM_OK);
    const cm_benchmark *chosen = cm_benchmarks_find(benchmarks, benchmark);
    assert_non_null(chosen);
    cm_thresholds_default(&made.thresholds);
    made.thresholds.tau = chosen->tau;
    made.thresholds.alpha = chosen->alpha;
    made.thresholds.residual = chosen->residual;
    made.thresholds.quantum = chosen->quantum;
    assert_int_equal(cm_analysis_create(made.basis->expectations, &made.thresholds, &made.analysis, NULL), CM_OK);
    size_t count = made.measurements->event_count;
    for (size_t i = 0; i < count; i++) {
        const cm_measurement *event = &made.measurements->events[backwards ? count - 1 - i : i];
        double *vectors = vectors_of(made.measurements, event);
        assert_int_equal(cm_analysis_add_event(made.analysis, event->event, vectors, event->repetition_count, NULL),
                         CM_OK);
        free(vectors);
    }
    assert_int_equal(cm_analysis_select(made.analysis, NULL), CM_OK);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        free(files[i]);
    cm_basis_free(basis);
    cm_signatures_free(signatures);
    cm_benchmarks_free(benchmarks);
    return made;
}

static void clear(recording *made)
{
    cm_analysis_free(made->analysis);
    cm_measurements_free(made->measurements);
    cm_basis_free(made->basis);
    cm_signatures_free(made->signatures);
}

static const char *selected_name(const cm_analysis *analysis, size_t rank)
{
    return cm_analysis_event(analysis, cm_analysis_selected(analysis, rank)).event;
}

enum { EVENTS = 12, TERMS = 4 };

typedef struct paper_table {
    const char *table, *benchmark;
    const char *selected[EVENTS]; /* in any order */
} paper_table;

#define FP(name) "FP_ARITH_INST_RETIRED:" name
#define SQ(name) "SQ_INSTS_VALU_" name

static const paper_table tables[] = {
    {"sapphire-rapids-cpu-flops",
     "cpu-flops",
     {FP("128B_PACKED_SINGLE"), FP("256B_PACKED_SINGLE"), FP("512B_PACKED_SINGLE"), FP("128B_PACKED_DOUBLE"),
      FP("256B_PACKED_DOUBLE"), FP("512B_PACKED_DOUBLE"), FP("SCALAR_SINGLE"), FP("SCALAR_DOUBLE")}},
    {"mi250x-gpu-flops",
     "gpu-flops",
     {SQ("ADD_F16"), SQ("ADD_F32"), SQ("ADD_F64"), SQ("MUL_F16"), SQ("MUL_F32"), SQ("MUL_F64"), SQ("TRANS_F16"),
      SQ("TRANS_F32"), SQ("TRANS_F64"), SQ("FMA_F16"), SQ("FMA_F32"), SQ("FMA_F64")}},
    {"sapphire-rapids-branch",
     "branch",
     {"BR_MISP_RETIRED", "BR_INST_RETIRED:COND", "BR_INST_RETIRED:COND_TAKEN", "BR_INST_RETIRED:ALL_BRANCHES"}},
    {"sapphire-rapids-dcache",
     "dcache",
     {"MEM_LOAD_RETIRED:L3_HIT", "L2_RQSTS:DEMAND_DATA_RD_HIT", "MEM_LOAD_RETIRED:L1_MISS", "MEM_LOAD_RETIRED:L1_HIT"}},
};
enum { CPU, GPU, BRANCH, DCACHE, TABLES };

typedef struct term {
    const char *event;
    const char *coefficient; /* as printed; without a point it is exact */
} term;

typedef struct definition {
    int table;
    const char *metric;
    const char *error; /* as printed; NULL where it is printed near 1e-16: below 1e-14 */
    bool composable;
    term terms[TERMS]; /* events that are not here have coefficient 0 */
} definition;

#define PACKED(precision, scalar, narrow, middle, wide)                                                                \
    {                                                                                                                  \
        {FP("128B_PACKED_" precision), narrow}, {FP("256B_PACKED_" precision), middle},                                \
            {FP("512B_PACKED_" precision), wide},                                                                      \
        {                                                                                                              \
            FP("SCALAR_" precision), scalar                                                                            \
        }                                                                                                              \
    }
#define OPERATIONS(bits)                                                                                               \
    {                                                                                                                  \
        {SQ("FMA_F" bits), "2"}, {SQ("MUL_F" bits), "1"}, {SQ("TRANS_F" bits), "1"},                                   \
        {                                                                                                              \
            SQ("ADD_F" bits), "1"                                                                                      \
        }                                                                                                              \
    }
#define CACHE(l3_hit, l2_hit, l1_miss, l1_hit)                                                                         \
    {                                                                                                                  \
        {"MEM_LOAD_RETIRED:L3_HIT", l3_hit}, {"L2_RQSTS:DEMAND_DATA_RD_HIT", l2_hit},                                  \
            {"MEM_LOAD_RETIRED:L1_MISS", l1_miss},                                                                     \
        {                                                                                                              \
            "MEM_LOAD_RETIRED:L1_HIT", l1_hit                                                                          \
        }                                                                                                              \
    }

static const definition definitions[] = {
    /* Table V */
    {CPU, "SP Instrs.", NULL, true, PACKED("SINGLE", "1", "1", "1", "1")},
    {CPU, "SP Ops.", NULL, true, PACKED("SINGLE", "1", "4", "8", "16")},
    {CPU, "SP FMA Instrs.", "2.36e-1", false, PACKED("SINGLE", "0.8", "0.8", "0.8", "0.8")},
    {CPU, "DP Instrs.", NULL, true, PACKED("DOUBLE", "1", "1", "1", "1")},
    {CPU, "DP Ops.", NULL, true, PACKED("DOUBLE", "1", "2", "4", "8")},
    {CPU, "DP FMA Instrs.", "2.36e-1", false, PACKED("DOUBLE", "0.8", "0.8", "0.8", "0.8")},
    /* Table VI */
    {GPU, "HP Add Ops.", "4.14e-1", false, {{SQ("ADD_F16"), "0.5"}}},
    {GPU, "HP Sub Ops.", "4.14e-1", false, {{SQ("ADD_F16"), "0.5"}}},
    {GPU, "HP Add and Sub Ops.", NULL, true, {{SQ("ADD_F16"), "1"}}},
    {GPU, "All HP Ops.", NULL, true, OPERATIONS("16")},
    {GPU, "All SP Ops.", NULL, true, OPERATIONS("32")},
    {GPU, "All DP Ops.", NULL, true, OPERATIONS("64")},
    /* Table VII */
    {BRANCH,
     "Unconditional Branches",
     NULL,
     true,
     {{"BR_INST_RETIRED:COND", "-1"}, {"BR_INST_RETIRED:ALL_BRANCHES", "1"}}},
    {BRANCH, "Conditional Branches Taken", NULL, true, {{"BR_INST_RETIRED:COND_TAKEN", "1"}}},
    {BRANCH,
     "Conditional Branches Not Taken",
     NULL,
     true,
     {{"BR_INST_RETIRED:COND", "1"}, {"BR_INST_RETIRED:COND_TAKEN", "-1"}}},
    {BRANCH, "Mispredicted Branches", NULL, true, {{"BR_MISP_RETIRED", "1"}}},
    {BRANCH, "Correctly Predicted Branches", NULL, true, {{"BR_MISP_RETIRED", "-1"}, {"BR_INST_RETIRED:COND", "1"}}},
    {BRANCH, "Conditional Branches Retired", NULL, true, {{"BR_INST_RETIRED:COND", "1"}}},
    {BRANCH, "Conditional Branches Executed", "1.0", false, {{NULL, NULL}}},
    /* Table VIII */
    {DCACHE, "L1 Misses", NULL, true, CACHE("2.56e-3", "3.50e-4", "1.00001", "-3.05e-4")},
    {DCACHE, "L1 Hits", NULL, true, CACHE("-5.69e-6", "-4.21e-4", "-4.19e-6", "0.9996")},
    {DCACHE, "L1 Reads", NULL, true, CACHE("2.55e-3", "-7.14e-5", "1.00001", "0.9993")},
    {DCACHE, "L2 Hits", NULL, true, CACHE("-5.87e-3", "1.003", "-2.39e-3", "-3.11e-4")},
    {DCACHE, "L2 Misses", NULL, true, CACHE("8.43e-3", "-1.002", "1.002", "5.74e-6")},
    {DCACHE, "L3 Hits", NULL, true, CACHE("1.02", "5.22e-3", "-5.26e-3", "-5.88e-6")},
};

/* Half a unit of the last printed digit; solving leaves 1e-12 around what is exact. */
static double tolerance(const char *printed)
{
    const char *point = strchr(printed, '.'), *exponent = strchr(printed, 'e');
    if (point == NULL)
        return 1e-12;
    size_t digits = strspn(point + 1, "0123456789");
    return 0.5 * pow(10.0, (exponent != NULL ? strtol(exponent + 1, NULL, 10) : 0) - (double)digits) + 1e-12;
}

static bool matches(double value, const char *printed)
{
    return fabs(value - strtod(printed, NULL)) <= tolerance(printed);
}

static void selected_events_are_the_papers(void **state)
{
    (void)state;
    for (size_t t = 0; t < TABLES; t++) {
        recording made = analyse(tables[t].table, tables[t].benchmark, false);
        size_t expected = 0;
        while (expected < EVENTS && tables[t].selected[expected] != NULL)
            expected++;
        size_t found = 0;
        for (size_t r = 0; r < cm_analysis_selected_count(made.analysis); r++)
            for (size_t i = 0; i < expected; i++)
                found += strcmp(selected_name(made.analysis, r), tables[t].selected[i]) == 0;
        if (found != expected || cm_analysis_selected_count(made.analysis) != expected)
            fail_msg("%s: %zu selected, %zu of them expected, of %zu", tables[t].table,
                     cm_analysis_selected_count(made.analysis), found, expected);
        clear(&made);
    }
}

static const char *expected_coefficient(const definition *row, const char *event)
{
    for (size_t i = 0; i < TERMS && row->terms[i].event != NULL; i++)
        if (strcmp(row->terms[i].event, event) == 0)
            return row->terms[i].coefficient;
    return "0";
}

static cm_fit *fit_of(const recording *made, const char *metric)
{
    cm_fit *fit = NULL;
    for (size_t i = 0; i < made->signatures->metric_count; i++)
        if (strcmp(made->signatures->metrics[i].metric, metric) == 0)
            assert_int_equal(cm_fit_create(made->analysis, made->signatures->metrics[i].values, &fit, NULL), CM_OK);
    if (fit == NULL)
        fail_msg("no signature of '%s'", metric);
    return fit;
}

static void definitions_are_the_papers(void **state)
{
    (void)state;
    recording made[TABLES];
    for (size_t t = 0; t < TABLES; t++)
        made[t] = analyse(tables[t].table, tables[t].benchmark, false);
    for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) {
        const definition *row = &definitions[i];
        const recording *from = &made[row->table];
        cm_fit *fit = fit_of(from, row->metric);
        for (size_t k = 0; k < fit->term_count; k++) {
            const char *event = selected_name(from->analysis, k);
            if (!matches(fit->coefficients[k], expected_coefficient(row, event)))
                fail_msg("%s: %.9g x %s, expected %s", row->metric, fit->coefficients[k], event,
                         expected_coefficient(row, event));
        }
        double error = fit->fitness.backward_error;
        if (row->error != NULL ? !matches(error, row->error) : !(error < 1e-14))
            fail_msg("%s: backward error %.9g, expected %s", row->metric, error, row->error);
        if (fit->composable != row->composable)
            fail_msg("%s: %s, but should%s be", row->metric, fit->composable ? "composable" : "not composable",
                     row->composable ? "" : " not");
        cm_fit_free(fit);
    }
    for (size_t t = 0; t < TABLES; t++)
        clear(&made[t]);
}

/* Figure 3: rounded, the data cache metrics are their signatures exactly. */
static void rounded_cache_metrics_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *metric;
        double rounded[4]; /* in pivot order: L3_HIT, DEMAND_DATA_RD_HIT, L1_MISS, L1_HIT */
    } rows[] = {{"L1 Misses", {0, 0, 1, 0}}, {"L1 Hits", {0, 0, 0, 1}},    {"L1 Reads", {0, 0, 1, 1}},
                {"L2 Hits", {0, 1, 0, 0}},   {"L2 Misses", {0, -1, 1, 0}}, {"L3 Hits", {1, 0, 0, 0}}};
    recording made = analyse(tables[DCACHE].table, tables[DCACHE].benchmark, false);
    for (size_t r = 0; r < 4; r++)
        assert_string_equal(selected_name(made.analysis, r), tables[DCACHE].selected[r]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_fit *fit = fit_of(&made, rows[i].metric);
        for (size_t k = 0; k < 4; k++)
            if (fit->rounded[k] != rows[i].rounded[k])
                fail_msg("%s: term %zu is rounded to %g", rows[i].metric, k, fit->rounded[k]);
        cm_fit_free(fit);
    }
    clear(&made);
}

static void other_events_are_sorted_out(void **state)
{
    (void)state;
    static const struct {
        int table;
        const char *event;
        cm_event_status status;
        const char *equivalent; /* NULL: to none */
    } rows[] = {
        {CPU, "MADE_UP:COPY_OF_SCALAR_DOUBLE", CM_EVENT_DEPENDENT, FP("SCALAR_DOUBLE")},
        {CPU, "MADE_UP:SCALAR_DOUBLE_TIMES_2", CM_EVENT_DEPENDENT, FP("SCALAR_DOUBLE")},
        {CPU, "MADE_UP:512B_PACKED_DOUBLE_TIMES_1000", CM_EVENT_DEPENDENT, FP("512B_PACKED_DOUBLE")},
        {CPU, "MADE_UP:SCALAR_SINGLE_TIMES_1_OVER_10", CM_EVENT_DEPENDENT, FP("SCALAR_SINGLE")},
        {CPU, "MADE_UP:SUM_FOUR_OPERATIONS", CM_EVENT_DEPENDENT, NULL},
        {CPU, "MADE_UP:SUM_ALL", CM_EVENT_DEPENDENT, NULL},
        {CPU, "MADE_UP:ZERO_1", CM_EVENT_ZERO, NULL},
        {CPU, "MADE_UP:INSTRUCTIONS", CM_EVENT_UNREPRESENTABLE, NULL},
        {CPU, "MADE_UP:ONE_AN_ITERATION", CM_EVENT_UNREPRESENTABLE, NULL},
        {CPU, "MADE_UP:CYCLES_1", CM_EVENT_NOISY, NULL},
        {CPU, "MADE_UP:CYCLES_5", CM_EVENT_NOISY, NULL},
        {CPU, "MADE_UP:INTERRUPTS_1", CM_EVENT_NOISY, NULL},
        {CPU, "MADE_UP:NEARLY_SCALAR_DOUBLE", CM_EVENT_NOISY, NULL},
        {GPU, "MADE_UP:COPY_OF_ADD_F32", CM_EVENT_DEPENDENT, SQ("ADD_F32")},
        {GPU, "MADE_UP:MUL_F32_TIMES_64", CM_EVENT_DEPENDENT, SQ("MUL_F32")},
        {GPU, "MADE_UP:SUM_FMA", CM_EVENT_DEPENDENT, NULL},
        {GPU, "MADE_UP:ZERO_6", CM_EVENT_ZERO, NULL},
        {GPU, "MADE_UP:INSTRUCTIONS", CM_EVENT_UNREPRESENTABLE, NULL},
        {GPU, "MADE_UP:CYCLES_3", CM_EVENT_NOISY, NULL},
        {BRANCH, "MADE_UP:COPY_OF_MISPREDICTED", CM_EVENT_DEPENDENT, "BR_MISP_RETIRED"},
        {BRANCH, "MADE_UP:ALL_BRANCHES_TIMES_1_OVER_2", CM_EVENT_DEPENDENT, "BR_INST_RETIRED:ALL_BRANCHES"},
        {BRANCH, "MADE_UP:COND_NOT_TAKEN", CM_EVENT_DEPENDENT, NULL},
        {BRANCH, "MADE_UP:INSTRUCTIONS", CM_EVENT_UNREPRESENTABLE, NULL},
        {BRANCH, "MADE_UP:ONE_AN_ITERATION", CM_EVENT_UNREPRESENTABLE, NULL},
        {BRANCH, "MADE_UP:CYCLES_4", CM_EVENT_NOISY, NULL},
        {BRANCH, "MADE_UP:INTERRUPTS_1", CM_EVENT_ZERO, NULL}, /* rounded to the quantum nothing is left */
        {DCACHE, "MADE_UP:COPY_OF_L2_HIT", CM_EVENT_DEPENDENT, "L2_RQSTS:DEMAND_DATA_RD_HIT"},
        {DCACHE, "MADE_UP:L1_HIT_TIMES_2", CM_EVENT_DEPENDENT, "MEM_LOAD_RETIRED:L1_HIT"},
        {DCACHE, "MADE_UP:L3_MISS", CM_EVENT_DEPENDENT, NULL},
        {DCACHE, "MADE_UP:STEADY_CYCLES", CM_EVENT_DEPENDENT, NULL},
        {DCACHE, "MADE_UP:DTLB_MISS", CM_EVENT_UNREPRESENTABLE, NULL},
        {DCACHE, "MADE_UP:CYCLES", CM_EVENT_NOISY, NULL},
        {DCACHE, "MADE_UP:NOISY_L3_HIT", CM_EVENT_NOISY, NULL},
        {DCACHE, "MADE_UP:ZERO_2", CM_EVENT_ZERO, NULL},
    };
    for (int t = 0; t < TABLES; t++) {
        recording made = analyse(tables[t].table, tables[t].benchmark, false);
        size_t checked = 0, expected = 0;
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            expected += rows[i].table == t;
            for (size_t e = 0; rows[i].table == t && e < cm_analysis_event_count(made.analysis); e++) {
                cm_event_analysis event = cm_analysis_event(made.analysis, e);
                if (strcmp(event.event, rows[i].event) != 0)
                    continue;
                const char *equivalent = event.equivalent_to != CM_NO_EVENT
                                             ? cm_analysis_event(made.analysis, (size_t)event.equivalent_to).event
                                             : "none";
                if (event.status != rows[i].status ||
                    strcmp(equivalent, rows[i].equivalent != NULL ? rows[i].equivalent : "none") != 0)
                    fail_msg("%s, %s: %s (noise %g, residual %g), equivalent to %s", tables[t].table, event.event,
                             cm_event_status_text(event.status), event.max_rnmse, event.residual, equivalent);
                checked++;
            }
        }
        assert_int_equal(checked, expected);
        clear(&made);
    }
}

/* Only which of two equal events is taken depends on the order of the rows. */
static void order_of_events_changes_no_figure(void **state)
{
    (void)state;
    for (size_t t = 0; t < TABLES; t++) {
        recording made = analyse(tables[t].table, tables[t].benchmark, false);
        recording turned = analyse(tables[t].table, tables[t].benchmark, true);
        assert_int_equal(cm_analysis_selected_count(made.analysis), cm_analysis_selected_count(turned.analysis));
        for (size_t i = 0; i < made.signatures->metric_count; i++) {
            const char *metric = made.signatures->metrics[i].metric;
            bool zero = true;
            for (size_t j = 0; j < made.signatures->symbol_count; j++)
                zero &= made.signatures->metrics[i].values[j] == 0.0;
            if (zero)
                continue; /* not measurable on this machine */
            cm_fit *fit = fit_of(&made, metric), *other = fit_of(&turned, metric);
            if (fit->composable != other->composable ||
                fabs(fit->fitness.backward_error - other->fitness.backward_error) > 1e-12 ||
                fabs(fit->rounded_fitness.misfit - other->rounded_fitness.misfit) > 1e-12)
                fail_msg("%s: %g, turned round %g", metric, fit->fitness.backward_error, other->fitness.backward_error);
            cm_fit_free(fit);
            cm_fit_free(other);
        }
        clear(&made);
        clear(&turned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selected_events_are_the_papers),    cmocka_unit_test(definitions_are_the_papers),
        cmocka_unit_test(rounded_cache_metrics_are_whole),   cmocka_unit_test(other_events_are_sorted_out),
        cmocka_unit_test(order_of_events_changes_no_figure),
    };
    return cmocka_run_group_tests_name("paper_events", tests, NULL, NULL);
}
