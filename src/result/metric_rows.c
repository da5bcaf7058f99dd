/* The fields of metrics. */
#include "sweep/record/record.h"
#include "result/result.h"
#include "result/rows.h"

static const char *text_of_together(int together)
{
    return cm_together_text((cm_counted_together)together);
}

const cm_field_words cm_together_words = {text_of_together, CM_TOGETHER_NO + 1, "yes, no or unknown", NULL};

/* ---- terms ---- */

#define OF cm_defined_equivalent
static const cm_field equivalent_rows[] = {
    FIELD(TEXT, "event", event, .limits = "'minLength': 1"),
    FIELD(NUMBER, "factor", factor),
    FIELD(FIGURE, "max_rnmse", max_rnmse, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES | CM_NULLABLE, .number = NAN),
    FIELD(WORD, "together", together, .rules = CM_OPTIONAL, .words = &cm_together_words,
          .says = "Of the definition with this event in the other's place."),
};
const cm_fields cm_result_equivalent_fields = {FIELDS(equivalent_rows), .check = cm_check_equivalent};
#undef OF

#define OF cm_defined_term
static const cm_field bare_rows[] = {FIELD(TEXT, "event", event, .limits = "'minLength': 1"),
                                     FIELD(NUMBER, "coefficient", coefficient)};
const cm_fields cm_bare_term_fields = {FIELDS(bare_rows), .check = cm_check_term};

static const cm_field solved_rows[] = {
    FIELD(TEXT, "event", event, .limits = "'minLength': 1"),
    FIELD(BOOL, "selected", selected, .rules = CM_OPTIONAL, .says = "Whether the event is selected."),
    FIELD(NUMBER, "coefficient", coefficient),
    NUMBERS("interval", interval, TWO, .rules = CM_OPTIONAL | CM_NULLABLE,
            .says = "An interval that holds the true coefficient with a probability of 95 %; null: unknown."),
};
static const cm_fields solved_fields = {FIELDS(solved_rows), .check = cm_check_term};

static const cm_field term_rows[] = {
    FIELD(TEXT, "event", event, .limits = "'minLength': 1"),
    FIELD(NUMBER, "coefficient", coefficient),
    LIST(ITEMS, "equivalents", equivalents, equivalent_count, .rules = CM_OPTIONAL, .of = &cm_result_equivalent_fields,
         .limits = "'maxItems': 20",
         .says = "Events that may replace this one: first those that can be counted together with the definition's "
                 "other events, then the least noisy. Each counts `factor` times as much, within alpha."),
};
static const cm_fields term_fields = {FIELDS(term_rows), .finish = cm_finish_term, .check = cm_check_term};
#undef OF

/* ---- members of a metric ---- */

#define OF cm_defined_check
static const cm_field check_rows[] = {
    NUMBERS("expected", expected, KERNELS, .says = "The metric's values by its signature."),
    NUMBERS("raw", raw, KERNELS, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
            .says = "Values of the terms as solved, from the measured counts per iteration."),
    NUMBERS("rounded", rounded, KERNELS, .says = "Values of the definition."),
    FIELD(FIGURE, "worst", worst,
          .says = "Largest deviation of rounded from expected, relative to the largest expected value."),
};
static const cm_fields check_fields = {FIELDS(check_rows)};
#undef OF

#define OF cm_defined_firmness
static const cm_field firmness_rows[] = {
    NUMBERS("alpha", alpha, TWO, .rules = CM_NULL_ELEMENTS),
    NUMBERS("tau", tau, TWO, .rules = CM_NULL_ELEMENTS),
};
static const cm_fields firmness_fields = {FIELDS(firmness_rows)};
#undef OF

#define OF cm_defined_controls
static const cm_field control_rows[] = {FIELD(WHOLE, "kernels", kernels, .noun = "kernels", .limits = "'minimum': 1"),
                                        FIGURE("worst", worst)};
const cm_fields cm_result_control_fields = {FIELDS(control_rows)};
#undef OF

#define OF cm_defined_outcome
static const cm_field outcome_rows[] = {
    FIELD(TEXT, "program", program),
    FIELD(NUMBER, "expected", expected, .says = "The metric's value by the program's facts."),
    FIELD(NUMBER, "range", range, .says = "The largest error of that."),
    FIELD(NUMBER, "measured", measured, .says = "The definition's value from the counts."),
};
static const cm_fields outcome_fields = {FIELDS(outcome_rows)};
#undef OF

