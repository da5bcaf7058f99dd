/* Terms over the counts of a sweep, before the law. */
#include <float.h>

#include "analysis/rules.h"
#include "law/state.h"

/* The facts that an event counts, read by itself. */
typedef struct event_reading {
    bool tried, again; /* again: an event before it counts the same, and has the facts */
    uint64_t counts;
    double *facts; /* and behind them the most that it counts of each; NULL: not known */
} event_reading;

typedef struct said {
    uint64_t terms, counts; /* of a metric */
    bool again;             /* terms before these count the same, and have the verdict */
    cm_law_verdict *verdict;
} said;

struct cm_counted_law {
    cm_counted_setup setup;
    cm_law *law;
    cm_law_metric **metrics; /* NULL: nothing to be judged */
    bool *means;             /* one a kernel of each metric: it does, or may do, something of it */
    size_t reading_count;
    event_reading *readings; /* one an event */
    size_t said_count;
    said *said; /* verdicts on terms: searches come by the same ones again */
};

static size_t row_of(const cm_counted_law *law, size_t kernel)
{
    size_t row = law->setup.rows[kernel];
    return row < law->setup.known ? row : row + law->setup.problem->rows - law->setup.known;
}

/* ---- metrics ---- */

static double tolerance_of(const cm_counted_law *law, const double *weights)
{
    bool mispredictions = true;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        mispredictions &= weights[fact] == 0.0 || strncmp(cm_fact_name(fact), "mispredicted", 12) == 0;
    double tolerance = law->setup.problem->tolerance;
    return mispredictions ? fmax(tolerance, cm_the_rules.natural) : tolerance;
}

/* Makes the metrics whose meaning is known, and each kernel's amounts of all. */
static cm_status make_metrics(cm_counted_law *law, cm_error *error)
{
    const cm_counted_setup *setup = &law->setup;
    cm_status status = CM_OK;
    law->metrics = calloc(setup->metric_count + 1, sizeof(cm_law_metric *));
    law->means = calloc(setup->metric_count * setup->kernel_count + 1, sizeof *law->means);
    if (law->metrics == NULL || law->means == NULL)
        return cm_error_no_memory(error);
    for (size_t m = 0; m < setup->metric_count && status == CM_OK; m++) {
        const double *weights = setup->metrics + m * cm_fact_count();
        bool *means = law->means + m * setup->kernel_count;
        for (size_t fact = 0; fact < cm_fact_count(); fact++)
            for (size_t k = 0; k < setup->kernel_count && weights[fact] != 0.0; k++)
                means[k] |=
                    setup->kernels[k].facts->values[fact] != 0.0 || setup->kernels[k].facts->ranges[fact] != 0.0;
        if (setup->meant[m])
            status = cm_law_metric_create(law->law, weights, tolerance_of(law, weights), &law->metrics[m], error);
    }
    return status;
}

/* Loads the natural programs and makes the law and its metrics. */
static cm_status fill_law(cm_counted_law *law, cm_error *error)
{
    cm_natural **natural = &law->setup.facts->natural;
    cm_status status = *natural == NULL ? cm_natural_load(NULL, natural, error) : CM_OK;
    const cm_law_setup setup = {.facts = law->setup.facts,
                                .natural = *natural,
                                .kernels = law->setup.kernels,
                                .kernel_count = law->setup.kernel_count,
                                .metrics = law->setup.metrics,
                                .metric_count = law->setup.metric_count,
                                .interference = law->setup.interference};
    CM_THEN(status, cm_law_create(&setup, &law->law, error));
    return status == CM_OK ? make_metrics(law, error) : status;
}

cm_status cm_counted_law_create(const cm_counted_setup *setup, cm_counted_law **law, cm_error *error)
{
    cm_counted_law *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->setup = *setup;
    cm_status status = fill_law(made, error);
    CM_HAND_OVER(status, law, made, cm_counted_law_free);
    return status;
}

static void free_verdict(cm_law_verdict *verdict)
{
    cm_law_verdict_clear(verdict);
    free(verdict);
}

