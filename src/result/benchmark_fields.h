/* The fields of benchmarks. */

/* A threshold's evidence differs from the other's. */
#define THRESHOLD(which)                                                                                               \
    VALUE(FIGURE, "value", which.value, value, .rules = CM_NULLABLE, .number = INFINITY)                               \
    VALUE(WORD, "source", which.source, source, .words = &sources)                                                     \
    VALUE(TEXT, "reason", which.reason, reason, .limits = "'minLength': 1")                                            \
    VALUE(OBJECT, "evidence", which.evidence, evidence, .rules = CM_OPTIONAL | CM_OMITTED, .of = &which##_fields)

#define OF cm_read_benchmark
BEGIN(tau_threshold, double value, cm_threshold_source source, const char *reason, const cm_read_evidence *evidence)
THRESHOLD(tau)
END(tau_threshold)

BEGIN(alpha_threshold, double value, cm_threshold_source source, const char *reason, const cm_read_evidence *evidence)
THRESHOLD(alpha)
END(alpha_threshold)

PLAIN(threshold)
LATER(PART, "tau", tau.reason, .of = &tau_threshold_fields)
LATER(PART, "alpha", alpha.reason, .of = &alpha_threshold_fields)
END(threshold)

BEGIN(benchmark_control, const char *const *names, const double *iterations, size_t count)
VALUES(NAMES, "kernels", listed.controls, names, listed.control_count, count, .gives = CM_LENGTH_CONTROLS)
VALUE(NUMBERS, "iterations", listed.control_iterations, iterations, .length = CM_LENGTH_CONTROLS,
      .rules = CM_NULL_ELEMENTS, .number = INFINITY, .limits = FIGURES,
      .says = "Of a run, one a control; null: unknown.")
END(benchmark_control)

BEGIN(benchmark_law, const cm_evidence *from, const cm_defined_kernel *kernels)
VALUE(FIGURE, "interference", listed.interference, cm_counted_law_setup(from->law)->interference,
      .says = "The largest share of hits in caches that a neighbour moved one level down.")
VALUES(ITEMS, "kernels", listed.law_kernels, kernels, listed.law_count, kernels != NULL ? from->law_count : 0,
       .of = &kernel_fields, .gives = CM_LENGTH_LAW)
END(benchmark_law)

#define STATUS(name_, status)                                                                                          \
    VALUE(WHOLE, name_, status_counts[CM_EVENT_##status], from->status_counts[CM_EVENT_##status],                      \
          .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = name_ " events")
BEGIN(count, const cm_benchmark_result *from)
VALUE(WHOLE, "measured", listed.measured_count, cm_analysis_event_count(from->analysis),
      .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = "events measured")
VALUE(WHOLE, "unavailable", unavailable, from->unavailable, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
      .noun = "unavailable events")
STATUS("zero", ZERO)
STATUS("noisy", NOISY)
STATUS("unrepresentable", UNREPRESENTABLE)
STATUS("dependent", DEPENDENT)
STATUS("selected", SELECTED)
VALUE(WHOLE, "avoided", status_counts[CM_EVENT_AVOIDED], from->status_counts[CM_EVENT_AVOIDED], .rules = CM_OPTIONAL,
      .noun = "avoided events")
END(count)

BEGIN(cost, const cm_event_analysis *from)
VALUE(TEXT, "event", cycles, from->event, .limits = "'minLength': 1")
VALUE(NUMBERS, "cycles", costs, from->representation, .length = CM_LENGTH_SYMBOLS)
END(cost)

BEGIN(benchmark, const cm_benchmark_result *from)
VALUE(TEXT, "benchmark", listed.benchmark, from->benchmark, .limits = "'minLength': 1")
VALUE(TEXT, "core", listed.core, from->core, .rules = CM_OPTIONAL | CM_OMITTED, .text = "", .limits = "'minLength': 1",
      .says = "Of a hybrid processor: the type of cores on which it was counted, one of `cores`.")
VALUE(FIGURE, "tau", listed.tau, from->thresholds.tau, .rules = CM_NULLABLE, .number = INFINITY,
      .says = "Noise above it drops an event; null: no limit.")
VALUE(FIGURE, "alpha", listed.alpha, from->thresholds.alpha, .limits = "'exclusiveMinimum': 0, 'exclusiveMaximum': 1",
      .says = "Rounding tolerance.")
VALUE(FIGURE, "residual", listed.residual, from->thresholds.residual,
      .says = "Tolerated residual of an event, and misfit of a composable metric.")
VALUE(FIGURE, "quantum", quantum, from->thresholds.quantum, .rules = CM_OPTIONAL,
      .says = "Counts per iteration were rounded to its multiples; 0: they were not.")
VALUE(FIGURE, "amplification", listed.amplification, from->thresholds.amplification, UNKNOWN_BEFORE,
      .limits = "'exclusiveMinimum': 0", .says = "Largest amplification of a composable metric.")
LATER(PART, "thresholds", tau.reason, .rules = CM_OPTIONAL, .of = &threshold_fields,
      .says = "The sources of tau and alpha, and the reasons for them; with auto also the evidence of the data.")
VALUES(NAMES, "kernels", listed.kernels, (const char *const *)from->basis->kernels, listed.kernel_count,
       from->basis->kernel_count, .gives = CM_LENGTH_KERNELS,
       .says = "Rows of the basis: the kernels that were measured.")
VALUES(NAMES, "symbols", listed.symbols, (const char *const *)from->basis->symbols, listed.symbol_count,
       from->basis->symbol_count, .gives = CM_LENGTH_SYMBOLS,
       .says = "Columns of the basis, and elements of representations and signatures.")
VALUES(NAMES, "dropped_symbols", dropped, (const char *const *)from->dropped_symbols, dropped_count,
       from->dropped_symbol_count, .rules = CM_OPTIONAL,
       .says = "Symbols of the whole basis that no measured kernel has.")
LATER(PART, "controls", listed.controls, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &benchmark_control_fields,
      .says = "Control kernels of the benchmark's own table, and at the end perhaps the difference of two of them "
              "(`random.25 - random.75`): nothing is fitted to them, and definitions are held to them. null by the "
              "paper's method.")
LATER(PART, "law", listed.law_kernels, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &benchmark_law_fields,
      .says = "The evidence of the law, by which a sum of events can be judged again: every kernel of the sweep, "
              "of any benchmark, whose facts are known. null by the paper's method.")
LATER(PART, "counts", listed.benchmark, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .of = &count_fields,
      .says = "Numbers of events by status; zero to avoided add up to measured.")
LATER(NAMES, "selected", selected, COUNT(selected_count), .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
      .says = "In the order of the pivoting.")
LATER(PART, "costs", costs, .rules = CM_OPTIONAL | CM_OMITTED, .of = &cost_fields,
      .says = "An event whose cycles are a sum of the instructions' costs, as on cores that execute in order, and "
              "the cost of an instruction of each symbol. Missing if there is none.")
LATER(ITEMS, "events", events, COUNT(listed.event_count), .of = &event_fields, .noun = "event",
      .stream = &cm_event_stream, .says = "In the order of the measurement table.")
LATER(MAP, "code_names", codes, COUNT(code_count), .rules = CM_OPTIONAL | CM_OMITTED, .of = &code_fields,
      .says = "Names in a table for events that are named by their codes and that definitions may use.")
LATER(ITEMS, "metrics", metrics, COUNT(metric_count), .of = &cm_result_metric_fields, .noun = "metric",
      .stream = &cm_metric_stream, .says = "In the order of the signatures.")
END(benchmark, .finish = cm_finish_benchmark, .check = cm_check_benchmark, .title = "benchmark")
#undef OF
