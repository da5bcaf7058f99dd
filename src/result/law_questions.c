/* Questions to the law of a benchmark of results: is a sum of its events a metric? */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "result/result.h"

/* Makes the metric's value on every kernel, and its limits. */
static cm_status make_target(cm_defined_law *law, size_t metric, cm_error *error)
{
    cm_target *target = &law->targets[metric];
    size_t rows = law->problem.rows;
    if (target->low != NULL)
        return CM_OK;
    *target =
        (cm_target){.metric = metric,
                    .signature = law->benchmark->metrics[metric].signature,
                    .high = cm_defined_law_allocate(law, rows, sizeof *target->high),
                    .limits = cm_defined_law_allocate(law, rows, sizeof *target->limits),
                    .symbol_limits = cm_defined_law_allocate(law, law->problem.symbols, sizeof *target->symbol_limits),
                    .low = cm_defined_law_allocate(law, rows, sizeof *target->low)};
    if (target->low == NULL || target->high == NULL || target->limits == NULL || target->symbol_limits == NULL)
        return cm_error_no_memory(error);
    for (size_t r = 0; r < rows; r++) {
        cm_meant meant = cm_meaning_on(law->facts, law->metrics + metric * cm_fact_count(), law->kernels[r].facts);
        target->low[r] = meant.value - meant.range;
        target->high[r] = meant.value + meant.range;
    }
    cm_target_limit(&law->problem, target);
    return CM_OK;
}

/* Makes terms of the problem; *known is false if the counts of an event are unknown. */
static cm_status make_terms(cm_defined_law *law, const cm_defined_event *const *events, const double *coefficients,
                            size_t count, double factor, cm_term *terms, bool *known, cm_error *error)
{
    cm_status status = CM_OK;
    *known = true;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        *known &= events[i] != NULL && events[i]->law_places != NULL;
        if (!*known)
            return CM_OK;
        terms[i] = (cm_term){(size_t)(events[i] - law->benchmark->events), coefficients[i] / factor};
        status = cm_defined_law_take_counts(law, terms[i].event, error);
    }
    return status;
}

/* Fills the ranges in which the sum holds, the facts that nothing separates from it, and free ones that it counts.
 * If it is open how often it counts a fact of the metric, everything else is, too: only that fact is named. */
