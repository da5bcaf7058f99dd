/* The fields of a metric's parts: terms, evidence, alternatives. */

#define OF cm_defined_equivalent
BEGIN(equivalent, const cm_event_analysis *event, double factor)
VALUE(TEXT, "event", event, event->event, .limits = "'minLength': 1")
VALUE(NUMBER, "factor", factor, factor)
VALUE(FIGURE, "max_rnmse", max_rnmse, event->max_rnmse, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES | CM_NULLABLE,
      .number = NAN)
LATER(WORD, "together", together, .rules = CM_OPTIONAL, .words = &together_words,
      .says = "Of the definition with this event in the other's place.")
SHARED(equivalent, .check = cm_check_equivalent)
#undef OF

#define OF cm_defined_term
BEGIN(bare_term, const char *event, double coefficient)
VALUE(TEXT, "event", event, event, .limits = "'minLength': 1")
VALUE(NUMBER, "coefficient", coefficient, coefficient)
SHARED(bare_term, .check = cm_check_term)

BEGIN(solved, const cm_event_analysis *event, double coefficient, const double *interval)
VALUE(TEXT, "event", event, event->event, .limits = "'minLength': 1")
VALUE(BOOL, "selected", selected, event->status == CM_EVENT_SELECTED, .rules = CM_OPTIONAL,
      .says = "Whether the event is selected.")
VALUE(NUMBER, "coefficient", coefficient, coefficient)
VALUE(NUMBERS, "interval", interval, interval, .length = CM_LENGTH_TWO, .rules = CM_OPTIONAL | CM_NULLABLE,
      .says = "An interval that holds the true coefficient with a probability of 95 %; null: unknown.")
END(solved, .check = cm_check_term)

BEGIN(term, const char *event, double coefficient)
VALUE(TEXT, "event", event, event, .limits = "'minLength': 1")
VALUE(NUMBER, "coefficient", coefficient, coefficient)
LATER(ITEMS, "equivalents", equivalents, COUNT(equivalent_count), .rules = CM_OPTIONAL,
      .of = &cm_result_equivalent_fields, .limits = "'maxItems': 20",
      .says = "Events that may replace this one: first those that can be counted together with the definition's "
              "other events, then the least noisy. Each counts `factor` times as much, within alpha.")
END(term, .finish = cm_finish_term, .check = cm_check_term)
#undef OF

#define OF cm_defined_check
BEGIN(check, const cm_fit_check *from)
VALUE(NUMBERS, "expected", expected, from->expected, .length = CM_LENGTH_KERNELS,
      .says = "The metric's values by its signature.")
VALUE(NUMBERS, "raw", raw, from->raw, .length = CM_LENGTH_KERNELS, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
      .says = "Values of the terms as solved, from the measured counts per iteration.")
VALUE(NUMBERS, "rounded", rounded, from->rounded, .length = CM_LENGTH_KERNELS, .says = "Values of the definition.")
VALUE(FIGURE, "worst", worst, from->worst,
      .says = "Largest deviation of rounded from expected, relative to the largest expected value.")
END(check)
#undef OF

#define OF cm_defined_firmness
BEGIN(firmness, const cm_definition_stability *from)
VALUE(NUMBERS, "alpha", alpha, from->alpha, .length = CM_LENGTH_TWO, .rules = CM_NULL_ELEMENTS, .limits = FIGURES)
VALUE(NUMBERS, "tau", tau, from->tau, .length = CM_LENGTH_TWO, .rules = CM_NULL_ELEMENTS, .limits = FIGURES)
END(firmness)
#undef OF

#define OF cm_defined_controls
BEGIN(control, const cm_verdict *from)
VALUE(WHOLE, "kernels", kernels, from->controls, .noun = "kernels", .limits = "'minimum': 1")
VALUE(FIGURE, "worst", worst, from->worst_control, UNKNOWN)
SHARED(control)
#undef OF

#define OF cm_defined_outcome
BEGIN(outcome, const cm_validation_outcome *from)
VALUE(TEXT, "program", program, from->program)
VALUE(NUMBER, "expected", expected, from->expected, .says = "The metric's value by the program's facts.")
VALUE(FIGURE, "range", range, from->range, .says = "The largest error of that.")
VALUE(NUMBER, "measured", measured, from->measured, .says = "The definition's value from the counts.")
END(outcome)
#undef OF

