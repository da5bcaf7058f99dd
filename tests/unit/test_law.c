/* The law's verdicts on definitions whose counts are known: of facts, on all of catmint's kernels of x86-64. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

#include "core/csv.h"
#include "law/law.h"
#include "programs/programs.h"
#include "verify/verify.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static cm_fact_table *facts;
static cm_natural *natural;
static cm_law_kernel *kernels;

static int make_kernels(void **state)
{
    (void)state;
    if (cm_fact_table_load(NULL, "x86_64", &facts, NULL) != CM_OK || cm_natural_load(NULL, &natural, NULL) != CM_OK)
        return -1;
    kernels = calloc(facts->kernel_count, sizeof *kernels);
    for (size_t k = 0; k < facts->kernel_count; k++)
        kernels[k] = (cm_law_kernel){.facts = &facts->kernels[k],
                                     .home = strcmp(facts->kernels[k].benchmark, "dcache") == 0,
                                     .free = facts->kernels[k].role == CM_KERNEL_FREE,
                                     .loops = strcmp(facts->kernels[k].kernel, "empty") != 0};
    return 0;
}

static int free_kernels(void **state)
{
    (void)state;
    free(kernels);
    cm_natural_free(natural);
    cm_fact_table_free(facts);
    return 0;
}

static double *weights_of(const char *text)
{
    double *weights = calloc(cm_fact_count(), sizeof *weights);
    assert_int_equal(cm_meaning_parse(facts, text, NULL, weights, NULL), CM_OK);
    return weights;
}

typedef struct definition {
    const char *name, *counts; /* facts */
    double noise;              /* of what is counted, one standard error */
    double amplification;
    cm_law_finding finding;
    const char *leak;  /* a fact among its leaks, or NULL */
    double at_most[2]; /* between which it is said to leak */
} definition;

static size_t fact_of(const cm_law *law, size_t alternative)
{
    const cm_law_alternative *what = cm_law_alternative_at(law, alternative);
    return what->sort == CM_LAW_FACT || what->sort == CM_LAW_DERIVED ? what->fact : SIZE_MAX;
}

static void check_leak(const definition *row, const cm_law *law, const cm_law_verdict *verdict)
{
    double at_most = 0.0;
    for (size_t i = 0; i < verdict->leak_count; i++)
        if (row->leak != NULL && fact_of(law, verdict->leaks[i].alternative) == (size_t)cm_fact_find(row->leak))
            at_most = verdict->leaks[i].at_most;
    if (row->leak == NULL)
        assert_int_equal(verdict->leak_count, 0);
    else if (at_most < row->at_most[0] || at_most > row->at_most[1])
        fail_msg("%s: %s leaks %g", row->name, row->leak, at_most);
}

static void check(const definition *row, const cm_law *law, const cm_law_metric *metric)
{
    double *counted = weights_of(row->counts);
    double *values = calloc(3 * facts->kernel_count, sizeof *values), *variances = values + facts->kernel_count;
    const cm_law_counts counts = {.values = values, .variances = variances, .strays = variances + facts->kernel_count};
    for (size_t k = 0; k < facts->kernel_count; k++) {
        for (size_t i = 0; i < cm_fact_count(); i++)
            values[k] += counted[i] != 0.0 ? counted[i] * facts->kernels[k].values[i] : 0.0;
        variances[k] = pow(row->noise * values[k], 2.0);
    }
    cm_law_verdict verdict = {0};
    assert_int_equal(cm_law_judge(metric, &counts, row->amplification, &verdict, NULL), CM_OK);
    if (verdict.finding != row->finding)
        fail_msg("%s: finding %d at %zu, %g for %g", row->name, (int)verdict.finding, verdict.place, verdict.value,
                 verdict.limit);
    if (row->finding == CM_LAW_HOLDS || row->finding == CM_LAW_IN_RANGE)
        check_leak(row, law, &verdict);
    cm_law_verdict_clear(&verdict);
    free(values);
    free(counted);
}

static void check_all(const char *meaning, double tolerance, double interference, const definition *rows, size_t count)
{
    double *weights = weights_of(meaning);
    const cm_law_setup setup = {.facts = facts,
                                .natural = natural,
                                .kernels = kernels,
                                .kernel_count = facts->kernel_count,
                                .metrics = weights,
                                .metric_count = 1,
                                .interference = interference};
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, weights, tolerance, &metric, NULL), CM_OK);
    assert_non_null(metric);
    assert_true(cm_law_metric_unit(metric) == (strcmp(meaning, "store_bytes") == 0 ? 8.0 : 1.0));
    for (size_t i = 0; i < count; i++)
        check(&rows[i], law, metric);
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(weights);
}

