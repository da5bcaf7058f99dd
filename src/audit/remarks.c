/* Remarks beside a verdict. */
#include "audit/audit.h"

const char *cm_audit_event_name(const cm_audit_evaluation *in, size_t term)
{
    return cm_formulas_quantity_name(in->trial->formulas, in->trial->form->quantities[term]);
}

void cm_audit_remark_candidates(cm_audit_evaluation *in, size_t term, const size_t *indices, size_t shown, size_t count)
{
    size_t known = count < shown ? count : shown;
    const char **names = cm_arena_allocate(&in->audit->arena, (known + 1) * sizeof *names);
    in->remarks.short_of_memory = in->remarks.short_of_memory || names == NULL;
    for (size_t i = 0; i < known && names != NULL; i++)
        names[i] = cm_definitions_event(in->audit->definitions, in->context->index, indices[i])->event;
    if (names != NULL)
        cm_finding_list_add(&in->remarks, &(cm_audit_finding){.kind = CM_FINDING_AMBIGUOUS_EVENT,
                                                              .subject = cm_audit_event_name(in, term),
                                                              .total = count,
                                                              .name_count = known,
                                                              .names = names});
}

void cm_audit_remark_unlisted(cm_audit_evaluation *in)
{
    const cm_defined_benchmark *benchmark = in->context->benchmark;
    cm_finding_list_add(&in->remarks, &(cm_audit_finding){.kind = CM_FINDING_NOT_LISTED,
                                                          .subject = benchmark->benchmark,
                                                          .count = benchmark->event_count,
                                                          .total = benchmark->measured_count});
}

void cm_audit_remark_blame(cm_audit_evaluation *in, size_t term)
{
    const cm_defined_event *event = in->events[term];
    cm_audit_finding finding = {
        .kind = CM_FINDING_UNEXPLAINED, .subject = cm_audit_event_name(in, term), .value = event->residual};
    if (event->status == CM_EVENT_NOISY) {
        finding.kind = CM_FINDING_NOISY;
        finding.value = event->max_rnmse;
        finding.limit = in->context->benchmark->tau;
    }
    cm_finding_list_add(&in->remarks, &finding);
}

/* Another benchmark on whose kernels the event counts something; NULL: there is none. */
static const char *counts_elsewhere(const cm_audit_evaluation *in, const char *event)
{
    for (size_t i = 0; i < in->audit->context_count; i++) {
        const cm_audit_context *other = &in->audit->contexts[i];
        size_t index = 0, count = 0;
        if (other != in->context && cm_event_names_find(other->names, event, &index, 1, &count) == CM_NAME_FOUND &&
            (cm_definitions_event(in->audit->definitions, other->index, index)->status != CM_EVENT_ZERO ||
             cm_row_group_counts(in->audit->kernels[i], index, in->audit->kernels[i]->control, 0.0)))
            return other->benchmark->benchmark;
    }
    return NULL;
}

/* In the benchmark on trial. */
static bool counts_on_controls(const cm_audit_evaluation *in, const char *event)
{
    const cm_row_group *group = in->audit->kernels[in->context - in->audit->contexts];
    size_t index = 0, count = 0;
    return cm_event_names_find(group->names, event, &index, 1, &count) == CM_NAME_FOUND &&
           cm_row_group_counts(group, index, group->control, 0.0);
}

void cm_audit_remark_zeros(cm_audit_evaluation *in)
{
    for (size_t i = 0; i < in->trial->form->count; i++) {
        const cm_defined_event *event = in->events[i];
        if (event == NULL || event->status != CM_EVENT_ZERO)
            continue;
        cm_audit_finding finding = {.kind = CM_FINDING_ZERO, .subject = cm_audit_event_name(in, i)};
        if (counts_on_controls(in, event->event)) {
            finding.kind = CM_FINDING_ON_CONTROLS_ALONE;
            finding.other = in->context->benchmark->benchmark;
        } else if ((finding.other = counts_elsewhere(in, event->event)) != NULL) {
            finding.kind = CM_FINDING_ZERO_HERE;
        } else if (cm_audit_counts_in_programs(in->audit, finding.subject)) {
            finding.kind = CM_FINDING_IN_PROGRAMS_ALONE;
        }
        cm_finding_list_add(&in->remarks, &finding);
    }
}

void cm_audit_add_dropped(const cm_audit_context *context, const char *metric, cm_finding_list *list)
{
    const cm_signatures *whole = context->whole;
    bool any = false;
    for (size_t i = 0; whole != NULL && i < whole->metric_count; i++) {
        if (strcmp(whole->metrics[i].metric, metric) != 0)
            continue;
        bool *dropped = context->flags, *all = context->flags + whole->symbol_count;
        for (size_t j = 0; j < whole->symbol_count; j++) {
            all[j] = whole->metrics[i].values[j] != 0.0 && !context->elsewhere[j];
            dropped[j] =
                all[j] && !CM_HAS(whole->symbols[j], context->benchmark->symbols, context->benchmark->symbol_count);
            any = any || dropped[j];
        }
        if (any)
            cm_finding_list_add_symbols(list, &(cm_audit_finding){.kind = CM_FINDING_SYMBOLS_NOT_RUN},
                                        context->whole_parts, dropped, all);
    }
}
