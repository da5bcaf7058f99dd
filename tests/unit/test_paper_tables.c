/* The paper's Tables V to VIII, from the tables in data/paper-events through loading, restriction and analysis; and its
 * events with noise. */
#include "analysis_tools.h"

#include <catmint/tables.h>

#include "paper_tables.h"

typedef struct recording {
    cm_measurements *measurements;
    cm_basis *basis;
    cm_signatures *signatures;
    cm_thresholds thresholds;
    cm_analysis *analysis;
} recording;

/* The paper's where it has its own. */
static char *table_of(const char *directory, const char *benchmark)
{
    char relative[128], *file = NULL;
    snprintf(relative, sizeof relative, "%s/paper/%s.csv", directory, benchmark);
    if (cm_data_path(relative, &file, NULL) == CM_OK)
        return file;
    snprintf(relative, sizeof relative, "%s/%s.csv", directory, benchmark);
    assert_int_equal(cm_data_path(relative, &file, NULL), CM_OK);
    return file;
}

static char *data_file(const char *directory, const char *name)
{
    char relative[128], *file = NULL;
    snprintf(relative, sizeof relative, "%s/%s.csv", directory, name);
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

/* Without an analysis. */
static recording load(const paper_table *from)
{
    recording made = {0};
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_benchmarks *benchmarks = NULL;
    char *files[] = {data_file("data/paper-events", from->table), table_of("bases", from->benchmark),
                     table_of("signatures", from->benchmark), data_file("bases", "benchmarks")};
    assert_int_equal(cm_measurements_load(files[0], &made.measurements, NULL), CM_OK);
    assert_int_equal(cm_basis_load(files[1], &basis, NULL), CM_OK);
    assert_int_equal(cm_signatures_load(files[2], &signatures, NULL), CM_OK);
    assert_int_equal(cm_benchmarks_load(files[3], &benchmarks, NULL), CM_OK);
    assert_int_equal(cm_basis_restrict_to_create(basis, made.measurements, &made.basis, NULL), CM_OK);
    assert_int_equal(cm_signatures_restrict_create(signatures, made.basis, &made.signatures, NULL), CM_OK);
    const cm_benchmark *chosen = cm_benchmarks_find(benchmarks, from->benchmark);
    assert_non_null(chosen);
    cm_thresholds_default(&made.thresholds);
    made.thresholds.tau = chosen->tau;
    made.thresholds.alpha = chosen->alpha;
    made.thresholds.residual = chosen->residual;
    made.thresholds.quantum = chosen->quantum;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        free(files[i]);
    cm_basis_free(basis);
    cm_signatures_free(signatures);
    cm_benchmarks_free(benchmarks);
    return made;
}

/* The events in the order of the table; with a seed, in a random one. */
static recording analyse(const paper_table *from, uint64_t seed)
{
    recording made = load(from);
    size_t count = made.measurements->event_count;
    size_t *order = calloc(count, sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    if (seed != 0)
        shuffle(order, count, &seed);
    made.analysis = analysis_of(made.basis->expectations, &made.thresholds);
    for (size_t i = 0; i < count; i++) {
        const cm_measurement *event = &made.measurements->events[order[i]];
        double *vectors = vectors_of(made.measurements, event);
        assert_int_equal(cm_analysis_add_event(made.analysis, event->event, vectors, event->repetition_count, NULL),
                         CM_OK);
        free(vectors);
    }
    assert_int_equal(cm_analysis_select(made.analysis, NULL), CM_OK);
    free(order);
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
        recording made = analyse(&tables[t], 0);
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
        made[t] = analyse(&tables[t], 0);
    for (size_t i = 0; i < COUNT(definitions); i++) {
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

/* Rounded, the metrics of a table are the paper's, to whole coefficients. Returns how much rounding changed at most. */
static double expect_rounded(const recording *made, int table)
{
    double changed = 0.0;
    for (size_t i = 0; i < COUNT(definitions); i++) {
        const definition *row = &definitions[i];
        if (row->table != table)
            continue;
        cm_fit *fit = fit_of(made, row->metric);
        for (size_t k = 0; k < fit->term_count; k++) {
            const char *event = selected_name(made->analysis, k);
            expect_close(fit->rounded[k], rint(strtod(expected_coefficient(row, event), NULL)), 0.0, row->metric);
            changed = fmax(changed, fabs(fit->coefficients[k] - fit->rounded[k]));
        }
        assert_int_equal(fit->composable, row->composable);
        assert_true(!row->composable || fit->fitness.backward_error < 1e-14);
        cm_fit_free(fit);
    }
    return changed;
}

/* Figure 3: rounded, the data cache metrics are their signatures exactly. */
static void rounded_cache_metrics_are_whole(void **state)
{
    (void)state;
    recording made = analyse(&tables[DCACHE], 0);
    for (size_t r = 0; r < COUNTED; r++)
        assert_string_equal(selected_name(made.analysis, r), tables[DCACHE].selected[r]);
    expect_close(expect_rounded(&made, DCACHE), 0.02, 0.005, "L3 Hits");
    clear(&made);
}

static void other_events_are_sorted_out(void **state)
{
    (void)state;
    for (int t = 0; t < TABLES; t++) {
        recording made = analyse(&tables[t], 0);
        size_t checked = 0, expected = 0;
        for (size_t i = 0; i < COUNT(made_up); i++) {
            expected += made_up[i].table == t;
            for (size_t e = 0; made_up[i].table == t && e < cm_analysis_event_count(made.analysis); e++) {
                cm_event_analysis event = cm_analysis_event(made.analysis, e);
                if (strcmp(event.event, made_up[i].event) != 0)
                    continue;
                const char *equivalent = event.equivalent_to != CM_NO_EVENT
                                             ? cm_analysis_event(made.analysis, (size_t)event.equivalent_to).event
                                             : "none";
                if (event.status != made_up[i].status ||
                    strcmp(equivalent, made_up[i].equivalent != NULL ? made_up[i].equivalent : "none") != 0)
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
static void expect_same_figures(const recording *made, const recording *other)
{
    assert_int_equal(cm_analysis_selected_count(made->analysis), cm_analysis_selected_count(other->analysis));
    for (size_t i = 0; i < made->signatures->metric_count; i++) {
        const cm_signature *metric = &made->signatures->metrics[i];
        bool zero = true;
        for (size_t j = 0; j < made->signatures->symbol_count; j++)
            zero &= metric->values[j] == 0.0;
        if (zero)
            continue; /* not measurable on this machine */
        cm_fit *fit = fit_of(made, metric->metric), *again = fit_of(other, metric->metric);
        if (fit->composable != again->composable ||
            fabs(fit->fitness.backward_error - again->fitness.backward_error) > 1e-12 ||
            fabs(fit->rounded_fitness.misfit - again->rounded_fitness.misfit) > 1e-12)
            fail_msg("%s: %g, in another order %g", metric->metric, fit->fitness.backward_error,
                     again->fitness.backward_error);
        cm_fit_free(fit);
        cm_fit_free(again);
    }
}

static void order_of_events_changes_no_figure(void **state)
{
    (void)state;
    for (size_t t = 0; t < TABLES; t++) {
        recording made = analyse(&tables[t], 0);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            recording shuffled = analyse(&tables[t], seed);
            expect_same_figures(&made, &shuffled);
            clear(&shuffled);
        }
        clear(&made);
    }
}

typedef struct noise {
    double relative, absolute;
    bool spares_zero; /* what does not count counts nothing */
} noise;

enum { REPETITIONS = 5, MOST_KERNELS = 64 };

/* Adds events that count around what they should. */
static void add_around(cm_analysis *analysis, const cm_matrix *basis, const counted_event *events, const noise *around,
                       uint64_t *random)
{
    double vectors[REPETITIONS * MOST_KERNELS];
    const size_t kernels = basis->rows;
    assert_true(kernels <= MOST_KERNELS);
    for (size_t e = 0; e < COUNTED; e++) {
        for (size_t i = 0; i < REPETITIONS * kernels; i++) {
            double exact = 0.0;
            for (size_t j = 0; j < basis->columns; j++)
                exact += *cm_matrix_at(basis, i % kernels, j) * events[e].counts[j];
            bool quiet = exact == 0.0 && around->spares_zero;
            vectors[i] = fabs(exact * (1 + around->relative * random_signed(random)) +
                              (quiet ? 0.0 : around->absolute * random_signed(random)));
        }
        assert_int_equal(cm_analysis_add_event(analysis, events[e].event, vectors, REPETITIONS, NULL), CM_OK);
    }
}

/* Random branches of a real run are mispredicted not quite half of the time: the quantum makes exact events of them. */
static void branch_noise_is_rounded_away(void **state)
{
    (void)state;
    static const noise around = {0.0, 0.1, true};
    uint64_t random = 4;
    recording made = load(&tables[BRANCH]);
    assert_true(made.thresholds.quantum == 0.25);
    for (int rounded = 0; rounded < 2; rounded++) {
        made.thresholds.quantum = rounded ? 0.25 : 0.0;
        made.analysis = analysis_of(made.basis->expectations, &made.thresholds);
        add_around(made.analysis, made.basis->expectations, branch_events, &around, &random);
        for (size_t e = 0; e < COUNTED; e++) {
            cm_event_analysis event = cm_analysis_event(made.analysis, e);
            assert_int_equal(event.status, rounded ? CM_EVENT_DEPENDENT : CM_EVENT_NOISY);
            expect_close(event.rounding_distance, rounded ? 0.1 : 0.0, rounded ? 0.03 : 0.0, "rounding distance");
        }
        assert_int_equal(cm_analysis_select(made.analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_selected_count(made.analysis), rounded ? COUNTED : 0);
        if (rounded)
            assert_true(expect_rounded(&made, BRANCH) < 1e-14);
        cm_analysis_free(made.analysis);
    }
    made.analysis = NULL;
    clear(&made);
}

/* Noise of some percent: coefficients as solved are not exact, rounded ones are. */
static void cache_noise_is_rounded_away(void **state)
{
    (void)state;
    static const noise around = {0.02, 0.01, false};
    uint64_t random = 1;
    recording made = load(&tables[DCACHE]);
    for (size_t round = 0; round < 100; round++) {
        made.analysis = analysis_of(made.basis->expectations, &made.thresholds);
        add_around(made.analysis, made.basis->expectations, dcache_events, &around, &random);
        assert_int_equal(cm_analysis_select(made.analysis, NULL), CM_OK);
        assert_int_equal(cm_analysis_selected_count(made.analysis), COUNTED);
        const double changed = expect_rounded(&made, DCACHE);
        assert_true(changed > 1e-4 && changed < 5e-2);
        cm_analysis_free(made.analysis);
    }
    made.analysis = NULL;
    clear(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selected_events_are_the_papers),    cmocka_unit_test(definitions_are_the_papers),
        cmocka_unit_test(rounded_cache_metrics_are_whole),   cmocka_unit_test(other_events_are_sorted_out),
        cmocka_unit_test(order_of_events_changes_no_figure), cmocka_unit_test(branch_noise_is_rounded_away),
        cmocka_unit_test(cache_noise_is_rounded_away),
    };
    return cmocka_run_group_tests_name("paper_tables", tests, NULL, NULL);
}