static void misses_are_told_from_what_is_frequent(void **state)
{
    (void)state;
    static const definition rows[] = {
        {"misses", "l1d_load_miss", 1e-5, 1.0, CM_LAW_HOLDS, NULL, {0}},
        {"wrong", "l1d_load_miss + l2_wrong_load_hit", 1e-5, 1.0, CM_LAW_IN_RANGE, "l2_wrong_load_hit", {0.99, 1.02}},
        {"and hits", "l1d_load_miss + 0.003*l1d_load_hit", 1e-5, 1.0, CM_LAW_IN_RANGE, "l1d_load_hit", {0.0025, 0.004}},
        {"less hits",
         "l1d_load_miss - 0.003*l1d_load_hit",
         1e-5,
         1.0,
         CM_LAW_IN_RANGE,
         "l1d_load_hit",
         {0.0025, 0.004}},
        {"misses and mispredictions",
         "l1d_load_miss + 0.03*mispredicted_cond",
         1e-5,
         1.0,
         CM_LAW_IN_RANGE,
         "mispredicted_cond",
         {0.02, 0.05}},
        {"a part of misses alone", "l2_load_hit + l3_load_hit", 1e-5, 1.0, CM_LAW_KERNEL, NULL, {0}},
        {"more than misses", "1.3*l1d_load_miss", 1e-5, 1.0, CM_LAW_KERNEL, NULL, {0}},
        {"noise", "l1d_load_miss", 0.2, 1.0, CM_LAW_NOISY, NULL, {0}},
        {"differences of much", "l1d_load_miss", 1e-5, 20.0, CM_LAW_AMPLIFIED, NULL, {0}},
    };
    check_all("l1d_load_miss", 0.1, 1e-5, rows, COUNT(rows));
}

/* A fiftieth of calls matters in no natural program, and kernels that call do not fit without it: it is a leak. As it
 * is more than T, and there for sure, it leaves a range. */
static void leaks_that_kernels_alone_show_are_leaks(void **state)
{
    (void)state;
    static const definition rows[] = {
        {"stores", "stores", 1e-5, 1.0, CM_LAW_HOLDS, NULL, {0}},
        {"stores and a little of calls", "stores + 0.005*calls", 1e-5, 1.0, CM_LAW_HOLDS, NULL, {0}},
        {"stores and some of calls", "stores + 0.02*calls", 1e-5, 1.0, CM_LAW_IN_RANGE, "calls", {0.019, 0.021}},
    };
    check_all("stores", 0.01, 1e-5, rows, COUNT(rows));
    check_all("store_bytes", 0.01, 1e-5, NULL, 0);
}

/* No class of natural programs has many locks and many stores. */
static void leaks_matter_where_the_metric_is_rare(void **state)
{
    (void)state;
    static const definition rows[] = {
        {"locks", "locked_loads", 1e-5, 1.0, CM_LAW_HOLDS, NULL, {0}},
        {"locks and a few of stores",
         "locked_loads + 0.001*stores",
         1e-5,
         1.0,
         CM_LAW_IN_RANGE,
         "stores",
         {0.00095, 0.0011}},
    };
    check_all("locked_loads", 0.01, 1e-5, rows, COUNT(rows));
}

static void a_loud_neighbour_leaves_a_range(void **state)
{
    (void)state;
    static const definition rows[] = {
        {"misses", "l1d_load_miss", 1e-5, 1.0, CM_LAW_IN_RANGE, "l1d_load_hit", {0.003, 0.02}},
    };
    check_all("l1d_load_miss", 0.1, 0.005, rows, COUNT(rows));
}

