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
    NUMBERS("counts", control_counts, CONTROLS, .rules = CM_NULL_ELEMENTS,
            .says = "Mean counts per iteration, one a control."),
    NUMBERS("errors", control_errors, CONTROLS, .rules = CM_NULL_ELEMENTS, .says = "Their standard errors."),
    FIELD(FIGURE, "strays", control_strays, .says = "Counts that a run may add beside these."),
};
static const cm_fields event_control_fields = {FIELDS(event_control_rows)};

static const cm_field event_law_rows[] = {
    LIST(PLACES, "places", law_places, law_count, .length = CM_LENGTH_LAW,
         .says = "Indices into the benchmark's `law.kernels`, rising."),
    LIST(NUMBERS, "means", law_means, law_count, .rules = CM_NULL_ELEMENTS,
         .says = "Mean counts per iteration; null: the event was not counted on that kernel."),
    LIST(NUMBERS, "errors", law_errors, law_count, .rules = CM_NULL_ELEMENTS, .says = "Their standard errors."),
    FIELD(FIGURE, "strays", control_strays, .says = "Counts that a run may add beside these."),
    LIST(NUMBERS, "runs", law_runs, law_run_count, .rules = CM_OPTIONAL | CM_OMITTED | CM_NULL_ELEMENTS,
         .says = "If repetitions differ: the counts of each repetition, as many of each kernel. Sums of such events "
                 "may be exact."),
};
static const cm_fields event_law_fields = {FIELDS(event_law_rows)};

static bool is_unrepresentable(const void *event)
{
    return ((const cm_defined_event *)event)->status == CM_EVENT_UNREPRESENTABLE;
}

static const cm_field event_rows[] = {
    FIELD(TEXT, "event", event, .limits = "'minLength': 1"),
    FIELD(WORD, "status", status, .words = &statuses),
    FIGURE("max_rnmse", max_rnmse, .says = "Largest difference between two repetitions."),
    FIGURE("residual", residual, .says = "Part of the counts that no combination of ideal events explains."),
    FIELD(NUMBER, "offset", offset, UNKNOWN_BEFORE,
          .says = "Constant count per iteration beside the representation; 0: none was found."),
    NUMBERS("representation", representation, SYMBOLS, .rules = CM_NULLABLE,
            .says = "Coordinates over the symbols; null: not computed."),
    NUMBERS("counts", counts, KERNELS, .rules = CM_OPTIONAL | CM_NULLABLE, .when = is_unrepresentable,
            .says = "Of an unrepresentable event: mean counts per iteration, in the order of `kernels`; null: the "
                    "table was too large for memory. Counts of others follow from their representation."),
    FIELD(PART, "controls", control_counts, .rules = CM_OPTIONAL | CM_NULLABLE | CM_OMITTED,
          .of = &event_control_fields,
          .says = "Its counts on the benchmark's controls. Written for usable events and for the first of those that "
                  "are zero."),
    FIELD(PART, "law", law_places, .rules = CM_OPTIONAL | CM_NULLABLE | CM_OMITTED, .of = &event_law_fields,
          .says = "Its counts on the kernels of the benchmark's `law`, if not zero. Written for usable events and for "
                  "the first of those that are zero."),
    FIELD(TEXT, "equivalent_to", equivalent_to, .rules = CM_NULLABLE,
          .says = "The selected event of which this one is a multiple."),
};
static const cm_fields event_fields = {FIELDS(event_rows), .check = cm_check_event, .title = "event"};
#undef OF

/* ---- benchmarks ---- */

#define OF cm_read_plateau
static const cm_field plateau_rows[] = {
    FIELD(NUMBER, "low", low),
    FIELD(NUMBER, "high", high),
    FIELD(WHOLE, "selected", selected, .noun = "selected events"),
    FIELD(NUMBER, "counts_from", from, UNKNOWN_BEFORE,
          .says = "The alpha from which the range counts, half the largest noise of its events; null: it does not "
                  "count, since noise alone separates one of them from the others."),
    FIELD(BOOL, "taken", taken),
};
static const cm_fields plateau_fields = {FIELDS(plateau_rows)};
#undef OF

