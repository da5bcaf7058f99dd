/* What values may be off by in a program: definitions found from counts that are known on all kernels, with leaks; the
 * truth of random programs lies within. Some counted with their facts known, as where a program is emulated, others by
 * the counts alone. */
#include "failing_roads.h"

#include <math.h>
#include <unistd.h>

#include <catmint/software_pmu.h>

#include "core/csv.h"
#include "core/system.h"
#include "count/count.h"
#include "programs/programs.h"
#include "result/result.h"
#include "verify/verify.h"

enum { PROGRAMS = 200, REPETITIONS = 5, ITERATIONS = 1000000 };
static const double instructions = 1e9, noise = 1e-4;

/* A PMU whose events count a little of what is frequent. */
static const struct {
    const char *name, *counts;
} events[] = {
    {"INST", "instructions"},
    {"LD", "loads"},
    {"ST", "stores + prefetches_w + prefetches_t0 + prefetches_nta"},
    {"L1_MISS", "l1d_load_miss + 0.0004*l1d_load_hit"},
    {"L2_MISS", "l2_load_miss + 0.0003*loads"},
    {"L3_MISS", "l3_load_miss"},
    {"ST_L1_MISS", "l1d_store_miss + 0.0003*l1d_store_hit"},
    {"ST_L2_MISS", "l2_store_miss + 0.0004*l2_store_hit"},
    {"BR", "branches_cond + 0.00002*instructions"},
    {"BR_TAKEN", "branches_cond_taken + 0.001*calls"},
    {"BR_MISP", "mispredicted_cond + 0.0001*branches_cond"},
    {"CALLS", "calls"},
    {"DTLB_MISS", "dtlb_load_miss + 0.0003*loads"},
    {"DTLB_ST_MISS", "dtlb_store_miss"},
    {"IFETCH_MISS", "l1i_fetch_miss + 0.0001*branches_cond"},
};

static cm_fact_table *facts;
static double *weights[COUNT(events)];
static char directory[] = "/tmp/catmint-errors-XXXXXX";
static cm_definitions *definitions;

static double sum_of(const double *multiples, const double *does)
{
    double sum = 0.0;
    for (size_t i = 0; i < cm_fact_count(); i++)
        sum += multiples[i] != 0.0 ? multiples[i] * does[i] : 0.0;
    return sum;
}

/* From 1 - noise to 1 + noise. */
static double near_one(uint64_t *random)
{
    return 1.0 + noise * (2.0 * cm_random_share(random) - 1.0);
}

/* The kernels of a benchmark, counted. */
static void write_table(const char *benchmark)
{
    char path[128];
    uint64_t random = 1;
    snprintf(path, sizeof path, "%s/%s.csv", directory, benchmark);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("event,repetition,thread", file);
    for (size_t k = 0; k < facts->kernel_count; k++)
        if (strcmp(facts->kernels[k].benchmark, benchmark) == 0)
            fprintf(file, ",%s", facts->kernels[k].kernel);
    fputs("\niterations,0,0", file);
    for (size_t k = 0; k < facts->kernel_count; k++)
        if (strcmp(facts->kernels[k].benchmark, benchmark) == 0)
            fprintf(file, ",%d", ITERATIONS);
    for (size_t e = 0; e < COUNT(events); e++)
        for (int r = 0; r < REPETITIONS; r++) {
            fprintf(file, "\n%s,%d,0", events[e].name, r);
            for (size_t k = 0; k < facts->kernel_count; k++)
                if (strcmp(facts->kernels[k].benchmark, benchmark) == 0)
                    fprintf(file, ",%.0f",
                            sum_of(weights[e], facts->kernels[k].values) * ITERATIONS * near_one(&random));
        }
    fputc('\n', file);
    fclose(file);
}

