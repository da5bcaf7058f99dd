#include "discovery/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "analysis/vector.h"
#include "core/error.h"
#include "software_pmu/machine/facts.h"

/* Of hits, no more than these are a neighbour's: an event that sees more counts them. So many may be where none tells.
 */
static const double most_interference = 0.005;
/* Of what each event may count once a run: what starting a kernel may count is not the same on all. */
static const double most_strays = 2.0;
/* Exact benchmarks tolerate less than natural programs can show. */
static const double least_tolerance = 0.02, tolerance_of_mispredictions = 0.1;

struct cm_evidence_law {
    const cm_evidence *evidence;
    cm_natural *natural;
    size_t count, known; /* kernels; rows of the problem, when they were taken */
    size_t *rows;        /* of the evidence then, one a kernel */
    cm_law_kernel *kernels;
    double interference;
    cm_law *law;
    cm_law_metric **metrics; /* NULL: nothing to be judged */
};

/* ---- kernels ---- */

static bool is_kernel(const cm_evidence *evidence, size_t row)
{
    const cm_evidence_row *known = &evidence->rows[row];
    return known->kernel != NULL && known->means == NULL && (ptrdiff_t)row != evidence->twin_row;
}

static void take_row(cm_evidence_law *law, size_t row, bool is_free)
{
    const cm_evidence *evidence = law->evidence;
    const cm_kernel_facts *kernel = evidence->rows[row].kernel;
    if (!is_kernel(evidence, row))
        return;
    law->rows[law->count] = row;
    law->kernels[law->count++] = (cm_law_kernel){.facts = kernel,
                                                 .home = strcmp(kernel->benchmark, evidence->benchmark) == 0,
                                                 .free = is_free,
                                                 .loops = strcmp(kernel->kernel, "empty") != 0};
}

static cm_status take_kernels(cm_evidence_law *law, cm_error *error)
{
    const cm_evidence *evidence = law->evidence;
    size_t rows = evidence->problem.rows, room = rows + evidence->free_count + 1;
    law->rows = calloc(room, sizeof *law->rows);
    law->kernels = calloc(room, sizeof *law->kernels);
    if (law->rows == NULL || law->kernels == NULL)
        return cm_error_no_memory(error);
    law->known = rows;
    for (size_t r = 0; r < rows; r++)
        take_row(law, r, false);
    for (size_t r = rows; r < rows + evidence->free_count; r++)
        take_row(law, r, true);
    return CM_OK;
}

/* Rows of programs have come between those of the problem and those behind. */
static size_t row_of(const cm_evidence_law *law, size_t kernel)
{
    size_t row = law->rows[kernel];
    return row < law->known ? row : row + law->evidence->problem.rows - law->known;
}

/* ---- interference ---- */

static double sum_of(const double *facts, size_t first, size_t last)
{
    double sum = 0.0;
    for (size_t fact = first; fact <= last; fact++)
        sum += facts[fact];
    return sum;
}

static double missing(const cm_law_kernel *kernel)
{
    return kernel->facts->values[CM_FACT_L2_LOAD_HIT] + kernel->facts->values[CM_FACT_L3_LOAD_HIT] +
           kernel->facts->values[CM_FACT_L3_LOAD_MISS];
}

/* Whether loads are all that a kernel asks caches for, and all of them hit the first level, or all miss it. */
static bool is_plain(const cm_law_kernel *kernel, bool hits)
{
    const double *values = kernel->facts->values, *ranges = kernel->facts->ranges;
    double all = sum_of(values, CM_FACT_L1D_LOAD_HIT, CM_FACT_L3_STORE_MISS) + values[CM_FACT_NT_STORES] +
                 sum_of(values, CM_FACT_L2_FETCH_HIT, CM_FACT_L3_FETCH_MISS);
    double loads = values[CM_FACT_L1D_LOAD_HIT] + values[CM_FACT_L1D_LOAD_MISS] + values[CM_FACT_L2_LOAD_HIT] +
                   values[CM_FACT_L2_LOAD_MISS] + values[CM_FACT_L3_LOAD_HIT] + values[CM_FACT_L3_LOAD_MISS];
    bool sure = ranges[CM_FACT_L1D_LOAD_HIT] == 0.0 && all == loads && !kernel->free;
    return sure && (hits ? values[CM_FACT_L1D_LOAD_HIT] >= 0.9 && missing(kernel) == 0.0
                         : values[CM_FACT_L1D_LOAD_HIT] == 0.0 && missing(kernel) >= 0.9);
}

/* Of hits, those that a neighbour moved, by an event that counts misses of loads, or one that counts hits; infinity
 * where it is neither. What else it counts or drops makes this more. */
