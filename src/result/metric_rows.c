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
    FIELD(TEXT, "event", event),
    FIELD(NUMBER, "factor", factor),
    FIELD(FIGURE, "max_rnmse", max_rnmse, .rules = CM_OPTIONAL | CM_NULLABLE, .number = NAN),
    FIELD(WORD, "together", together, .rules = CM_OPTIONAL, .words = &cm_together_words),
};
const cm_fields cm_result_equivalent_fields = {FIELDS(equivalent_rows), .check = cm_check_equivalent};
#undef OF

#define OF cm_defined_term
static const cm_field bare_rows[] = {FIELD(TEXT, "event", event), FIELD(NUMBER, "coefficient", coefficient)};
const cm_fields cm_bare_term_fields = {FIELDS(bare_rows), .check = cm_check_term};

static const cm_field solved_rows[] = {
    FIELD(TEXT, "event", event),
    FIELD(BOOL, "selected", selected, .rules = CM_OPTIONAL),
    FIELD(NUMBER, "coefficient", coefficient),
    NUMBERS("interval", interval, TWO, .rules = CM_OPTIONAL | CM_NULLABLE),
};
static const cm_fields solved_fields = {FIELDS(solved_rows), .check = cm_check_term};

static const cm_field term_rows[] = {
    FIELD(TEXT, "event", event),
    FIELD(NUMBER, "coefficient", coefficient),
    LIST(ITEMS, "equivalents", equivalents, equivalent_count, .rules = CM_OPTIONAL, .of = &cm_result_equivalent_fields),
};
static const cm_fields term_fields = {FIELDS(term_rows), .finish = cm_finish_term, .check = cm_check_term};
#undef OF

/* ---- members of a metric ---- */

