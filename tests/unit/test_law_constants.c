/* Each constant of the law is needed: with another one, something wrong is held, or something right is lost. Of
 * definitions whose counts are known facts, on catmint's kernels of x86-64. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/analysis.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "law/law.h"
#include "law/evidence.h"
#include "verify/verify.h"

/* What the linker takes for the law's constants (--wrap). */
extern cm_rules __wrap_cm_the_rules;
cm_rules __wrap_cm_the_rules;
extern const cm_rules __real_cm_the_rules;

enum { LEAST_OF_A_CLASS = 12, TERMS = 2 };
static const double often_enough = 1e-3; /* of instructions */

static cm_fact_table *facts;
static cm_natural *natural;

static int load(void **state)
{
    (void)state;
    return cm_fact_table_load(NULL, "x86_64", &facts, NULL) != CM_OK || cm_natural_load(NULL, &natural, NULL) != CM_OK;
}

static int unload(void **state)
{
    (void)state;
    cm_natural_free(natural);
    cm_fact_table_free(facts);
    return 0;
}

/* ---- a definition ---- */

typedef struct definition {
    const char *kernels, *metric; /* of a benchmark, or "" of all; its meaning */
    double tolerance, interference;
    const char *counts;  /* facts */
    double meeting;      /* and so often, where two facts meet */
    const char *meet[2]; /* NULL: none do */
    const char *home;    /* NULL: all are the metric's own kernels */
    double noise;        /* one standard error, of all that is counted, or of a fact */
    const char *noisy;   /* NULL: all */
    double amplification;
    const char *terms[TERMS]; /* what each is read as */
    double taken;             /* so often the second is taken from the first */
} definition;

typedef enum outcome_of { REFUSED, RIGHT, NAMED, WRONG } outcome_of; /* named: wrong by what is said not to be told */

typedef struct judged {
    cm_law_finding finding;
    outcome_of outcome;
    double rest, share;
} judged;

static double *weights_of(const char *text)
{
    double *weights = calloc(cm_fact_count() + 1, sizeof *weights);
    assert_int_equal(cm_meaning_parse(facts, text, NULL, weights, NULL), CM_OK);
    return weights;
}

static double sum_of(const double *weights, const double *amounts)
{
    double sum = 0.0;
    for (size_t i = 0; i < cm_fact_count(); i++)
        sum += weights[i] != 0.0 ? weights[i] * amounts[i] : 0.0;
    return sum;
}

/* By its terms, where these are read: kernels have them come to the metric by chance. */
static double *counts_in_programs(const definition *row)
{
    double *counts = weights_of(row->terms[0] != NULL ? row->terms[0] : row->counts);
    double *taken = weights_of(row->terms[1] != NULL ? row->terms[1] : row->counts);
    for (size_t i = 0; i < cm_fact_count(); i++)
        counts[i] -= row->taken * taken[i];
    free(taken);
    return counts;
}

static double counted(const definition *row, const double *weights, const double *amounts)
{
    double sum = sum_of(weights, amounts);
    if (row->meet[0] != NULL)
        sum += row->meeting * fmin(amounts[cm_fact_find(row->meet[0])], amounts[cm_fact_find(row->meet[1])]);
    return sum;
}

/* ---- whether it is right in programs ---- */

static bool is_within(const cm_law *law, const cm_law_verdict *verdict, size_t program, double meant)
{
    const double *amounts = &natural->facts[program * cm_fact_count()];
    bool within = true;
    for (size_t i = 0; i < verdict->leak_count; i++) {
        const cm_law_leak *leak = &verdict->leaks[i];
        double often = cm_law_amount(cm_law_alternative_at(law, leak->alternative), amounts, natural->turns[program]);
        within &= fabs(often) * leak->above <= meant;
    }
    return within;
}

/* By how much the median program of the worst class is off: of those that do the metric, and where it is said to hold.
 */
static double off_in_programs(const definition *row, const cm_law *law, const cm_law_verdict *verdict)
{
    double *meaning = weights_of(row->metric), *counts = counts_in_programs(row), worst = 0.0;
    for (size_t class = 0; class < natural->class_count; class ++) {
        double off[CM_NATURAL_OF_A_CLASS];
        size_t count = 0, inside = 0;
        for (size_t i = 0; i < CM_NATURAL_OF_A_CLASS; i++) {
            size_t program = class * CM_NATURAL_OF_A_CLASS + i;
            const double *amounts = &natural->facts[program * cm_fact_count()];
            double meant = sum_of(meaning, amounts);
            if (meant <= often_enough * amounts[cm_fact_find("instructions")])
                continue;
            count++;
            if (is_within(law, verdict, program, meant))
                off[inside++] = fabs(counted(row, counts, amounts) / meant - 1.0);
        }
        if (count >= LEAST_OF_A_CLASS && inside > 0)
            worst = fmax(worst, cm_median(off, inside));
    }
    free(meaning);
    free(counts);
    return worst;
}

