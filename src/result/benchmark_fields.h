/* The fields of events, of the evidence of a benchmark, and of benchmarks. */

#define OF cm_defined_event
BEGIN(event_control, const double *counts, size_t count, double strays)
VALUE(NUMBERS, "counts", control_counts, counts, .length = CM_LENGTH_CONTROLS, .rules = CM_NULL_ELEMENTS,
      .says = "Mean counts per iteration, one a control.")
VALUE(NUMBERS, "errors", control_errors, counts + count, .length = CM_LENGTH_CONTROLS, .rules = CM_NULL_ELEMENTS,
      .limits = FIGURES, .says = "Their standard errors.")
VALUE(FIGURE, "strays", control_strays, strays, .says = "Counts that a run may add beside these.")
END(event_control)

BEGIN(event_law, const size_t *places, const double *means, size_t count, double strays)
VALUES(PLACES, "places", law_places, places, law_count, count, .length = CM_LENGTH_LAW,
       .says = "Indices into the benchmark's `law.kernels`, rising.")
VALUES(NUMBERS, "means", law_means, means, law_count, count, .rules = CM_NULL_ELEMENTS,
       .says = "Mean counts per iteration; null: the event was not counted on that kernel.")
VALUES(NUMBERS, "errors", law_errors, means != NULL ? means + count : NULL, law_count, count, .rules = CM_NULL_ELEMENTS,
       .limits = FIGURES, .says = "Their standard errors.")
VALUE(FIGURE, "strays", control_strays, strays, .says = "Counts that a run may add beside these.")
LATER(NUMBERS, "runs", law_runs, COUNT(law_run_count), .rules = CM_OPTIONAL | CM_OMITTED | CM_NULL_ELEMENTS,
      .says = "If repetitions differ: the counts of each repetition, as many of each kernel. Sums of such events "
              "may be exact.")
END(event_law)

BEGIN(event, const cm_event_analysis *from, const char *equivalent_to)
VALUE(TEXT, "event", event, from->event, .limits = "'minLength': 1")
VALUE(WORD, "status", status, from->status, .words = &cm_result_statuses)
VALUE(FIGURE, "max_rnmse", max_rnmse, from->max_rnmse, UNKNOWN, .says = "Largest difference between two repetitions.")
VALUE(FIGURE, "residual", residual, from->residual, UNKNOWN,
      .says = "Part of the counts that no combination of ideal events explains.")
VALUE(NUMBER, "offset", offset, from->offset, UNKNOWN_BEFORE,
      .says = "Constant count per iteration beside the representation; 0: none was found.")
VALUE(NUMBERS, "representation", representation, from->representation, .length = CM_LENGTH_SYMBOLS,
      .rules = CM_NULLABLE, .says = "Coordinates over the symbols; null: not computed.")
VALUE(NUMBERS, "counts", counts, from->status == CM_EVENT_UNREPRESENTABLE ? from->mean : NULL,
      .length = CM_LENGTH_KERNELS, .rules = CM_OPTIONAL | CM_NULLABLE, .when = is_unrepresentable,
      .says = "Of an unrepresentable event: mean counts per iteration, in the order of `kernels`; null: the "
              "table was too large for memory. Counts of others follow from their representation.")
LATER(PART, "controls", control_counts, .rules = CM_OPTIONAL | CM_NULLABLE | CM_OMITTED, .of = &event_control_fields,
      .says = "Its counts on the benchmark's controls. Written for usable events and for the first of those that "
              "are zero.")
LATER(PART, "law", law_places, .rules = CM_OPTIONAL | CM_NULLABLE | CM_OMITTED, .of = &event_law_fields,
      .says = "Its counts on the kernels of the benchmark's `law`, if not zero. Written for usable events and for "
              "the first of those that are zero.")
VALUE(TEXT, "equivalent_to", equivalent_to, equivalent_to, .rules = CM_NULLABLE,
      .says = "The selected event of which this one is a multiple.")
END(event, .check = cm_check_event, .title = "event")
#undef OF