#define OF cm_read_evidence
static const cm_field tau_rows[] = {
    NUMBERS("gap", gap, TWO, .rules = CM_OPTIONAL | CM_NULLABLE,
            .says = "The variabilities on both sides of the widest gap; null: refused."),
    FIELD(WHOLE, "quiet", quiet, .rules = CM_OPTIONAL, .noun = "quiet events", .says = "Events below the gap."),
    FIELD(WHOLE, "needed", needed, .rules = CM_OPTIONAL, .noun = "needed events",
          .says = "The number of the quietest events that together measure all that true events measure; the gap is "
                  "behind them."),
    LIST(NUMBERS, "variabilities", variabilities, variability_count, .rules = CM_OPTIONAL,
         .says = "max_rnmse of every event that is not zero, sorted."),
};
static const cm_fields tau_fields = {FIELDS(tau_rows)};

static const cm_field alpha_rows[] = {
    FIELD(NUMBER, "lowest", lowest, .rules = CM_OPTIONAL, .says = "The smallest value tried."),
    FIELD(NUMBER, "highest", highest, .rules = CM_OPTIONAL, .says = "The largest value tried."),
    LIST(ITEMS, "plateaus", plateaus, plateau_count, .rules = CM_OPTIONAL, .of = &plateau_fields,
         .says = "Ranges with the same selected events, or with others that count the same, ascending."),
};
static const cm_fields alpha_fields = {FIELDS(alpha_rows)};
#undef OF

#define OF cm_defined_kernel
static bool is_difference(const void *kernel)
{
    return ((const cm_defined_kernel *)kernel)->part == CM_PART_DIFFERENCE;
}

static const cm_field kernel_rows[] = {
    FIELD(TEXT, "benchmark", benchmark, .limits = "'minLength': 1"),
    FIELD(TEXT, "kernel", kernel, .limits = "'minLength': 1"),
    FIELD(FIGURE, "iterations", iterations, .rules = CM_NULLABLE, .number = INFINITY,
          .says = "Of a run; null: unknown."),
    FIELD(WORD, "part", part, .words = &parts,
          .says = "fitted: of the benchmark's basis. free: for facts on which vendors disagree. difference: the first "
                  "of the two kernels `of` less the second."),
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
        FIELD(WORD, "source", which.source, .words = &sources),                                                        \
        FIELD(TEXT, "reason", which.reason, .limits = "'minLength': 1"),                                               \
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
    NUMBERS("iterations", listed.control_iterations, CONTROLS, .rules = CM_NULL_ELEMENTS, .number = INFINITY,
            .says = "Of a run, one a control; null: unknown."),
};
static const cm_fields benchmark_control_fields = {FIELDS(benchmark_control_rows)};

static const cm_field benchmark_law_rows[] = {
    FIELD(FIGURE, "interference", listed.interference,
          .says = "The largest share of hits in caches that a neighbour moved one level down."),
    LIST(ITEMS, "kernels", listed.law_kernels, listed.law_count, .of = &kernel_fields, .gives = CM_LENGTH_LAW),
};
static const cm_fields benchmark_law_fields = {FIELDS(benchmark_law_rows)};

