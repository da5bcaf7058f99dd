/* Metrics of results in memory. */
#include <math.h>
#include <stdio.h>

#include "discovery/results.h"
#include "result/result.h"

static const char *name_of(const cm_benchmark_result *result, size_t event)
{
    return cm_analysis_event(result->analysis, event).event;
}

/* ---- terms ---- */

const cm_defined_equivalent *cm_fill_equivalents(const cm_benchmark_result *result, const cm_equivalent_event *list,
                                                 size_t *count, cm_filler *filler)
{
    *count = *count < CM_LISTED_EQUIVALENTS ? *count : CM_LISTED_EQUIVALENTS;
    cm_defined_equivalent *filled = cm_filler_allocate(filler, *count, sizeof *filled);
    for (size_t i = 0; i < *count && filled != NULL; i++) {
        const cm_event_analysis other = cm_analysis_event(result->analysis, list[i].event);
        filled[i] = (cm_defined_equivalent){other.event, list[i].factor, CM_TOGETHER_UNKNOWN, other.max_rnmse};
    }
    return filled;
}

void cm_fill_term_equivalents(const cm_benchmark_result *result, size_t metric, size_t term, cm_filler *filler,
                              cm_defined_term *filled)
{
    const struct cm_term_equivalents *found = cm_equivalents_of(result, metric, term);
    cm_event_group group = cm_fit_group(result, result->fits[metric]);
    size_t count = found->count;
    cm_defined_equivalent *equivalents =
        (cm_defined_equivalent *)cm_fill_equivalents(result, found->list, &count, filler);
    group.replaces = true;
    group.place = term;
    for (size_t i = 0; i < count && equivalents != NULL; i++) {
        group.by = found->list[i].event;
        equivalents[i].together = cm_tried_sets_find(result->tried, &group, NULL);
    }
    filled->equivalents = equivalents;
    filled->equivalent_count = equivalents != NULL ? count : 0;
}

/* The coefficients as solved, with their intervals. */
static void fill_solved(const cm_benchmark_result *result, const cm_fit *fit, cm_filler *filler,
                        cm_defined_metric *filled)
{
    cm_defined_term *terms = cm_filler_allocate(filler, fit->term_count, sizeof *terms);
    double *intervals = cm_filler_allocate(filler, 2 * fit->term_count, sizeof *intervals);
    for (size_t i = 0; i < fit->term_count && terms != NULL && intervals != NULL; i++) {
        const cm_event_analysis event = cm_analysis_event(result->analysis, fit->events[i]);
        double value = fit->coefficients[i], half = fit->half_widths[i];
        intervals[2 * i] = value - half;
        intervals[2 * i + 1] = value + half;
        terms[filled->solved_count++] = (cm_defined_term){.event = event.event,
                                                          .coefficient = value,
                                                          .selected = event.status == CM_EVENT_SELECTED,
                                                          .interval = isfinite(half) ? &intervals[2 * i] : NULL};
    }
    filled->solved = terms;
}

/* The rounded coefficients that are not zero, and the events that may replace each event. */
static void fill_terms(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    const cm_fit *fit = result->fits[metric];
    cm_defined_term *terms = cm_filler_allocate(filler, fit->term_count, sizeof *terms);
    for (size_t i = 0; i < fit->term_count && terms != NULL; i++) {
        filled->constant -= fit->rounded[i] * cm_analysis_event(result->analysis, fit->events[i]).offset;
        if (fit->rounded[i] == 0.0)
            continue;
        cm_defined_term *term = &terms[filled->term_count++];
        *term = (cm_defined_term){.event = name_of(result, fit->events[i]), .coefficient = fit->rounded[i]};
        cm_fill_term_equivalents(result, metric, i, filler, term);
    }
    filled->terms = terms;
}

