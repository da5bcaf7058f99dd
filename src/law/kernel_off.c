/* Finds the error of a definition on kernels. */
#include "analysis/rules.h"
#include "law/state.h"

double cm_law_quantile(size_t count)
{
    double target = erfc(cm_the_rules.z / sqrt(2.0)) / fmax(1.0, (double)count), low = 3.0, high = 8.0;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        *(erfc(middle / sqrt(2.0)) > target ? &low : &high) = middle;
    }
    return low;
}

bool cm_law_refuse(cm_law_trial *work, cm_law_finding finding, size_t place, double value, double limit)
{
    cm_law_verdict *verdict = work->verdict;
    verdict->finding = finding;
    verdict->place = place;
    verdict->value = value;
    verdict->limit = limit;
    return false;
}

/* The rest of a kernel's count that neither the metric nor the leaks explain; `allowance`: the rest allowed there,
 * `quantile`: standard errors of it. */
static double rest_of(const cm_law_trial *work, size_t k, double quantile, double *allowance)
{
    const cm_law_metric *metric = work->metric;
    const cm_law_fit *fit = &work->fit;
    size_t kernels = work->law->setup.kernel_count;
    double rest = work->errors[k], unsure = 0.0, leeway = metric->machine_share[k] + work->strays[k];
    for (size_t c = fit->base; c < fit->columns; c++) {
        size_t leak = fit->chosen[c - fit->base];
        double column = fit->block[c * kernels + k];
        rest -= column * fit->estimate[c];
        leeway += fabs(fit->estimate[c]) * work->law->bounds[leak * kernels + k];
        unsure = fmax(unsure, fabs(column) * sqrt(fit->covariance[c * fit->columns + c]));
    }
    *allowance =
        quantile * sqrt(work->variances[k]) + leeway + metric->displaced_allowance[k] + cm_the_rules.z * unsure;
    return rest;
}

double cm_law_kernel_off(const cm_law_trial *work, size_t *worst)
{
    double most = 0.0, quantile = cm_law_quantile(work->law->setup.kernel_count);
    for (size_t k = 0; k < work->law->setup.kernel_count; k++) {
        if (!isfinite(work->variances[k]) || work->law->setup.kernels[k].free)
            continue;
        double allowance = 0.0, rest = rest_of(work, k, quantile, &allowance),
               over = (fabs(rest) - allowance) / work->metric->scale[k];
        if (over > most) {
            most = over;
            *worst = k;
        }
    }
    return most;
}

bool cm_law_counts_alone(const cm_law_trial *work, size_t alternative, double least)
{
    const cm_law *law = work->law;
    double quantile = cm_law_quantile(law->setup.kernel_count);
    bool counts = false;
    for (size_t k = 0; k < law->setup.kernel_count && !counts; k++) {
        if (!isfinite(work->variances[k]) || law->alone[k] != alternative)
            continue;
        double allowance = 0.0, rest = fabs(rest_of(work, k, quantile, &allowance));
        counts = rest - allowance > least * fabs(law->kernels[alternative * law->setup.kernel_count + k]);
    }
    return counts;
}

static bool kernel_misses(const cm_kernel_facts *kernel)
{
    return kernel->values[CM_FACT_L2_LOAD_HIT] + kernel->values[CM_FACT_L3_LOAD_HIT] +
               kernel->values[CM_FACT_L3_LOAD_MISS] >
           0.0;
}

/* Whether a definition counts as much of a fact, an occurrence, on each kernel of the benchmark that misses and does it
 * alone. */
static bool kernels_agree(cm_law_trial *work, size_t alternative, double quantile, double limit)
{
    const cm_law *law = work->law;
    double low = -INFINITY, high = INFINITY, share = 0.0;
    size_t most = 0;
    for (size_t k = 0; k < law->setup.kernel_count; k++) {
        const cm_law_kernel *kernel = &law->setup.kernels[k];
        if (!isfinite(work->variances[k]) || !kernel->home || !kernel_misses(kernel->facts) ||
            law->alone[k] != alternative)
            continue;
        double amount = law->kernels[alternative * law->setup.kernel_count + k], allowance = 0.0;
        double rest = rest_of(work, k, quantile, &allowance);
        high = fmin(high, (rest + allowance) / amount);
        if ((rest - allowance) / amount > low) {
            low = (rest - allowance) / amount;
            share = amount / work->metric->scale[k];
            most = k;
        }
    }
    double off = (low - high) / 2.0 * share;
    return !(off > limit) || cm_law_refuse(work, CM_LAW_KERNEL, most, off, limit);
}

bool cm_law_free_agree(cm_law_trial *work, double limit)
{
    double quantile = cm_law_quantile(work->law->setup.kernel_count);
    bool agrees = true;
    for (size_t a = 0; a < work->law->count && agrees; a++)
        agrees = !work->law->alternatives[a].is_free || kernels_agree(work, a, quantile, limit);
    return agrees;
}
