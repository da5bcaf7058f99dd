/* Counts on the controls of a benchmark's own table. */
#include "law/evidence.h"

/* Sets each metric's meaning on a control, by the kernel's amounts of the symbols. */
static cm_status take_own_row(cm_evidence *evidence, const cm_basis *controls, size_t control, size_t row,
                              cm_error *error)
{
    const cm_basis *basis = evidence->basis;
    size_t metrics = evidence->signatures->metric_count;
    double *means = cm_arena_allocate(&evidence->arena, 2 * (metrics + 1) * sizeof *means);
    if (means == NULL)
        return cm_error_no_memory(error);
    memset(means, 0, 2 * metrics * sizeof *means);
    for (size_t j = 0; j < basis->symbol_count; j++) {
        size_t column = CM_FIND(basis->symbols[j], controls->symbols, controls->symbol_count);
        for (size_t m = 0; m < metrics && column < controls->symbol_count; m++)
            means[m] +=
                evidence->signatures->metrics[m].values[j] * *cm_matrix_at(controls->expectations, control, column);
    }
    evidence->rows[row].means = means;
    return CM_OK;
}

/* Takes the kernels' amounts from the caller's own controls, of the `count` rows behind the fitted ones. */
static cm_status take_own(cm_evidence *evidence, const cm_basis *controls, size_t count, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t row = evidence->problem.fitted; status == CM_OK && row < evidence->problem.fitted + count; row++) {
        size_t control = CM_FIND(evidence->problem.kernels[row], controls->kernels, controls->kernel_count);
        if (control < controls->kernel_count)
            status = take_own_row(evidence, controls, control, row, error);
    }
    return status;
}

cm_status cm_evidence_add_controls(cm_evidence *evidence, const cm_benchmark_request *request,
                                   const cm_measurements *table, cm_kernel_choice *choice, cm_error *error)
{
    cm_status status =
        cm_kernel_choice_controls(evidence->facts, evidence->benchmark, table, evidence->basis, choice, error);
    if (status == CM_OK && request->own_controls != NULL)
        cm_kernel_choice_add_own(request->own_controls, table, evidence->basis, choice);
    choice->rough = evidence->problem.rough;
    CM_THEN(status, cm_evidence_add_rows(evidence, evidence->benchmark, table, choice, error));
    if (status == CM_OK && request->own_controls != NULL)
        status = take_own(evidence, request->own_controls, choice->count, error);
    evidence->own_controls = choice->count;
    return status;
}

size_t cm_evidence_control_count(const cm_evidence *evidence)
{
    return evidence->own_controls + evidence->own_difference;
}

size_t cm_evidence_control(const cm_evidence *evidence, size_t control)
{
    return control < evidence->own_controls ? evidence->problem.fitted + control : evidence->problem.difference;
}

static int compare_rows(const void *left, const void *right)
{
    const cm_usable_event *const *a = left, *const *b = right;
    return ((*a)->index > (*b)->index) - ((*a)->index < (*b)->index);
}

cm_status cm_evidence_list(cm_evidence *evidence, size_t count, cm_error *error)
{
    evidence->looked = cm_arena_allocate(&evidence->arena, (count + 1) * sizeof(const cm_usable_event *));
    if (evidence->looked == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        evidence->looked[i] = &evidence->problem.events[i];
    qsort(evidence->looked, count, sizeof(const cm_usable_event *), compare_rows);
    evidence->looked_count = count;
    return CM_OK;
}

const cm_usable_event *cm_evidence_event(const cm_evidence *evidence, size_t event)
{
    const cm_usable_event wanted = {.index = event}, *key = &wanted;
    const cm_usable_event *const *found =
        evidence->looked_count > 0
            ? bsearch(&key, evidence->looked, evidence->looked_count, sizeof(const cm_usable_event *), compare_rows)
            : NULL;
    return found != NULL ? *found : NULL;
}

void cm_evidence_on_controls(const cm_evidence *evidence, const cm_usable_event *event, double *counts, double *errors)
{
    for (size_t i = 0; i < cm_evidence_control_count(evidence); i++) {
        size_t row = cm_evidence_control(evidence, i);
        counts[i] = event->mean[row];
        errors[i] = event->error[row];
    }
}

bool cm_evidence_bounds(const cm_evidence *evidence, size_t metric, double *low, double *high, double *limits)
{
    const cm_target *target = &evidence->targets[metric];
    bool known = evidence->meant[metric];
    for (size_t i = 0; i < cm_evidence_control_count(evidence); i++) {
        size_t row = cm_evidence_control(evidence, i);
        low[i] = target->low[row];
        high[i] = target->high[row];
        limits[i] = target->limits[row];
        known = known || evidence->rows[row].means != NULL;
    }
    return known;
}