void cm_fill_together(const cm_benchmark_result *result, const cm_event_group *group, cm_filler *filler,
                      cm_defined_metric *filled)
{
    const char **names = cm_filler_allocate(filler, group->count, sizeof *names);
    bool *refusing = cm_filler_allocate(filler, group->count, sizeof *refusing);
    if (names == NULL || refusing == NULL)
        return;
    filled->together = cm_tried_sets_find(result->tried, group, refusing);
    for (size_t i = 0; i < group->count; i++)
        if (refusing[i])
            names[filled->refusing_count++] = cm_event_group_name(group, i);
    filled->refusing = names;
}

/* ---- events that no kernel tells from those of the definition ---- */

/* At most so many are named. */
enum { NAMED = 5 };

/* An event of a definition and another one that no kernel distinguishes from it. */
typedef struct alike {
    size_t event, other;
    double factor;
} alike;

/* Finds these; *more counts further ones. Returns how many there are. */
static size_t find_alike(const cm_benchmark_result *result, size_t metric, alike found[NAMED], size_t *more)
{
    const cm_fit *fit = result->fits[metric];
    size_t count = 0;
    for (size_t k = 0; k < fit->term_count; k++) {
        const struct cm_term_equivalents *list = cm_equivalents_of(result, metric, k);
        for (size_t i = 0; i < list->count; i++) {
            const cm_equivalent_event *other = &list->list[i];
            if (!cm_counts_the_same(result->evidence, fit->events[k], other->event, other->factor))
                continue;
            if (count < NAMED)
                found[count++] = (alike){fit->events[k], other->event, other->factor};
            else
                ++*more;
        }
    }
    return count;
}

/* "event A, which counts as X on every kernel" */
static const char *alike_text(const cm_benchmark_result *result, const alike *one, cm_filler *filler)
{
    char multiple[64] = "as ";
    if (fabs(one->factor - 1.0) > 1e-9)
        snprintf(multiple, sizeof multiple, "%.6g x ", one->factor);
    return cm_filler_print(filler, "event %s, which counts %s%s on every kernel", name_of(result, one->other), multiple,
                           name_of(result, one->event));
}

/* ---- the evidence it was held against ---- */

const cm_defined_trial *cm_fill_trial(const cm_validation *validation, cm_filler *filler)
{
    cm_defined_trial *trial = validation != NULL ? cm_filler_allocate(filler, 1, sizeof *trial) : NULL;
    if (trial == NULL)
        return NULL;
    cm_defined_outcome *outcomes = cm_filler_allocate(filler, validation->outcome_count, sizeof *outcomes);
    *trial = (cm_defined_trial){.programs = validation->programs,
                                .seed = validation->seed,
                                .failed = validation->failed,
                                .worst = validation->worst,
                                .median = validation->median,
                                .worst_class = validation->worst_class,
                                .refuted_by = validation->refuted ? validation->worst_program : NULL,
                                .worst_program = validation->worst_program,
                                .outcome_count = outcomes != NULL ? validation->outcome_count : 0,
                                .outcomes = outcomes};
    for (size_t i = 0; i < trial->outcome_count; i++) {
        const cm_validation_outcome *outcome = &validation->outcomes[i];
        outcomes[i] = (cm_defined_outcome){outcome->program, outcome->expected, outcome->range, outcome->measured};
    }
    return trial;
}

char *cm_refusal_text(const cm_benchmark_result *result, size_t metric, char *text, size_t size)
{
    if (result->proofs == NULL || result->fits[metric] == NULL)
        return NULL;
    const cm_verdict *found = &result->proofs[metric].verdict;
    const char *place = found->refusal == CM_REFUSED_SYMBOL ? result->basis->symbols[found->place]
                                                            : result->evidence->problem.kernels[found->place];
    if (found->refusal == CM_REFUSED_NOT)
        return NULL;
    if (found->refusal == CM_REFUSED_LAW)
        cm_law_refusal_text(result->evidence->law, result->proofs[metric].open_questions->law, text, size);
    else
        cm_refusal_words(found, place, text, size);
    return text;
}