/* Counts prefetches beside the metric: `missing`: those alone that miss. */
static void check_prefetches(bool missing, cm_law_finding finding)
{
    double *weights = weights_of("l1d_load_miss"), *values = calloc(3 * facts->kernel_count, sizeof *values);
    const cm_law_counts counts = {
        .values = values, .variances = values + facts->kernel_count, .strays = values + 2 * facts->kernel_count};
    const cm_law_setup setup = {facts, natural, kernels, facts->kernel_count, weights, 1, 1e-5};
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    cm_law_verdict verdict = {0};
    size_t prefetch = (size_t)cm_fact_find("prefetches_nta");
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, weights, 0.1, &metric, NULL), CM_OK);
    for (size_t k = 0; k < facts->kernel_count; k++) {
        for (size_t i = 0; i < cm_fact_count(); i++)
            values[k] += weights[i] * facts->kernels[k].values[i];
        if (!missing || strstr(facts->kernels[k].kernel, "+hint_") != NULL)
            values[k] += facts->kernels[k].values[prefetch];
    }
    assert_int_equal(cm_law_judge(metric, &counts, 1.0, &verdict, NULL), CM_OK);
    assert_int_equal(verdict.finding, finding);
    assert_int_equal(verdict.also_count, missing ? 0 : 1);
    assert_true(missing || fact_of(law, verdict.also[0]) == prefetch);
    cm_law_verdict_clear(&verdict);
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(values);
    free(weights);
}

static void what_vendors_disagree_about_is_named(void **state)
{
    (void)state;
    check_prefetches(false, CM_LAW_HOLDS);
    check_prefetches(true, CM_LAW_KERNEL);
}

/* ---- what events count by themselves ---- */

static void an_event_is_read_as_the_fewest_facts(void **state)
{
    (void)state;
    static const char *const counted[] = {"l1d_load_miss",
                                          "loads + stores",
                                          "stores - dtlb_store_miss",
                                          "0.015625*l3_load_miss",
                                          "l1d_load_miss + 0.03*calls",
                                          "branches_cond_taken + 3*mispredicted_cond",
                                          "branches_cond + 2*calls + 2*mispredicted_cond"};
    double *weights = weights_of("l1d_load_miss"), *values = calloc(3 * facts->kernel_count, sizeof *values);
    double *read = calloc(cm_fact_count() + 1, sizeof *read), *most = calloc(cm_fact_count(), sizeof *most);
    const cm_law_setup setup = {facts, natural, kernels, facts->kernel_count, weights, 1, 1e-5};
    const cm_law_counts counts = {
        .values = values, .variances = values + facts->kernel_count, .strays = values + 2 * facts->kernel_count};
    cm_law *law = NULL;
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    for (size_t n = 0; n < COUNT(counted); n++) {
        double *wanted = weights_of(counted[n]);
        bool known = false;
        memset(values, 0, facts->kernel_count * sizeof *values);
        memset(read, 0, (cm_fact_count() + 1) * sizeof *read);
        for (size_t k = 0; k < facts->kernel_count; k++)
            for (size_t i = 0; i < cm_fact_count(); i++)
                values[k] += wanted[i] != 0.0 ? wanted[i] * facts->kernels[k].values[i] : 0.0;
        assert_int_equal(cm_law_read(law, &counts, read, most, &known, NULL), CM_OK);
        assert_true(known);
        for (size_t i = 0; i < cm_fact_count(); i++)
            assert_true(fabs(read[i] - wanted[i]) <= 0.01);
        for (size_t i = 0; i < cm_fact_count() && strchr(counted[n], '-') == NULL; i++)
            assert_true(most[i] * (1.0 + 1e-9) >= wanted[i]);
        free(wanted);
    }
    cm_law_free(law);
    free(most);
    free(read);
    free(values);
    free(weights);
}

/* Terms that come to the metric on all kernels of tlb by chance, as calls and returns, or a
 * load that hits and additions. Where one of them alone may be something else, it is the metric that they count. */