#define STATUS(name_, status)                                                                                          \
    FIELD(WHOLE, name_, status_counts[CM_EVENT_##status], .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,                   \
          .noun = name_ " events")
static const cm_field count_rows[] = {
    FIELD(WHOLE, "measured", listed.measured_count, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
          .noun = "events measured"),
    FIELD(WHOLE, "unavailable", unavailable, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = "unavailable events"),
    STATUS("zero", ZERO),
    STATUS("noisy", NOISY),
    STATUS("unrepresentable", UNREPRESENTABLE),
    STATUS("dependent", DEPENDENT),
    STATUS("selected", SELECTED),
    FIELD(WHOLE, "avoided", status_counts[CM_EVENT_AVOIDED], .rules = CM_OPTIONAL, .noun = "avoided events"),
};
static const cm_fields count_fields = {FIELDS(count_rows)};

static const cm_field cost_rows[] = {FIELD(TEXT, "event", cycles, .limits = "'minLength': 1"),
                                     NUMBERS("cycles", costs, SYMBOLS)};
static const cm_fields cost_fields = {FIELDS(cost_rows)};

static const cm_field benchmark_rows[] = {
    FIELD(TEXT, "benchmark", listed.benchmark, .limits = "'minLength': 1"),
    FIELD(TEXT, "core", listed.core, .rules = CM_OPTIONAL | CM_OMITTED, .text = "", .limits = "'minLength': 1",
          .says = "Of a hybrid processor: the type of cores on which it was counted, one of `cores`."),
    FIELD(FIGURE, "tau", listed.tau, .rules = CM_NULLABLE, .number = INFINITY,
          .says = "Noise above it drops an event; null: no limit."),
    FIELD(FIGURE, "alpha", listed.alpha, .limits = "'exclusiveMinimum': 0, 'exclusiveMaximum': 1",
          .says = "Rounding tolerance."),
    FIELD(FIGURE, "residual", listed.residual,
          .says = "Tolerated residual of an event, and misfit of a composable metric."),
    FIELD(FIGURE, "quantum", quantum, .rules = CM_OPTIONAL,
          .says = "Counts per iteration were rounded to its multiples; 0: they were not."),
    FIELD(FIGURE, "amplification", listed.amplification, UNKNOWN_BEFORE, .limits = "'exclusiveMinimum': 0",
          .says = "Largest amplification of a composable metric."),
    FIELD(PART, "thresholds", tau.reason, .rules = CM_OPTIONAL, .of = &threshold_fields,
          .says = "The sources of tau and alpha, and the reasons for them; with auto also the evidence of the data."),
    LIST(NAMES, "kernels", listed.kernels, listed.kernel_count, .gives = CM_LENGTH_KERNELS,
         .says = "Rows of the basis: the kernels that were measured."),
    LIST(NAMES, "symbols", listed.symbols, listed.symbol_count, .gives = CM_LENGTH_SYMBOLS,
         .says = "Columns of the basis, and elements of representations and signatures."),
    LIST(TEXTS, "dropped_symbols", dropped, dropped_count, .rules = CM_OPTIONAL,
         .says = "Symbols of the whole basis that no measured kernel has."),
    FIELD(PART, "controls", listed.controls, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &benchmark_control_fields,
          .says = "Control kernels of the benchmark's own table, and at the end perhaps the difference of two of them "
                  "(`random.25 - random.75`): nothing is fitted to them, and definitions are held to them. null by the "
                  "paper's method."),
    FIELD(PART, "law", listed.law_kernels, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &benchmark_law_fields,
          .says = "The evidence of the law, by which a sum of events can be judged again: every kernel of the sweep, "
                  "of any benchmark, whose facts are known. null by the paper's method."),
    FIELD(PART, "counts", listed.benchmark, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .of = &count_fields,
          .says = "Numbers of events by status; zero to avoided add up to measured."),
    LIST(NAMES, "selected", selected, selected_count, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
         .says = "In the order of the pivoting."),
    FIELD(PART, "costs", costs, .rules = CM_OPTIONAL | CM_OMITTED, .of = &cost_fields,
          .says = "An event whose cycles are a sum of the instructions' costs, as on cores that execute in order, and "
                  "the cost of an instruction of each symbol. Missing if there is none."),
    LIST(ITEMS, "events", events, listed.event_count, .of = &event_fields, .noun = "event", .stream = &cm_event_stream,
         .says = "In the order of the measurement table."),
    LIST(MAP, "code_names", codes, code_count, .rules = CM_OPTIONAL | CM_OMITTED, .of = &code_fields,
         .says = "Names in a table for events that are named by their codes and that definitions may use."),
    LIST(ITEMS, "metrics", metrics, metric_count, .of = &cm_result_metric_fields, .noun = "metric",
         .stream = &cm_metric_stream, .says = "In the order of the signatures."),
};
static const cm_fields benchmark_fields = {FIELDS(benchmark_rows), .finish = cm_finish_benchmark,
                                           .check = cm_check_benchmark, .title = "benchmark"};
#undef OF

/* ---- the document ---- */

#define OF cm_core_type
static const cm_field core_rows[] = {
    FIELD(SHORT_TEXT, "core", name, .limits = "'minLength': 1", .says = "The kernel's device that counts on them."),
    FIELD(SHORT_TEXT, "cpus", cpus, .says = "Their processors, as in 0-7,16; empty: unknown."),
    FIELD(SHORT_TEXT, "pmu", pmu, .says = "libpfm4's name of their PMU; empty: unknown."),
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
    FIELD(BOOL, "same", same,
          .says = "The definitions have the same events except for their PMU, or none is composable."),
    LIST(ITEMS, "cores", cores, core_count, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .of = &metric_on_core),
};
static const cm_fields by_core_fields = {FIELDS(by_core_rows)};
static const cm_field different_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(TEXT, "event", name, .says = "Its name without the PMU."),
    LIST(ITEMS, "cores", cores, core_count, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .of = &event_on_core),
};
static const cm_fields different_fields = {FIELDS(different_rows)};
#undef OF