/* Why no definition holds: the verdict of kernels, or of programs that refute it. NULL: one holds. */
static const char *refused_text(const cm_benchmark_result *result, size_t metric, cm_filler *filler)
{
    const cm_validation *judged[] = {cm_benchmark_result_validation(result, metric),
                                     cm_benchmark_result_workloads(result, metric)};
    const char *names[] = {"programs", "workloads"};
    char text[CM_PROGRAM_WORDS + 160];
    if (cm_refusal_text(result, metric, text, sizeof text) != NULL)
        return cm_filler_print(filler, "%s", text);
    for (size_t i = 0; i < 2; i++)
        if (judged[i] != NULL && judged[i]->refuted) {
            bool natural = judged[i]->worst_class[0] != '\0';
            snprintf(text, sizeof text, "refuted by %zu %s: in the median %.3g %% off%s%s, at worst %.3g %%, in %s",
                     judged[i]->programs, names[i], 100.0 * judged[i]->median, natural ? " in class " : "",
                     judged[i]->worst_class, 100.0 * judged[i]->worst, judged[i]->worst_program);
            return cm_filler_print(filler, "%s", text);
        }
    return NULL;
}

/* The definition's value of each symbol minus the signature's. */
static const double *deviations_of(const cm_benchmark_result *result, size_t metric, cm_filler *filler)
{
    const cm_fit *fit = result->fits[metric];
    const double *signature = result->signatures->metrics[metric].values;
    double *deviations = cm_filler_allocate(filler, result->basis->symbol_count, sizeof *deviations);
    for (size_t j = 0; j < result->basis->symbol_count && deviations != NULL; j++) {
        deviations[j] = -signature[j];
        for (size_t k = 0; k < fit->term_count; k++)
            deviations[j] += fit->rounded[k] * cm_symbol_part(result->analysis, fit->events[k], j);
    }
    return deviations;
}

static void fill_proof(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    const cm_metric_proof *proof = &result->proofs[metric];
    cm_defined_controls *controls =
        proof->verdict.controls != 0 ? cm_filler_allocate(filler, 1, sizeof *controls) : NULL;
    if (controls != NULL)
        *controls = (cm_defined_controls){proof->verdict.controls, proof->verdict.worst_control};
    filled->controls = controls;
    filled->resolution = proof->resolution;
    filled->symbol_deviations = deviations_of(result, metric, filler);
}

static void fill_bounds(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    size_t count = result->evidence != NULL ? cm_evidence_control_count(result->evidence) : 0;
    double *low = count > 0 ? cm_filler_allocate(filler, 3 * count, sizeof *low) : NULL;
    if (low == NULL || !cm_evidence_bounds(result->evidence, metric, low, low + count, low + 2 * count))
        return;
    filled->control_low = low;
    filled->control_high = low + count;
    filled->control_limits = low + 2 * count;
}

/* ---- the whole ---- */

/* Fills the definition, its figures, and its values on kernels. */
static void fill_fit(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    const cm_fit *fit = result->fits[metric];
    const cm_definition_stability *stability = cm_benchmark_result_stability(result, metric);
    cm_defined_check *check = cm_filler_allocate(filler, 1, sizeof *check);
    cm_defined_firmness *firmness = stability != NULL ? cm_filler_allocate(filler, 1, sizeof *firmness) : NULL;
    if (check != NULL)
        *check = (cm_defined_check){fit->check.expected, fit->check.raw, fit->check.rounded, fit->check.worst};
    if (firmness != NULL)
        *firmness = (cm_defined_firmness){stability->alpha, stability->tau};
    filled->check = check;
    filled->firmness = firmness;
    filled->solved_backward_error = fit->fitness.backward_error;
    filled->solved_misfit = fit->fitness.misfit;
    filled->solved_amplification = fit->fitness.amplification;
    filled->backward_error = fit->rounded_fitness.backward_error;
    filled->misfit = fit->rounded_fitness.misfit;
    filled->amplification = fit->rounded_fitness.amplification;
    filled->usable = fit->composable;
    filled->composable = fit->composable && !cm_fit_is_ranged(result, metric);
    filled->measurable = true;
    fill_solved(result, fit, filler, filled);
    fill_terms(result, metric, filler, filled);
}