void cm_counted_law_free(cm_counted_law *law)
{
    if (law == NULL)
        return;
    for (size_t m = 0; law->metrics != NULL && m < law->setup.metric_count; m++)
        cm_law_metric_free(law->metrics[m]);
    free(law->metrics);
    cm_law_free(law->law);
    for (size_t i = 0; i < law->said_count; i++)
        if (!law->said[i].again)
            free_verdict(law->said[i].verdict);
    free(law->said);
    for (size_t i = 0; i < law->reading_count; i++)
        if (!law->readings[i].again)
            free(law->readings[i].facts);
    free(law->readings);
    free(law->means);
    free(law);
}

CM_GETTER(const cm_counted_setup *cm_counted_law_setup(const cm_counted_law *law), &law->setup)

const cm_law_alternative *cm_counted_law_alternative(const cm_counted_law *law, size_t alternative)
{
    return cm_law_alternative_at(law->law, alternative);
}

/* ---- definitions ---- */

/* Limits strays, the counts of a run beside its kernel's. Kernels that do nothing of the metric show them: at most the
 * largest count there, unless that is more than any run may count. Their scatter is noise of every kernel. */
static void limit_strays(const cm_counted_law *law, size_t metric, const double *values, double *variances,
                         double *strays)
{
    const double *runs = law->setup.problem->iterations;
    double most = -1.0, squares = 0.0, count = 0.0;
    for (size_t k = 0; k < law->setup.kernel_count; k++) {
        double run = runs[row_of(law, k)], often = (fabs(values[k]) + cm_the_rules.z * sqrt(variances[k])) * run;
        if (!isfinite(often) || law->means[metric * law->setup.kernel_count + k])
            continue;
        most = fmax(most, often);
        if (fabs(values[k]) <= strays[k]) {
            squares += pow(values[k] * run, 2.0);
            count++;
        }
    }
    for (size_t k = 0; k < law->setup.kernel_count && most >= 0.0; k++) {
        double run = runs[row_of(law, k)];
        strays[k] = fmin(strays[k], most / run);
        variances[k] += pow(fmin(strays[k] / cm_the_rules.z, sqrt(squares / fmax(1.0, count)) / run), 2.0);
    }
}

/* Fills, one a kernel, the terms' counts, their variance, and the strays of a run. */
static void fill_counts(const cm_counted_law *law, const cm_term *terms, size_t count, double once, double *values)
{
    size_t kernels = law->setup.kernel_count;
    double *variances = values + kernels, *strays = variances + kernels, deviation;
    for (size_t k = 0; k < kernels; k++) {
        size_t row = row_of(law, k);
        bool known = cm_value_on(law->setup.problem, terms, count, row, &values[k], &deviation);
        variances[k] = known ? deviation * deviation : INFINITY;
        strays[k] = known ? once * cm_stray_counts_on(law->setup.problem, terms, count, row) : 0.0;
    }
}

/* ---- the counts of each term by itself ---- */

/* Takes the facts of an event that was read before and counts the same; false: there is none. */
static bool take_reading(cm_counted_law *law, event_reading *own)
{
    for (size_t i = 0; i < law->reading_count && !own->again; i++)
        if (law->readings[i].tried && law->readings[i].counts == own->counts) {
            own->facts = law->readings[i].facts;
            own->again = own->tried = true;
        }
    return own->again;
}

/* Reads the facts that an event counts; each event once. */
static cm_status read_event(cm_counted_law *law, size_t event, cm_error *error)
{
    size_t kernels = law->setup.kernel_count;
    for (; law->reading_count <= event; law->reading_count++) {
        event_reading *grown = cm_grow_by_one(law->readings, law->reading_count, sizeof *grown);
        if (grown == NULL)
            return cm_error_no_memory(error);
        law->readings = grown;
        grown[law->reading_count] = (event_reading){0};
    }
    event_reading *own = &law->readings[event];
    if (own->tried)
        return CM_OK;
    double *values = calloc(3 * kernels + 1, sizeof *values), *facts = calloc(2 * cm_fact_count() + 1, sizeof *facts);
    bool known = false;
    cm_status status = values != NULL && facts != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK) {
        fill_counts(law, &(cm_term){event, 1.0}, 1, cm_the_rules.sure, values);
        own->counts = cm_number_of_values(0, values, 3 * kernels);
        const cm_law_counts counts = {.values = values, .variances = values + kernels, .strays = values + 2 * kernels};
        if (!take_reading(law, own))
            status = cm_law_read(law->law, &counts, facts, facts + cm_fact_count() + 1, &known, error);
    }
    if (known) {
        own->facts = facts;
        facts = NULL;
    }
    own->tried = status == CM_OK;
    free(values);
    free(facts);
    return status;
}

