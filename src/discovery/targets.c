/* What each metric means on every kernel. */
#include <math.h>
#include <stdlib.h>

#include <catmint/software_pmu.h>

#include "core/error.h"
#include "discovery/evidence.h"
#include "verify/meaning.h"

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
    if (kernel == NULL || !evidence->meant[metric])
        return;
    cm_meant meant = cm_meaning_on(evidence->facts, evidence->metrics + metric * cm_fact_count(), kernel);
    target->low[row] = meant.value - meant.range;
    target->high[row] = meant.value + meant.range;
}

/* What the twins differ in but for their mispredictions, which are the same. Returns how many these are, at most. */
static double mean_on_twin(const cm_evidence *evidence, size_t metric, size_t row, cm_target *target)
{
    size_t one = (size_t)evidence->twins[0], other = (size_t)evidence->twins[1];
    ptrdiff_t fact = cm_fact_find("mispredicted_cond");
    const cm_kernel_facts *kernel = evidence->rows[one].kernel;
    double weight = fact >= 0 ? fabs(evidence->metrics[metric * cm_fact_count() + (size_t)fact]) : 0.0;
    double low = target->low[one] - target->low[other], high = target->high[one] - target->high[other];
    target->low[row] = fmin(low, high);
    target->high[row] = fmax(low, high);
    return weight > 0.0 && kernel != NULL ? kernel->values[fact] : 0.0;
}

static cm_status make_target(cm_evidence *evidence, size_t metric, cm_error *error)
{
    const cm_problem *problem = &evidence->problem;
    size_t room = evidence->row_room + problem->rows + 1;
    cm_target *target = &evidence->targets[metric];
    *target = (cm_target){.signature = evidence->signatures->metrics[metric].values, .twin = -1};
    target->low = calloc(room, sizeof *target->low);
    target->high = calloc(room, sizeof *target->high);
    target->limits = calloc(room, sizeof *target->limits);
    target->symbol_limits = calloc(problem->symbols + 1, sizeof *target->symbol_limits);
    if (target->low == NULL || target->high == NULL || target->limits == NULL || target->symbol_limits == NULL)
        return cm_error_no_memory(error);
    double mispredictions = 0.0;
    mean_by_signature(evidence, target);
    for (size_t r = problem->fitted; r < problem->rows; r++)
        mean_on_control(evidence, metric, r, target);
    if (evidence->twins[0] >= 0 && evidence->meant[metric]) {
        target->twin = evidence->twin_row;
        mispredictions = mean_on_twin(evidence, metric, (size_t)evidence->twin_row, target);
    }
    cm_target_limit(problem, target, mispredictions);
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
