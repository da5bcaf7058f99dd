/* What was counted on the controls of a benchmark's own table. */
#include <stdlib.h>

#include "core/error.h"
#include "discovery/evidence.h"

size_t cm_evidence_control_count(const cm_evidence *evidence)
{
    return evidence->own_controls + evidence->own_difference;
}

size_t cm_evidence_control(const cm_evidence *evidence, size_t control)
{
    return control < evidence->own_controls ? evidence->problem.fitted + control : evidence->problem.difference;
}

static int compare(const void *left, const void *right)
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
    qsort(evidence->looked, count, sizeof(const cm_usable_event *), compare);
    evidence->looked_count = count;
    return CM_OK;
}

const cm_usable_event *cm_evidence_event(const cm_evidence *evidence, size_t event)
{
    const cm_usable_event wanted = {.index = event}, *key = &wanted;
    const cm_usable_event *const *found =
        evidence->looked_count > 0
            ? bsearch(&key, evidence->looked, evidence->looked_count, sizeof(const cm_usable_event *), compare)
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
    for (size_t i = 0; i < cm_evidence_control_count(evidence); i++) {
        size_t row = cm_evidence_control(evidence, i);
        low[i] = target->low[row];
        high[i] = target->high[row];
        limits[i] = target->limits[row];
    }
    return evidence->meant[metric];
}