#define OF cm_counted_set
static const cm_field set_rows[] = {
    LIST(NAMES, "events", events, count),
    FIELD(WORD, "together", together, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .words = &cm_together_words),
    LIST(NAMES, "refuse_each_other", refusing, refusing_count,
         .says = "If \"no\": the events of which no set takes all."),
};
static const cm_fields set_fields = {FIELDS(set_rows)};
#undef OF

#define OF cm_unavailable
static const cm_field unavailable_rows[] = {FIELD(TEXT, "event", event), FIELD(TEXT, "reason", reason)};
static const cm_fields unavailable_fields = {FIELDS(unavailable_rows)};
#undef OF

#define OF cm_read_finding
static const cm_field finding_rows[] = {
    FIELD(TEXT, "finding", finding, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
          .says = "A name that stays the same, such as nmi-watchdog."),
    FIELD(TEXT, "severity", severity, .limits = "'enum': ['stops', 'disturbs', 'note']"),
    FIELD(TEXT, "text", text),
    FIELD(TEXT, "advice", advice, .says = "May be empty."),
};
static const cm_fields finding_fields = {FIELDS(finding_rows)};
#undef OF

#define OF cm_lack
static const cm_field lack_rows[] = {
    FIELD(TEXT, "benchmark", benchmark),
    FIELD(WHOLE, "counted", counted, .noun = "events counted",
          .says = "Events of the benchmark that were counted; 0: it has no results."),
    FIELD(WHOLE, "of", of, .noun = "events"),
    FIELD(TEXT, "core", core, .rules = CM_OPTIONAL | CM_OMITTED, .text = "",
          .says = "The type of cores, of a hybrid processor."),
};
static const cm_fields lack_fields = {FIELDS(lack_rows)};
#undef OF

static bool has_cores(const void *definitions)
{
    return ((const cm_definitions *)definitions)->core_count != 0;
}