#define OF cm_read_plateau
BEGIN(plateau, const cm_alpha_plateau *found, bool taken)
VALUE(NUMBER, "low", low, found->low)
VALUE(NUMBER, "high", high, found->high)
VALUE(WHOLE, "selected", selected, found->selected, .noun = "selected events")
VALUE(NUMBER, "counts_from", from, found->from, UNKNOWN_BEFORE,
      .says = "The alpha from which the range counts, half the largest noise of its events; null: it does not "
              "count, since noise alone separates one of them from the others.")
VALUE(BOOL, "taken", taken, taken)
END(plateau)
#undef OF

#define OF cm_read_evidence
BEGIN(tau, const cm_tau_choice *from)
VALUE(NUMBERS, "gap", gap, from->refused ? NULL : from->gap, .length = CM_LENGTH_TWO,
      .rules = CM_OPTIONAL | CM_NULLABLE, .says = "The variabilities on both sides of the widest gap; null: refused.")
VALUE(WHOLE, "quiet", quiet, from->quiet, .rules = CM_OPTIONAL, .noun = "quiet events", .says = "Events below the gap.")
VALUE(WHOLE, "needed", needed, from->needed, .rules = CM_OPTIONAL, .noun = "needed events",
      .says = "The number of the quietest events that together measure all that true events measure; the gap is "
              "behind them.")
VALUES(NUMBERS, "variabilities", variabilities, from->variabilities, variability_count, from->count,
       .rules = CM_OPTIONAL, .says = "max_rnmse of every event that is not zero, sorted.")
END(tau)

BEGIN(alpha, const cm_alpha_choice *from, const cm_read_plateau *plateaus)
VALUE(NUMBER, "lowest", lowest, from->lowest, .rules = CM_OPTIONAL, .says = "The smallest value tried.")
VALUE(NUMBER, "highest", highest, from->highest, .rules = CM_OPTIONAL, .says = "The largest value tried.")
VALUES(ITEMS, "plateaus", plateaus, plateaus, plateau_count, from->count, .rules = CM_OPTIONAL, .of = &plateau_fields,
       .says = "Ranges with the same selected events, or with others that count the same, ascending.")
END(alpha)
#undef OF

#define OF cm_defined_kernel
BEGIN(kernel, const cm_evidence *from, size_t place)
VALUE(TEXT, "benchmark", benchmark, from->law_kernels[place].facts->benchmark, .limits = "'minLength': 1")
VALUE(TEXT, "kernel", kernel, from->law_kernels[place].facts->kernel, .limits = "'minLength': 1")
VALUE(FIGURE, "iterations", iterations, from->problem.iterations[cm_evidence_law_row(from, place)],
      .rules = CM_NULLABLE, .number = INFINITY, .says = "Of a run; null: unknown.")
VALUE(WORD, "part", part, cm_evidence_law_part(from, place, filled->difference_of), .words = &parts,
      .says = "fitted: of the benchmark's basis. free: for facts on which vendors disagree. difference: the first "
              "of the two kernels `of` less the second.")
LATER(PAIR, "of", difference_of, .when = is_difference)
END(kernel)
#undef OF

#define OF cm_named_code
BEGIN(code, const char *event, const char *const *list, size_t count)
VALUE(TEXT, "event", event, event)
VALUES(NAMES, "names", list, list, count, count, .limits = "'minItems': 1")
END(code, .finish = cm_finish_code)
#undef OF

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
UNWRITTEN(with_offset, from->with_offset)
UNWRITTEN(varying, from->varying)
END(count)

BEGIN(cost, const cm_event_analysis *from)
VALUE(TEXT, "event", cycles, from->event, .limits = "'minLength': 1")
VALUE(NUMBERS, "cycles", costs, from->representation, .length = CM_LENGTH_SYMBOLS)
UNWRITTEN(unexplained, from->residual)
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
      .says = "In the order of the signatures.")
UNWRITTEN(max_events, from->max_events)
UNWRITTEN(not_run, from->dropped_kernel_count)
END(benchmark, .finish = cm_finish_benchmark, .check = cm_check_benchmark, .title = "benchmark")
#undef OF