static cm_status describe_limits(cm_defined_law *law, const cm_counted_law *counted, size_t metric,
                                 const cm_law_verdict *verdict, size_t open, cm_held *held, cm_error *error)
{
    const cm_open_questions questions = {.metric = metric, .law = verdict, .held = true};
    cm_filler filler = {.arena = &law->arena};
    cm_defined_metric said = {0};
    const char **fact = cm_filler_allocate(&filler, 1, sizeof *fact);
    if (open == SIZE_MAX) {
        cm_fill_ranges(counted, &questions, &filler, &said);
        cm_fill_confounded(counted, &questions, 0, &filler, &said);
    } else if (fact != NULL) {
        fact[said.confounded_count++] = cm_fact_name(open);
        said.confounded = fact;
    }
    if (verdict != NULL)
        cm_fill_also(counted, verdict, &filler, &said);
    held->range_count = said.range_count;
    held->range_share = said.range_share;
    held->ranges = said.ranges;
    held->confounded_count = said.confounded_count;
    held->confounded = said.confounded;
    held->also_count = said.also_count;
    held->also = said.also_counts;
    return filler.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

static const char *place_of(const cm_defined_law *law, const cm_verdict *verdict)
{
    const cm_defined_benchmark *listed = &law->benchmark->listed;
    return verdict->refusal == CM_REFUSED_SYMBOL ? listed->symbols[verdict->place]
                                                 : listed->law_kernels[verdict->place].kernel;
}

/* Judges the terms as the metric, by the problem's limits and by the law. */
static cm_status give_verdict(cm_defined_law *law, size_t metric, const cm_term *terms, size_t count, cm_held *held,
                              cm_error *error)
{
    const cm_law_verdict *found = NULL;
    cm_verdict verdict = {0};
    cm_status status = make_target(law, metric, error);
    CM_THEN(status, cm_give_verdict(&law->problem, &law->targets[metric], terms, count, &verdict, error));
    bool asked = status == CM_OK && (verdict.refusal == CM_REFUSED_NOT || verdict.refusal == CM_REFUSED_LAW);
    if (asked)
        status = cm_counted_law_judge(law->law, &law->targets[metric], terms, count, &found, error);
    held->judged = status == CM_OK && (found != NULL || !asked);
    held->right = held->judged && verdict.refusal == CM_REFUSED_NOT;
    held->by_symbols = verdict.refusal == CM_REFUSED_SYMBOL || verdict.refusal == CM_REFUSED_EMPTY;
    if (held->right)
        return describe_limits(law, law->law, metric, found, SIZE_MAX, held, error);
    if (held->judged && found != NULL)
        cm_law_refusal_text(law->law, found, held->text, sizeof held->text);
    else if (held->judged)
        cm_refusal_words(&verdict, place_of(law, &verdict), held->text, sizeof held->text);
    return status;
}

cm_status cm_defined_law_judge(cm_defined_law *law, const cm_defined_metric *metric,
                               const cm_defined_event *const *events, const double *coefficients, size_t count,
                               double factor, cm_held *held, cm_error *error)
{
    size_t index = (size_t)(metric - law->benchmark->metrics);
    cm_term *terms = calloc(count + 1, sizeof *terms);
    bool known = law->meant[index];
    cm_status status = terms != NULL ? CM_OK : cm_error_no_memory(error);
    *held = (cm_held){0};
    if (status == CM_OK && known)
        status = make_terms(law, events, coefficients, count, factor, terms, &known, error);
    if (status == CM_OK && known)
        status = give_verdict(law, index, terms, count, held, error);
    free(terms);
    return status;
}

/* Makes the law of a metric that the results lack, unless it was asked for last. `loose`: all that matters is what a
 * sum counts beside the metric. */
static cm_status ask_for(cm_defined_law *law, const double *meaning, bool loose, cm_error *error)
{
    const size_t last = law->benchmark->metric_count;
    struct cm_asked_law *asked = &law->asked[loose];
    for (size_t i = 0; i < 2 && asked->meaning != meaning; i++)
        if (law->asked[i].meaning != meaning) {
            cm_counted_law_free(law->asked[i].law);
            law->asked[i] = (struct cm_asked_law){0};
        }
    if (asked->meaning == meaning)
        return CM_OK;
    memcpy(law->metrics + last * cm_fact_count(), meaning, cm_fact_count() * sizeof *meaning);
    law->last[last] = true;
    law->loose = law->problem;
    law->loose.tolerance = 1.0;
    cm_status status =
        cm_defined_law_count(law, loose ? &law->loose : &law->problem, last + 1, law->last, &asked->law, error);
    asked->meaning = status == CM_OK ? meaning : NULL;
    return status;
}

/* Whether the law knows that a definition is something else. One that is too noisy may be right. If it is open how
 * often it counts a fact of the metric, so is the rest: only another fact that it counts often makes it wrong. */
static bool is_refuted(const cm_law_verdict *found, bool open)
{
    if (open)
        return found->finding == CM_LAW_COUNTS && found->limit > cm_the_rules.natural;
    return !cm_law_allows(found) && found->finding != CM_LAW_AMPLIFIED && found->finding != CM_LAW_NOISY;
}

/* Judges the terms as a metric that the results lack: by the law alone, since no symbols make it. If kernels leave open
 * how often they count a fact of the metric, this is named, and what they count beside the metric is judged. */
static cm_status judge_meaning(cm_defined_law *law, const double *meaning, const cm_term *terms, size_t count,
                               cm_held *held, cm_error *error)
{
    const cm_target target = {.metric = law->benchmark->metric_count};
    const cm_law_verdict *found = NULL;
    size_t open = SIZE_MAX;
    cm_status status = ask_for(law, meaning, false, error);
    CM_THEN(status, cm_counted_law_judge(law->asked[false].law, &target, terms, count, &found, error));
    if (status == CM_OK && found != NULL && found->finding == CM_LAW_OWN) {
        open = found->place;
        status = ask_for(law, meaning, true, error);
        CM_THEN(status, cm_counted_law_judge(law->asked[true].law, &target, terms, count, &found, error));
    }
    if (status != CM_OK || found == NULL)
        return status;
    const cm_counted_law *asked = law->asked[open != SIZE_MAX].law;
    const bool refuted = is_refuted(found, open != SIZE_MAX);
    held->right = !refuted && (open != SIZE_MAX || cm_law_allows(found));
    held->judged = held->right || refuted;
    if (held->right)
        return describe_limits(law, asked, target.metric, found, open, held, error);
    if (held->judged)
        cm_law_refusal_text(asked, found, held->text, sizeof held->text);
    return CM_OK;
}

cm_status cm_defined_law_judge_meaning(cm_defined_law *law, const double *meaning,
                                       const cm_defined_event *const *events, const double *coefficients, size_t count,
                                       double factor, cm_held *held, cm_error *error)
{
    cm_term *terms = calloc(count + 1, sizeof *terms);
    bool known = false;
    *held = (cm_held){0};
    cm_status status = terms != NULL ? make_terms(law, events, coefficients, count, factor, terms, &known, error)
                                     : cm_error_no_memory(error);
    if (status == CM_OK && known)
        status = judge_meaning(law, meaning, terms, count, held, error);
    free(terms);
    return status;
}

cm_status cm_hold_uncontrolled(const double *coefficients, size_t count, double factor, cm_held *held, cm_error *error)
{
    cm_term *terms = calloc(count + 1, sizeof *terms);
    cm_verdict verdict = {0};
    if (terms == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        terms[i] = (cm_term){i, coefficients[i] / factor};
    cm_judge_uncontrolled(terms, count, &verdict);
    *held = (cm_held){.judged = verdict.refusal != CM_REFUSED_NOT};
    cm_refusal_words(&verdict, "", held->text, sizeof held->text);
    free(terms);
    return CM_OK;
}