static void find_definitions(void)
{
    cm_analyze_options options;
    cm_results *results = NULL;
    cm_error error;
    cm_analyze_options_default(&options);
    if (cm_results_analyze_create(directory, &options, &results, &error) != CM_OK ||
        cm_definitions_from_results_create(results, &definitions, &error) != CM_OK)
        fail_msg("%s", error.text);
    cm_results_free(results);
}

static int make_definitions(void **state)
{
    (void)state;
    if (cm_fact_table_load(NULL, NULL, &facts, NULL) != CM_OK || mkdtemp(directory) == NULL)
        return -1;
    for (size_t e = 0; e < COUNT(events); e++) {
        weights[e] = calloc(cm_fact_count(), sizeof *weights[e]);
        assert_int_equal(cm_meaning_parse(facts, events[e].counts, NULL, weights[e], NULL), CM_OK);
    }
    for (size_t k = 0; k < facts->kernel_count; k++)
        if (k == 0 || strcmp(facts->kernels[k].benchmark, facts->kernels[k - 1].benchmark) != 0)
            write_table(facts->kernels[k].benchmark);
    find_definitions();
    return 0;
}

static int free_definitions(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cm_definitions_free(definitions);
    for (size_t e = 0; e < COUNT(events); e++)
        free(weights[e]);
    cm_fact_table_free(facts);
    return system(command);
}

/* A program of two natural ones, in any proportion. */
static void draw_program(const cm_natural *natural, uint64_t *random, double *does)
{
    const double *one = natural->facts + cm_random_below(random, natural->count) * cm_fact_count();
    const double *other = natural->facts + cm_random_below(random, natural->count) * cm_fact_count();
    double share = cm_random_share(random);
    for (size_t i = 0; i < cm_fact_count(); i++)
        does[i] = instructions * (share * one[i] + (1.0 - share) * other[i]);
}

/* The metrics of all definitions that can be used, counted in programs that have a scope each. Derived facts come to
 * those of a program. */
static cm_program_counts *make_counts(bool emulated, double **truth)
{
    cm_natural *natural = NULL;
    cm_program_counts *counts = calloc(1, sizeof *counts);
    uint64_t random = 7;
    assert_int_equal(cm_natural_load(NULL, &natural, NULL), CM_OK);
    counts->repetitions = 1;
    counts->definitions = definitions;
    counts->event_count = COUNT(events);
    counts->events = calloc(COUNT(events), sizeof *counts->events);
    counts->metrics = calloc(cm_definitions_count(definitions), sizeof(const cm_defined_metric *));
    for (size_t e = 0; e < COUNT(events); e++)
        counts->events[e].name = events[e].name;
    for (size_t i = 0; i < cm_definitions_count(definitions); i++)
        if (cm_definitions_get(definitions, i)->usable)
            counts->metrics[counts->metric_count++] = cm_definitions_get(definitions, i);
    *truth = calloc(PROGRAMS * cm_fact_count(), sizeof **truth);
    for (size_t p = 0; p < PROGRAMS; p++) {
        cm_scope *scope = cm_counts_scope(counts, CM_SCOPE_REGION, p + 1, "");
        double *does = *truth + p * cm_fact_count();
        draw_program(natural, &random, does);
        for (size_t e = 0; e < COUNT(events); e++)
            cm_scope_add(counts, scope, 0, e, round(sum_of(weights[e], does) * (emulated ? 1.0 : near_one(&random))));
        for (size_t i = 0; i < cm_fact_count(); i++)
            if (facts->facts[i].kind == CM_FACT_DERIVED)
                does[i] = sum_of(facts->facts[i].coefficients, does);
        scope->facts = emulated ? does : NULL;
    }
    cm_natural_free(natural);
    return counts;
}

static int by_size(const void *left, const void *right)
{
    const double one = *(const double *)left, other = *(const double *)right;
    return (one > other) - (one < other);
}

/* Pairs of a metric and a program whose error is known, also outside the range of the definition. Events here count
 * prefetches, on which vendors disagree, and nothing of wrong paths, which errors by counts alone leave out. */
