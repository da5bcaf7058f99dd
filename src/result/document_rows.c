/* The fields of catmint.metrics/1. A new one is a member of its structure, and a row here or in metric_rows.c. */
#include "law/evidence.h"
#include "result/result.h"
#include "result/rows.h"

/* ---- words ---- */

static const char *text_of_status(int status)
{
    return cm_event_status_text((cm_event_status)status);
}

static const char *text_of_part(int part)
{
    return cm_kernel_part_texts[part];
}

static const char *text_of_source(int source)
{
    static const char *const texts[] = {"default", "given", "auto", "auto refused"};
    return texts[source];
}

static const cm_field_words statuses = {text_of_status, CM_RESULT_STATUSES,
                                        "zero, noisy, unrepresentable, dependent, selected or avoided", NULL};
static const cm_field_words parts = {text_of_part, CM_PART_COUNT, "fitted, control, free or difference", "part"};
static const cm_field_words sources = {text_of_source, CM_THRESHOLD_REFUSED + 1, "default, given, auto or auto refused",
                                       NULL};

/* ---- events ---- */

#define OF cm_defined_event
static const cm_field event_control_rows[] = {
    NUMBERS("counts", control_counts, CONTROLS, .rules = CM_NULL_ELEMENTS),
    NUMBERS("errors", control_errors, CONTROLS, .rules = CM_NULL_ELEMENTS),
    FIELD(FIGURE, "strays", control_strays),
};
static const cm_fields event_control_fields = {FIELDS(event_control_rows)};

static const cm_field event_law_rows[] = {
    LIST(PLACES, "places", law_places, law_count, .length = CM_LENGTH_LAW),
    LIST(NUMBERS, "means", law_means, law_count, .rules = CM_NULL_ELEMENTS),
    LIST(NUMBERS, "errors", law_errors, law_count, .rules = CM_NULL_ELEMENTS),
    FIELD(FIGURE, "strays", control_strays),
    LIST(NUMBERS, "runs", law_runs, law_run_count, .rules = CM_OPTIONAL | CM_OMITTED | CM_NULL_ELEMENTS),
};
static const cm_fields event_law_fields = {FIELDS(event_law_rows)};

static bool is_unrepresentable(const void *event)
{
    return ((const cm_defined_event *)event)->status == CM_EVENT_UNREPRESENTABLE;
}

static const cm_field event_rows[] = {
    FIELD(TEXT, "event", event),
    FIELD(WORD, "status", status, .words = &statuses),
    FIGURE("max_rnmse", max_rnmse),
    FIGURE("residual", residual),
    FIELD(NUMBER, "offset", offset, UNKNOWN_BEFORE),
    NUMBERS("representation", representation, SYMBOLS, .rules = CM_NULLABLE),
    NUMBERS("counts", counts, KERNELS, .rules = CM_OPTIONAL | CM_NULLABLE, .when = is_unrepresentable),
    FIELD(PART, "controls", control_counts, .rules = CM_OPTIONAL | CM_NULLABLE | CM_OMITTED,
          .of = &event_control_fields),
    FIELD(PART, "law", law_places, .rules = CM_OPTIONAL | CM_NULLABLE | CM_OMITTED, .of = &event_law_fields),
    FIELD(TEXT, "equivalent_to", equivalent_to, .rules = CM_NULLABLE),
};
static const cm_fields event_fields = {FIELDS(event_rows), .check = cm_check_event};
#undef OF

/* ---- benchmarks ---- */

#define OF cm_read_plateau
static const cm_field plateau_rows[] = {
    FIELD(NUMBER, "low", low),
    FIELD(NUMBER, "high", high),
    FIELD(WHOLE, "selected", selected, .noun = "selected events"),
    FIELD(NUMBER, "counts_from", from, UNKNOWN_BEFORE),
    FIELD(BOOL, "taken", taken),
};
static const cm_fields plateau_fields = {FIELDS(plateau_rows)};
#undef OF