static double moved(const cm_evidence_law *law, const cm_usable_event *event)
{
    double counts = 0.0, variance = 0.0, hits = 0.0, misses = 0.0, missed_counts = 0.0;
    for (size_t k = 0; k < law->count; k++) {
        const cm_law_kernel *kernel = &law->kernels[k];
        double mean = event->mean[row_of(law, k)], runs = law->evidence->problem.iterations[row_of(law, k)];
        if (isnan(mean) || !isfinite(runs))
            continue;
        if (is_plain(kernel, false)) {
            missed_counts += mean / missing(kernel);
            misses += 1.0;
        } else if (is_plain(kernel, true)) {
            counts += mean * runs;
            variance += pow(event->error[row_of(law, k)] * runs, 2.0);
            hits += kernel->facts->values[CM_FACT_L1D_LOAD_HIT] * runs;
        }
    }
    if (hits == 0.0 || misses == 0.0)
        return INFINITY;
    bool counts_misses = missed_counts / misses > 0.5 && counts / hits < 0.5;
    bool counts_hits = missed_counts / misses < 0.5 && counts / hits > 0.5;
    double off = counts_misses ? fabs(counts) : counts_hits ? fabs(hits - counts) : INFINITY;
    return (off + cm_law_default.z * sqrt(variance)) / hits;
}

/* Each such event sees all hits that a neighbour moves: the one that sees fewest says how many these can be. */
static double interference_of(const cm_evidence_law *law)
{
    double least = INFINITY;
    for (size_t i = 0; i < law->evidence->looked_count; i++)
        least = fmin(least, moved(law, law->evidence->looked[i]));
    return fmin(least, most_interference);
}

/* ---- metrics ---- */

static double tolerance_of(const cm_evidence *evidence, const double *weights)
{
    bool mispredictions = true;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        mispredictions &= weights[fact] == 0.0 || strncmp(cm_fact_name(fact), "mispredicted", 12) == 0;
    double tolerance = fmax(evidence->problem.tolerance, least_tolerance);
    return mispredictions ? fmax(tolerance, tolerance_of_mispredictions) : tolerance;
}

static cm_status make_metrics(cm_evidence_law *law, cm_error *error)
{
    const cm_evidence *evidence = law->evidence;
    size_t count = evidence->signatures->metric_count;
    cm_status status = CM_OK;
    law->metrics = calloc(count + 1, sizeof(cm_law_metric *));
    if (law->metrics == NULL)
        return cm_error_no_memory(error);
    for (size_t m = 0; m < count && status == CM_OK; m++) {
        const double *weights = evidence->metrics + m * cm_fact_count();
        if (evidence->meant[m])
            status = cm_law_metric_create(law->law, weights, tolerance_of(evidence, weights), &law->metrics[m], error);
    }
    return status;
}

static cm_status fill(cm_evidence_law *law, cm_error *error)
{
    const cm_evidence *evidence = law->evidence;
    cm_status status = cm_natural_load(NULL, &law->natural, error);
    if (status == CM_OK)
        status = take_kernels(law, error);
    if (status != CM_OK)
        return status;
    law->interference = interference_of(law);
    const cm_law_setup setup = {.facts = evidence->facts,
                                .natural = law->natural,
                                .kernels = law->kernels,
                                .kernel_count = law->count,
                                .metrics = evidence->metrics,
                                .metric_count = evidence->signatures->metric_count,
                                .interference = law->interference};
    status = cm_law_create(&setup, &law->law, error);
    return status == CM_OK ? make_metrics(law, error) : status;
}

cm_status cm_evidence_law_create(const cm_evidence *evidence, cm_evidence_law **law, cm_error *error)
{
    cm_evidence_law *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->evidence = evidence;
    cm_status status = fill(made, error);
    if (status != CM_OK)
        cm_evidence_law_free(made);
    else
        *law = made;
    return status;
}

void cm_evidence_law_free(cm_evidence_law *law)
{
    if (law == NULL)
        return;
    for (size_t m = 0; law->metrics != NULL && m < law->evidence->signatures->metric_count; m++)
        cm_law_metric_free(law->metrics[m]);
    free(law->metrics);
    cm_law_free(law->law);
    free(law->kernels);
    free(law->rows);
    cm_natural_free(law->natural);
    free(law);
}

double cm_evidence_law_interference(const cm_evidence_law *law)
{
    return law->interference;
}

/* ---- definitions ---- */

static double amplification_of(const cm_evidence *evidence, size_t metric, const cm_solution *solution)
{
    double sum = 0.0;
    for (size_t k = 0; k < solution->count; k++)
        sum += fabs(solution->terms[k].coefficient) * evidence->problem.events[solution->terms[k].event].norm;
    return sum / cm_vector_norm(evidence->targets[metric].signature, evidence->problem.symbols);
}

/* What a neighbour adds does not average out where caches are measured: a mean is no surer there than a run. */
static double runs_of(const cm_evidence *evidence)
{
    return evidence->problem.rough ? cm_the_rules.control_repetitions : 1.0;
}

static bool may_mean(const cm_law_kernel *kernel, const double *weights)
{
    bool means = false;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        means |= weights[fact] != 0.0 && (kernel->facts->values[fact] != 0.0 || kernel->facts->ranges[fact] != 0.0);
    return means;
}

