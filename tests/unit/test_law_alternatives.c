/* What the law holds definitions against, on kernels of x86-64. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "law/state.h"
#include "software_pmu/machine/facts.h"
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

/* What leaks that were found add to a metric at the edge of all their ranges, relative. */
static double add_at_the_edge(const cm_law_verdict *verdict, size_t *ranges)
{
    double sum = 0.0;
    *ranges = 0;
    for (size_t i = 0; i < verdict->leak_count; i++)
        if (verdict->leaks[i].found && verdict->leaks[i].above > 0.0) {
            sum += verdict->leaks[i].at_most / verdict->leaks[i].above;
            ++*ranges;
        }
    return sum;
}

/* Whether the kernel is for the third of some levels, by its name. */
static bool is_of_third_level(const cm_kernel_facts *kernel)
{
    return strstr(kernel->kernel, "3.") != NULL;
}

static bool is_untold(const cm_law *law, const cm_law_verdict *verdict, size_t fact)
{
    bool named = false;
    for (size_t i = 0; i < verdict->untold_count; i++) {
        const cm_law_alternative *what = cm_law_alternative_at(law, verdict->untold[i]);
        named |= what->sort == CM_LAW_FACT && what->fact == fact;
    }
    return named;
}

typedef struct machine {
    size_t levels;          /* of its caches; 0: not known */
    bool lacks_third_level; /* no kernel for it runs */
    double meeting;         /* so many more are counted where mispredictions meet loads that hit L2 */
} machine;

/* What the law says of counts, beside all kernels that the machine runs; on those of that name `more` is counted.
 * Returns whether loads that hit L3 are named as not told. */
static bool judge_on(machine on, const char *means, const char *counts_of, const char *kernel, double more,
                     cm_law_verdict *verdict)
{
    cm_fact_table *facts = NULL;
    cm_natural *natural = NULL;
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    assert_int_equal(cm_fact_table_load(NULL, "x86_64", &facts, NULL), CM_OK);
    assert_int_equal(cm_natural_load(NULL, &natural, NULL), CM_OK);
    cm_meaning_set_levels(facts, on.levels);
    size_t count = facts->kernel_count, kept = 0;
    cm_law_kernel *kernels = calloc(count, sizeof *kernels);
    double *weights = calloc(2 * cm_fact_count(), sizeof *weights), *counted = weights + cm_fact_count();
    double *values = calloc(3 * count, sizeof *values), *variances = values + count;
    const cm_law_counts counts = {.values = values, .variances = variances, .strays = variances + count};
    assert_int_equal(cm_meaning_parse(facts, means, NULL, weights, NULL), CM_OK);
    assert_int_equal(cm_meaning_parse(facts, counts_of, NULL, counted, NULL), CM_OK);
    for (size_t k = 0; k < count; k++) {
        const cm_kernel_facts *one = &facts->kernels[k];
        if (on.lacks_third_level && is_of_third_level(one))
            continue;
        kernels[kept] = (cm_law_kernel){.facts = one,
                                        .home = strcmp(one->benchmark, "dcache") == 0,
                                        .free = one->role == CM_KERNEL_FREE,
                                        .loops = strcmp(one->kernel, "empty") != 0};
        values[kept] = strcmp(one->kernel, kernel) == 0 ? more : 0.0;
        values[kept] += on.meeting * fmin(one->values[CM_FACT_MISPREDICTED_COND], one->values[CM_FACT_L2_LOAD_HIT]);
        for (size_t i = 0; i < cm_fact_count(); i++)
            values[kept] += counted[i] * one->values[i];
        variances[kept] = pow(1e-5 * values[kept], 2.0);
        kept++;
    }
    const cm_law_setup setup = {facts, natural, kernels, kept, weights, 1, 1e-5};
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, weights, 0.1, &metric, NULL), CM_OK);
    assert_int_equal(cm_law_judge(metric, &counts, 1.0, verdict, NULL), CM_OK);
    bool named = is_untold(law, verdict, CM_FACT_L3_LOAD_HIT);
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(values);
    free(weights);
    free(kernels);
    cm_natural_free(natural);
    cm_fact_table_free(facts);
    return named;
}

static void judge(const char *means, const char *counts_of, const char *kernel, double more, cm_law_verdict *verdict)
{
    judge_on((machine){0}, means, counts_of, kernel, more, verdict);
}

/* In its range a definition is within 10 %, be it at the edge for all leaks at once. */
static void ranges_of_leaks_share_the_tolerance(void **state)
{
    (void)state;
    cm_law_verdict verdict = {0};
    size_t ranges = 0;
    judge("l1d_load_miss", "l1d_load_miss + 0.012*branches_cond + 0.012*stores + 0.012*int_scalar_add", "", 0.0,
          &verdict);
    assert_int_equal(verdict.finding, CM_LAW_IN_RANGE);
    double edge = add_at_the_edge(&verdict, &ranges);
    assert_int_equal(ranges, 3);
    assert_true(edge > 0.05 && edge < cm_the_rules.natural + 1e-9);
    cm_law_verdict_clear(&verdict);
}

/* A fact that is counted half as often as the metric is another meaning: no range makes it good, unless it is
 * mispredictions, or where these meet a fact, and the metric is of accesses, of which wrong paths do any number. What
 * is rare in programs that judge, and frequent in some that seldom do the metric, has a range. */