/* Fills an alternative definition, from other events. */
static void fill_alternative(const cm_benchmark_result *result, const cm_definition *definition, cm_filler *filler,
                             cm_defined_metric *filled)
{
    cm_defined_term *terms = cm_filler_allocate(filler, definition->count, sizeof *terms);
    const cm_event_group group = cm_definition_group(result, definition);
    *filled = (cm_defined_metric){.terms = terms,
                                  .term_count = terms != NULL ? definition->count : 0,
                                  .backward_error = definition->fitness.backward_error,
                                  .misfit = definition->fitness.misfit,
                                  .amplification = definition->fitness.amplification,
                                  .composable = definition->composable && !cm_is_ranged(definition->open_questions)};
    for (size_t k = 0; k < filled->term_count; k++)
        terms[k] = (cm_defined_term){.event = name_of(result, definition->events[k]),
                                     .coefficient = definition->coefficients[k]};
    if (definition->open_questions != NULL)
        cm_fill_law(result, definition->open_questions, definition->composable, 0, filler, filled);
    cm_fill_together(result, &group, filler, filled);
}

/* Fills other definitions of the metric, and the one with few events. */
static void fill_alternatives(const cm_benchmark_result *result, size_t metric, cm_filler *filler,
                              cm_defined_metric *filled)
{
    const struct cm_metric_alternatives *found = &result->alternatives[metric];
    cm_defined_metric *alternatives = cm_filler_allocate(filler, found->count, sizeof *alternatives);
    cm_defined_metric *limited = found->limited != NULL ? cm_filler_allocate(filler, 1, sizeof *limited) : NULL;
    for (size_t i = 0; i < found->count && alternatives != NULL; i++)
        fill_alternative(result, &found->list[i], filler, &alternatives[i]);
    if (limited != NULL)
        fill_alternative(result, found->limited, filler, limited);
    filled->alternatives = alternatives;
    filled->alternative_count = alternatives != NULL ? found->count : 0;
    filled->limited = limited;
}

void cm_fill_metric(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    const cm_signature *signature = &result->signatures->metrics[metric];
    const cm_fit *fit = result->fits[metric];
    const bool proven = fit != NULL && result->proofs != NULL;
    const cm_event_group group = cm_fit_group(result, fit);
    const char *lacks = result->lacking[metric], *meaning = signature->meaning;
    *filled = (cm_defined_metric){.metric = signature->metric,
                                  .preset = signature->preset,
                                  .description = signature->description,
                                  .signature = signature->values,
                                  .symbol_count = result->basis->symbol_count,
                                  .lacks = lacks != NULL ? lacks : "",
                                  .meaning = meaning != NULL && meaning[0] != '\0' ? meaning : NULL,
                                  .resolution = NAN,
                                  .solved_backward_error = NAN,
                                  .solved_misfit = NAN,
                                  .solved_amplification = NAN,
                                  .backward_error = NAN,
                                  .misfit = NAN,
                                  .amplification = NAN};
    if (fit != NULL)
        fill_fit(result, metric, filler, filled);
    alike others[NAMED];
    size_t more = 0;
    const size_t count = proven ? find_alike(result, metric, others, &more) : 0;
    cm_fill_law(result, proven ? result->proofs[metric].open_questions : NULL, fit != NULL && fit->composable, count,
                filler, filled);
    const char **texts = (const char **)filled->confounded;
    for (size_t i = 0; i < count && texts != NULL; i++)
        texts[filled->confounded_count++] = alike_text(result, &others[i], filler);
    filled->confounded_more += more;
    if (proven)
        fill_proof(result, metric, filler, filled);
    fill_alternatives(result, metric, filler, filled);
    fill_bounds(result, metric, filler, filled);
    cm_fill_together(result, &group, filler, filled);
    filled->refused = refused_text(result, metric, filler);
    filled->programs = cm_fill_trial(cm_benchmark_result_validation(result, metric), filler);
    filled->workloads = cm_fill_trial(cm_benchmark_result_workloads(result, metric), filler);
}
