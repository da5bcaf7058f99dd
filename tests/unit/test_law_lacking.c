/* Facts that no kernel of a sweep does: programs have them, unless the machine lacks the means. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/kernels.h>
#include <catmint/software_pmu.h>

#include "law/state.h"
#include "verify/verify.h"

static cm_fact_table *facts;
static cm_natural *natural;
static const cm_kernel **known; /* one a kernel of the facts */

static int load(void **state)
{
    (void)state;
    assert_int_equal(cm_fact_table_load(NULL, "x86_64", &facts, NULL), CM_OK);
    assert_int_equal(cm_natural_load(NULL, &natural, NULL), CM_OK);
    cm_meaning_set_levels(facts, 3);
    known = calloc(facts->kernel_count, sizeof *known);
    assert_non_null(known);
    for (size_t k = 0; k < facts->kernel_count; k++)
        known[k] = cm_kernel_find(facts->kernels[k].benchmark, facts->kernels[k].kernel);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    free(known);
    cm_natural_free(natural);
    cm_fact_table_free(facts);
    return 0;
}

enum { NO_FACT = SIZE_MAX };

/* The kernels that a sweep leaves out. */
typedef struct left_out {
    size_t fact, other; /* all that may do one of these, or NO_FACT */
    unsigned chain;     /* those of a chain of this kind */
    unsigned level;     /* those of this level and above; 0: none */
} left_out;

/* The kernels that ran, and the instruction sets that they need. */
typedef struct sweep {
    cm_law_kernel *ran;
    size_t count;
    unsigned isa;
    double *weights; /* of instructions */
    cm_law_setup setup;
} sweep;

static bool may_do(const cm_kernel_facts *kernel, size_t fact)
{
    return fact != NO_FACT && (kernel->values[fact] != 0.0 || kernel->ranges[fact] > 0.0);
}

static bool is_left_out(size_t kernel, const left_out *without)
{
    return may_do(&facts->kernels[kernel], without->fact) || may_do(&facts->kernels[kernel], without->other) ||
           (known[kernel]->chain & without->chain) != 0 ||
           (without->level != 0 && known[kernel]->level >= without->level);
}

static sweep open_sweep(const left_out *without)
{
    sweep made = {.ran = calloc(facts->kernel_count, sizeof *made.ran),
                  .weights = calloc(cm_fact_count(), sizeof *made.weights)};
    assert_true(made.ran != NULL && made.weights != NULL);
    for (size_t k = 0; k < facts->kernel_count; k++) {
        const cm_kernel_facts *kernel = &facts->kernels[k];
        if (is_left_out(k, without))
            continue;
        made.isa |= known[k]->isa;
        made.ran[made.count++] = (cm_law_kernel){.facts = kernel,
                                                 .home = strcmp(kernel->benchmark, "instructions") == 0,
                                                 .free = kernel->role == CM_KERNEL_FREE,
                                                 .loops = strcmp(kernel->kernel, "empty") != 0};
    }
    made.weights[CM_FACT_INSTRUCTIONS] = 1.0;
    made.setup = (cm_law_setup){facts, natural, made.ran, made.count, made.weights, 1, 1e-5};
    return made;
}

static void close_sweep(sweep *made)
{
    free(made->ran);
    free(made->weights);
}

/* Whether kernels do the fact, and none that ran; *executes: one of them needs no other instruction set than those. */
static bool is_missed(const sweep *swept, size_t fact, bool *executes)
{
    bool done = false, run = false;
    *executes = false;
    for (size_t k = 0; k < facts->kernel_count; k++) {
        const bool does = may_do(&facts->kernels[k], fact);
        done |= does;
        *executes |= does && (known[k]->isa & ~swept->isa) == 0;
    }
    for (size_t k = 0; k < swept->count && !run; k++)
        run = may_do(swept->ran[k].facts, fact);
    return done && !run && facts->facts[fact].kind != CM_FACT_SPECULATIVE;
}

static bool programs_have(size_t fact)
{
    bool have = false;
    for (size_t p = 0; p < natural->count && !have; p++)
        have = natural->facts[p * cm_fact_count() + fact] > 0.0;
    return have;
}