#define OF cm_defined_trial
BEGIN(trial, const cm_validation *from, const cm_defined_outcome *outcomes)
VALUE(WHOLE, "programs", programs, from->programs, .noun = "programs", .limits = "'minimum': 1",
      .says = "The number of programs that judged the definition.")
VALUE(WHOLE, "seed", seed, from->seed, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = "as its seed",
      .number = 0x1p53)
VALUE(WHOLE, "failed", failed, from->failed, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = "programs that failed",
      .says = "Programs in which it is off by more than 1.5 times the residual tolerance.")
VALUE(FIGURE, "worst", worst, from->worst, UNKNOWN, .says = "Largest relative deviation.")
VALUE(FIGURE, "median", median, from->median, UNKNOWN,
      .says = "The largest median of a class of programs. Above 1.5 times the residual tolerance the definition "
              "is refuted, and not composable.")
VALUE(TEXT, "class", worst_class, from->worst_class, .rules = CM_OPTIONAL, .text = "",
      .says = "The class of natural programs with that median (bases/natural-programs.csv); empty: programs in "
              "free proportions, or workloads.")
VALUE(TEXT, "refuted_by", refuted_by, from->refuted ? from->worst_program : NULL,
      .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES | CM_NULLABLE,
      .says = "The worst program and its most frequent part; null: the definition held.")
VALUE(TEXT, "worst_program", worst_program, from->worst_program, .rules = CM_OPTIONAL, .text = "",
      .says = "The same, whether or not the definition held.")
VALUES(ITEMS, "outcomes", outcomes, outcomes, outcome_count, outcomes != NULL ? from->outcome_count : 0,
       .rules = CM_OPTIONAL, .of = &outcome_fields, .says = "Programs that judged it, 32 at most.")
SHARED(trial)
#undef OF

#define OF cm_defined_metric
BEGIN(together, cm_counted_together together, const char *const *refusing)
VALUE(WORD, "together", together, together, .rules = CM_OPTIONAL, .words = &together_words,
      .says = "Whether one event set takes the definition's events: they were added and started on the machine "
              "that counted them.")
VALUES(NAMES, "refuse_each_other", refusing, refusing, refusing_count, 0, .rules = CM_OPTIONAL,
       .says = "If \"no\": the events of the definition of which no set takes all; without any one of them the "
               "others can be counted.")
SHARED(together)

BEGIN(held, const double *bounds, size_t count)
VALUE(NUMBERS, "low", control_low, bounds, .length = CM_LENGTH_CONTROLS, .rules = CM_NULL_ELEMENTS)
VALUE(NUMBERS, "high", control_high, bounds + count, .length = CM_LENGTH_CONTROLS, .rules = CM_NULL_ELEMENTS)
VALUE(NUMBERS, "limits", control_limits, bounds + 2 * count, .length = CM_LENGTH_CONTROLS, .rules = CM_NULL_ELEMENTS)
END(held)

BEGIN(alternative, const cm_definition *from, const cm_defined_term *terms)
VALUES(ITEMS, "definition", terms, terms, term_count, terms != NULL ? from->count : 0,
       .of = &cm_result_bare_term_fields, .noun = "event")
VALUE(FIGURE, "backward_error", backward_error, from->fitness.backward_error, UNKNOWN)
VALUE(FIGURE, "misfit", misfit, from->fitness.misfit, UNKNOWN)
VALUE(FIGURE, "amplification", amplification, from->fitness.amplification, UNKNOWN)
VALUE(BOOL, "composable", composable, from->composable && !cm_is_ranged(from->open_questions))
UNWRITTEN(usable, from->composable)
LATER(TEXTS, "confounded_with", confounded, COUNT(confounded_count), .rules = CM_OPTIONAL, .when = is_judged,
      .says = "As of the definition; missing by the paper's method.")
LATER(PART, NULL, confounded, .rules = CM_OMITTED, .of = &cm_result_law_fields)
LATER(PART, NULL, metric, .of = &cm_result_together_fields, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES)
SHARED(alternative, .finish = cm_finish_alternative)
#undef OF
