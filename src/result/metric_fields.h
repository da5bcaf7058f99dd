/* The fields of metrics. */

#define OF cm_defined_metric
BEGIN(metric, const metric_source *from)
VALUE(TEXT, "metric", metric, from->signature->metric, .limits = "'minLength': 1")
VALUE(TEXT, "preset", preset, from->signature->preset, .says = "The PAPI preset that it is; empty: none.")
VALUE(TEXT, "description", description, from->signature->description, .rules = CM_OPTIONAL, .text = "")
VALUE(NUMBERS, "signature", signature, from->signature->values, .length = CM_LENGTH_SYMBOLS,
      .says = "Coordinates over the symbols.")
LATER(ITEMS, "terms", solved, COUNT(solved_count), .of = &solved_fields, .noun = "event",
      .says = "The events of the definition with their coefficients as solved; by the paper's method every selected "
              "event. Empty if the metric is not measurable.")
VALUE(FIGURE, "backward_error", solved_backward_error, from->solved->backward_error, UNKNOWN)
VALUE(FIGURE, "misfit", solved_misfit, from->solved->misfit, UNKNOWN)
VALUE(FIGURE, "amplification", solved_amplification, from->solved->amplification, UNKNOWN)
LATER(ITEMS, "definition", terms, COUNT(term_count), .of = &term_fields, .noun = "event",
      .says = "The terms with rounded coefficients, without those that round to 0.")
VALUE(FIGURE, "definition_backward_error", backward_error, from->rounded->backward_error, UNKNOWN)
VALUE(FIGURE, "definition_misfit", misfit, from->rounded->misfit, UNKNOWN)
VALUE(FIGURE, "definition_amplification", amplification, from->rounded->amplification, UNKNOWN)
VALUE(OBJECT, "check", check, check_of(from), .rules = CM_OPTIONAL | CM_NULLABLE, .of = &check_fields,
      .says = "The definition on each kernel, in the order of `kernels`; null: the metric is not measurable.")
LATER(NUMBER, "constant", constant, .rules = CM_OPTIONAL,
      .says = "A constant to add to the definition per iteration: minus the offsets of its events, 0 without "
              "--with-offset.")
LATER(ITEMS, "alternatives", alternatives, COUNT(alternative_count), .rules = CM_OPTIONAL,
      .of = &cm_result_alternative_fields, .limits = "'maxItems': 2",
      .says = "Composable definitions from other events, which share no event with one before, or one event if no "
              "other definition exists.")
LATER(OBJECT, "limited", limited, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_alternative_fields,
      .says = "With --max-events: the best definition with at most so many events; null: not asked for, or the "
              "definition has no more.")
VALUE(OBJECT, "firmness", firmness, firmness_of(from), .rules = CM_OPTIONAL | CM_NULLABLE, .of = &firmness_fields,
      .says = "The range of each threshold, the other one unchanged, that gives the same definition: [from, to]; "
              "null as an end: no limit. alpha was tried from 1e-12 to 0.5.")
VALUE(BOOL, "composable", composable, is_usable(from) && !cm_fit_is_ranged(from->result, from->metric),
      .says = "Whether the definition measures the metric in every class of natural programs. If it does so in a "
              "range alone, this is false and `valid_above` is not null.")
VALUE(BOOL, "measurable", measurable, from->fit != NULL, .rules = CM_OPTIONAL, .number = 1.0,
      .says = "False: none of its kernels was run on this machine, or none of a part that it needs.")
VALUE(OBJECT, "controls", controls, controls_of(from), .rules = CM_OPTIONAL | CM_NULLABLE,
      .of = &cm_result_control_fields,
      .says = "The number of control kernels, to which nothing was fitted, that judged the definition, and its "
              "deviation on the worst, relative to the metric there or, if that is small, to the limit. null: "
              "there are none, or by the paper's method.")
VALUE(FIGURE, "resolution", resolution, from->proof != NULL ? from->proof->resolution : NAN, UNKNOWN_BEFORE,
      .says = "The smallest relative overcount of a symbol that would have been noticed; null: unknown.")
LATER(TEXTS, "confounded_with", confounded, COUNT(confounded_count), .rules = CM_OPTIONAL,
      .says =
          "Facts and pairs of facts that no kernel distinguishes from those that the definition counts: first all "
          "facts that no kernel has and that may matter (`l1d_store_miss, which no kernel has`), and those that the "
          "law leaves open; until there are 20 names (facts that no kernel has are not among these 20 if they are more "
          "than 12), pairs that no kernel has side by side (`stores_32 beside loads_64, which no kernel has`; of more "
          "than three pairs of one fact that fact alone, `stores_32 beside others, which no kernel has`), and facts "
          "that go together (`a, b, which no kernel distinguishes`); then up to five events, each with an event of the "
          "definition that it equals on every kernel; and a sentence if there are no control kernels.")
LATER(WHOLE, "confounded_more", confounded_more, .rules = CM_OPTIONAL,
      .says = "The number of further such facts or pairs, which are not named.")
VALUE(NUMBERS, "symbol_deviations", symbol_deviations, deviations_of(from), .length = CM_LENGTH_SYMBOLS,
      .rules = CM_OPTIONAL | CM_NULLABLE | CM_NULL_ELEMENTS,
      .says = "One a symbol: its weight in the definition less that in the signature; null: no definition, or by "
              "the paper's method.")
VALUE(TEXT, "refused", refused, refused_text(from), .rules = CM_OPTIONAL | CM_NULLABLE,
      .says = "The reason why no definition holds, with figures; null: one holds, or by the paper's method.")
VALUE(OBJECT, "validation", programs,
      fill_trial(cm_benchmark_result_validation(from->result, from->metric), from->filler),
      .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_trial_fields,
      .says = "The outcome of the definition in programs that were not used for fitting; null: there were none.")
LATER(PART, NULL, metric, .of = &cm_result_law_fields)
LATER(PART, NULL, metric, .of = &cm_result_together_fields)
VALUE(TEXT, "meaning", meaning, meaning_of(from->signature), .rules = CM_OPTIONAL | CM_NULLABLE,
      .limits = "'minLength': 1",
      .says = "The meaning of the metric, an expression over facts; null: the signatures have none.")
VALUE(TEXT, "lacks", lacks, from->result->lacking[from->metric] != NULL ? from->result->lacking[from->metric] : "",
      .rules = CM_OPTIONAL | CM_NULLABLE, .text = "",
      .says = "The part that it needs and that was not run, in words, such as half precision; null: none.")
LATER(PART, "held_to", control_low, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &held_fields,
      .says = "The lowest and highest value that the metric may have on each of the benchmark's controls, and the "
              "largest error of a sum of events beside three standard errors and its strays. null: there are no "
              "controls, or its meaning there is unknown.")
VALUE(OBJECT, "workloads", workloads,
      fill_trial(cm_benchmark_result_workloads(from->result, from->metric), from->filler),
      .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_trial_fields,
      .says = "The same for workloads (--workloads): STREAM, matrix products and others; the seed is 0. null: "
              "there were none.")
UNWRITTEN(symbol_count, from->result->basis->symbol_count)
UNWRITTEN(obstacle, obstacle_of(from, filled))
SHARED(metric, .finish = cm_finish_metric, .check = cm_check_metric, .title = "metric", .limits = unmeasurable)
#undef OF