#define OF cm_defined_trial
static const cm_field trial_rows[] = {
    FIELD(WHOLE, "programs", programs, .noun = "programs", .limits = "'minimum': 1",
          .says = "The number of programs that judged the definition."),
    FIELD(WHOLE, "seed", seed, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = "as its seed", .number = 0x1p53),
    FIELD(WHOLE, "failed", failed, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .noun = "programs that failed",
          .says = "Programs in which it is off by more than 1.5 times the residual tolerance."),
    FIGURE("worst", worst, .says = "Largest relative deviation."),
    FIGURE("median", median,
           .says = "The largest median of a class of programs. Above 1.5 times the residual tolerance the definition "
                   "is refuted, and not composable."),
    FIELD(TEXT, "class", worst_class, .rules = CM_OPTIONAL, .text = "",
          .says = "The class of natural programs with that median (bases/natural-programs.csv); empty: programs in "
                  "free proportions, or workloads."),
    FIELD(TEXT, "refuted_by", refuted_by, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES | CM_NULLABLE,
          .says = "The worst program and its most frequent part; null: the definition held."),
    FIELD(TEXT, "worst_program", worst_program, .rules = CM_OPTIONAL, .text = "",
          .says = "The same, whether or not the definition held."),
    LIST(ITEMS, "outcomes", outcomes, outcome_count, .rules = CM_OPTIONAL, .of = &outcome_fields,
         .says = "Programs that judged it, 32 at most."),
};
const cm_fields cm_result_trial_fields = {FIELDS(trial_rows)};
#undef OF

#define OF cm_defined_leak
static const cm_field leak_rows[] = {
    FIELD(TEXT, "fact", fact, .says = "A fact, a sum of facts or the lesser of two, min(a, b)."),
    FIGURE("at_most", at_most),
    FIELD(BOOL, "found", found, .rules = CM_OPTIONAL, .number = 1.0,
          .says = "True: the leak was found, and acts together with all others found. False: the kernels leave it "
                  "open, and one at a time may act."),
};
static const cm_fields leak_fields = {FIELDS(leak_rows)};
#undef OF

#define OF cm_defined_range
static const cm_field range_rows[] = {
    FIELD(TEXT, "fact", fact, .says = "The meaning of the metric: a fact, or a sum of facts."),
    FIELD(TEXT, "per", per, .says = "As `fact` of `leaks`."), FIELD(FIGURE, "share", share)};
static const cm_fields range_fields = {FIELDS(range_rows)};
#undef OF

/* ---- metrics ---- */

#define OF cm_defined_metric
static const cm_field law_rows[] = {
    LIST(TEXTS, "also_counts", also_counts, also_count, .rules = CM_OPTIONAL,
         .says = "Facts on which vendors disagree and which the definition counts beside its metric, in words: minima "
                 "and maxima, comparisons. No part of the verdict."),
    LIST(ITEMS, "leaks", leaks, leak_count, .rules = CM_OPTIONAL, .of = &leak_fields,
         .says = "Other facts that the definition may count, at most so much an occurrence, by which it may be off in "
                 "some natural program."),
    LIST(ITEMS, "open", open, open_count, .rules = CM_OPTIONAL, .of = &leak_fields,
         .says = "Leaks that matter less: half a percent of the metric or more in some natural program. A fact that "
                 "the kernels determine worse than to a twentieth of the metric's weight is not listed, unless vendors "
                 "disagree on it and the definition counts it (`found`)."),
    FIELD(FIGURE, "rest", rest, UNKNOWN_BEFORE,
          .says = "The sum of all leaks that are neither in `leaks` nor in `open`: at most so much an instruction in "
                  "natural programs. Null as `own`."),
    FIELD(FIGURE, "own", own, UNKNOWN_BEFORE,
          .says = "The largest relative miscount of each of the metric's own facts; null: no definition holds, or the "
                  "law did not judge it."),
    LIST(ITEMS, "valid_above", ranges, range_count, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &range_fields,
         .says = "The definition holds within 10 % in programs in which the metric, `fact`, is at least `share` of "
                 "`per`, for all entries; null: it holds in every class of natural programs, or nothing is known."),
    FIELD(FIGURE, "valid_share", range_share, UNKNOWN_BEFORE,
          .says = "The share of natural programs in which all of `valid_above` holds, among those in which the metric "
                  "is not 0; null without ranges."),
};
const cm_fields cm_result_law_fields = {FIELDS(law_rows)};

