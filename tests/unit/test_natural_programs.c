/* Natural programs, run: in each class rare facts are as rare as the class has them (bases/natural-programs.csv). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/validation.h>

#include "programs/programs.h"
#include "software_pmu/model/model.h"
#include "stepping.h"
#include "sweep/run/run.h"

/* As many programs as `discover` runs, and as long; the second run of each counts. */
enum { COUNT = CM_VALIDATION_PROGRAMS, ITERATIONS = 512, RUNS = 2, CLASSES = 16, MOST_FACTS = 4, LONG_SEEDS = 20 };

/* A rate may be out of its class's range by this factor, and by five occurrences. A run's first touches of its lines
 * and pages come from far away, whatever the class has: up to 48, and in memory by the larger factor. Of a seed's rates
 * so many are further away, for two facts that one piece of work brings, such as calls that miss the caches of code and
 * are mispredicted. */
static const double factor = 1.5, memory_factor = 3.0, few = 5.0, touched = 48.0, outside = 0.01;

typedef struct sum {
    const char *name;
    size_t count;
    cm_fact facts[MOST_FACTS];
} sum;

/* clang-format off */
#define SUM(name, ...) {name, sizeof((cm_fact[]){__VA_ARGS__}) / sizeof(cm_fact), {__VA_ARGS__}}
#define L3(k) CM_FACT_L3_##k##_HIT, CM_FACT_L3_##k##_MISS
#define L2(k) CM_FACT_L2_##k##_HIT, L3(k)
#define LOADS SUM("loads", CM_FACT_L1D_LOAD_HIT, L2(LOAD))
#define STORES SUM("stores", CM_FACT_L1D_STORE_HIT, L2(STORE))
#define INSTRUCTIONS SUM("instructions", CM_FACT_INSTRUCTIONS)
#define PREFETCHES CM_FACT_PREFETCHES_NTA, CM_FACT_PREFETCHES_T0, CM_FACT_PREFETCHES_T1_T2, CM_FACT_PREFETCHES_W