static bool is_named(const cm_law *law, const cm_law_verdict *verdict, size_t fact)
{
    bool named = false;
    for (size_t i = 0; i < verdict->untold_count; i++) {
        const cm_law_alternative *what = cm_law_alternative_at(law, verdict->untold[i]);
        named |= what->sort == CM_LAW_FACT && what->fact == fact;
    }
    return named;
}

/* Holds what the law says that the machine lacks against what is missed. Returns how many facts are. */
static size_t check_lacking(const left_out *without)
{
    sweep swept = open_sweep(without);
    cm_law law = {.setup = swept.setup};
    size_t missed = 0;
    assert_int_equal(cm_law_find_lacking(&law, NULL), CM_OK);
    for (size_t i = 0; i < facts->primitive_count; i++) {
        const size_t fact = facts->primitives[i];
        bool executes = false;
        if (!is_missed(&swept, fact, &executes))
            continue;
        if (law.lacking[fact] == executes)
            fail_msg("the machine %s %s", executes ? "lacks" : "has", cm_fact_name(fact));
        missed += executes;
    }
    free(law.lacking);
    free(law.tried);
    free(law.sure);
    close_sweep(&swept);
    return missed;
}

/* The law of instructions, counted as they are, names each fact that is missed. Returns how many there are. */
static size_t check_named(const left_out *without)
{
    sweep swept = open_sweep(without);
    cm_law *law = NULL;
    cm_law_metric *metric = NULL;
    cm_law_verdict verdict = {0};
    size_t named = 0;
    double *values = calloc(3 * swept.count, sizeof *values);
    const cm_law_counts counts = {values, values + swept.count, values + 2 * swept.count, NULL, 0, NULL};
    for (size_t k = 0; k < swept.count; k++)
        values[k] = swept.ran[k].facts->values[CM_FACT_INSTRUCTIONS];
    assert_int_equal(cm_law_create(&swept.setup, &law, NULL), CM_OK);
    assert_int_equal(cm_law_metric_create(law, swept.weights, 0.1, &metric, NULL), CM_OK);
    assert_int_equal(cm_law_judge(metric, &counts, 1.0, &verdict, NULL), CM_OK);
    assert_int_equal(verdict.finding, CM_LAW_HOLDS);
    for (size_t i = 0; i < facts->primitive_count; i++) {
        const size_t fact = facts->primitives[i];
        bool executes = false;
        if (!is_missed(&swept, fact, &executes) || !executes || !programs_have(fact))
            continue;
        if (!is_named(law, &verdict, fact))
            fail_msg("%s is not named", cm_fact_name(fact));
        named++;
    }
    cm_law_verdict_clear(&verdict);
    cm_law_metric_free(metric);
    cm_law_free(law);
    free(values);
    close_sweep(&swept);
    return named;
}

/* Each fact in turn, alone and with the next one of the list, which is of its kind. */
static void a_fact_is_lacking_for_its_instructions_alone(void **state)
{
    (void)state;
    enum { BEHIND = 1 };
    size_t found = 0;
    for (size_t i = 0; i < facts->primitive_count; i++)
        for (size_t j = i; j <= i + BEHIND && j < facts->primitive_count; j++)
            if (facts->primitives[i] != CM_FACT_INSTRUCTIONS)
                found += check_lacking(&(left_out){facts->primitives[i], facts->primitives[j], 0, 0}) > 0;
    assert_true(found > 300);
}

/* Chains need memory, huge pages, code that may be written, and lines of 64 bytes. */
static void what_no_chain_does_is_named(void **state)
{
    (void)state;
    size_t found = 0;
    for (unsigned kind = CM_CHAIN_CODE; kind <= CM_CHAIN_HELD; kind *= 2)
        found += check_named(&(left_out){NO_FACT, NO_FACT, kind, 0});
    for (unsigned level = 1; level <= CM_LAW_LEVELS; level++)
        found += check_named(&(left_out){NO_FACT, NO_FACT, 0, level});
    assert_true(found > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fact_is_lacking_for_its_instructions_alone),
        cmocka_unit_test(what_no_chain_does_is_named),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
