/* The knowledge of one metric. */
#include "report/report.h"

/* A sentence: whether kernels confirm the definition, and if not, why. */
static const char *verdict(const cm_benchmark_result *result, const cm_defined_metric *metric, cm_filler *filler)
{
    const cm_thresholds *limits = &result->thresholds;
    char text[CM_UNMEASURABLE_SIZE], where[96] = "";
    if (!metric->measurable) {
        cm_unmeasurable_text(metric, text);
        return cm_filler_print(filler, "%s", text);
    }
    if (metric->check == NULL)
        return NULL; /* memory ran out */
    if (metric->usable && !metric->composable)
        snprintf(where, sizeof where, " where it is frequent enough (in %.0f %% of natural programs)",
                 100.0 * metric->range_share);
    if (metric->usable)
        return cm_explain_sentence(
            filler,
            "composable%s: it misses %.3g %% of the metric, is at most %.3g %% off on a kernel, and noise in its "
            "events grows %.3g-fold",
            where, 100.0 * metric->misfit, 100.0 * metric->check->worst, metric->amplification);
    if (metric->refused != NULL)
        return cm_explain_sentence(filler, "not composable: the best definition %s", metric->refused);
    if (metric->misfit > limits->residual)
        return cm_explain_sentence(
            filler, "not composable: the selected events miss %.3g %% of the metric, %.3g %% are tolerated",
            100.0 * metric->misfit, 100.0 * limits->residual);
    if (metric->check->worst > limits->residual)
        return cm_explain_sentence(
            filler, "not composable: it is off by %.3g %% of the largest value on a kernel, %.3g %% are tolerated",
            100.0 * metric->check->worst, 100.0 * limits->residual);
    return cm_explain_sentence(filler,
                               "not composable: noise in its events would grow %.3g-fold, %.3g-fold is tolerated",
                               metric->amplification, limits->amplification);
}

/* The same with the verdict of programs. */
static const char *proven_verdict(const cm_benchmark_result *result, const cm_defined_metric *metric, cm_filler *filler)
{
    const cm_defined_trial *trial = metric->programs;
    char text[CM_PROGRAM_WORDS + 256], worst[CM_NUMBER_SIZE];
    if (cm_validation_reason(metric, result->thresholds.residual, text, sizeof text))
        return cm_explain_sentence(filler, "not composable: %s", text);
    const char *base = verdict(result, metric, filler);
    if (trial == NULL || base == NULL)
        return base;
    cm_percent_text(trial->worst, worst);
    const char *leaks = metric->usable && !metric->composable ? " beyond what it leaks" : "";
    if (trial->failed > 0)
        return cm_explain_sentence(filler, "%s; held in %zu of %zu programs it was not fitted on, worst off by %s%s",
                                   base, trial->programs - trial->failed, trial->programs, worst, leaks);
    return cm_explain_sentence(filler, "%s; held in %zu %s it was not fitted on, worst off by %s%s", base,
                               trial->programs, cm_plural(trial->programs, "program", "programs"), worst, leaks);
}

/* Finds the symbols of which the definition measures too much or too little: signature minus definition. */
static cm_symbol_list find_missed(const cm_benchmark_result *result, const cm_symbol_words *words, size_t metric,
                                  cm_filler *filler)
{
    const cm_fit *fit = result->fits[metric];
    size_t symbols = result->basis->symbol_count;
    double *rest = cm_filler_allocate(filler, symbols, sizeof *rest), size = 0.0;
    for (size_t s = 0; s < symbols && rest != NULL && fit != NULL; s++) {
        rest[s] = result->signatures->metrics[metric].values[s];
        size = fmax(size, fabs(rest[s]));
        for (size_t k = 0; k < fit->term_count; k++)
            rest[s] -= fit->rounded[k] * cm_symbol_part(result->analysis, fit->events[k], s);
    }
    return cm_explain_symbols(result, words, rest, result->thresholds.alpha * size, filler);
}

/* Fills the value of each symbol in definition and metric, and the worst control. */
static void explain_proof(const cm_benchmark_result *result, size_t metric, cm_filler *filler,
                          cm_explained_metric *explained)
{
    const cm_target *target = &result->evidence->targets[metric];
    const cm_verdict *verdict = &result->proofs[metric].verdict;
    size_t count = result->basis->symbol_count;
    cm_explained_symbol *symbols = cm_filler_allocate(filler, count, sizeof *symbols);
    for (size_t j = 0; j < count && symbols != NULL && explained->metric.symbol_deviations != NULL; j++) {
        double deviation = explained->metric.symbol_deviations[j], wanted = target->signature[j];
        if (wanted != 0.0 || fabs(deviation) > 1e-9 * target->smallest)
            symbols[explained->symbol_count++] =
                (cm_explained_symbol){result->basis->symbols[j], wanted, wanted + deviation, target->symbol_limits[j]};
    }
    explained->symbols = symbols;
    explained->worst_control = verdict->controls > 0 ? result->evidence->problem.kernels[verdict->worst_row] : "";
}

void cm_explain_metric(const cm_benchmark_result *result, size_t metric, const cm_symbol_words *words,
                       cm_filler *filler, cm_explained_metric *explained)
{
    const cm_fit *fit = result->fits[metric];
    const double *signature = result->signatures->metrics[metric].values;
    *explained = (cm_explained_metric){.signature = cm_explain_symbols(result, words, signature, 0.0, filler),
                                       .missed = find_missed(result, words, metric, filler)};
    cm_fill_metric(result, metric, filler, &explained->metric);
    explained->metric.benchmark = result->benchmark;
    explained->metric.core = result->core;
    explained->reason = proven_verdict(result, &explained->metric, filler);
    explained->terms = cm_explain_terms(result, fit, metric, filler, &explained->term_count);
    if (explained->metric.firmness != NULL)
        explained->firm = *explained->metric.firmness;
    if (fit != NULL && result->proofs != NULL)
        explain_proof(result, metric, filler, explained);
}