/* Whether something that it counts beside its metric is said not to be told. */
static bool is_named(const definition *row, const cm_law *law, const cm_law_verdict *verdict)
{
    double *meaning = weights_of(row->metric), *counts = counts_in_programs(row);
    bool named = false;
    for (size_t i = 0; i < verdict->untold_count; i++) {
        const cm_law_alternative *what = cm_law_alternative_at(law, verdict->untold[i]);
        bool both = what->sort == CM_LAW_DIFFERENCE;
        named |= (both || what->sort == CM_LAW_FACT) && counts[what->fact] != meaning[what->fact] &&
                 (!both || counts[what->other] != meaning[what->other]);
    }
    free(meaning);
    free(counts);
    return named;
}

/* ---- by the law ---- */

static void fill(const definition *row, const cm_law_kernel *kernels, size_t count, double *values)
{
    double *counts = weights_of(row->counts);
    for (size_t k = 0; k < count; k++) {
        const double *amounts = kernels[k].facts->values;
        values[k] = counted(row, counts, amounts);
        double noisy = row->noisy != NULL ? amounts[cm_fact_find(row->noisy)] : values[k];
        values[count + k] = pow(row->noise * noisy, 2.0) + 1e-12;
    }
    free(counts);
}

static void judge_terms(const definition *row, const cm_law_metric *metric, cm_law_counts *counts,
                        cm_law_verdict *verdict)
{
    cm_law_term terms[TERMS];
    double *read = calloc(cm_fact_count() + 1, sizeof *read);
    for (size_t i = 0; i < TERMS && row->terms[i] != NULL; i++) {
        terms[i] = (cm_law_term){i == 0 ? 1.0 : -row->taken, weights_of(row->terms[i]), NULL};
        for (size_t fact = 0; fact < cm_fact_count(); fact++)
            read[fact] += terms[i].coefficient * terms[i].facts[fact];
        counts->term_count++;
    }
    counts->terms = terms;
    counts->read = counts->term_count > 0 ? read : NULL;
    assert_int_equal(cm_law_judge(metric, counts, row->amplification, verdict, NULL), CM_OK);
    for (size_t i = 0; i < counts->term_count; i++)
        free((void *)terms[i].facts);
    free(read);
}

static judged judge(const definition *row)
{
    double *meaning = weights_of(row->metric);
    cm_law_kernel *kernels = calloc(facts->kernel_count, sizeof *kernels);
    size_t count = 0;
    for (size_t k = 0; k < facts->kernel_count; k++) {
        const cm_kernel_facts *kernel = &facts->kernels[k];
        if (*row->kernels == '\0' || strcmp(row->kernels, kernel->benchmark) == 0)
            kernels[count++] = (cm_law_kernel){.facts = kernel,
                                               .home = row->home == NULL || strcmp(row->home, kernel->benchmark) == 0,
                                               .free = kernel->role == CM_KERNEL_FREE,
                                               .loops = strcmp(kernel->kernel, "empty") != 0};
    }
    double *values = calloc(3 * count, sizeof *values);
    fill(row, kernels, count, values);
    const cm_law_setup setup = {facts,
                                natural,
                                kernels,
                                count,
                                meaning,
                                1,
                                row->interference > 0.0 ? row->interference : cm_find_interference(NULL, NULL, 0)};
    cm_law_counts counts = {.values = values, .variances = values + count, .strays = values + 2 * count};
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    cm_law_verdict verdict = {0};
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, meaning, row->tolerance, &metric, NULL), CM_OK);
    judge_terms(row, metric, &counts, &verdict);
    bool right = off_in_programs(row, law, &verdict) <= 1.5 * row->tolerance;
    outcome_of outcome = right ? RIGHT : is_named(row, law, &verdict) ? NAMED : WRONG;
    judged found = {verdict.finding, cm_law_allows(&verdict) ? outcome : REFUSED, verdict.rest, verdict.share};
    cm_law_verdict_clear(&verdict);
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(values);
    free(kernels);
    free(meaning);
    return found;
}

/* ---- the constants ---- */

typedef enum shown {
    MISLEADS, /* what is off by more than half as much again as it may be is held */
    LOSES,    /* what is right is refused */
    NARROWS,  /* what is right holds in half as many programs, or fewer */
    LOOSENS,  /* ten times as much may be counted that is in no list */
} shown;

#define OF(name) #name, offsetof(cm_rules, name)