static void leaks_are_small_and_have_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *means, *counts;
        double meeting;
        cm_law_finding finding;
    } rows[] = {
        {"l1d_load_hit", "l1d_load_hit + 0.6*x87_instructions", 0.0, CM_LAW_COUNTS},
        {"l1d_load_hit", "l1d_load_hit + 0.3*x87_instructions", 0.0, CM_LAW_IN_RANGE},
        {"l1d_load_miss", "l1d_load_miss + 0.6*mispredicted_cond", 0.0, CM_LAW_IN_RANGE},
        {"l1d_load_miss", "l1d_load_miss + 0.6*mispredicted_cond_ntaken", 0.0, CM_LAW_IN_RANGE},
        {"l2_load_hit", "l2_load_hit", 0.6, CM_LAW_IN_RANGE},
        {"branches_cond", "branches_cond + 0.6*mispredicted_cond", 0.0, CM_LAW_COUNTS},
        {"mispredicted_cond", "mispredicted_cond - 0.01*l2_store_hit", 0.0, CM_LAW_IN_RANGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_law_verdict verdict = {0};
        judge_on((machine){.meeting = rows[i].meeting}, rows[i].means, rows[i].counts, "", 0.0, &verdict);
        assert_int_equal(verdict.finding, rows[i].finding);
        cm_law_verdict_clear(&verdict);
    }
}

/* MEM.6+run hits L3 in none to half of its loads. */
static void what_the_machine_decides_has_bounds(void **state)
{
    (void)state;
    cm_law_verdict verdict = {0};
    judge("l3_load_hit", "l3_load_hit", "MEM.6+run", 0.24, &verdict);
    assert_int_equal(verdict.finding, CM_LAW_HOLDS);
    cm_law_verdict_clear(&verdict);
    judge("l3_load_hit", "l3_load_hit", "MEM.6+run", 0.39, &verdict);
    assert_int_equal(verdict.finding, CM_LAW_KERNEL);
    cm_law_verdict_clear(&verdict);
    /* Where it hits L3, it does not miss it: a metric of both is the same, and what more is counted has a reason. */
    const char *misses = "l2_load_hit + l3_load_hit + l3_load_miss";
    judge(misses, misses, "MEM.6+run", 0.2, &verdict);
    assert_int_equal(verdict.finding, CM_LAW_IN_RANGE);
    cm_law_verdict_clear(&verdict);
}

/* Where no buffer fits between L2 and L3, MEM.6+run alone may hit L3: in half of its loads, or in none. */
static void what_no_kernel_surely_does_is_named(void **state)
{
    (void)state;
    for (size_t levels = 0; levels <= 3; levels += 3) {
        cm_law_verdict verdict = {0};
        bool named = judge_on((machine){levels, true, 0.0}, "l2_load_hit", "l2_load_hit + 0.7*l3_load_hit", "MEM.6+run",
                              -0.7 * 0.25, &verdict);
        assert_int_equal(verdict.finding, CM_LAW_HOLDS);
        assert_int_equal(named, levels == 3);
        cm_law_verdict_clear(&verdict);
    }
}

/* The rate of a neighbour's moves by an event that counts loads that miss, on the kernels of dcache, if it moves so
 * many hits in all repetitions, and none in those that it did not disturb. */
static double find_rate(double moved)
{
    cm_fact_table *facts = NULL;
    assert_int_equal(cm_fact_table_load(NULL, "x86_64", &facts, NULL), CM_OK);
    size_t most = facts->kernel_count, count = 0, *rows = calloc(most, sizeof *rows);
    cm_law_kernel *kernels = calloc(most, sizeof *kernels);
    double *numbers = calloc(4 * most, sizeof *numbers), *iterations = numbers + 3 * most;
    const cm_usable_event event = {.mean = numbers, .error = numbers + most, .whole = numbers + 2 * most};
    const cm_problem problem = {.iterations = iterations};
    for (size_t k = 0; k < most; k++) {
        const double *values = facts->kernels[k].values;
        if (strcmp(facts->kernels[k].benchmark, "dcache") != 0)
            continue;
        kernels[count].facts = &facts->kernels[k];
        event.mean[count] = values[CM_FACT_L2_LOAD_HIT] + values[CM_FACT_L3_LOAD_HIT] + values[CM_FACT_L3_LOAD_MISS];
        event.whole[count] = event.mean[count] + moved * values[CM_FACT_L1D_LOAD_HIT];
        iterations[count] = 2048.0;
        rows[count] = count;
        count++;
    }
    const cm_counted_setup setup = {
        .facts = facts, .problem = &problem, .kernel_count = count, .kernels = kernels, .rows = rows};
    double rate = cm_find_interference(&setup, (const cm_usable_event *[]){&event}, 1);
    free(numbers);
    free(kernels);
    free(rows);
    cm_fact_table_free(facts);
    return rate;
}

/* Disturbed repetitions are no part of a mean, but of what a neighbour does. */
static void disturbed_repetitions_show_the_neighbour(void **state)
{
    (void)state;
    assert_float_equal(find_rate(0.0), 0.0, 1e-12);
    assert_float_equal(find_rate(0.003), 0.003, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_there_in_programs),
        cmocka_unit_test(ranges_of_leaks_share_the_tolerance),
        cmocka_unit_test(leaks_are_small_and_have_ranges),
        cmocka_unit_test(what_the_machine_decides_has_bounds),
        cmocka_unit_test(what_no_kernel_surely_does_is_named),
        cmocka_unit_test(disturbed_repetitions_show_the_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
