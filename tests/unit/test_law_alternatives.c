/* What the law holds definitions against, on kernels of x86-64. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/state.h"
#include "verify/verify.h"

/* A range by a difference that no program has would say nothing: each is of what programs do more. */
static void differences_are_there_in_programs(void **state)
{
    (void)state;
    cm_fact_table *facts = NULL;
    cm_natural *natural = NULL;
    cm_law *law = NULL;
    assert_int_equal(cm_fact_table_load(NULL, "x86_64", &facts, NULL), CM_OK);
    assert_int_equal(cm_natural_load(NULL, &natural, NULL), CM_OK);
    cm_law_kernel *kernels = calloc(facts->kernel_count, sizeof *kernels);
    double *weights = calloc(cm_fact_count(), sizeof *weights);
    size_t count = 0;
    for (size_t k = 0; k < facts->kernel_count; k++)
        if (strcmp(facts->kernels[k].benchmark, "dcache") == 0)
            kernels[count++].facts = &facts->kernels[k];
    const cm_law_setup setup = {facts, natural, kernels, count, weights, 1, 1e-5};
    assert_int_equal(cm_meaning_parse(facts, "l2_load_hit", NULL, weights, NULL), CM_OK);
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    size_t differences = 0;
    for (size_t a = 0; a < law->total; a++) {
        int more = 0;
        if (law->alternatives[a].sort != CM_LAW_DIFFERENCE)
            continue;
        for (size_t p = 0; p < natural->count; p++) {
            double amount = law->programs[a * natural->count + p];
            more += (amount > 0.0) - (amount < 0.0);
        }
        assert_true(more >= 0);
        differences++;
    }
    assert_true(differences > 10);
    cm_law_free(law);
    free(weights);
    free(kernels);
    cm_natural_free(natural);
    cm_fact_table_free(facts);
}

/* Loads of the third level that hit, where a prefetcher decides how many of a kernel's do: `factor` times the most. */
static cm_law_finding judge_hits(const cm_law_setup *setup, const double *weights, double factor)
{
    size_t hits = (size_t)cm_fact_find("l3_load_hit"), count = setup->kernel_count;
    double *values = calloc(3 * count, sizeof *values), *variances = values + count;
    const cm_law_counts counts = {.values = values, .variances = variances, .strays = variances + count};
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    cm_law_verdict verdict = {0};
    for (size_t k = 0; k < count; k++) {
        const cm_kernel_facts *kernel = setup->kernels[k].facts;
        values[k] = kernel->values[hits];
        if (kernel->ranges != NULL && kernel->ranges[hits] > 0.0)
            values[k] = factor * (kernel->values[hits] + kernel->ranges[hits]);
        variances[k] = pow(1e-5 * values[k], 2.0);
    }
    assert_int_equal(cm_law_create(setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, weights, 0.1, &metric, NULL), CM_OK);
    assert_int_equal(cm_law_judge(metric, &counts, 1.0, &verdict, NULL), CM_OK);
    cm_law_finding finding = verdict.finding;
    cm_law_verdict_clear(&verdict);
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(values);
    return finding;
}

static void what_the_machine_decides_has_bounds(void **state)
{
    (void)state;
    cm_fact_table *facts = NULL;
    cm_natural *natural = NULL;
    assert_int_equal(cm_fact_table_load(NULL, "x86_64", &facts, NULL), CM_OK);
    assert_int_equal(cm_natural_load(NULL, &natural, NULL), CM_OK);
    cm_law_kernel *kernels = calloc(facts->kernel_count, sizeof *kernels);
    double *weights = calloc(cm_fact_count(), sizeof *weights);
    for (size_t k = 0; k < facts->kernel_count; k++)
        kernels[k] = (cm_law_kernel){.facts = &facts->kernels[k],
                                     .home = strcmp(facts->kernels[k].benchmark, "dcache") == 0,
                                     .free = facts->kernels[k].role == CM_KERNEL_FREE,
                                     .loops = strcmp(facts->kernels[k].kernel, "empty") != 0};
    const cm_law_setup setup = {facts, natural, kernels, facts->kernel_count, weights, 1, 1e-5};
    assert_int_equal(cm_meaning_parse(facts, "l3_load_hit", NULL, weights, NULL), CM_OK);
    assert_true(judge_hits(&setup, weights, 1.0) <= CM_LAW_IN_RANGE);
    assert_int_equal(judge_hits(&setup, weights, 1.3), CM_LAW_KERNEL);
    free(weights);
    free(kernels);
    cm_natural_free(natural);
    cm_fact_table_free(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_there_in_programs),
        cmocka_unit_test(what_the_machine_decides_has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
