/* What is to be said beside a verdict. */
#include <math.h>
#include <string.h>

#include "audit/audit.h"
#include "core/figures.h"

const char *cm_audit_event_name(const cm_audit_evaluation *in, size_t term)
{
    return cm_formulas_quantity_name(in->claim->formulas, in->claim->form->quantities[term]);
}

FILE *cm_audit_remark(cm_audit_evaluation *in)
{
    if (ftell(in->remark) > 0)
        fputs("; ", in->remark);
    return in->remark;
}

void cm_audit_remark_candidates(cm_audit_evaluation *in, size_t term, const size_t *indices, size_t shown, size_t count)
{
    fprintf(cm_audit_remark(in), "%s is ambiguous: it may be", cm_audit_event_name(in, term));
    for (size_t i = 0; i < count && i < shown; i++)
        fprintf(in->remark, "%s %s", i > 0 ? " or" : "",
                cm_definitions_event(in->audit->definitions, in->context->index, indices[i])->event);
    fputs(count > shown ? " or others" : "", in->remark);
}

void cm_audit_remark_unlisted(cm_audit_evaluation *in)
{
    const cm_defined_benchmark *benchmark = in->context->benchmark;
    fprintf(cm_audit_remark(in),
            "the results list only %zu of the %zu events measured on %s, so an event that is not listed may exist: "
            "audit against the sweep, or against results with --events-detail all",
            benchmark->event_count, benchmark->measured_count, benchmark->benchmark);
}

void cm_audit_remark_blame(cm_audit_evaluation *in, size_t term)
{
    const cm_defined_event *event = in->events[term];
    char share[CM_NUMBER_SIZE];
    if (event->status == CM_EVENT_NOISY)
        fprintf(cm_audit_remark(in), "repetitions of %s differ by %.3g, more than tau = %.3g",
                cm_audit_event_name(in, term), event->max_rnmse, in->context->benchmark->tau);
    else
        fprintf(cm_audit_remark(in), "the kernels do not explain %s of the counts of %s",
                cm_percent_text(event->residual, share), cm_audit_event_name(in, term));
}

/* Another benchmark on whose kernels the event counts something; NULL: there is none. */
static const char *counts_elsewhere(const cm_audit_evaluation *in, const char *event)
{
    for (size_t i = 0; i < in->audit->context_count; i++) {
        const cm_audit_context *other = &in->audit->contexts[i];
        size_t index = 0, count = 0;
        if (other != in->context && cm_event_names_find(other->names, event, &index, 1, &count) == CM_NAME_FOUND &&
            cm_definitions_event(in->audit->definitions, other->index, index)->status != CM_EVENT_ZERO)
            return other->benchmark->benchmark;
    }
    return NULL;
}

void cm_audit_remark_zeros(cm_audit_evaluation *in)
{
    for (size_t i = 0; i < in->claim->form->count; i++) {
        const cm_defined_event *event = in->events[i];
        if (event == NULL || event->status != CM_EVENT_ZERO)
            continue;
        const char *where = counts_elsewhere(in, event->event);
        fprintf(cm_audit_remark(in), "%s counts nothing on these kernels, so its weight is not judged",
                cm_audit_event_name(in, i));
        if (where != NULL)
            fprintf(in->remark, " (it does on those of %s)", where);
    }
}

static bool has_symbol(const cm_defined_benchmark *benchmark, const char *symbol)
{
    for (size_t i = 0; i < benchmark->symbol_count; i++)
        if (strcmp(benchmark->symbols[i], symbol) == 0)
            return true;
    return false;
}

void cm_audit_remark_dropped(cm_audit_evaluation *in)
{
    const cm_signatures *whole = in->context->whole;
    bool any = false;
    for (size_t i = 0; whole != NULL && i < whole->metric_count; i++) {
        if (strcmp(whole->metrics[i].metric, in->claim->metric->metric) != 0)
            continue;
        bool *dropped = in->context->flags, *all = in->context->flags + whole->symbol_count;
        for (size_t j = 0; j < whole->symbol_count; j++) {
            all[j] = whole->metrics[i].values[j] != 0.0;
            dropped[j] = all[j] && !has_symbol(in->context->benchmark, whole->symbols[j]);
            any = any || dropped[j];
        }
        if (!any)
            continue;
        fputs("no kernel was run that has ", cm_audit_remark(in));
        cm_words_describe(in->context->whole_words, dropped, all, in->remark);
        fputs(", which is not judged", in->remark);
    }
}