static void terms_are_what_they_are_read_as(void **state)
{
    (void)state;
    static const struct {
        const char *terms[3];
        double coefficients[3];
        cm_law_finding finding;
    } rows[] = {
        {{"load_walks + store_walks + fetch_walks", "fetch_walks", NULL}, {1.0, -1.0}, CM_LAW_HOLDS},
        {{"load_walks + store_walks + calls", "returns", NULL}, {1.0, -1.0}, CM_LAW_HOLDS},
        {{"load_walks + store_walks + l1d_load_hit", "int_scalar_add", NULL}, {1.0, -3.5}, CM_LAW_READ},
        {{"0.03*load_walks + 0.03*store_walks", NULL, NULL}, {100.0 / 3.0}, CM_LAW_LEAK},
    };
    double *weights = weights_of("load_walks + store_walks");
    double *values = calloc(3 * facts->kernel_count, sizeof *values), *read = calloc(cm_fact_count() + 1, sizeof *read);
    cm_law_kernel *alone = calloc(facts->kernel_count, sizeof *alone);
    size_t count = 0;
    for (size_t k = 0; k < facts->kernel_count; k++)
        if (strcmp(facts->kernels[k].benchmark, "tlb") == 0)
            alone[count++] = kernels[k];
    const cm_law_setup setup = {facts, natural, alone, count, weights, 1, 1e-5};
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, weights, 0.1, &metric, NULL), CM_OK);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < cm_fact_count(); i++)
            values[k] += weights[i] * alone[k].facts->values[i];
    for (size_t n = 0; n < COUNT(rows); n++) {
        cm_law_term terms[3] = {0};
        size_t term_count = 0;
        memset(read, 0, (cm_fact_count() + 1) * sizeof *read);
        for (; term_count < 3 && rows[n].terms[term_count] != NULL; term_count++) {
            double *own = realloc(weights_of(rows[n].terms[term_count]), (cm_fact_count() + 1) * sizeof *own);
            own[cm_fact_count()] = 0.0;
            terms[term_count] = (cm_law_term){rows[n].coefficients[term_count], own, NULL};
            for (size_t i = 0; i < cm_fact_count(); i++)
                read[i] += rows[n].coefficients[term_count] * own[i];
        }
        const cm_law_counts counts = {values, values + count, values + 2 * count, read, term_count, terms};
        cm_law_verdict verdict = {0};
        assert_int_equal(cm_law_judge(metric, &counts, 1.0, &verdict, NULL), CM_OK);
        assert_int_equal(verdict.finding, rows[n].finding);
        cm_law_verdict_clear(&verdict);
        for (size_t i = 0; i < term_count; i++)
            free((void *)terms[i].facts);
    }
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(alone);
    free(read);
    free(values);
    free(weights);
}

/* ---- natural programs ---- */

static double often(size_t program, const char *fact)
{
    return natural->facts[program * cm_fact_count() + (size_t)cm_fact_find(fact)];
}

static void natural_programs_can_be_real(void **state)
{
    (void)state;
    assert_in_range(natural->class_count, 12, 40);
    assert_int_equal(natural->count, natural->class_count * CM_NATURAL_OF_A_CLASS);
    for (size_t p = 0; p < natural->count; p++) {
        for (size_t i = 0; i < cm_fact_count(); i++)
            if (!(natural->facts[p * cm_fact_count() + i] >= -1e-12))
                fail_msg("%s: %s is negative", natural->classes[natural->class_of[p]], cm_fact_name(i));
        assert_true(often(p, "instructions") == 1.0);
        assert_true(often(p, "branches_cond_taken") <= often(p, "branches_cond"));
        assert_true(often(p, "mispredicted_cond") <= often(p, "branches_cond"));
        assert_true(often(p, "load_walks") <= often(p, "dtlb_load_miss"));
        assert_true(often(p, "l2_written_back") <= often(p, "l1d_written_back"));
        assert_true(often(p, "locked_loads") <= often(p, "updates"));
    }
}

static void faults_are_told_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *row, *message;
    } rows[] = {
        {"*,loads,instruction,1,2,estimate", "instruction"},
        {"*,a,instructions,2,1,estimate", "low is above high"},
        {"resident,nosuch,,1,2,estimate", "'nosuch' is in no row of every class"},
        {"*,a,1/instructions,1,2,estimate", "divi"},
        {"*,a,instructions,x,2,estimate", "x"},
        {"*,a,instructions,1,2,", "no source"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[] = "/tmp/catmint-natural-XXXXXX";
        cm_error error = {0};
        cm_natural *read = NULL;
        FILE *file = fdopen(mkstemp(path), "w");
        fprintf(file, "class,name,of,low,high,source\n*,instructions,1,1,1,by definition\n%s\n", rows[i].row);
        fclose(file);
        assert_int_equal(cm_natural_load(path, &read, &error), CM_BAD_INPUT);
        remove(path);
        assert_int_equal(error.line, 3);
        assert_non_null(strstr(error.text, rows[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_are_told_from_what_is_frequent),
        cmocka_unit_test(a_loud_neighbour_leaves_a_range),
        cmocka_unit_test(leaks_that_kernels_alone_show_are_leaks),
        cmocka_unit_test(leaks_matter_where_the_metric_is_rare),
        cmocka_unit_test(what_vendors_disagree_about_is_named),
        cmocka_unit_test(an_event_is_read_as_the_fewest_facts),
        cmocka_unit_test(terms_are_what_they_are_read_as),
        cmocka_unit_test(natural_programs_can_be_real),
        cmocka_unit_test(faults_are_told_with_their_line),
    };
    return cmocka_run_group_tests(tests, make_kernels, free_kernels);
}
