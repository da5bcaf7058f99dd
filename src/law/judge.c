/* The verdict: does a definition hold on every kernel, and in every class of natural programs, or in which range? */
#include "analysis/rules.h"
#include "law/state.h"

static bool alternative_matters(const cm_law_trial *work, size_t alternative)
{
    bool chosen = false;
    for (size_t i = 0; i < work->fit.chosen_count; i++)
        chosen |= work->fit.chosen[i] == alternative;
    return !chosen && work->metric->relevant[alternative];
}

/* ---- the fit ---- */

/* The largest size that a column may have. */
static double column_at_most(const cm_law_fit *fit, size_t column)
{
    return fabs(fit->estimate[column]) + cm_the_rules.z * sqrt(fit->covariance[column * fit->columns + column]);
}

/* The largest share of a fact's weight in the metric that may be miscounted. */
static double own_at_most(const cm_law_fit *fit, size_t own)
{
    return column_at_most(fit, own) / fabs(fit->metric->weights[fit->metric->own[own]]);
}

/* The largest miscount of the own facts, and count of the leaks: the most of both looks. */
static void bound_found(cm_law_trial *work)
{
    const cm_law_fit *fit = &work->fit;
    for (size_t i = 0; i < fit->metric->own_count; i++)
        if (work->law->sure[fit->metric->own[i]])
            work->verdict->own = fmax(work->verdict->own, own_at_most(fit, i));
    for (size_t i = 0; i < fit->chosen_count; i++)
        work->leaking[i] = fmax(work->leaking[i], column_at_most(fit, fit->base + i));
}

/* The errors of the own facts and the leaks in programs. */
static void predict_own(cm_law_trial *work, double *own)
{
    const cm_law_metric *metric = work->metric;
    const cm_law_fit *fit = &work->fit;
    size_t programs = metric->program_count;
    for (size_t q = 0; q < programs; q++) {
        double sum = 0.0, variance = 0.0;
        for (size_t i = 0; i < metric->own_count; i++) {
            double often = fit->in_programs[i * programs + q];
            sum += often * fit->estimate[i];
            for (size_t j = 0; j < metric->own_count; j++)
                variance += often * fit->in_programs[j * programs + q] * fit->covariance[j * fit->columns + i];
        }
        own[q] = sum;
        work->spread[q] = variance;
        work->far_own[q] = fmax(work->far_own[q], fabs(sum) + cm_the_rules.z * sqrt(variance));
        work->own_at_most = fmax(work->own_at_most, fabs(sum) + cm_the_rules.z * sqrt(fmax(0.0, variance)));
    }
}

/* An error that is within this in every program is not looked at. */
static double least_of(const cm_law_metric *metric)
{
    return fmin(cm_the_rules.natural, metric->tolerance);
}

/* Whether so much of the alternative that was looked at last may make a larger one in some program. Otherwise it makes
 * none: the largest parts of all programs together are no more. */
static bool may_exceed(const cm_law_trial *work, size_t alternative, double weight)
{
    double most = work->own_at_most + weight * cm_law_fit_most_shift(&work->fit, alternative);
    return !(most * (1.0 + CM_LAW_ROUNDING) <= least_of(work->metric));
}

/* Predicts the alternative's error in programs by one look, if any exceeds the tolerance. `far`: its deviation. */
static void predict_error(cm_law_trial *work, const double *own, double weight, const double *far,
                          cm_law_side_effect *found)
{
    const cm_law_metric *metric = work->metric;
    double least = least_of(metric);
    size_t over = 0;
    for (size_t q = 0; q < metric->program_count; q++) {
        work->near[q] = fabs(own[q] + weight * work->shift[q]);
        work->line[q] = work->near[q] + cm_the_rules.z * far[q];
        over += work->line[q] > least;
    }
    if (over == 0)
        return;
    found->far = cm_law_worst_class(metric, found->far, work->line);
    if (found->far > cm_the_rules.natural)
        found->near = cm_law_worst_class(metric, found->near, work->near);
}

/* Fills, one a program, the error of one of the alternative, and the standard deviation of all. */
static void find_shift(cm_law_trial *work, size_t alternative, double deviation)
{
    cm_law_fit_shift(&work->fit, alternative, work->shift);
    for (size_t q = 0; q < work->metric->program_count; q++) {
        double far = work->shift[q] * deviation;
        work->far[q] = sqrt(work->spread[q] + far * far);
    }
}

/* Whether the machine decides on any kernel how much of it is done. */
static bool is_decided(const cm_law *law, size_t alternative)
{
    const double *bounds = law->bounds + alternative * law->setup.kernel_count;
    return !cm_vector_is_zero(bounds, law->setup.kernel_count);
}