static const struct {
    const char *name;
    size_t offset;
    double factor;
    shown effect;
    definition definition;
} rows[] = {
    {OF(z),
     2.0,
     NARROWS,
     {"dcache-write", "l1d_load_miss + fetch_walks", 0.1, 1e-5, "l1d_load_miss + fetch_walks", .noise = 0.02,
      .noisy = "l1d_load_hit"}},
    {OF(prior),
     0.15,
     MISLEADS,
     {"dcache-write", "l2_load_hit + split_stores", 0.1, 1e-5, "l2_load_hit + 1.3*split_stores", .noise = 0.14,
      .noisy = "split_stores"}},
    {OF(kin),
     1.06,
     MISLEADS,
     {"tlb", "load_walks", 0.1, 1e-5, "load_walks + 0.3*loads_2 - 0.3*int_128_add", .noise = 3e-3}},
    {OF(largest), 0.5, LOSES, {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss", .noise = 1e-3, .amplification = 10.0}},
    {OF(least),
     3.0,
     MISLEADS,
     {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss", 0.06, {"mispredicted_cond", "int_scalar_shift"}, .noise = 1e-3}},
    {OF(least),
     0.5,
     LOSES,
     {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss", 0.0055, {"int_scalar_add", "calls"}, .noise = 1e-3}},
    {OF(rate), 30.0, MISLEADS, {"", "l1d_load_miss", 0.1, 4e-3, "l1d_load_miss + 0.002*l1d_load_hit", .noise = 1e-3}},
    {OF(known),
     2.0,
     MISLEADS,
     {"tlb", "load_walks + store_walks", 0.1, 1e-5, "load_walks + store_walks",
      .terms = {"load_walks + store_walks + 0.08*l1d_load_hit", "int_scalar_add"}, .taken = 0.08}},
    {OF(fit),
     2.0,
     MISLEADS,
     {"", "mispredicted_cond", 0.01, 1e-5, "mispredicted_cond", 0.002, {"int_scalar_add", "calls"}, .noise = 1e-3}},
    {OF(fit),
     0.5,
     LOSES,
     {"", "locked_loads", 0.01, 1e-5, "locked_loads", 0.0015, {"int_scalar_add", "calls"}, .noise = 1e-3}},
    {OF(sure),
     2.0,
     LOSES,
     {"dcache-write", "l1d_load_miss + fetch_walks", 0.1, 1e-5, "l1d_load_miss + fetch_walks", .noise = 0.05,
      .noisy = "fetch_walks"}},
    {OF(natural), 2.0, MISLEADS, {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss + 0.003*l1d_load_hit", .noise = 1e-3}},
    {OF(known), 4.0, NARROWS, {"", "l1d_load_miss", 0.1, 0.0, "l1d_load_miss", .noise = 1e-3}},
    {OF(known), 5.0, LOOSENS, {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss", .noise = 2e-2}},
    {OF(sure), 2.0, LOSES, {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss", .noise = 0.04}},
    {OF(prior),
     2.0,
     LOSES,
     {"", "l1d_load_miss", 0.1, 1e-5, "l1d_load_miss", .noise = 1e-3,
      .terms = {"l1d_load_miss + 0.09*split_loads", "0.3*split_loads"}, .taken = 0.3}},
    {OF(kin), 0.5, NARROWS, {"icache", "l1i_fetch_miss", 0.1, 1e-5, "l1i_fetch_miss", .noise = 0.02}},
    {OF(few), 0.5, LOOSENS, {"dcache", "l2_load_hit", 0.1, 1e-5, "l2_load_hit", .noise = 1e-3}},
    {OF(few),
     2.0,
     NARROWS,
     {"", "dtlb_load_miss", 0.1, 1e-5, "dtlb_load_miss", .noise = 0.05, .noisy = "int_scalar_logic"}},
    {OF(rate),
     0.5,
     NARROWS,
     {"dcache-write", "l2_store_hit", 0.1, 1e-5, "l2_store_hit", .noise = 0.02, .noisy = "fp_d_scalar"}},
    {OF(natural),
     0.5,
     NARROWS,
     {"dcache-write",
      "l1d_store_miss",
      0.1,
      1e-5,
      "l1d_store_miss",
      0.1,
      {"l2_load_hit", "l2_load_miss"},
      .noise = 0.02,
      .noisy = "l2_load_hit"}},
    {OF(z), 0.5, NARROWS, {"tlb", "itlb_miss", 0.1, 1e-5, "itlb_miss", .noise = 0.02}},
};

static bool is_shown(shown effect, const judged *as_it_is, const judged *changed)
{
    switch (effect) {
    case MISLEADS: return as_it_is->outcome != WRONG && changed->outcome == WRONG;
    case LOSES: return as_it_is->outcome == RIGHT && changed->outcome == REFUSED;
    case NARROWS: return as_it_is->outcome == RIGHT && changed->share <= as_it_is->share / 2.0;
    case LOOSENS: return as_it_is->outcome == RIGHT && changed->rest >= 10.0 * as_it_is->rest;
    }
    return false;
}

static void each_constant_is_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        __wrap_cm_the_rules = __real_cm_the_rules;
        judged as_it_is = judge(&rows[i].definition);
        *(double *)((char *)&__wrap_cm_the_rules + rows[i].offset) *= rows[i].factor;
        judged changed = judge(&rows[i].definition);
        if (!is_shown(rows[i].effect, &as_it_is, &changed))
            fail_msg("%s x %g: finding %d, outcome %d, share %g, rest %g; then %d, %d, %g, %g", rows[i].name,
                     rows[i].factor, (int)as_it_is.finding, (int)as_it_is.outcome, as_it_is.share, as_it_is.rest,
                     (int)changed.finding, (int)changed.outcome, changed.share, changed.rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_constant_is_needed)};
    return cmocka_run_group_tests(tests, load, unload);
}