#define OF cm_definitions
static const cm_field document_rows[] = {
    FIELD(TEXT, "schema", schema, .limits = "'const': 'catmint.metrics/1'"),
    FIELD(JSON, "machine", described, .noun = "object",
          .says = "The machine that was measured, as the sweep's manifest describes it; empty if a lone measurement "
                  "table was analysed."),
    FIELD(TEXT, "pmu", pmu, .rules = CM_NULLABLE, .limits = "'pattern': '^(hardware|software:.+)$'",
          .says = "The PMU that counted; null: a lone measurement table was analysed."),
    FIELD(TEXT, "pmu_reason", pmu_reason, .rules = CM_OPTIONAL, .text = "",
          .says = "The reason for this PMU, a sentence; may be empty."),
    LIST(ITEMS, "findings", findings, finding_count, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &finding_fields,
         .says = "Obstacles and disturbances of counting when the sweep began, as `catmint doctor` finds them; null: "
                 "unknown. They do no harm to the software PMU."),
    FIELD(BOOL, "uncore", uncore, .rules = CM_OPTIONAL | CM_OMITTED, .limits = "'const': true",
          .says = "Events count for a whole socket. No program moves enough memory to judge their definitions: "
                  "`validation` of each metric is null."),
    FIELD(TEXT, "not_comparable", not_comparable, .rules = CM_OPTIONAL | CM_OMITTED,
          .says = "The reason why no formula can be compared with these results, and nothing is exported from them: a "
                  "model of another architecture's processor counted (--anyway)."),
    FIELD(TEXT, "method", method, .rules = CM_OPTIONAL | CM_OMITTED, .limits = "'const': 'paper'",
          .says = "The definitions were found by the paper's method (--method paper), without control kernels."),
    FIELD(WHOLE, "cache_levels", cache_levels, .rules = CM_OPTIONAL | CM_OMITTED, .noun = "levels of caches",
          .limits = "'minimum': 1",
          .says = "Levels of data caches of the machine that was measured; missing if unknown. Facts of further levels "
                  "are neither tried nor confounded."),
    FIELD(WHOLE, "line_size", line_size, .rules = CM_OPTIONAL | CM_OMITTED, .noun = "bytes of a cache line",
          .limits = "'minimum': 1",
          .says = "Bytes of a cache line of the machine that was measured; missing if unknown."),
    LIST(ITEMS, "incomplete", incomplete, lack_count, .rules = CM_OPTIONAL | CM_OMITTED, .of = &lack_fields,
         .says = "The events that each benchmark lacks because the sweep was ended early."),
    LIST(ITEMS, "benchmarks", benchmarks, benchmark_count, .of = &benchmark_fields, .stream = &cm_benchmark_stream,
         .says = "One object a benchmark, in the order of bases/benchmarks.csv."),
    LIST(ITEMS, "cores", cores, core_count, .rules = CM_OPTIONAL | CM_OMITTED, .of = &core_fields,
         .limits = "'minItems': 1, 'maxItems': 8",
         .says = "Types of cores of a hybrid processor; missing if all cores are alike. Each benchmark then has a "
                 "`core`, and several have the same name."),
    LIST(ITEMS, "by_core", by_core, by_core_count, .rules = CM_OPTIONAL, .of = &by_core_fields, .when = has_cores,
         .says = "Of a hybrid processor: each metric on each type of cores."),
    LIST(ITEMS, "different_events", different, different_count, .rules = CM_OPTIONAL, .of = &different_fields,
         .when = has_cores,
         .says = "Of a hybrid processor: events of one name that do not count the same on all types of cores."),
    LIST(ITEMS, "tried_together", sets, set_count, .rules = CM_OPTIONAL, .of = &set_fields,
         .says = "Event sets that were tried on the machine that counted: definitions, alternatives, and definitions "
                 "side by side."),
    LIST(ITEMS, "unavailable", unavailable, unavailable_count, .rules = CM_OPTIONAL, .of = &unavailable_fields,
         .says = "Events that were not counted, and the reasons."),
};
const cm_fields cm_result_fields = {FIELDS(document_rows), .finish = cm_finish_document, .check = cm_check_document};
#undef OF