#define OF cm_read_evidence
static const cm_field tau_rows[] = {
    NUMBERS("gap", gap, TWO, .rules = CM_OPTIONAL | CM_NULLABLE),
    FIELD(WHOLE, "quiet", quiet, .rules = CM_OPTIONAL, .noun = "quiet events"),
    FIELD(WHOLE, "needed", needed, .rules = CM_OPTIONAL, .noun = "needed events"),
    LIST(NUMBERS, "variabilities", variabilities, variability_count, .rules = CM_OPTIONAL),
};
static const cm_fields tau_fields = {FIELDS(tau_rows)};

static const cm_field alpha_rows[] = {
    FIELD(NUMBER, "lowest", lowest, .rules = CM_OPTIONAL),
    FIELD(NUMBER, "highest", highest, .rules = CM_OPTIONAL),
    LIST(ITEMS, "plateaus", plateaus, plateau_count, .rules = CM_OPTIONAL, .of = &plateau_fields),
};
static const cm_fields alpha_fields = {FIELDS(alpha_rows)};
#undef OF

#define OF cm_defined_kernel
static bool is_difference(const void *kernel)
{
    return ((const cm_defined_kernel *)kernel)->part == CM_PART_DIFFERENCE;
}

static const cm_field kernel_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(TEXT, "kernel", kernel),
    FIELD(FIGURE, "iterations", iterations, .rules = CM_NULLABLE, .number = INFINITY),
    FIELD(WORD, "part", part, .words = &parts),
    FIELD(PAIR, "of", difference_of, .when = is_difference),
};
static const cm_fields kernel_fields = {FIELDS(kernel_rows)};
#undef OF

#define OF cm_named_code
static const cm_field code_rows[] = {FIELD(TEXT, "event", event), LIST(TEXTS, "names", list, count)};
static const cm_fields code_fields = {FIELDS(code_rows), .finish = cm_finish_code};
#undef OF