/* Whether a term is, on some kernel, a share of the metric that matters, or of one occurrence of it. */
static bool is_share(const cm_counted_law *law, const cm_law_metric *metric, const cm_term *term)
{
    bool share = false;
    for (size_t k = 0; k < law->setup.kernel_count && !share; k++) {
        double value, deviation;
        bool known = cm_value_on(law->setup.problem, term, 1, row_of(law, k), &value, &deviation);
        share = known && fabs(value) > cm_the_rules.fit * fmax(fabs(metric->meant[k]), metric->smallest);
    }
    return share;
}

static bool differs_from_one(double coefficient)
{
    return fabs(coefficient - 1.0) > cm_the_rules.fit;
}

/* Adds the facts that terms count, each read by itself; *known: all that matter can be read. For one event, counted
 * once, the law asks for the other facts that it may count. */
static cm_status read_terms(cm_counted_law *law, const cm_law_metric *metric, const cm_term *terms, size_t count,
                            cm_law_term *read, size_t *read_count, double *facts, bool *known, cm_error *error)
{
    cm_status status = CM_OK;
    *known = count > 1 || differs_from_one(terms[0].coefficient);
    for (size_t i = 0; i < count && status == CM_OK && *known; i++) {
        status = read_event(law, terms[i].event, error);
        const double *own = status == CM_OK ? law->readings[terms[i].event].facts : NULL;
        *known = status == CM_OK && (own != NULL || !is_share(law, metric, &terms[i]));
        if (own != NULL) {
            read[(*read_count)++] = (cm_law_term){terms[i].coefficient, own, own + cm_fact_count() + 1};
            cm_vector_add(facts, terms[i].coefficient, own, cm_fact_count() + 1);
        }
    }
    *known = *known && (*read_count > 1 || (*read_count == 1 && differs_from_one(read[0].coefficient)));
    return status;
}

cm_status cm_counted_law_parts(cm_counted_law *law, const cm_term *terms, size_t count, double *parts, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        status = read_event(law, terms[i].event, error);
        const double *own = status == CM_OK ? law->readings[terms[i].event].facts : NULL;
        for (size_t fact = 0; own != NULL && fact < cm_fact_count(); fact++)
            parts[fact] += fabs(terms[i].coefficient * own[fact]);
    }
    return status;
}

/* By how much terms amplify noise where no symbols make the metric: their counts, of the metric's amounts, on kernels
 * that do it. */
static double amplification_on(const cm_counted_law *law, const cm_law_metric *metric, const cm_term *terms,
                               size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        double counts = 0.0, amounts = 0.0, value, deviation;
        for (size_t k = 0; k < law->setup.kernel_count; k++) {
            if (metric->meant[k] == 0.0 ||
                !cm_value_on(law->setup.problem, &terms[i], 1, row_of(law, k), &value, &deviation))
                continue;
            counts += value * value;
            amounts += metric->meant[k] * metric->meant[k];
        }
        sum += sqrt(counts / fmax(amounts, DBL_MIN));
    }
    return sum;
}

/* Judges counts, or takes the verdict on terms that were judged before and count the same. */
static cm_status judge_counts(const cm_counted_law *law, size_t metric, const cm_law_counts *counts,
                              double amplification, said *found, cm_error *error)
{
    found->counts = cm_number_of_counts(metric, counts, law->setup.kernel_count, amplification);
    for (size_t i = 0; i < law->said_count && !found->again; i++)
        if (law->said[i].counts == found->counts) {
            found->verdict = law->said[i].verdict;
            found->again = true;
        }
    if (found->again)
        return CM_OK;
    cm_law_verdict *verdict = calloc(1, sizeof *verdict);
    cm_status status = verdict != NULL ? cm_law_judge(law->metrics[metric], counts, amplification, verdict, error)
                                       : cm_error_no_memory(error);
    if (status == CM_OK)
        found->verdict = verdict;
    else
        free(verdict);
    return status;
}

