/* Each metric's amount on every kernel. */
#include <math.h>

#include "law/evidence.h"

void cm_evidence_free_targets(cm_evidence *evidence)
{
    for (size_t m = 0; evidence->targets != NULL && m < evidence->signatures->metric_count; m++) {
        free(evidence->targets[m].low);
        free(evidence->targets[m].high);
        free(evidence->targets[m].limits);
        free(evidence->targets[m].symbol_limits);
    }
    free(evidence->targets);
    evidence->targets = NULL;
}

/* E s. */
static void mean_by_signature(const cm_evidence *evidence, cm_target *target)
{
    const cm_matrix *basis = evidence->basis->expectations;
    for (size_t r = 0; r < basis->rows; r++) {
        target->low[r] = 0.0;
        for (size_t j = 0; j < basis->columns; j++)
            target->low[r] += *cm_matrix_at(basis, r, j) * target->signature[j];
        target->high[r] = target->low[r];
    }
}

/* Whether the kernel does on wrong paths, too, something of the kind that the metric means. The law judges the counts
 * of it, and the search none of it. */
static bool kernel_speculates(const cm_evidence *evidence, size_t metric, const cm_kernel_facts *kernel)
{
    const double *weights = evidence->metrics + metric * cm_fact_count();
    double done = 0.0;
    bool means = false;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        if (evidence->facts->facts[fact].kind == CM_FACT_SPECULATIVE) {
            done += kernel->values[fact];
            means |= weights[evidence->facts->facts[fact].like] != 0.0;
        }
    return means && done > 0.0;
}

/* Sets the metric's interval on a control, by the row's own amounts or by its kernel's facts. */
static void mean_on_control(const cm_evidence *evidence, size_t metric, size_t row, cm_target *target)
{
    const cm_kernel_facts *kernel = evidence->rows[row].kernel;
    const double *means = evidence->rows[row].means;
    target->low[row] = target->high[row] = NAN;
    if (means != NULL) {
        double range = means[evidence->signatures->metric_count + metric];
        target->low[row] = isinf(range) ? NAN : means[metric] - range;
        target->high[row] = isinf(range) ? NAN : means[metric] + range;
        return;
    }
    if (kernel == NULL || !evidence->meant[metric] || kernel_speculates(evidence, metric, kernel))
        return;
    cm_meant meant = cm_meaning_on(evidence->facts, evidence->metrics + metric * cm_fact_count(), kernel);
    target->low[row] = meant.value - meant.range;
    target->high[row] = meant.value + meant.range;
}

/* Makes the target of a metric: its amounts and limits on all rows. */
static cm_status make_target(cm_evidence *evidence, size_t metric, cm_error *error)
{
    const cm_problem *problem = &evidence->problem;
    size_t most = evidence->row_capacity + problem->rows + 1;
    cm_target *target = &evidence->targets[metric];
    *target = (cm_target){.metric = metric, .signature = evidence->signatures->metrics[metric].values};
    target->low = calloc(most, sizeof *target->low);
    target->high = calloc(most, sizeof *target->high);
    target->limits = calloc(most, sizeof *target->limits);
    target->symbol_limits = calloc(problem->symbols + 1, sizeof *target->symbol_limits);
    if (target->low == NULL || target->high == NULL || target->limits == NULL || target->symbol_limits == NULL)
        return cm_error_no_memory(error);
    mean_by_signature(evidence, target);
    for (size_t r = problem->fitted; r < problem->rows; r++)
        mean_on_control(evidence, metric, r, target);
    cm_target_limit(problem, target);
    return CM_OK;
}

cm_status cm_evidence_make_targets(cm_evidence *evidence, cm_error *error)
{
    size_t metrics = evidence->signatures->metric_count;
    evidence->targets = calloc(metrics + 1, sizeof *evidence->targets);
    cm_status status = evidence->targets != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t m = 0; status == CM_OK && m < metrics; m++)
        status = make_target(evidence, m, error);
    return status;
}
