/* The fields of events, and of the evidence of a benchmark. */

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