static const cm_field together_rows[] = {
    FIELD(WORD, "together", together, .rules = CM_OPTIONAL, .words = &cm_together_words,
          .says = "Whether one event set takes the definition's events: they were added and started on the machine "
                  "that counted them."),
    LIST(NAMES, "refuse_each_other", refusing, refusing_count, .rules = CM_OPTIONAL,
         .says = "If \"no\": the events of the definition of which no set takes all; without any one of them the "
                 "others can be counted."),
};
const cm_fields cm_result_together_fields = {FIELDS(together_rows)};

static const cm_field held_rows[] = {
    NUMBERS("low", control_low, CONTROLS, .rules = CM_NULL_ELEMENTS),
    NUMBERS("high", control_high, CONTROLS, .rules = CM_NULL_ELEMENTS),
    NUMBERS("limits", control_limits, CONTROLS, .rules = CM_NULL_ELEMENTS),
};
static const cm_fields held_fields = {FIELDS(held_rows)};

static bool is_judged(const void *alternative)
{
    return ((const cm_defined_metric *)alternative)->confounded != NULL;
}

static const cm_field alternative_rows[] = {
    LIST(ITEMS, "definition", terms, term_count, .of = &cm_bare_term_fields, .noun = "event"),
    FIGURE("backward_error", backward_error),
    FIGURE("misfit", misfit),
    FIGURE("amplification", amplification),
    FIELD(BOOL, "composable", composable),
    LIST(TEXTS, "confounded_with", confounded, confounded_count, .rules = CM_OPTIONAL, .when = is_judged,
         .says = "As of the definition; missing by the paper's method."),
    FIELD(PART, NULL, confounded, .rules = CM_OMITTED, .of = &cm_result_law_fields),
    FIELD(PART, NULL, metric, .of = &cm_result_together_fields, .rules = CM_OPTIONAL),
};
const cm_fields cm_result_alternative_fields = {FIELDS(alternative_rows), .finish = cm_finish_alternative};

