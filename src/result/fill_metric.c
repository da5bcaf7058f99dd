/* Metrics of results in memory. */
#include "result/fills.h"
#include "result/result.h"
#include "result/rows.h"

#include "result/metric_part_fields.h"

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
        set_equivalent(&filled[i], &other, list[i].factor);
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
        set_solved(&terms[filled->solved_count++], &event, value, isfinite(half) ? &intervals[2 * i] : NULL);
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
        set_term(term, name_of(result, fit->events[i]), fit->rounded[i]);
        cm_fill_term_equivalents(result, metric, i, filler, term);
    }
    filled->terms = terms;
}

/* Fills whether the events can be counted together, if known. */
static void fill_together(const cm_benchmark_result *result, const cm_event_group *group, cm_filler *filler,
                          cm_defined_metric *filled)
{
    const char **names = cm_filler_allocate(filler, group->count, sizeof *names);
    bool *refusing = cm_filler_allocate(filler, group->count, sizeof *refusing);
    if (names == NULL || refusing == NULL)
        return;
    set_together(filled, cm_tried_sets_find(result->tried, group, refusing), names);
    for (size_t i = 0; i < group->count; i++)
        if (refusing[i])
            names[filled->refusing_count++] = cm_event_group_name(group, i);
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

/* The sources of a metric's fields. */
typedef struct metric_source {
    const cm_benchmark_result *result;
    size_t metric;
    const cm_signature *signature;
    const cm_fit *fit;                  /* NULL: the metric is not measurable */
    const cm_fitness *solved, *rounded; /* unknown without a fit */
    const cm_metric_proof *proof;       /* NULL: without a fit, or by the paper's method */
    cm_filler *filler;
} metric_source;

/* NULL if programs did not judge it. */
static const cm_defined_trial *fill_trial(const cm_validation *validation, cm_filler *filler)
{
    cm_defined_trial *trial = validation != NULL ? cm_filler_allocate(filler, 1, sizeof *trial) : NULL;
    if (trial == NULL)
        return NULL;
    cm_defined_outcome *outcomes = cm_filler_allocate(filler, validation->outcome_count, sizeof *outcomes);
    for (size_t i = 0; i < validation->outcome_count && outcomes != NULL; i++)
        set_outcome(&outcomes[i], &validation->outcomes[i]);
    set_trial(trial, validation, outcomes);
    return trial;
}

/* Why kernels refuse the definition, with figures. */
static const char *refusal_text(const metric_source *from)
{
    const cm_benchmark_result *result = from->result;
    const cm_verdict *found = &from->proof->verdict;
    const char *place = found->refusal == CM_REFUSED_SYMBOL ? result->basis->symbols[found->place]
                                                            : result->evidence->problem.kernels[found->place];
    char text[640];
    if (found->refusal == CM_REFUSED_LAW)
        cm_law_refusal_text(result->evidence->law, from->proof->open_questions->law, text, sizeof text);
    else
        cm_refusal_words(found, place, text, sizeof text);
    return cm_filler_print(from->filler, "%s", text);
}

/* Why no definition holds: the verdict of kernels, or of programs that refute it. NULL: one holds. */
static const char *refused_text(const metric_source *from)
{
    const cm_validation *judged[] = {cm_benchmark_result_validation(from->result, from->metric),
                                     cm_benchmark_result_workloads(from->result, from->metric)};
    const char *names[] = {"programs", "workloads"};
    if (from->proof != NULL && from->proof->verdict.refusal != CM_REFUSED_NOT)
        return refusal_text(from);
    for (size_t i = 0; i < 2; i++)
        if (judged[i] != NULL && judged[i]->refuted)
            return cm_filler_print(from->filler,
                                   "refuted by %zu %s: in the median %.3g %% off%s%s, at worst %.3g %%, in %s",
                                   judged[i]->programs, names[i], 100.0 * judged[i]->median,
                                   judged[i]->worst_class[0] != '\0' ? " in class " : "", judged[i]->worst_class,
                                   100.0 * judged[i]->worst, judged[i]->worst_program);
    return NULL;
}

/* The definition's value of each symbol minus the signature's; NULL without a proof. */
static const double *deviations_of(const metric_source *from)
{
    const cm_fit *fit = from->fit;
    size_t count = from->result->basis->symbol_count;
    double *deviations = from->proof != NULL ? cm_filler_allocate(from->filler, count, sizeof *deviations) : NULL;
    for (size_t j = 0; j < count && deviations != NULL; j++) {
        deviations[j] = -from->signature->values[j];
        for (size_t k = 0; k < fit->term_count; k++)
            deviations[j] += fit->rounded[k] * cm_symbol_part(from->result->analysis, fit->events[k], j);
    }
    return deviations;
}

/* NULL if the definition was held to no control. */
static const cm_defined_controls *controls_of(const metric_source *from)
{
    const bool held = from->proof != NULL && from->proof->verdict.controls != 0;
    cm_defined_controls *controls = held ? cm_filler_allocate(from->filler, 1, sizeof *controls) : NULL;
    if (controls != NULL)
        set_control(controls, &from->proof->verdict);
    return controls;
}

static const cm_defined_check *check_of(const metric_source *from)
{
    cm_defined_check *check = from->fit != NULL ? cm_filler_allocate(from->filler, 1, sizeof *check) : NULL;
    if (check != NULL)
        set_check(check, &from->fit->check);
    return check;
}

/* NULL if the stability of the definition is unknown. */
static const cm_defined_firmness *firmness_of(const metric_source *from)
{
    const cm_definition_stability *stability = cm_benchmark_result_stability(from->result, from->metric);
    const bool known = from->fit != NULL && stability != NULL;
    cm_defined_firmness *firmness = known ? cm_filler_allocate(from->filler, 1, sizeof *firmness) : NULL;
    if (firmness != NULL)
        set_firmness(firmness, stability);
    return firmness;
}

static void fill_bounds(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    size_t count = result->evidence != NULL ? cm_evidence_control_count(result->evidence) : 0;
    double *low = count > 0 ? cm_filler_allocate(filler, 3 * count, sizeof *low) : NULL;
    if (low == NULL || !cm_evidence_bounds(result->evidence, metric, low, low + count, low + 2 * count))
        return;
    set_held(filled, low, count);
}

/* ---- the whole ---- */

/* Fills an alternative definition, from other events. */
static void fill_alternative(const cm_benchmark_result *result, const cm_definition *definition, cm_filler *filler,
                             cm_defined_metric *filled)
{
    cm_defined_term *terms = cm_filler_allocate(filler, definition->count, sizeof *terms);
    const cm_event_group group = cm_definition_group(result, definition);
    for (size_t k = 0; k < definition->count && terms != NULL; k++)
        set_bare_term(&terms[k], name_of(result, definition->events[k]), definition->coefficients[k]);
    set_alternative(filled, definition, terms);
    if (definition->open_questions != NULL)
        cm_fill_law(result, definition->open_questions, definition->composable, 0, filler, filled);
    fill_together(result, &group, filler, filled);
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

/* Whether the definition holds, at least in a range. */
static bool is_usable(const metric_source *from)
{
    return from->fit != NULL && from->fit->composable;
}

/* NULL: the signatures have none. */
static const char *meaning_of(const cm_signature *signature)
{
    return signature->meaning != NULL && signature->meaning[0] != '\0' ? signature->meaning : NULL;
}

/* The obstacle by the verdict of kernels on the definition, or by the paper's figures. */
static cm_obstacle obstacle_by_kernels(const metric_source *from)
{
    const double tolerated = from->result->thresholds.residual;
    switch (from->proof != NULL ? from->proof->verdict.refusal : CM_REFUSED_NOT) {
    case CM_REFUSED_NOT: break;
    case CM_REFUSED_EMPTY: return CM_OBSTACLE_NO_COUNTS;
    case CM_REFUSED_NOISE: return CM_OBSTACLE_NOISE;
    case CM_REFUSED_AMPLIFICATION: return CM_OBSTACLE_AMPLIFICATION;
    case CM_REFUSED_SYMBOL:
    case CM_REFUSED_OTHERS:
    case CM_REFUSED_KERNEL:
    case CM_REFUSED_CONTROL:
    case CM_REFUSED_LAW:
    case CM_REFUSED_UNCONTROLLED: return CM_OBSTACLE_OTHER_COUNTS;
    }
    return from->rounded->misfit > tolerated || from->fit->check.worst > tolerated ? CM_OBSTACLE_OTHER_COUNTS
                                                                                   : CM_OBSTACLE_AMPLIFICATION;
}

/* Why no definition holds; none if one does. */
static cm_obstacle obstacle_of(const metric_source *from, const cm_defined_metric *filled)
{
    const cm_basis *basis = from->result->basis;
    if (from->fit == NULL && cm_name_is_beyond(basis->cache_levels, from->signature->metric))
        return CM_OBSTACLE_NO_LEVEL;
    if (from->fit == NULL)
        return basis->confounded_count > 0 ? CM_OBSTACLE_CONFOUNDED : CM_OBSTACLE_NO_KERNEL;
    if (from->fit->composable)
        return CM_OBSTACLE_NONE;
    if (cm_is_refuted(filled->programs) || cm_is_refuted(filled->workloads) ||
        cm_benchmark_result_pending(from->result, from->metric))
        return CM_OBSTACLE_PROGRAMS;
    return obstacle_by_kernels(from);
}

#include "result/metric_fields.h"

void cm_fill_metric(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled)
{
    static const cm_fitness unknown = {NAN, NAN, NAN};
    const cm_fit *fit = result->fits[metric];
    const cm_event_group group = cm_fit_group(result, fit);
    const metric_source from = {.result = result,
                                .metric = metric,
                                .signature = &result->signatures->metrics[metric],
                                .fit = fit,
                                .solved = fit != NULL ? &fit->fitness : &unknown,
                                .rounded = fit != NULL ? &fit->rounded_fitness : &unknown,
                                .proof = fit != NULL && result->proofs != NULL ? &result->proofs[metric] : NULL,
                                .filler = filler};
    *filled = (cm_defined_metric){0};
    set_metric(filled, &from);
    if (fit != NULL) {
        fill_solved(result, fit, filler, filled);
        fill_terms(result, metric, filler, filled);
    }
    alike others[NAMED];
    size_t more = 0;
    const size_t count = from.proof != NULL ? find_alike(result, metric, others, &more) : 0;
    cm_fill_law(result, from.proof != NULL ? from.proof->open_questions : NULL, is_usable(&from), count, filler,
                filled);
    const char **texts = (const char **)filled->confounded;
    for (size_t k = 0; k < count && texts != NULL; k++)
        texts[filled->confounded_count++] = alike_text(result, &others[k], filler);
    filled->confounded_more += more;
    fill_alternatives(result, metric, filler, filled);
    fill_bounds(result, metric, filler, filled);
    fill_together(result, &group, filler, filled);
    cm_finish_metric(filler->arena, filled);
}
