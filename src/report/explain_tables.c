/* The fields of catmint.explain/1. */
#include "report/report.h"
#include "result/rows.h"

#define OF cm_symbol_part_of
static const cm_field symbol_rows[] = {
    FIELD(TEXT, "symbol", symbol),
    FIELD(NUMBER, "coefficient", coefficient, UNKNOWN),
    FIELD(TEXT, "words", words, .rules = CM_NULLABLE, .says = "The meaning of the symbol; null: it has no words."),
};
static const cm_fields symbol_fields = {FIELDS(symbol_rows)};
#undef OF

#define OF cm_defined_equivalent
static const cm_field equivalent_rows[] = {
    FIELD(TEXT, "event", event),
    FIELD(NUMBER, "factor", factor, UNKNOWN),
    FIGURE("max_rnmse", max_rnmse),
};
static const cm_fields equivalent_fields = {FIELDS(equivalent_rows)};
#undef OF

#define OF cm_explained_term
#define TERM(equivalents_)                                                                                             \
    FIELD(TEXT, "event", rounded.event), FIELD(NUMBER, "coefficient", rounded.coefficient, UNKNOWN),                   \
        FIELD(NUMBER, "solved", solved, UNKNOWN),                                                                      \
        NUMBERS("interval", rounded.interval, TWO, .rules = CM_NULLABLE | CM_NULL_ELEMENTS),                           \
        LIST(ITEMS, "equivalents", rounded.equivalents, rounded.equivalent_count, .of = &equivalents_),                \
        LIST(TEXTS, "names", names, name_count, .rules = CM_OMITTED,                                                   \
             .says = "Names in a table for an event that is named by its code.")
static const cm_field term_rows[] = {TERM(cm_result_equivalent_fields)}, part_rows[] = {TERM(equivalent_fields)};
static const cm_fields term_fields = {FIELDS(term_rows)}, part_fields = {FIELDS(part_rows)};
#undef OF

#define OF cm_explained_kernel
static const cm_field disagreement_rows[] = {
    FIELD(TEXT, "kernel", kernel),
    FIELD(NUMBER, "counted", counted, UNKNOWN),
    FIELD(NUMBER, "represented", represented, UNKNOWN),
};
static const cm_fields disagreement_fields = {FIELDS(disagreement_rows)};
static const cm_field counted_rows[] = {FIELD(TEXT, "kernel", kernel), FIELD(NUMBER, "counted", counted, UNKNOWN)};
static const cm_fields counted_fields = {FIELDS(counted_rows)};
#undef OF

#define OF cm_refuted
static const cm_field refuted_rows[] = {
    FIELD(TEXT, "metric", metric),
    FIELD(TEXT, "why", why),
    FIELD(TEXT, "kernel", kernel, .rules = CM_NULLABLE),
    FIELD(NUMBER, "counted", counted, UNKNOWN),
    FIELD(NUMBER, "expected", expected, UNKNOWN),
};
static const cm_fields refuted_fields = {FIELDS(refuted_rows)};
#undef OF

#define OF cm_explained_event
static const cm_field control_rows[] = {
    FIELD(WHOLE, "kernels", control_count),
    LIST(ITEMS, "counted", counted, counted_count, .of = &counted_fields),
};
static const cm_fields control_fields = {FIELDS(control_rows)};

static const cm_field event_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(TEXT, "event", event),
    FIELD(WORD, "status", status, .words = &cm_result_statuses),
    FIELD(TEXT, "reason", reason, .says = "The reason for the status."),
    FIELD(WHOLE, "selected_as", selected_as, .rules = CM_NULLABLE, .limits = "'minimum': 1",
          .says = "Its place in the order of the pivoting, from 1; null: not selected."),
    FIELD(FIGURE, "max_rnmse", max_rnmse, UNKNOWN, .says = "Largest difference between two repetitions."),
    FIELD(FIGURE, "residual", residual, UNKNOWN,
          .says = "Part of the counts that no combination of ideal events explains."),
    FIELD(NUMBER, "offset", offset, UNKNOWN, .says = "Constant count per iteration beside the representation."),
    LIST(ITEMS, "representation", representation.parts, representation.count, .of = &symbol_fields,
         .says = "Coordinates over the symbols, without those that are about 0."),
    LIST(ITEMS, "disagrees", disagreements, disagreement_count, .of = &disagreement_fields,
         .says = "Kernels on which the representation is off."),
    LIST(ITEMS, "combination", terms, term_count, .of = &part_fields,
         .says = "Of a dependent event: the sum of selected events that it is."),
    LIST(ITEMS, "equivalents", equivalents, equivalent_count, .of = &equivalent_fields,
         .says = "Events that count the same, times the factor."),
    FIELD(PART, "controls", counted, .rules = CM_NULLABLE, .of = &control_fields,
          .says = "Its counts on control kernels; null: there are none."),
    LIST(ITEMS, "refuted", refuted, refuted_count, .of = &refuted_fields,
         .says = "Metrics whose definitions with it were refused, and the kernel that refuses them."),
    LIST(TEXTS, "metrics", metrics, metric_count, .says = "Metrics whose definitions use it."),
    LIST(TEXTS, "names", names, name_count, .rules = CM_OMITTED,
         .says = "Names in a table for an event that is named by its code."),
    FIELD(TEXT, "core", core, .rules = CM_OMITTED, .text = "", .says = "The type of cores, of a hybrid processor."),
};
const cm_fields cm_explained_event_fields = {FIELDS(event_rows), .title = "event"};
#undef OF