#define OF cm_read_benchmark
#define THRESHOLD(which)                                                                                               \
    FIELD(FIGURE, "value", which.value, .rules = CM_NULLABLE, .number = INFINITY),                                     \
        FIELD(WORD, "source", which.source, .words = &sources), FIELD(TEXT, "reason", which.reason),                   \
        FIELD(OBJECT, "evidence", which.evidence, .rules = CM_OPTIONAL | CM_OMITTED, .of = &which##_fields)
static const cm_field of_tau_rows[] = {THRESHOLD(tau)}, of_alpha_rows[] = {THRESHOLD(alpha)};
static const cm_fields of_tau = {FIELDS(of_tau_rows)}, of_alpha = {FIELDS(of_alpha_rows)};

static const cm_field threshold_rows[] = {
    FIELD(PART, "tau", tau.reason, .of = &of_tau),
    FIELD(PART, "alpha", alpha.reason, .of = &of_alpha),
};
static const cm_fields threshold_fields = {FIELDS(threshold_rows)};

static const cm_field benchmark_control_rows[] = {
    LIST(NAMES, "kernels", listed.controls, listed.control_count, .gives = CM_LENGTH_CONTROLS),
    NUMBERS("iterations", listed.control_iterations, CONTROLS, .rules = CM_NULL_ELEMENTS, .number = INFINITY),
};
static const cm_fields benchmark_control_fields = {FIELDS(benchmark_control_rows)};

static const cm_field benchmark_law_rows[] = {
    FIELD(FIGURE, "interference", listed.interference),
    LIST(ITEMS, "kernels", listed.law_kernels, listed.law_count, .of = &kernel_fields, .gives = CM_LENGTH_LAW),
};
static const cm_fields benchmark_law_fields = {FIELDS(benchmark_law_rows)};

#define STATUS(name_, status)                                                                                          \
    FIELD(WHOLE, name_, status_counts[CM_EVENT_##status], .rules = CM_OPTIONAL, .noun = name_ " events")
static const cm_field count_rows[] = {
    FIELD(WHOLE, "measured", listed.measured_count, .rules = CM_OPTIONAL, .noun = "events measured"),
    FIELD(WHOLE, "unavailable", unavailable, .rules = CM_OPTIONAL, .noun = "unavailable events"),
    STATUS("zero", ZERO),
    STATUS("noisy", NOISY),
    STATUS("unrepresentable", UNREPRESENTABLE),
    STATUS("dependent", DEPENDENT),
    STATUS("selected", SELECTED),
    STATUS("avoided", AVOIDED),
};
static const cm_fields count_fields = {FIELDS(count_rows)};

static const cm_field cost_rows[] = {FIELD(TEXT, "event", cycles), NUMBERS("cycles", costs, SYMBOLS)};
static const cm_fields cost_fields = {FIELDS(cost_rows)};

static const cm_field benchmark_rows[] = {
    FIELD(TEXT, "benchmark", listed.benchmark),
    FIELD(TEXT, "core", listed.core, .rules = CM_OPTIONAL | CM_OMITTED, .text = ""),
    FIELD(FIGURE, "tau", listed.tau, .rules = CM_NULLABLE, .number = INFINITY),
    FIELD(FIGURE, "alpha", listed.alpha),
    FIELD(FIGURE, "residual", listed.residual),
    FIELD(FIGURE, "quantum", quantum, .rules = CM_OPTIONAL),
    FIELD(FIGURE, "amplification", listed.amplification, UNKNOWN_BEFORE),
    FIELD(PART, "thresholds", tau.reason, .rules = CM_OPTIONAL, .of = &threshold_fields),
    LIST(NAMES, "kernels", listed.kernels, listed.kernel_count, .gives = CM_LENGTH_KERNELS),
    LIST(NAMES, "symbols", listed.symbols, listed.symbol_count, .gives = CM_LENGTH_SYMBOLS),
    LIST(TEXTS, "dropped_symbols", dropped, dropped_count, .rules = CM_OPTIONAL),
    FIELD(PART, "controls", listed.controls, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &benchmark_control_fields),
    FIELD(PART, "law", listed.law_kernels, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &benchmark_law_fields),
    FIELD(PART, "counts", listed.benchmark, .rules = CM_OPTIONAL, .of = &count_fields),
    LIST(NAMES, "selected", selected, selected_count, .rules = CM_OPTIONAL),
    FIELD(PART, "costs", costs, .rules = CM_OPTIONAL | CM_OMITTED, .of = &cost_fields),
    LIST(ITEMS, "events", events, listed.event_count, .of = &event_fields, .noun = "event", .stream = &cm_event_stream),
    LIST(MAP, "code_names", codes, code_count, .rules = CM_OPTIONAL | CM_OMITTED, .of = &code_fields),
    LIST(ITEMS, "metrics", metrics, metric_count, .of = &cm_result_metric_fields, .noun = "metric",
         .stream = &cm_metric_stream),
};
static const cm_fields benchmark_fields = {FIELDS(benchmark_rows), .finish = cm_finish_benchmark,
                                           .check = cm_check_benchmark};
#undef OF

/* ---- the document ---- */

#define OF cm_core_type
static const cm_field core_rows[] = {
    FIELD(SHORT_TEXT, "core", name),
    FIELD(SHORT_TEXT, "cpus", cpus),
    FIELD(SHORT_TEXT, "pmu", pmu),
};
static const cm_fields core_fields = {FIELDS(core_rows)};
#undef OF

#define OF cm_on_core
static const cm_field metric_on_core_rows[] = {
    FIELD(TEXT, "core", core),
    FIELD(BOOL, "composable", composable),
    LIST(ITEMS, "definition", terms, term_count, .of = &cm_bare_term_fields),
};
static const cm_fields metric_on_core = {FIELDS(metric_on_core_rows)};
static const cm_field event_on_core_rows[] = {FIELD(TEXT, "core", core), FIELD(TEXT, "event", event)};
static const cm_fields event_on_core = {FIELDS(event_on_core_rows)};
#undef OF

#define OF cm_by_core
static const cm_field by_core_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(TEXT, "metric", name),
    FIELD(BOOL, "same", same),
    LIST(ITEMS, "cores", cores, core_count, .rules = CM_OPTIONAL, .of = &metric_on_core),
};
static const cm_fields by_core_fields = {FIELDS(by_core_rows)};
static const cm_field different_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(TEXT, "event", name),
    LIST(ITEMS, "cores", cores, core_count, .rules = CM_OPTIONAL, .of = &event_on_core),
};
static const cm_fields different_fields = {FIELDS(different_rows)};
#undef OF

#define OF cm_counted_set
static const cm_field set_rows[] = {
    LIST(NAMES, "events", events, count),
    FIELD(WORD, "together", together, .rules = CM_OPTIONAL, .words = &cm_together_words),
    LIST(NAMES, "refuse_each_other", refusing, refusing_count),
};
static const cm_fields set_fields = {FIELDS(set_rows)};
#undef OF

#define OF cm_unavailable
static const cm_field unavailable_rows[] = {FIELD(TEXT, "event", event), FIELD(TEXT, "reason", reason)};
static const cm_fields unavailable_fields = {FIELDS(unavailable_rows)};
#undef OF

#define OF cm_read_finding
static const cm_field finding_rows[] = {
    FIELD(TEXT, "finding", finding, .rules = CM_OPTIONAL),
    FIELD(TEXT, "severity", severity),
    FIELD(TEXT, "text", text),
    FIELD(TEXT, "advice", advice),
};
static const cm_fields finding_fields = {FIELDS(finding_rows)};
#undef OF

#define OF cm_lack
static const cm_field lack_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(WHOLE, "counted", counted, .noun = "events counted"),
    FIELD(WHOLE, "of", of, .noun = "events"),
    FIELD(TEXT, "core", core, .rules = CM_OPTIONAL | CM_OMITTED, .text = ""),
};
static const cm_fields lack_fields = {FIELDS(lack_rows)};
#undef OF