typedef struct tally {
    size_t known, inside, exact;
    double *widths; /* relative, one each that is known */
} tally;

static void count_metric(const cm_program_counts *counts, size_t metric, const double *truth, tally *all)
{
    const cm_defined_metric *defined = counts->metrics[metric];
    double *meaning = calloc(cm_fact_count(), sizeof *meaning);
    size_t known = all->known, inside = all->inside;
    assert_int_equal(cm_meaning_parse(facts, defined->meaning, NULL, meaning, NULL), CM_OK);
    for (size_t p = 0; p < PROGRAMS; p++) {
        const cm_value_error *error = &counts->scopes[p].errors[metric];
        double is = sum_of(meaning, truth + p * cm_fact_count());
        double off = fabs(cm_scope_metric(counts, &counts->scopes[p], metric).median - is);
        if (isnan(error->error) || strstr(error->because, "vendors disagree") != NULL)
            continue;
        all->widths[all->known++] = error->error / is;
        all->inside += off <= error->error;
        all->exact += off <= 1e-4 * is;
    }
    known = all->known - known;
    inside = all->inside - inside;
    if (inside < ceil(0.95 * (double)known))
        fail_msg("%s: the truth is within the error in %zu of %zu programs", defined->metric, inside, known);
    free(meaning);
}

/* The middle error must not be wider. */
static void check_programs(bool emulated, double widest)
{
    double *truth = NULL;
    cm_program_counts *counts = make_counts(emulated, &truth);
    tally all = {.widths = calloc(PROGRAMS * counts->metric_count, sizeof *all.widths)};
    assert_int_equal(cm_count_find_errors(counts, NULL), CM_OK);
    for (size_t m = 0; m < counts->metric_count; m++)
        count_metric(counts, m, truth, &all);
    qsort(all.widths, all.known, sizeof *all.widths, by_size);
    double middle = all.widths[all.known / 2], wide = all.widths[all.known * 9 / 10];
    print_message(
        "%zu of %zu within their errors, %zu exact; these are %.2g %% in the middle, %.2g %% at nine in ten\n",
        all.inside, all.known, all.exact, 100.0 * middle, 100.0 * wide);
    assert_true(all.known >= 20 * PROGRAMS && all.exact < all.known / 2 && middle < widest);
    cm_program_counts_free(counts);
    free(all.widths);
    free(truth);
}

static void the_truth_is_within_the_error_where_facts_are_known(void **state)
{
    (void)state;
    check_programs(true, 0.05);
}

static void it_is_where_counts_alone_bound_them(void **state)
{
    (void)state;
    check_programs(false, 0.1);
}

/* Of values of definitions with a range. */
typedef struct places {
    size_t values, inside, outside, same; /* by counts; as many say the same by facts */
    size_t left_out;                      /* inside by counts, but not known by facts */
} places;

/* Whether the facts show that the error is larger than the range promises. */
static bool is_doubted(const cm_value_error *value)
{
    return value->in_range == CM_IN_RANGE_UNKNOWN && strstr(value->place, "its error is") == value->place;
}

/* What counts alone say of the range is what the facts say, or they say that they leave out what wrong paths may add,
 * which the facts know. */