enum { EXACT, TOUCHES, FROM_MEMORY };
static const struct {
    sum fact, of;
    int kind;
} rates[] = {
    {LOADS, INSTRUCTIONS, EXACT},
    {SUM("loads that miss L1", L2(LOAD)), LOADS, EXACT},
    {SUM("loads that miss L2", L3(LOAD)), LOADS, TOUCHES},
    {SUM("loads that miss L3", CM_FACT_L3_LOAD_MISS), LOADS, FROM_MEMORY},
    {SUM("loads that miss the TLB", CM_FACT_DTLB_LOAD_MISS), LOADS, TOUCHES},
    {SUM("loads that walk", CM_FACT_LOAD_WALKS), LOADS, TOUCHES},
    {SUM("split loads", CM_FACT_SPLIT_LOADS), LOADS, EXACT},
    {STORES, INSTRUCTIONS, EXACT},
    {SUM("stores that miss L1", L2(STORE)), STORES, EXACT},
    {SUM("stores that miss L2", L3(STORE)), STORES, TOUCHES},
    {SUM("stores that miss L3", CM_FACT_L3_STORE_MISS), STORES, FROM_MEMORY},
    {SUM("stores that miss the TLB", CM_FACT_DTLB_STORE_MISS), STORES, TOUCHES},
    {SUM("stores that walk", CM_FACT_STORE_WALKS), STORES, TOUCHES},
    {SUM("split stores", CM_FACT_SPLIT_STORES), STORES, EXACT},
    {SUM("non-temporal stores", CM_FACT_NT_STORES), INSTRUCTIONS, EXACT},
    {SUM("lines written back", CM_FACT_L1D_WRITTEN_BACK), INSTRUCTIONS, TOUCHES},
    {SUM("fetches that miss L1", L2(FETCH)), INSTRUCTIONS, EXACT},
    {SUM("fetches that miss the TLB", CM_FACT_ITLB_MISS), INSTRUCTIONS, TOUCHES},
    {SUM("fetches that walk", CM_FACT_FETCH_WALKS), INSTRUCTIONS, TOUCHES},
    {SUM("branches", CM_FACT_BRANCHES_COND), INSTRUCTIONS, EXACT},
    {SUM("mispredicted branches", CM_FACT_MISPREDICTED_COND), INSTRUCTIONS, EXACT},
    {SUM("mispredicted indirect ones", CM_FACT_MISPREDICTED_INDIRECT), INSTRUCTIONS, EXACT},
    {SUM("mispredicted returns", CM_FACT_MISPREDICTED_RETURNS), INSTRUCTIONS, EXACT},
    {SUM("jumps", CM_FACT_BRANCHES_UNCOND), INSTRUCTIONS, EXACT},
    {SUM("indirect jumps", CM_FACT_BRANCHES_INDIRECT), INSTRUCTIONS, EXACT},
    {SUM("calls", CM_FACT_CALLS), INSTRUCTIONS, EXACT},
    {SUM("indirect calls", CM_FACT_CALLS_INDIRECT), INSTRUCTIONS, EXACT},
    {SUM("locked loads", CM_FACT_LOCKED_LOADS), INSTRUCTIONS, EXACT},
    {SUM("updates", CM_FACT_UPDATES), INSTRUCTIONS, EXACT},
    {SUM("fences", CM_FACT_FENCES), INSTRUCTIONS, EXACT},
    {SUM("pauses", CM_FACT_PAUSES), INSTRUCTIONS, EXACT},
    {SUM("prefetches", PREFETCHES), INSTRUCTIONS, EXACT},
    {SUM("conversions", CM_FACT_FP_CONVERSIONS), INSTRUCTIONS, EXACT},
    {SUM("x87 instructions", CM_FACT_X87_INSTRUCTIONS), INSTRUCTIONS, EXACT},
    {SUM("MMX instructions", CM_FACT_MMX_INSTRUCTIONS), INSTRUCTIONS, EXACT},
    {SUM("AES instructions", CM_FACT_AES_INSTRUCTIONS), INSTRUCTIONS, EXACT},
    {SUM("CRC instructions", CM_FACT_CRC_INSTRUCTIONS), INSTRUCTIONS, EXACT},
    {SUM("string instructions", CM_FACT_STRING_INSTRUCTIONS), INSTRUCTIONS, EXACT},
    {SUM("divisions", CM_FACT_INT_SCALAR_DIV), INSTRUCTIONS, EXACT},
};
/* clang-format on */
enum { RATES = sizeof rates / sizeof rates[0] };

static double add(const sum *of, const double *facts)
{
    double total = 0.0;
    for (size_t i = 0; i < of->count; i++)
        total += facts[of->facts[i]];
    return total;
}

static double rate_of(size_t rate, const double *facts)
{
    return add(&rates[rate].fact, facts) / add(&rates[rate].of, facts);
}

static void find_range(const cm_natural *natural, size_t class, size_t rate, double *low, double *high)
{
    *low = INFINITY;
    *high = 0.0;
    for (size_t p = 0; p < natural->count; p++) {
        double value = rate_of(rate, natural->facts + p * cm_fact_count());
        *low = natural->class_of[p] == class ? fmin(*low, value) : *low;
        *high = natural->class_of[p] == class ? fmax(*high, value) : *high;
    }
}

static bool is_in_range(size_t rate, const double *run, double low, double high)
{
    double got = add(&rates[rate].fact, run), of = add(&rates[rate].of, run);
    double most = high * of * (rates[rate].kind == FROM_MEMORY ? memory_factor : factor);
    return got >= low * of / factor - few && got <= most + (rates[rate].kind == EXACT ? few : touched);
}

static size_t find_class(const cm_natural *natural, const char *name)
{
    size_t class = 0;
    while (class < natural->class_count && strcmp(natural->classes[class], name) != 0)
        class ++;
    return class;
}

/* ---- runs ---- */

typedef struct fixture {
    cm_natural *natural;
    cm_pmu_model *model;
    double *runs; /* facts of the last run, of each program */
} fixture;

static void check(cm_status status, const cm_error *error)
{
    if (status != CM_OK)
        fail_msg("%s", error->text);
}

