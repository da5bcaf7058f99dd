#include "discovery/law.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "analysis/vector.h"
#include "core/error.h"
#include "core/grow.h"
#include "software_pmu/machine/facts.h"

/* Of hits, no more than these are a neighbour's: an event that sees more counts them. So many may be where none tells.
 */
static const double most_interference = 0.005;
/* Of what each event may count once a run: what starting a kernel may count is not the same on all. */
static const double most_strays = 2.0;
/* Kernels run a few hundred times count strays of a hundredth: what exact benchmarks are held to there. */
static const double least_tolerance = 0.02, tolerance_of_mispredictions = 0.1;

typedef struct said {
    uint64_t terms; /* of a metric */
    cm_law_verdict *verdict;
} said;

struct cm_evidence_law {
    const cm_evidence *evidence;
    cm_natural *natural;
    size_t count, known; /* kernels; rows of the problem, when they were taken */
    size_t *rows;        /* of the evidence then, one a kernel */
    cm_law_kernel *kernels;
    double interference;
    cm_law *law;
    cm_law_metric **metrics; /* NULL: nothing to be judged */
    bool *means;             /* one a kernel of each metric: it does, or may do, something of it */
    size_t said_count;
    said *said; /* what was judged of terms: searches come by the same ones again */
};

/* ---- kernels ---- */

static bool is_kernel(const cm_evidence *evidence, size_t row)
{
    const cm_evidence_row *known = &evidence->rows[row];
    return known->kernel != NULL && known->means == NULL;
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
                                                 .loops = strcmp(kernel->kernel, "empty") != 0,
                                                 .twins = {evidence->rows[row].twins[0], evidence->rows[row].twins[1]}};
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

static bool may_mean(const cm_law_kernel *kernel, const double *weights)
{
    bool means = false;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        means |= weights[fact] != 0.0 && (kernel->facts->values[fact] != 0.0 || kernel->facts->ranges[fact] != 0.0);
    return means;
}

static cm_status make_metrics(cm_evidence_law *law, cm_error *error)
{
    const cm_evidence *evidence = law->evidence;
    size_t count = evidence->signatures->metric_count;
    cm_status status = CM_OK;
    law->metrics = calloc(count + 1, sizeof(cm_law_metric *));
    law->means = calloc(count * law->count + 1, sizeof *law->means);
    if (law->metrics == NULL || law->means == NULL)
        return cm_error_no_memory(error);
    for (size_t m = 0; m < count && status == CM_OK; m++) {
        const double *weights = evidence->metrics + m * cm_fact_count();
        for (size_t k = 0; k < law->count; k++)
            law->means[m * law->count + k] = may_mean(&law->kernels[k], weights);
        if (evidence->meant[m])
            status = cm_law_metric_create(law->law, weights, tolerance_of(evidence, weights),
                                          evidence->problem.tolerance, &law->metrics[m], error);
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

static void free_verdict(cm_law_verdict *verdict)
{
    cm_law_verdict_clear(verdict);
    free(verdict);
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
    for (size_t i = 0; i < law->said_count; i++)
        free_verdict(law->said[i].verdict);
    free(law->said);
    free(law->means);
    cm_natural_free(law->natural);
    free(law);
}

double cm_evidence_law_interference(const cm_evidence_law *law)
{
    return law->interference;
}

/* ---- definitions ---- */

static double amplification_of(const cm_evidence *evidence, size_t metric, const cm_term *terms, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += fabs(terms[k].coefficient) * evidence->problem.events[terms[k].event].norm;
    return sum / cm_vector_norm(evidence->targets[metric].signature, evidence->problem.symbols);
}

/* What a neighbour adds does not average out where caches are measured: a mean is no surer there than a run. */
static double runs_of(const cm_evidence *evidence)
{
    return evidence->problem.rough ? cm_the_rules.control_repetitions : 1.0;
}

/* What runs count beside what a kernel does shows on those that do nothing of the metric: no more than on the most. */
static void limit_strays(const cm_evidence_law *law, size_t metric, const cm_law_counts *counts, double *strays)
{
    const cm_evidence *evidence = law->evidence;
    const double *runs = evidence->problem.iterations;
    double most = -1.0;
    for (size_t k = 0; k < law->count; k++) {
        double often = (fabs(counts->values[k]) + cm_law_default.z * sqrt(counts->variances[k])) * runs[row_of(law, k)];
        if (isfinite(often) && !law->means[metric * law->count + k])
            most = fmax(most, often);
    }
    for (size_t k = 0; k < law->count && most >= 0.0; k++)
        strays[k] = fmin(strays[k], most / runs[row_of(law, k)]);
}

static cm_status judge(const cm_evidence_law *law, size_t metric, const cm_term *terms, size_t count,
                       cm_law_verdict *verdict, cm_error *error)
{
    const cm_evidence *evidence = law->evidence;
    double *values = calloc(3 * law->count + 1, sizeof *values), deviation;
    if (values == NULL)
        return cm_error_no_memory(error);
    double *variances = values + law->count, *strays = variances + law->count;
    const cm_law_counts counts = {values, variances, strays};
    double once = most_strays * cm_law_metric_unit(law->metrics[metric]);
    for (size_t k = 0; k < law->count; k++) {
        size_t row = row_of(law, k);
        bool known = cm_value_on(&evidence->problem, terms, count, row, &values[k], &deviation);
        variances[k] = known ? deviation * deviation * runs_of(evidence) : INFINITY;
        strays[k] = known ? once * cm_slack_on(&evidence->problem, terms, count, row) : 0.0;
    }
    limit_strays(law, metric, &counts, strays);
    cm_status status =
        cm_law_judge(law->metrics[metric], &counts, amplification_of(evidence, metric, terms, count), verdict, error);
    free(values);
    return status;
}

/* A number for the terms, in whichever order. */
static uint64_t number_of(size_t metric, const cm_term *terms, size_t count)
{
    uint64_t sum = metric;
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &terms[k].coefficient, sizeof bits);
        bits = (bits ^ (bits >> 31)) * 0x9e3779b97f4a7c15u + terms[k].event + 1;
        bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u + metric;
        sum += (bits ^ (bits >> 32)) * 0x94d049bb133111ebu;
    }
    return sum;
}