/* One alternative, with the counts as they are and as if a neighbour had moved hits; where the machine decides how much
 * of it a kernel does, that may be all of it or nothing. */
static void find_side_effect(cm_law_trial *work, size_t alternative)
{
    cm_law_side_effect *found = &work->effects[alternative];
    double limit = cm_the_rules.z * cm_law_fit_prior(&work->fit, alternative), weights[CM_LAW_LOOKS], deviation;
    for (int sure = 0; sure <= is_decided(work->law, alternative); sure++) {
        cm_law_fit_beside(&work->fit, alternative, sure, work->looks, work->look_count, weights, &deviation);
        double largest = cm_vector_largest(weights, work->look_count);
        bool may = may_exceed(work, alternative, largest + cm_the_rules.z * deviation);
        if (may)
            find_shift(work, alternative, deviation);
        for (size_t i = 0; i < work->look_count; i++) {
            if (may)
                predict_error(work, work->own[i], weights[i], work->far, found);
            found->at_most = fmax(found->at_most, fmin(fabs(weights[i]) + cm_the_rules.z * deviation, limit));
            if (!sure && fabs(weights[i]) >= fabs(found->weight)) {
                found->weight = weights[i];
                found->deviation = deviation;
            }
        }
    }
}

typedef struct sure_leak {
    size_t alternative;
    double weight, surest; /* in deviations */
} sure_leak;

/* The surest leak, if it is large, else the surest that matters so much at least; the law's count: none. */
static sure_leak surest_leak(cm_law_trial *work, double least)
{
    const cm_law *law = work->law;
    const cm_law_look look = {work->errors, work->fit.residual};
    sure_leak matter = {law->count, 0.0, law->quantile}, any = matter;
    for (size_t a = 0; a < law->count; a++) {
        double weight, deviation;
        const cm_law_alternative *entry = &law->alternatives[a];
        if (entry->is_free || !alternative_matters(work, a) || !cm_law_fit_may_show(&work->fit, a, matter.surest))
            continue;
        cm_law_fit_beside(&work->fit, a, false, &look, 1, &weight, &deviation);
        const sure_leak found = {a, weight, fabs(weight) / deviation};
        if (found.surest > any.surest)
            any = found;
        if (found.surest > matter.surest && cm_law_effect(work, a, weight) > least)
            matter = found;
    }
    double sure = fabs(any.weight) * (1.0 - law->quantile / any.surest), large = cm_small_leak();
    return any.alternative < law->count && cm_law_is_share(work, any.alternative, sure, large) ? any : matter;
}

/* Leaks that are there enter the fit, the surest first. */
static cm_status find_leaks(cm_law_trial *work, double least, cm_error *error)
{
    cm_status status = cm_law_fit_solve(&work->fit, work->errors, error);
    while (status == CM_OK && work->fit.chosen_count < CM_LAW_STEPS) {
        const sure_leak found = surest_leak(work, least);
        if (found.alternative == work->law->count)
            break;
        cm_law_fit_choose(&work->fit, found.alternative, found.weight);
        status = cm_law_fit_solve(&work->fit, work->errors, error);
    }
    return status;
}

/* ---- the parts of the verdict; each says whether the definition is still good ---- */

/* Leaks that matter nowhere enter on kernels that have them. */
static cm_status fit_kernels(cm_law_trial *work, bool *fits, cm_error *error)
{
    size_t worst = 0;
    double most = 0.0, limit = fmax(work->metric->tolerance, cm_the_rules.fit);
    cm_status status = find_leaks(work, cm_small_leak(), error);
    if (status == CM_OK && cm_law_kernel_off(work, &worst) > work->metric->tolerance)
        status = find_leaks(work, 0.0, error);
    if (status == CM_OK)
        most = cm_law_kernel_off(work, &worst);
    *fits = status == CM_OK && (most <= limit || cm_law_refuse(work, CM_LAW_KERNEL, worst, most, limit)) &&
            cm_law_free_agree(work, limit);
    return status;
}

/* If a neighbour moves more hits than is tolerated of the metric, its noise is the neighbour's. */
static bool tells_noise(const cm_law_metric *metric, size_t k)
{
    const cm_law_setup *setup = &metric->law->setup;
    double moved = setup->interference * cm_first_level_hits(setup->kernels[k].facts);
    return setup->kernels[k].home && !setup->kernels[k].free && moved < metric->tolerance * fabs(metric->meant[k]);
}