static bool has_cores(const void *definitions)
{
    return ((const cm_definitions *)definitions)->core_count != 0;
}

#define OF cm_definitions
static const cm_field document_rows[] = {
    FIELD(TEXT, "schema", schema),
    FIELD(JSON, "machine", described, .noun = "object"),
    FIELD(TEXT, "pmu", pmu, .rules = CM_NULLABLE),
    FIELD(TEXT, "pmu_reason", pmu_reason, .rules = CM_OPTIONAL, .text = ""),
    LIST(ITEMS, "findings", findings, finding_count, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &finding_fields),
    FIELD(BOOL, "uncore", uncore, .rules = CM_OPTIONAL | CM_OMITTED),
    FIELD(TEXT, "not_comparable", not_comparable, .rules = CM_OPTIONAL | CM_OMITTED),
    FIELD(TEXT, "method", method, .rules = CM_OPTIONAL | CM_OMITTED),
    FIELD(WHOLE, "cache_levels", cache_levels, .rules = CM_OPTIONAL | CM_OMITTED, .noun = "levels of caches"),
    FIELD(WHOLE, "line_size", line_size, .rules = CM_OPTIONAL | CM_OMITTED, .noun = "bytes of a cache line"),
    LIST(ITEMS, "incomplete", incomplete, lack_count, .rules = CM_OPTIONAL | CM_OMITTED, .of = &lack_fields),
    LIST(ITEMS, "benchmarks", benchmarks, benchmark_count, .of = &benchmark_fields, .stream = &cm_benchmark_stream),
    LIST(ITEMS, "cores", cores, core_count, .rules = CM_OPTIONAL | CM_OMITTED, .of = &core_fields),
    LIST(ITEMS, "by_core", by_core, by_core_count, .rules = CM_OPTIONAL, .of = &by_core_fields, .when = has_cores),
    LIST(ITEMS, "different_events", different, different_count, .rules = CM_OPTIONAL, .of = &different_fields,
         .when = has_cores),
    LIST(ITEMS, "tried_together", sets, set_count, .rules = CM_OPTIONAL, .of = &set_fields),
    LIST(ITEMS, "unavailable", unavailable, unavailable_count, .rules = CM_OPTIONAL, .of = &unavailable_fields),
};
const cm_fields cm_result_fields = {FIELDS(document_rows), .finish = cm_finish_document, .check = cm_check_document};
#undef OF