/* Judges terms as a definition of the target's metric. */
static cm_status judge_terms(cm_counted_law *law, const cm_target *target, const cm_term *terms, size_t count,
                             said *found, cm_error *error)
{
    size_t kernels = law->setup.kernel_count;
    double *values = calloc(3 * kernels + 1, sizeof *values);
    double *facts = calloc(cm_fact_count() + 1, sizeof *facts);
    cm_law_term *read = calloc(count + 1, sizeof *read);
    const cm_law_metric *metric = law->metrics[target->metric];
    size_t read_count = 0;
    bool known = false, made = values != NULL && facts != NULL && read != NULL;
    cm_status status = made ? read_terms(law, metric, terms, count, read, &read_count, facts, &known, error)
                            : cm_error_no_memory(error);
    if (status == CM_OK) {
        fill_counts(law, terms, count, cm_the_rules.sure * cm_law_metric_unit(metric), values);
        limit_strays(law, target->metric, values, values + kernels, values + 2 * kernels);
        const cm_law_counts counts = {values, values + kernels, values + 2 * kernels, known ? facts : NULL, read_count,
                                      read};
        const double amplification = target->signature != NULL
                                         ? cm_amplification_of(law->setup.problem, target, terms, count)
                                         : amplification_on(law, metric, terms, count);
        status = judge_counts(law, target->metric, &counts, amplification, found, error);
    }
    free(read);
    free(facts);
    free(values);
    return status;
}

static const cm_law_verdict *find_said(const cm_counted_law *law, uint64_t number)
{
    for (size_t i = 0; i < law->said_count; i++)
        if (law->said[i].terms == number)
            return law->said[i].verdict;
    return NULL;
}

cm_status cm_counted_law_judge(cm_counted_law *law, const cm_target *target, const cm_term *terms, size_t count,
                               const cm_law_verdict **verdict, cm_error *error)
{
    uint64_t number = cm_number_of_terms(target->metric, terms, count);
    bool possible = law->metrics[target->metric] != NULL && count > 0;
    *verdict = possible ? find_said(law, number) : NULL;
    if (!possible || *verdict != NULL)
        return CM_OK;
    said *grown = cm_grow_by_one(law->said, law->said_count, sizeof *grown), found = {.terms = number};
    law->said = grown != NULL ? grown : law->said;
    cm_status status =
        grown != NULL ? judge_terms(law, target, terms, count, &found, error) : cm_error_no_memory(error);
    if (status != CM_OK)
        return status;
    grown[law->said_count++] = found;
    *verdict = found.verdict;
    return CM_OK;
}

bool cm_law_allows(const cm_law_verdict *verdict)
{
    return verdict->finding == CM_LAW_HOLDS || verdict->finding == CM_LAW_IN_RANGE;
}

cm_status cm_counted_law_describe(void *law, const cm_target *target, const cm_term *terms, size_t count,
                                  cm_verdict *verdict, cm_error *error)
{
    const cm_counted_law *own = law;
    const cm_law_verdict *found;
    cm_status status = cm_counted_law_judge(law, target, terms, count, &found, error);
    if (status != CM_OK || found == NULL)
        return status;
    bool allowed = cm_law_allows(found);
    verdict->refusal = allowed ? CM_REFUSED_NOT : CM_REFUSED_LAW;
    verdict->share = found->finding == CM_LAW_IN_RANGE ? fmin(found->share, 1.0 - 1e-9) : 1.0;
    verdict->ratio = allowed ? 0.0 : found->value / found->limit;
    verdict->place = 0;
    if (allowed)
        cm_judge_rows(own->setup.problem, target, terms, count, own->setup.known, verdict);
    return CM_OK;
}