/* Whether the definition's noise on kernels is within the tolerance; otherwise refuses it. */
static bool has_little_noise(cm_law_trial *work, const double *variances)
{
    const cm_law_metric *metric = work->metric;
    double noise = 0.0, squares = 0.0;
    for (size_t k = 0; k < work->law->setup.kernel_count; k++) {
        if (!tells_noise(metric, k) || !isfinite(variances[k]))
            continue;
        noise += variances[k];
        squares += metric->meant[k] * metric->meant[k];
    }
    double relative = squares > 0.0 ? cm_the_rules.sure * sqrt(noise / squares) : 0.0;
    return relative <= metric->tolerance || cm_law_refuse(work, CM_LAW_NOISY, 0, relative, metric->tolerance);
}

/* Whether each fact of the metric that kernels surely do is counted as it is meant, within the tolerance with 95 %. At
 * least one fact that the machine has must be sure, and each that depends on the level that serves. */
static bool has_own_facts(cm_law_trial *work)
{
    const cm_law_metric *metric = work->metric;
    const cm_law_fit *fit = &work->fit;
    size_t sure = 0, open = metric->own_count, unserved = cm_law_unserved(metric);
    if (unserved != SIZE_MAX)
        return cm_law_refuse(work, CM_LAW_OWN, unserved, 1.0, metric->tolerance);
    for (size_t i = 0; i < metric->own_count; i++) {
        double weight = fabs(metric->weights[metric->own[i]]), off = fabs(fit->estimate[i]) / weight;
        double far = off + cm_the_rules.sure * sqrt(fit->covariance[i * fit->columns + i]) / weight;
        bool is_sure = metric->law->sure[metric->own[i]];
        sure += is_sure;
        open = is_sure || metric->law->lacking[metric->own[i]] ? open : i;
        if (is_sure && far > metric->tolerance)
            return cm_law_refuse(work, CM_LAW_OWN, metric->own[i], far, metric->tolerance);
    }
    return sure > 0 || open == metric->own_count ||
           cm_law_refuse(work, CM_LAW_OWN, metric->own[open], 1.0, metric->tolerance);
}

/* ---- all of it ---- */

/* Solves the fit as counted and, if a neighbour may have moved hits, without these; then finds all side effects. */
static cm_status look_at_all(cm_law_trial *work, cm_error *error)
{
    size_t kernels = work->law->setup.kernel_count;
    bool same = memcmp(work->errors, work->displaced, kernels * sizeof(double)) == 0;
    cm_status status = CM_OK;
    work->look_count = same ? 1 : CM_LAW_LOOKS;
    for (size_t i = 0; i < work->look_count && status == CM_OK; i++) {
        status = cm_law_fit_solve(&work->fit, work->looks[i].errors, error);
        if (status == CM_OK) {
            bound_found(work);
            predict_own(work, work->own[i]);
            memcpy(work->looks[i].residual, work->fit.residual, (kernels + work->fit.columns) * sizeof(double));
        }
    }
    for (size_t a = 0; a < work->law->count && status == CM_OK; a++)
        if (alternative_matters(work, a))
            find_side_effect(work, a);
    return status;
}

/* Judges a definition by amplification, noise, kernels and programs, until one refuses it. */
static cm_status judge_all(cm_law_trial *work, const cm_law_counts *counts, double amplification, cm_error *error)
{
    if (amplification > cm_the_rules.largest) {
        cm_law_refuse(work, CM_LAW_AMPLIFIED, 0, amplification, cm_the_rules.largest);
        return CM_OK;
    }
    if (!has_little_noise(work, counts->variances))
        return CM_OK;
    bool fits = false;
    cm_status status = fit_kernels(work, &fits, error);
    if (!fits || !has_own_facts(work))
        return status;
    status = look_at_all(work, error);
    CM_THEN(status, cm_law_find_range(work, error));
    if (status == CM_OK && work->verdict->finding <= CM_LAW_IN_RANGE && counts->read != NULL)
        cm_law_hold_to_reading(work, counts);
    return status;
}

/* Fills errors and variances: of noise, of what a neighbour may have left, and of an error too small to matter. */
static void fill_errors(cm_law_trial *work, const double *values, const double *noise)
{
    const cm_law_metric *metric = work->metric;
    for (size_t k = 0; k < work->law->setup.kernel_count; k++) {
        bool known = isfinite(values[k]) && isfinite(noise[k]);
        work->errors[k] = known ? values[k] - metric->meant[k] : 0.0;
        work->displaced[k] = known ? work->errors[k] - metric->displaced[k] : 0.0;
        work->variances[k] =
            known
                ? noise[k] + pow(cm_the_rules.least * cm_the_rules.alike * metric->tolerance * metric->scale[k], 2.0) +
                      pow(metric->displaced_allowance[k] / cm_the_rules.z, 2.0)
                : INFINITY;
    }
}

