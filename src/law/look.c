/* What each alternative may do to a definition: beside its metric's own facts, and beside what its terms count one by
 * one. */
#include <math.h>
#include <string.h>

#include "law/trial.h"

bool cm_law_matters(const cm_law_trial *work, size_t alternative)
{
    bool chosen = false;
    for (size_t i = 0; i < work->fit.chosen_count; i++)
        chosen |= work->fit.chosen[i] == alternative;
    return !chosen && work->metric->relevant[alternative];
}

/* Of a column, so much there may be at most. */
static double column_at_most(const cm_law_fit *fit, size_t column)
{
    return fabs(fit->estimate[column]) + cm_law_default.z * sqrt(fit->covariance[column * fit->columns + column]);
}

/* How much of the weight of a fact of the metric may be miscounted. */
double cm_law_own_at_most(const cm_law_fit *fit, size_t own)
{
    return column_at_most(fit, own) / fabs(fit->metric->weights[fit->metric->own[own]]);
}

/* What may be miscounted of the own facts, and counted of the leaks that were found: the most of both looks. */
static void bound_found(cm_law_trial *work)
{
    const cm_law_fit *fit = &work->fit;
    for (size_t i = 0; i < fit->metric->own_count; i++)
        if (!work->law->lacking[fit->metric->own[i]])
            work->verdict->own = fmax(work->verdict->own, cm_law_own_at_most(fit, i));
    for (size_t i = 0; i < fit->chosen_count; i++) {
        double found = fit->estimate[fit->base + i];
        work->found[i] = fabs(found) > fabs(work->found[i]) ? found : work->found[i];
        work->leaking[i] = fmax(work->leaking[i], column_at_most(fit, fit->base + i));
    }
}

/* What the own facts may be off in programs. */
static void predict_own(cm_law_trial *work)
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
        work->own[q] = sum;
        work->spread[q] = variance;
        work->far_own[q] = fmax(work->far_own[q], fabs(sum) + cm_law_default.z * sqrt(variance));
    }
}

/* The error that an alternative makes in programs, as far as it exceeds the tolerance anywhere. */
static void predict(cm_law_trial *work, cm_law_aside *found, double weight, double deviation)
{
    const cm_law_metric *metric = work->metric;
    double least = fmin(cm_law_default.natural, metric->tolerance);
    size_t over = 0;
    for (size_t q = 0; q < metric->program_count; q++) {
        double error = fabs(work->own[q] + weight * work->shift[q]), far = work->shift[q] * deviation;
        work->line[q] = error + cm_law_default.z * sqrt(work->spread[q] + far * far);
        work->shift[q] = error;
        over += work->line[q] > least;
    }
    if (over == 0)
        return;
    found->far = fmax(found->far, cm_law_worst_class(metric, work->line));
    found->near = fmax(found->near, cm_law_worst_class(metric, work->shift));
}

static bool is_entangled(const cm_law_trial *work, size_t alternative)
{
    size_t kernels = work->law->setup.kernel_count;
    for (size_t k = 0; k < kernels; k++)
        for (size_t c = 0; c < work->metric->block_count; c++)
            if (work->law->bounds[alternative * kernels + k] > 0.0 && work->metric->block[c * kernels + k] != 0.0)
                return true;
    return false;
}

/* One alternative, with the counts as they are or as if a neighbour had moved hits; where the machine decides how much
 * of it a kernel does, that may be all of it or nothing. */
static void look_aside(cm_law_trial *work, size_t alternative)
{
    cm_law_aside *found = &work->asides[alternative];
    double limit = cm_law_default.z * cm_law_fit_prior(&work->fit, alternative), weight, deviation;
    for (int sure = 0; sure <= is_entangled(work, alternative); sure++) {
        cm_law_fit_beside(&work->fit, alternative, sure, &weight, &deviation, work->shift);
        predict(work, found, weight, deviation);
        found->at_most = fmax(found->at_most, fmin(fabs(weight) + cm_law_default.z * deviation, limit));
        if (!sure && fabs(weight) >= fabs(found->weight)) {
            found->weight = weight;
            found->deviation = deviation;
            found->kin = work->fit.kin;
        }
    }
}

static bool is_part(const cm_law_trial *work, size_t alternative)
{
    bool part = false;
    for (size_t i = 0; i < work->part_count && !part; i++)
        part = work->parts[i].alternative == alternative;
    return part;
}

static void look_at(cm_law_trial *work, bool parts)
{
    for (size_t a = 0; a < work->law->count; a++)
        if (cm_law_matters(work, a) && parts == is_part(work, a))
            look_aside(work, a);
}

/* What the terms count one by one, as far as kernels do not show that it cancels. */
static bool does_cancel(cm_law_trial *work)
{
    double most = 0.0;
    for (size_t i = 0; i < work->fit.part_count; i++) {
        const cm_law_part *part = &work->fit.parts[i];
        cm_law_aside beside = {0};
        double deviation = cm_law_fit_part(&work->fit, i, work->shift);
        predict(work, &beside, 0.0, deviation);
        double left = cm_law_default.z * deviation;
        if (beside.far > fmax(most, cm_law_default.natural) && cm_law_is_large(work, part->alternative, left)) {
            cm_law_refuse(work, CM_LAW_PARTLY, part->alternative, beside.far, cm_law_default.natural);
            most = beside.far;
        }
    }
    return most == 0.0;
}

/* Beside what the terms count one by one: each may be counted as often as they do, if they do not cancel. */
static cm_status look_beside_parts(cm_law_trial *work, const double *errors, bool *cancels, cm_error *error)
{
    for (size_t i = 0; i < work->part_count && work->fit.part_count < CM_LAW_SUM; i++)
        if (cm_law_matters(work, work->parts[i].alternative) ||
            work->law->alternatives[work->parts[i].alternative].sort == CM_LAW_MEANT)
            cm_law_fit_add_part(&work->fit, &work->parts[i]);
    cm_status status = work->fit.part_count > 0 ? cm_law_fit_solve(&work->fit, errors, error) : CM_OK;
    if (status == CM_OK) {
        *cancels = does_cancel(work);
        look_at(work, false);
    }
    cm_law_fit_drop_parts(&work->fit);
    return status;
}

/* As counted, and as if a neighbour had moved hits: once, where it can have moved none. */
cm_status cm_law_look_at_all(cm_law_trial *work, bool *cancels, cm_error *error)
{
    const double *looks[] = {work->errors, work->displaced};
    size_t count = memcmp(work->errors, work->displaced, work->law->setup.kernel_count * sizeof(double)) == 0 ? 1 : 2;
    cm_status status = CM_OK;
    *cancels = true;
    for (size_t i = 0; i < count && status == CM_OK && *cancels; i++) {
        status = cm_law_fit_solve(&work->fit, looks[i], error);
        if (status != CM_OK)
            break;
        bound_found(work);
        predict_own(work);
        look_at(work, true);
        status = look_beside_parts(work, looks[i], cancels, error);
    }
    return status;
}