static void counts_find_the_range_that_facts_find(void **state)
{
    (void)state;
    double *truth = NULL;
    cm_program_counts *counts = make_counts(false, &truth);
    cm_value_error *by_counts = calloc(PROGRAMS * counts->metric_count, sizeof *by_counts);
    places all = {0};
    assert_int_equal(cm_count_find_errors(counts, NULL), CM_OK);
    for (size_t p = 0; p < PROGRAMS; p++) {
        for (size_t m = 0; m < counts->metric_count; m++)
            by_counts[p * counts->metric_count + m] = counts->scopes[p].errors[m];
        counts->scopes[p].facts = truth + p * cm_fact_count();
    }
    assert_int_equal(cm_count_find_errors(counts, NULL), CM_OK);
    for (size_t p = 0; p < PROGRAMS; p++)
        for (size_t m = 0; m < counts->metric_count; m++) {
            const cm_value_error *by = &by_counts[p * counts->metric_count + m];
            const cm_in_range found = by->in_range;
            const cm_value_error *value = &counts->scopes[p].errors[m];
            assert_int_equal(found == CM_IN_RANGE_NONE, counts->metrics[m]->range_count == 0);
            assert_int_equal(value->in_range == CM_IN_RANGE_NO,
                             strstr(value->place, "the definition holds above") != NULL);
            all.values += found != CM_IN_RANGE_NONE;
            all.inside += found == CM_IN_RANGE_YES;
            all.outside += found == CM_IN_RANGE_NO;
            all.same += (found == CM_IN_RANGE_YES || found == CM_IN_RANGE_NO) && found == value->in_range;
            all.left_out +=
                found == CM_IN_RANGE_YES && is_doubted(value) && strstr(by->because, "open of the results") != NULL;
        }
    print_message("%zu values in ranges: by counts %zu inside, %zu outside, %zu as by facts, %zu but for wrong paths\n",
                  all.values, all.inside, all.outside, all.same, all.left_out);
    assert_true(all.inside > PROGRAMS / 2 && all.outside > PROGRAMS / 2 && all.left_out > 0);
    assert_true(all.inside + all.outside <= all.same + all.left_out + (all.inside + all.outside) / 50);
    cm_program_counts_free(counts);
    free(by_counts);
    free(truth);
}

static void expect_unknown(cm_program_counts *counts, const char *words)
{
    assert_int_equal(cm_count_find_errors(counts, NULL), CM_OK);
    const cm_value_error *error = &counts->scopes[0].errors[0];
    if (!isnan(error->error) || strstr(error->because, words) == NULL)
        fail_msg("%s: %g, %s", counts->metrics[0]->metric, error->error, error->because);
}

/* Never is it 0. */
static void what_nothing_tells_is_unknown(void **state)
{
    (void)state;
    double *truth = NULL;
    cm_program_counts *counts = make_counts(false, &truth);
    counts->scope_count = 1;
    counts->multiplexed = true;
    expect_unknown(counts, "events took turns, and one run does not show");
    counts->multiplexed = false;
    counts->metrics[0] = cm_definitions_find(definitions, "Data TLB Load Misses");
    counts->metric_count = 1;
    expect_unknown(counts, "it may count some of loads, and no counted event says how often");
    cm_defined_metric older = *counts->metrics[0];
    older.own = NAN;
    counts->metrics[0] = &older;
    expect_unknown(counts, "the results do not say which other facts its definition may count");
    cm_program_counts_free(counts);
    free(truth);
}

/* Of the first program alone. */
static cm_status bound_one(const test_road *road, FILE *sink, cm_error *error)
{
    cm_program_counts one = *(const cm_program_counts *)road->what;
    one.scope_count = 1;
    cm_status status = cm_count_find_errors(&one, error);
    fprintf(sink, "%zu\n", one.metric_count);
    ((cm_program_counts *)(uintptr_t)road->what)->arena = one.arena;
    return status;
}

static void memory_that_is_short_is_said(void **state)
{
    (void)state;
    double *truth = NULL;
    cm_program_counts *counts = make_counts(false, &truth);
    fail_on_road(&(test_road){"errors", counts, bound_one, NULL, 50, 0});
    cm_program_counts_free(counts);
    free(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truth_is_within_the_error_where_facts_are_known),
        cmocka_unit_test(it_is_where_counts_alone_bound_them), cmocka_unit_test(counts_find_the_range_that_facts_find),
        cmocka_unit_test(what_nothing_tells_is_unknown), cmocka_unit_test(memory_that_is_short_is_said)};
    return cmocka_run_group_tests(tests, make_definitions, free_definitions);
}