/* Allocates the trial and its verdict. */
static cm_status open_judge(cm_law_trial *work, cm_error *error)
{
    size_t kernels = work->law->setup.kernel_count, programs = work->metric->program_count;
    size_t residual = kernels + work->metric->block_count + 1 + CM_LAW_STEPS;
    double **arrays[] = {&work->variances,
                         &work->errors,
                         &work->displaced,
                         &work->looks[0].residual,
                         &work->looks[1].residual,
                         &work->shift,
                         &work->line,
                         &work->near,
                         &work->far,
                         &work->spread,
                         &work->far_own,
                         &work->own[0],
                         &work->own[1],
                         &work->extra};
    size_t count = CM_COUNT_OF(arrays), size[CM_COUNT_OF(arrays)], all = 0;
    for (size_t i = 0; i < count; i++)
        all += size[i] = i < 3 ? kernels : i < 5 ? residual : i + 1 < count ? programs : cm_fact_count();
    work->numbers = calloc(all + 1, sizeof *work->numbers);
    double *next = work->numbers;
    for (size_t i = 0; i < count && work->numbers != NULL; next += size[i++])
        *arrays[i] = next;
    work->looks[0].errors = work->errors;
    work->looks[1].errors = work->displaced;
    size_t most = work->law->count + CM_LAW_STEPS + 1;
    work->effects = calloc(most, sizeof *work->effects);
    work->extras = calloc(cm_fact_count() + 1, sizeof *work->extras);
    work->verdict->leaks = calloc(most, sizeof *work->verdict->leaks);
    work->verdict->open = calloc(most, sizeof *work->verdict->open);
    work->verdict->untold = calloc(most, sizeof *work->verdict->untold);
    work->verdict->also = calloc(most, sizeof *work->verdict->also);
    return work->numbers != NULL && work->effects != NULL && work->extras != NULL && work->verdict->leaks != NULL &&
                   work->verdict->open != NULL && work->verdict->untold != NULL && work->verdict->also != NULL
               ? CM_OK
               : cm_error_no_memory(error);
}

static void close_judge(cm_law_trial *work)
{
    cm_law_fit_clear(&work->fit);
    free(work->numbers);
    free(work->effects);
    free(work->extras);
}

/* Moves a list to a block of its length: shrunk in place, it would leave a gap too small for the next verdict's. */
static void *shrink_list(void *list, size_t bytes)
{
    void *made = malloc(bytes + 1);
    if (made == NULL)
        return list;
    memcpy(made, list, bytes);
    free(list);
    return made;
}

/* Shrinks lists to their lengths: verdicts are kept by the hundred. */
static void shrink_lists(cm_law_verdict *verdict)
{
    verdict->leaks = shrink_list(verdict->leaks, verdict->leak_count * sizeof *verdict->leaks);
    verdict->open = shrink_list(verdict->open, verdict->open_count * sizeof *verdict->open);
    verdict->untold = shrink_list(verdict->untold, verdict->untold_count * sizeof *verdict->untold);
    verdict->also = shrink_list(verdict->also, verdict->also_count * sizeof *verdict->also);
}

cm_status cm_law_judge(const cm_law_metric *metric, const cm_law_counts *counts, double amplification,
                       cm_law_verdict *verdict, cm_error *error)
{
    cm_law_trial work = {
        .metric = metric, .law = metric->law, .verdict = verdict, .counts = counts, .strays = counts->strays};
    *verdict = (cm_law_verdict){.finding = CM_LAW_HOLDS, .share = 1.0};
    cm_status status = open_judge(&work, error);
    if (status == CM_OK) {
        fill_errors(&work, counts->values, counts->variances);
        status = cm_law_fit_create(metric, fmax(1.0, amplification), work.variances, counts->strays, &work.fit, error);
    }
    CM_THEN(status, judge_all(&work, counts, amplification, error));
    close_judge(&work);
    if (status != CM_OK)
        cm_law_verdict_clear(verdict);
    else
        shrink_lists(verdict);
    return status;
}

void cm_law_verdict_clear(cm_law_verdict *verdict)
{
    free(verdict->leaks);
    free(verdict->open);
    free(verdict->untold);
    free(verdict->also);
    *verdict = (cm_law_verdict){0};
}