#define OF cm_defined_check
static const cm_field check_rows[] = {
    NUMBERS("expected", expected, KERNELS),
    NUMBERS("raw", raw, KERNELS, .rules = CM_OPTIONAL),
    NUMBERS("rounded", rounded, KERNELS),
    FIELD(FIGURE, "worst", worst),
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
static const cm_field control_rows[] = {FIELD(WHOLE, "kernels", kernels, .noun = "kernels"), FIGURE("worst", worst)};
const cm_fields cm_result_control_fields = {FIELDS(control_rows)};
#undef OF

#define OF cm_defined_outcome
static const cm_field outcome_rows[] = {
    FIELD(TEXT, "program", program),
    FIELD(NUMBER, "expected", expected),
    FIELD(NUMBER, "range", range),
    FIELD(NUMBER, "measured", measured),
};
static const cm_fields outcome_fields = {FIELDS(outcome_rows)};
#undef OF

#define OF cm_defined_trial
static const cm_field trial_rows[] = {
    FIELD(WHOLE, "programs", programs, .noun = "programs"),
    FIELD(WHOLE, "seed", seed, .rules = CM_OPTIONAL, .noun = "as its seed", .number = 0x1p53),
    FIELD(WHOLE, "failed", failed, .rules = CM_OPTIONAL, .noun = "programs that failed"),
    FIGURE("worst", worst),
    FIGURE("median", median),
    FIELD(TEXT, "class", worst_class, .rules = CM_OPTIONAL, .text = ""),
    FIELD(TEXT, "refuted_by", refuted_by, .rules = CM_OPTIONAL | CM_NULLABLE),
    FIELD(TEXT, "worst_program", worst_program, .rules = CM_OPTIONAL, .text = ""),
    LIST(ITEMS, "outcomes", outcomes, outcome_count, .rules = CM_OPTIONAL, .of = &outcome_fields),
};
const cm_fields cm_result_trial_fields = {FIELDS(trial_rows)};
#undef OF

#define OF cm_defined_leak
static const cm_field leak_rows[] = {
    FIELD(TEXT, "fact", fact),
    FIGURE("at_most", at_most),
    FIELD(BOOL, "found", found, .rules = CM_OPTIONAL, .number = 1.0),
};
static const cm_fields leak_fields = {FIELDS(leak_rows)};
#undef OF

#define OF cm_defined_range
static const cm_field range_rows[] = {FIELD(TEXT, "fact", fact), FIELD(TEXT, "per", per),
                                      FIELD(FIGURE, "share", share)};
static const cm_fields range_fields = {FIELDS(range_rows)};
#undef OF

/* ---- metrics ---- */

#define OF cm_defined_metric
static const cm_field law_rows[] = {
    LIST(TEXTS, "also_counts", also_counts, also_count, .rules = CM_OPTIONAL),
    LIST(ITEMS, "leaks", leaks, leak_count, .rules = CM_OPTIONAL, .of = &leak_fields),
    LIST(ITEMS, "open", open, open_count, .rules = CM_OPTIONAL, .of = &leak_fields),
    FIELD(FIGURE, "rest", rest, UNKNOWN_BEFORE),
    FIELD(FIGURE, "own", own, UNKNOWN_BEFORE),
    LIST(ITEMS, "valid_above", ranges, range_count, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &range_fields),
    FIELD(FIGURE, "valid_share", range_share, UNKNOWN_BEFORE),
};
const cm_fields cm_result_law_fields = {FIELDS(law_rows)};

static const cm_field together_rows[] = {
    FIELD(WORD, "together", together, .rules = CM_OPTIONAL, .words = &cm_together_words),
    LIST(NAMES, "refuse_each_other", refusing, refusing_count, .rules = CM_OPTIONAL),
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
    LIST(TEXTS, "confounded_with", confounded, confounded_count, .rules = CM_OPTIONAL, .when = is_judged),
    FIELD(PART, NULL, confounded, .rules = CM_OMITTED, .of = &cm_result_law_fields),
    FIELD(PART, NULL, metric, .of = &cm_result_together_fields, .rules = CM_OPTIONAL),
};
const cm_fields cm_result_alternative_fields = {FIELDS(alternative_rows), .finish = cm_finish_alternative};

static const cm_field metric_rows[] = {
    FIELD(TEXT, "metric", metric),
    FIELD(TEXT, "preset", preset),
    FIELD(TEXT, "description", description, .rules = CM_OPTIONAL, .text = ""),
    NUMBERS("signature", signature, SYMBOLS),
    LIST(ITEMS, "terms", solved, solved_count, .of = &solved_fields, .noun = "event"),
    FIGURE("backward_error", solved_backward_error),
    FIGURE("misfit", solved_misfit),
    FIGURE("amplification", solved_amplification),
    LIST(ITEMS, "definition", terms, term_count, .of = &term_fields, .noun = "event"),
    FIGURE("definition_backward_error", backward_error),
    FIGURE("definition_misfit", misfit),
    FIGURE("definition_amplification", amplification),
    FIELD(OBJECT, "check", check, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &check_fields),
    FIELD(NUMBER, "constant", constant, .rules = CM_OPTIONAL),
    LIST(ITEMS, "alternatives", alternatives, alternative_count, .rules = CM_OPTIONAL,
         .of = &cm_result_alternative_fields),
    FIELD(OBJECT, "limited", limited, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_alternative_fields),
    FIELD(OBJECT, "firmness", firmness, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &firmness_fields),
    FIELD(BOOL, "composable", composable),
    FIELD(BOOL, "measurable", measurable, .rules = CM_OPTIONAL, .number = 1.0),
    FIELD(OBJECT, "controls", controls, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_control_fields),
    FIELD(FIGURE, "resolution", resolution, UNKNOWN_BEFORE),
    LIST(TEXTS, "confounded_with", confounded, confounded_count, .rules = CM_OPTIONAL),
    FIELD(WHOLE, "confounded_more", confounded_more, .rules = CM_OPTIONAL),
    NUMBERS("symbol_deviations", symbol_deviations, SYMBOLS, .rules = CM_OPTIONAL | CM_NULLABLE | CM_NULL_ELEMENTS),
    FIELD(TEXT, "refused", refused, .rules = CM_OPTIONAL | CM_NULLABLE),
    FIELD(OBJECT, "validation", programs, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_trial_fields),
    FIELD(PART, NULL, metric, .of = &cm_result_law_fields),
    FIELD(PART, NULL, metric, .of = &cm_result_together_fields),
    FIELD(TEXT, "meaning", meaning, .rules = CM_OPTIONAL | CM_NULLABLE),
    FIELD(TEXT, "lacks", lacks, .rules = CM_OPTIONAL | CM_NULLABLE, .text = ""),
    FIELD(PART, "held_to", control_low, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &held_fields),
    FIELD(OBJECT, "workloads", workloads, .rules = CM_OPTIONAL | CM_NULLABLE, .of = &cm_result_trial_fields),
};
const cm_fields cm_result_metric_fields = {FIELDS(metric_rows), .finish = cm_finish_metric, .check = cm_check_metric};
#undef OF