/* What runs count beside what a kernel does shows on those that do nothing of the metric: no more than on the most. */
static void limit_strays(const cm_evidence_law *law, size_t metric, const cm_law_counts *counts, double *strays)
{
    const cm_evidence *evidence = law->evidence;
    const double *weights = evidence->metrics + metric * cm_fact_count(), *runs = evidence->problem.iterations;
    double most = -1.0;
    for (size_t k = 0; k < law->count; k++) {
        double often = (fabs(counts->values[k]) + cm_law_default.z * sqrt(counts->variances[k])) * runs[row_of(law, k)];
        if (isfinite(often) && !may_mean(&law->kernels[k], weights))
            most = fmax(most, often);
    }
    for (size_t k = 0; k < law->count && most >= 0.0; k++)
        strays[k] = fmin(strays[k], most / runs[row_of(law, k)]);
}

cm_status cm_evidence_law_judge(const cm_evidence_law *law, size_t metric, const cm_solution *solution, bool *judged,
                                cm_law_verdict *verdict, cm_error *error)
{
    const cm_evidence *evidence = law->evidence;
    *judged = law->metrics[metric] != NULL && solution->count > 0;
    if (!*judged)
        return CM_OK;
    double *values = calloc(3 * law->count + 1, sizeof *values), deviation;
    if (values == NULL)
        return cm_error_no_memory(error);
    double *variances = values + law->count, *strays = variances + law->count;
    const cm_law_counts counts = {values, variances, strays};
    for (size_t k = 0; k < law->count; k++) {
        size_t row = row_of(law, k);
        bool known = cm_value_on(&evidence->problem, solution->terms, solution->count, row, &values[k], &deviation);
        variances[k] = known ? deviation * deviation * runs_of(evidence) : INFINITY;
        strays[k] = known ? most_strays * cm_slack_on(&evidence->problem, solution->terms, solution->count, row) : 0.0;
    }
    limit_strays(law, metric, &counts, strays);
    cm_status status =
        cm_law_judge(law->metrics[metric], &counts, amplification_of(evidence, metric, solution), verdict, error);
    free(values);
    return status;
}

bool cm_law_allows(const cm_law_verdict *verdict)
{
    return verdict->finding == CM_LAW_HOLDS || verdict->finding == CM_LAW_IN_RANGE;
}

char *cm_evidence_law_words(const cm_evidence_law *law, size_t alternative)
{
    const cm_law_alternative *what = cm_law_alternative_at(law->law, alternative);
    const char *fact = cm_fact_name(what->fact), *other = cm_fact_name(what->other);
    char *words = NULL;
    int length = 0;
    switch (what->sort) {
    case CM_LAW_TURN: return strdup("branches_cond_taken"); /* a loop turns by one */
    case CM_LAW_FACT:
    case CM_LAW_DERIVED: return strdup(fact);
    case CM_LAW_DIFFERENCE:
        length = what->ratio == 1.0 ? asprintf(&words, "%s - %s", fact, other)
                                    : asprintf(&words, "%s - %.6g*%s", fact, what->ratio, other);
        break;
    case CM_LAW_PAIR: length = asprintf(&words, "min(%s, %s)", fact, other); break;
    }
    return length < 0 ? NULL : words;
}

const char *cm_evidence_law_kernel(const cm_evidence_law *law, size_t kernel)
{
    return law->evidence->problem.kernels[row_of(law, kernel)];
}

/* The derived fact that is the metric, as far as this machine has its parts; -1: none. */
static ptrdiff_t derived_of(const cm_evidence_law *law, const double *weights)
{
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        const double *parts = law->evidence->facts->facts[fact].coefficients;
        bool same = law->evidence->facts->facts[fact].kind == CM_FACT_DERIVED;
        for (size_t i = 0; i < cm_fact_count() && same; i++)
            same = parts[i] == weights[i];
        if (same)
            return (ptrdiff_t)fact;
    }
    return -1;
}

char *cm_evidence_law_meaning(const cm_evidence_law *law, size_t metric)
{
    const double *weights = law->evidence->metrics + metric * cm_fact_count();
    ptrdiff_t derived = derived_of(law, weights);
    char *text = NULL;
    if (derived >= 0)
        return strdup(cm_fact_name((size_t)derived));
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        char *longer = NULL;
        if (weights[fact] == 0.0)
            continue;
        int length = weights[fact] == 1.0 ? asprintf(&longer, "%s%s%s", text != NULL ? text : "",
                                                     text != NULL ? " + " : "", cm_fact_name(fact))
                                          : asprintf(&longer, "%s%s%.17g*%s", text != NULL ? text : "",
                                                     text != NULL ? " + " : "", weights[fact], cm_fact_name(fact));
        free(text);
        text = length < 0 ? NULL : longer;
        if (text == NULL)
            return NULL;
    }
    return text;
}