#define OF cm_explained_symbol
static const cm_field by_symbol_rows[] = {
    FIELD(TEXT, "symbol", symbol),
    FIELD(NUMBER, "metric", metric, UNKNOWN),
    FIELD(NUMBER, "definition", definition, UNKNOWN),
    FIGURE("limit", limit),
};
static const cm_fields by_symbol_fields = {FIELDS(by_symbol_rows)};
#undef OF

/* The metric stands first in its structure, so that its parts have the same offsets in both. */
#define OF cm_explained_metric
static const cm_field proof_rows[] = {
    FIELD(OBJECT, "controls", metric.controls, .rules = CM_NULLABLE, .of = &cm_result_control_fields),
    FIGURE("resolution", metric.resolution),
    LIST(TEXTS, "confounded_with", metric.confounded, metric.confounded_count),
    FIELD(WHOLE, "confounded_more", metric.confounded_more),
    LIST(NUMBERS, "symbol_deviations", metric.symbol_deviations, metric.symbol_count,
         .rules = CM_NULLABLE | CM_NULL_ELEMENTS),
    FIELD(TEXT, "refused", metric.refused, .rules = CM_NULLABLE),
    FIELD(TEXT, "validation", validation, .rules = CM_NULLABLE),
    FIELD(PART, NULL, metric.metric, .of = &cm_result_law_fields),
    LIST(ITEMS, "symbols", symbols, symbol_count, .of = &by_symbol_fields),
    FIELD(TEXT, "worst_control", worst_control, .rules = CM_NULLABLE),
};
static const cm_fields proof_fields = {FIELDS(proof_rows)};

static const cm_field explained_metric_rows[] = {
    FIELD(TEXT, "benchmark", metric.benchmark),
    FIELD(TEXT, "metric", metric.metric),
    FIELD(TEXT, "preset", metric.preset, .rules = CM_NULLABLE,
          .says = "The PAPI preset that it is; null or empty: none."),
    FIELD(TEXT, "description", metric.description),
    LIST(ITEMS, "signature", signature.parts, signature.count, .of = &symbol_fields),
    FIELD(BOOL, "composable", metric.composable),
    FIELD(TEXT, "reason", reason),
    FIGURE("backward_error", metric.backward_error),
    LIST(ITEMS, "definition", terms, term_count, .of = &term_fields,
         .says = "The terms with rounded coefficients; `solved` and `interval` are as solved."),
    LIST(ITEMS, "missed", missed.parts, missed.count, .of = &symbol_fields,
         .says = "Symbols that the definition misses."),
    LIST(ITEMS, "alternatives", metric.alternatives, metric.alternative_count, .of = &cm_result_alternative_fields,
         .says = "Composable definitions from other events."),
    FIELD(OBJECT, "limited", metric.limited, .rules = CM_NULLABLE, .of = &cm_result_alternative_fields,
          .says = "With --max-events: the best definition with at most so many events."),
    NUMBERS("firm_alpha", firm.alpha, TWO, .rules = CM_NULLABLE | CM_NULL_ELEMENTS,
            .says = "The range of alpha that gives the same definition; null as an end: no limit."),
    NUMBERS("firm_tau", firm.tau, TWO, .rules = CM_NULLABLE | CM_NULL_ELEMENTS, .says = "The same of tau."),
    FIELD(PART, "proof", symbols, .rules = CM_NULLABLE, .of = &proof_fields,
          .says = "The verdict of control kernels and of the law; null: by the paper's method."),
    FIELD(TEXT, "core", metric.core, .rules = CM_OMITTED, .text = "",
          .says = "The type of cores, of a hybrid processor."),
    FIELD(PART, NULL, metric.metric, .of = &cm_result_together_fields),
    FIELD(OBJECT, "validation", metric.programs, .rules = CM_NULLABLE, .of = &cm_result_trial_fields,
          .says = "The outcome of the definition in programs that were not used for fitting; null: there were none."),
    FIELD(OBJECT, "workloads", metric.workloads, .rules = CM_NULLABLE, .of = &cm_result_trial_fields,
          .says = "The same for workloads."),
};
const cm_fields cm_explained_metric_fields = {FIELDS(explained_metric_rows), .title = "metric"};
#undef OF

#define OF cm_explanations
static const cm_field explanation_rows[] = {
    FIELD(TEXT, "schema", schema, .limits = "'const': 'catmint.explain/1'"),
    LIST(ITEMS, "events", events, event_count, .rules = CM_OMITTED, .of = &cm_explained_event_fields,
         .limits = "'minItems': 1", .says = "The events that were asked for, once a benchmark."),
    LIST(ITEMS, "metrics", metrics, metric_count, .rules = CM_OMITTED, .of = &cm_explained_metric_fields,
         .limits = "'minItems': 1", .says = "The metrics that were asked for, once a benchmark."),
};
const cm_fields cm_explanation_fields = {FIELDS(explanation_rows),
                                         .limits = "'anyOf': [{'required': ['events']}, {'required': ['metrics']}]"};
#undef OF