static void run(cm_software_pmu *pmu, const cm_kernel *kernel, double *facts)
{
    cm_error error = {0};
    cm_kernel_data data = {0};
    cm_kernel_call call = {kernel->body, 1, &data}; /* as a sweep does before it counts */
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    check(cm_software_pmu_run(pmu, cm_kernel_call_run, &call, &error), &error);
    memcpy(before, cm_software_pmu_facts(pmu), cm_fact_count() * sizeof *before);
    call.iterations = kernel->software_iterations;
    check(cm_software_pmu_run(pmu, cm_kernel_call_run, &call, &error), &error);
    for (size_t i = 0; i < cm_fact_count(); i++)
        facts[i] = (double)(cm_software_pmu_facts(pmu)[i] - before[i]);
    free(before);
}

static void run_all(const fixture *with, const cm_programs *programs)
{
    cm_error error = {0};
    cm_software_pmu *pmu = NULL;
    check(cm_software_pmu_create(cm_pmu_model_machine(with->model), &pmu, &error), &error);
    for (size_t r = 0; r < RUNS; r++) {
        cm_software_pmu_seed(pmu, r + 1);
        for (size_t i = 0; i <= COUNT; i++)
            run(pmu, cm_programs_kernel(programs, i), with->runs + i * cm_fact_count());
    }
    cm_software_pmu_free(pmu);
}

/* Prints the rates that are out of their range, or all; returns how many are. */
static size_t compare(const fixture *with, const char *class, const double *facts, bool all)
{
    size_t bad = 0;
    for (size_t rate = 0; rate < RATES; rate++) {
        double low, high;
        find_range(with->natural, find_class(with->natural, class), rate, &low, &high);
        bool good = is_in_range(rate, facts, low, high);
        if (all || !good)
            print_message("%-10s %-27s of %-12s %9.6f to %9.6f, got %9.6f%s\n", class, rates[rate].fact.name,
                          rates[rate].of.name, low, high, rate_of(rate, facts), good ? "" : " OUTSIDE");
        bad += !good;
    }
    return bad;
}

static size_t run_seed(const fixture *with, uint64_t seed, bool all, double *sums)
{
    cm_error error = {0};
    cm_programs *programs = NULL;
    size_t bad = 0, classes[CLASSES + 1] = {0};
    check(cm_programs_create(seed, COUNT, ITERATIONS, &programs, &error), &error);
    run_all(with, programs);
    for (size_t i = 1; i <= COUNT; i++) {
        const char *class = cm_programs_class(programs, i);
        const double *facts = with->runs + i * cm_fact_count();
        if (class[0] == '\0')
            continue;
        classes[find_class(with->natural, class)]++;
        bad += compare(with, class, facts, all);
        for (size_t rate = 0; rate < RATES; rate++)
            sums[rate] += add(&rates[rate].fact, facts);
    }
    for (size_t c = 0; c < CLASSES; c++)
        assert_int_equal(classes[c], 1);
    cm_programs_free(programs);
    return bad;
}

static void rare_facts_are_as_rare_as_in_their_class(void **state)
{
    fixture *with = *state;
    bool is_long = getenv("CATMINT_LONG") != NULL;
    double sums[RATES] = {0};
    assert_int_equal(with->natural->class_count, CLASSES);
    for (uint64_t seed = 1; seed <= (is_long ? LONG_SEEDS : 1); seed++) {
        size_t bad = run_seed(with, seed, is_long, sums);
        print_message("seed %d: %zu of %d rates are outside\n", (int)seed, bad, RATES * CLASSES);
        assert_true((double)bad <= outside * RATES * CLASSES);
    }
    for (size_t rate = 0; rate < RATES; rate++)
        if (!(sums[rate] > 0.0) && cm_isa_available() != 0)
            fail_msg("no program has %s", rates[rate].fact.name);
}

static int set_up(void **state)
{
    cm_error error = {0};
    fixture *with = calloc(1, sizeof *with);
    assert_non_null(with);
    with->runs = calloc((COUNT + 1) * cm_fact_count(), sizeof *with->runs);
    assert_non_null(with->runs);
    check(cm_natural_load(NULL, &with->natural, &error), &error);
    check(cm_pmu_model_open("golden-cove-facts", NULL, &with->model, &error), &error);
    *state = with;
    return 0;
}

static int tear_down(void **state)
{
    fixture *with = *state;
    cm_natural_free(with->natural);
    cm_pmu_model_free(with->model);
    free(with->runs);
    free(with);
    return 0;
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_facts_are_as_rare_as_in_their_class),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