static const cm_field metric_rows[] = {
    FIELD(TEXT, "metric", metric, .limits = "'minLength': 1"),
    FIELD(TEXT, "preset", preset, .says = "The PAPI preset that it is; empty: none."),
    FIELD(TEXT, "description", description, .rules = CM_OPTIONAL, .text = ""),
    NUMBERS("signature", signature, SYMBOLS, .says = "Coordinates over the symbols."),
    LIST(ITEMS, "terms", solved, solved_count, .of = &solved_fields, .noun = "event",
         .says = "The events of the definition with their coefficients as solved; by the paper's method every selected "
                 "event. Empty if the metric is not measurable."),
    FIGURE("backward_error", solved_backward_error),
    FIGURE("misfit", solved_misfit),
    FIGURE("amplification", solved_amplification),
    LIST(ITEMS, "definition", terms, term_count, .of = &term_fields, .noun = "event",
         .says = "The terms with rounded coefficients, without those that round to 0."),
    FIGURE("definition_backward_error", backward_error),
    FIGURE("definition_misfit", misfit),
    FIGURE("definition_amplification", amplification),
    FIELD(OBJECT, "check", check, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &check_fields,
          .says = "The definition on each kernel, in the order of `kernels`; null: the metric is not measurable."),
    FIELD(NUMBER, "constant", constant, .rules = CM_OPTIONAL,
          .says = "A constant to add to the definition per iteration: minus the offsets of its events, 0 without "
                  "--with-offset."),
    LIST(ITEMS, "alternatives", alternatives, alternative_count, .rules = CM_OPTIONAL,
         .of = &cm_result_alternative_fields, .limits = "'maxItems': 2",
         .says = "Composable definitions from other events, which share no event with one before, or one event if no "
                 "other definition exists."),
    FIELD(OBJECT, "limited", limited, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_alternative_fields,
          .says = "With --max-events: the best definition with at most so many events; null: not asked for, or the "
                  "definition has no more."),
    FIELD(OBJECT, "firmness", firmness, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &firmness_fields,
          .says = "The range of each threshold, the other one unchanged, that gives the same definition: [from, to]; "
                  "null as an end: no limit. alpha was tried from 1e-12 to 0.5."),
    FIELD(BOOL, "composable", composable,
          .says = "Whether the definition measures the metric in every class of natural programs. If it does so in a "
                  "range alone, this is false and `valid_above` is not null."),
    FIELD(BOOL, "measurable", measurable, .rules = CM_OPTIONAL, .number = 1.0,
          .says = "False: none of its kernels was run on this machine, or none of a part that it needs."),
    FIELD(OBJECT, "controls", controls, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_control_fields,
          .says = "The number of control kernels, to which nothing was fitted, that judged the definition, and its "
                  "deviation on the worst, relative to the metric there or, if that is small, to the limit. null: "
                  "there are none, or by the paper's method."),
    FIELD(FIGURE, "resolution", resolution, UNKNOWN_BEFORE,
          .says = "The smallest relative overcount of a symbol that would have been noticed; null: unknown."),
    LIST(TEXTS, "confounded_with", confounded, confounded_count, .rules = CM_OPTIONAL,
         .says = "Alternatives that no kernel distinguishes from the definition: in one entry all facts that no kernel "
                 "has and that may matter (`l1d_store_miss, nt_stores, which no kernel has`); up to 20 names of facts "
                 "that the law leaves open, or that no kernel has side by side (`stores_32 beside 12 facts, which no "
                 "kernel has`: up to three by name); events that count the same on every kernel; and a sentence if "
                 "there are no control kernels."),
    FIELD(WHOLE, "confounded_more", confounded_more, .rules = CM_OPTIONAL,
          .says = "The number of further such facts or pairs, which are not named."),
    NUMBERS("symbol_deviations", symbol_deviations, SYMBOLS, .rules = CM_OPTIONAL | CM_NULLABLE | CM_NULL_ELEMENTS,
            .says = "One a symbol: its weight in the definition less that in the signature; null: no definition, or by "
                    "the paper's method."),
    FIELD(TEXT, "refused", refused, .rules = CM_OPTIONAL | CM_NULLABLE,
          .says = "The reason why no definition holds, with figures; null: one holds, or by the paper's method."),
    FIELD(OBJECT, "validation", programs, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_trial_fields,
          .says = "The outcome of the definition in programs that were not used for fitting; null: there were none."),
    FIELD(PART, NULL, metric, .of = &cm_result_law_fields),
    FIELD(PART, NULL, metric, .of = &cm_result_together_fields),
    FIELD(TEXT, "meaning", meaning, .rules = CM_OPTIONAL | CM_NULLABLE, .limits = "'minLength': 1",
          .says = "The meaning of the metric, an expression over facts; null: the signatures have none."),
    FIELD(TEXT, "lacks", lacks, .rules = CM_OPTIONAL | CM_NULLABLE, .text = "",
          .says = "The part that it needs and that was not run, in words, such as half precision; null: none."),
    FIELD(PART, "held_to", control_low, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &held_fields,
          .says = "The lowest and highest value that the metric may have on each of the benchmark's controls, and the "
                  "largest error of a sum of events beside three standard errors and its strays. null: there are no "
                  "controls, or its meaning there is unknown."),
    FIELD(OBJECT, "workloads", workloads, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_trial_fields,
          .says = "The same for workloads (--workloads): STREAM, matrix products and others; the seed is 0. null: "
                  "there were none."),
};
/* A metric that is not measurable has no definition, and no figures. */
static const char unmeasurable[] =
    "'if': {'properties': {'measurable': {'const': false}}, 'required': ['measurable']}, 'then': {'properties': {"
    "'terms': {'maxItems': 0}, 'definition': {'maxItems': 0}, 'composable': {'const': false}, "
    "'backward_error': {'type': 'null'}, 'misfit': {'type': 'null'}, 'amplification': {'type': 'null'}, "
    "'definition_backward_error': {'type': 'null'}, 'definition_misfit': {'type': 'null'}, "
    "'definition_amplification': {'type': 'null'}}}";
const cm_fields cm_result_metric_fields = {FIELDS(metric_rows), .finish = cm_finish_metric, .check = cm_check_metric,
                                           .title = "metric", .limits = unmeasurable};
#undef OF
