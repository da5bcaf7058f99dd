/* The fields of catmint.explain/1. */
#include "report/explain.h"
#include "result/result.h"
#include "result/rows.h"

#define OF cm_symbol_part_of
static const cm_field symbol_rows[] = {
    FIELD(TEXT, "symbol", symbol),
    FIGURE("coefficient", coefficient),
    FIELD(TEXT, "words", words),
};
static const cm_fields symbol_fields = {FIELDS(symbol_rows)};
#undef OF

#define OF cm_defined_equivalent
static const cm_field equivalent_rows[] = {
    FIELD(TEXT, "event", event),
    FIGURE("factor", factor),
    FIGURE("max_rnmse", max_rnmse),
};
static const cm_fields equivalent_fields = {FIELDS(equivalent_rows)};
#undef OF

#define OF cm_explained_term
#define TERM(equivalents_)                                                                                             \
    FIELD(TEXT, "event", rounded.event), FIGURE("coefficient", rounded.coefficient), FIGURE("solved", solved),         \
        NUMBERS("interval", rounded.interval, TWO),                                                                    \
        LIST(ITEMS, "equivalents", rounded.equivalents, rounded.equivalent_count, .of = &equivalents_),                \
        LIST(TEXTS, "names", names, name_count, .rules = CM_OMITTED)
static const cm_field term_rows[] = {TERM(cm_result_equivalent_fields)}, part_rows[] = {TERM(equivalent_fields)};
static const cm_fields term_fields = {FIELDS(term_rows)}, part_fields = {FIELDS(part_rows)};
#undef OF

#define OF cm_explained_kernel
static const cm_field disagreement_rows[] = {
    FIELD(TEXT, "kernel", kernel),
    FIGURE("counted", counted),
    FIGURE("represented", represented),
};
static const cm_fields disagreement_fields = {FIELDS(disagreement_rows)};
static const cm_field counted_rows[] = {FIELD(TEXT, "kernel", kernel), FIGURE("counted", counted)};
static const cm_fields counted_fields = {FIELDS(counted_rows)};
#undef OF

#define OF cm_refuted
static const cm_field refuted_rows[] = {
    FIELD(TEXT, "metric", metric), FIELD(TEXT, "why", why),      FIELD(TEXT, "kernel", kernel),
    FIGURE("counted", counted),    FIGURE("expected", expected),
};
static const cm_fields refuted_fields = {FIELDS(refuted_rows)};
#undef OF

static const char *text_of_status(int status)
{
    return cm_event_status_text((cm_event_status)status);
}

static const cm_field_words statuses = {text_of_status, CM_RESULT_STATUSES, NULL, NULL};

#define OF cm_explained_event
static const cm_field control_rows[] = {
    FIELD(WHOLE, "kernels", control_count),
    LIST(ITEMS, "counted", counted, counted_count, .of = &counted_fields),
};
static const cm_fields control_fields = {FIELDS(control_rows)};

static const cm_field event_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(TEXT, "event", event),
    FIELD(WORD, "status", status, .words = &statuses),
    FIELD(TEXT, "reason", reason),
    FIELD(WHOLE, "selected_as", selected_as, .rules = CM_NULLABLE),
    FIGURE("max_rnmse", max_rnmse),
    FIGURE("residual", residual),
    FIGURE("offset", offset),
    LIST(ITEMS, "representation", representation.parts, representation.count, .of = &symbol_fields),
    LIST(ITEMS, "disagrees", disagreements, disagreement_count, .of = &disagreement_fields),
    LIST(ITEMS, "combination", terms, term_count, .of = &part_fields),
    LIST(ITEMS, "equivalents", equivalents, equivalent_count, .of = &equivalent_fields),
    FIELD(PART, "controls", counted, .of = &control_fields),
    LIST(ITEMS, "refuted", refuted, refuted_count, .of = &refuted_fields),
    LIST(TEXTS, "metrics", metrics, metric_count),
    LIST(TEXTS, "names", names, name_count, .rules = CM_OMITTED),
    FIELD(TEXT, "core", core, .rules = CM_OMITTED, .text = ""),
};
const cm_fields cm_explained_event_fields = {FIELDS(event_rows)};
#undef OF

#define OF cm_explained_symbol
static const cm_field by_symbol_rows[] = {
    FIELD(TEXT, "symbol", symbol),
    FIGURE("metric", metric),
    FIGURE("definition", definition),
    FIGURE("limit", limit),
};
static const cm_fields by_symbol_fields = {FIELDS(by_symbol_rows)};
#undef OF

/* The metric stands first in its structure, so that its parts have the same offsets in both. */
#define OF cm_explained_metric
static const cm_field proof_rows[] = {
    FIELD(OBJECT, "controls", metric.controls, .of = &cm_result_control_fields),
    FIGURE("resolution", metric.resolution),
    LIST(TEXTS, "confounded_with", metric.confounded, metric.confounded_count),
    FIELD(WHOLE, "confounded_more", metric.confounded_more),
    LIST(NUMBERS, "symbol_deviations", metric.symbol_deviations, metric.symbol_count),
    FIELD(TEXT, "refused", metric.refused),
    FIELD(TEXT, "validation", validation),
    FIELD(PART, NULL, metric.metric, .of = &cm_result_law_fields),
    LIST(ITEMS, "symbols", symbols, symbol_count, .of = &by_symbol_fields),
    FIELD(TEXT, "worst_control", worst_control),
};
static const cm_fields proof_fields = {FIELDS(proof_rows)};

static const cm_field metric_rows[] = {
    FIELD(TEXT, "benchmark", metric.benchmark),
    FIELD(TEXT, "metric", metric.metric),
    FIELD(TEXT, "preset", metric.preset),
    FIELD(TEXT, "description", metric.description),
    LIST(ITEMS, "signature", signature.parts, signature.count, .of = &symbol_fields),
    FIELD(BOOL, "composable", metric.composable),
    FIELD(TEXT, "reason", reason),
    FIGURE("backward_error", metric.backward_error),
    LIST(ITEMS, "definition", terms, term_count, .of = &term_fields),
    LIST(ITEMS, "missed", missed.parts, missed.count, .of = &symbol_fields),
    LIST(ITEMS, "alternatives", metric.alternatives, metric.alternative_count, .of = &cm_result_alternative_fields),
    FIELD(OBJECT, "limited", metric.limited, .of = &cm_result_alternative_fields),
    NUMBERS("firm_alpha", firm.alpha, TWO),
    NUMBERS("firm_tau", firm.tau, TWO),
    FIELD(PART, "proof", symbols, .of = &proof_fields),
    FIELD(TEXT, "core", metric.core, .rules = CM_OMITTED, .text = ""),
    FIELD(PART, NULL, metric.metric, .of = &cm_result_together_fields),
    FIELD(OBJECT, "validation", metric.programs, .of = &cm_result_trial_fields),
    FIELD(OBJECT, "workloads", metric.workloads, .of = &cm_result_trial_fields),
};
const cm_fields cm_explained_metric_fields = {FIELDS(metric_rows)};
#undef OF

#define OF cm_explanations
static const cm_field document_rows[] = {
    FIELD(TEXT, "schema", schema),
    LIST(ITEMS, "events", events, event_count, .rules = CM_OMITTED, .of = &cm_explained_event_fields),
    LIST(ITEMS, "metrics", metrics, metric_count, .rules = CM_OMITTED, .of = &cm_explained_metric_fields),
};
const cm_fields cm_explanation_fields = {FIELDS(document_rows)};
#undef OF