static const cm_law_verdict *find_said(const cm_evidence_law *law, uint64_t number)
{
    for (size_t i = 0; i < law->said_count; i++)
        if (law->said[i].terms == number)
            return law->said[i].verdict;
    return NULL;
}

cm_status cm_evidence_law_judge(cm_evidence_law *law, size_t metric, const cm_term *terms, size_t count,
                                const cm_law_verdict **verdict, cm_error *error)
{
    uint64_t number = number_of(metric, terms, count);
    bool possible = law->metrics[metric] != NULL && count > 0;
    *verdict = possible ? find_said(law, number) : NULL;
    if (!possible || *verdict != NULL)
        return CM_OK;
    said *grown = cm_grow_by_one(law->said, law->said_count, sizeof *grown);
    cm_law_verdict *found = calloc(1, sizeof *found);
    law->said = grown != NULL ? grown : law->said;
    cm_status status =
        grown != NULL && found != NULL ? judge(law, metric, terms, count, found, error) : cm_error_no_memory(error);
    if (status != CM_OK) {
        free(found);
        return status;
    }
    grown[law->said_count++] = (said){number, found};
    *verdict = found;
    return CM_OK;
}

cm_status cm_evidence_law_say(void *law, const cm_target *target, const cm_term *terms, size_t count,
                              cm_verdict *verdict, cm_error *error)
{
    const cm_evidence_law *own = law;
    const cm_law_verdict *found;
    cm_status status = cm_evidence_law_judge(law, target->metric, terms, count, &found, error);
    if (status != CM_OK || found == NULL)
        return status;
    bool allowed = cm_law_allows(found);
    verdict->refusal = allowed ? CM_REFUSED_NOT : CM_REFUSED_LAW;
    verdict->share = found->finding == CM_LAW_IN_RANGE ? fmin(found->share, 1.0 - 1e-9) : 1.0;
    verdict->ratio = allowed ? 0.0 : found->value / found->limit;
    verdict->place = 0;
    if (allowed)
        cm_judge_rows(&own->evidence->problem, target, terms, count, own->known, verdict);
    return CM_OK;
}

const cm_law_alternative *cm_evidence_law_alternative(const cm_evidence_law *law, size_t alternative)
{
    return cm_law_alternative_at(law->law, alternative);
}

const char *cm_evidence_law_kernel(const cm_evidence_law *law, size_t kernel)
{
    return law->evidence->problem.kernels[row_of(law, kernel)];
}

const cm_evidence *cm_evidence_law_evidence(const cm_evidence_law *law)
{
    return law->evidence;
}
