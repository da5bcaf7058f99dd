/* Definitions held against programs: all that is built of a metric, and the part of it that survives. */
#include "verify/validation/validation.h"

#include "analysis/rules.h"

/* The definition with `count` terms, which `terms` has room for. An event with an offset counts more than it measures.
 */
static cm_validated_definition definition_of(const cm_benchmark_result *result, size_t metric, const size_t *events,
                                             const double *coefficients, size_t count, cm_validated_term *terms)
{
    const char *meaning = result->signatures->metrics[metric].meaning;
    cm_validated_definition definition = {
        .meaning = meaning != NULL ? meaning : "", .tolerance = result->thresholds.residual, .terms = terms};
    for (size_t k = 0; k < count; k++) {
        cm_event_analysis event = cm_analysis_event(result->analysis, events[k]);
        if (coefficients[k] == 0.0)
            continue;
        terms[definition.term_count++] = (cm_validated_term){event.event, coefficients[k]};
        if (event.offset != 0.0)
            definition.meaning = "";
    }
    return definition;
}

/* A definition to be judged: its terms, and the errors announced for each program. */
typedef struct held {
    cm_validated_definition definition;
    cm_validated_term *terms;
    double *leaks;
} held;

static void clear_held(held *judged)
{
    CM_FREE(judged->terms, judged->leaks);
}

static double amount_in(const cm_program_table *table, size_t program, const cm_law_alternative *of)
{
    size_t at = program * cm_fact_count();
    return fabs(cm_law_amount(of, table->facts + at, table->iterations[program])) +
           cm_law_bound(of, table->facts + at, table->ranges + at);
}

/* The most that leaks of the definition may add up to in a program; in its range no more than the law promises there.
 * `meant`: the metric's value there. */
static double leaks_in(const cm_counted_law *law, const cm_law_verdict *verdict, const cm_program_table *table,
                       size_t program, double meant)
{
    double sum = 0.0;
    bool in_range = true;
    for (size_t k = 0; k < verdict->leak_count; k++) {
        const cm_law_leak *leak = &verdict->leaks[k];
        double amount = amount_in(table, program, cm_counted_law_alternative(law, leak->alternative));
        if (leak->found || leak->above > 0.0)
            sum += leak->at_most * amount;
        in_range = in_range && leak->above * amount <= meant;
    }
    return in_range ? fmin(sum, cm_the_rules.natural * meant) : sum;
}

/* The deviation that the definition announces for a program: its leaks, and the amount of each fact that it names and
 * that some vendors count and others do not. Programs may refute a definition by any other fact that kernels leave
 * open.
 */
static double announced_in(const cm_evidence *evidence, size_t metric, const cm_law_verdict *verdict,
                           const cm_program_table *table, size_t program)
{
    const double *weights = evidence->metrics + metric * cm_fact_count();
    double meant = 0.0;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        meant += weights[fact] * table->facts[program * cm_fact_count() + fact];
    double sum = leaks_in(evidence->law, verdict, table, program, fabs(meant));
    for (size_t k = 0; k < verdict->also_count + verdict->untold_count; k++) {
        size_t named = k < verdict->also_count ? verdict->also[k] : verdict->untold[k - verdict->also_count];
        const cm_law_alternative *of = cm_counted_law_alternative(evidence->law, named);
        sum += of->is_free ? amount_in(table, program, of) : 0.0;
    }
    return sum;
}

/* `questions`: NULL: none are known. Clear *judged in any case. */
static cm_status hold_sum(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                          const cm_open_questions *questions, const cm_program_table *table, held *judged,
                          cm_error *error)
{
    *judged = (held){.terms = calloc(sum->count + 1, sizeof *judged->terms),
                     .leaks = calloc(table->program_count + 1, sizeof *judged->leaks)};
    if (judged->terms == NULL || judged->leaks == NULL)
        return cm_error_no_memory(error);
    judged->definition = definition_of(result, metric, sum->events, sum->coefficients, sum->count, judged->terms);
    judged->definition.leaks = judged->leaks;
    for (size_t i = 0; i < table->program_count && questions != NULL && questions->law != NULL; i++)
        judged->leaks[i] = announced_in(result->evidence, metric, questions->law, table, i);
    return CM_OK;
}

/* Holds a sum of events against the programs of a table. */
static cm_status judge_sum(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                           const cm_open_questions *questions, const cm_program_table *table, cm_validation *validation,
                           cm_error *error)
{
    held judged;
    cm_status status = hold_sum(result, metric, sum, questions, table, &judged, error);
    CM_THEN(status, cm_validation_judge(&judged.definition, table, validation, error));
    clear_held(&judged);
    return status;
}

static const cm_open_questions *questions_of(const cm_benchmark_result *result, size_t metric)
{
    return result->proofs != NULL ? result->proofs[metric].open_questions : NULL;
}

cm_event_sum cm_definition_sum(const cm_benchmark_result *result, size_t metric)
{
    const cm_fit *fit = result->fits[metric];
    return (cm_event_sum){fit->term_count, fit->events, fit->rounded};
}

cm_status cm_judge_definition(const cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                              cm_validation *validation, cm_error *error)
{
    const cm_event_sum sum = cm_definition_sum(result, metric);
    return judge_sum(result, metric, &sum, questions_of(result, metric), table, validation, error);
}

cm_status cm_deviations_of(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                           const cm_program_table *table, double *deviations, cm_error *error)
{
    held judged;
    cm_status status = hold_sum(result, metric, sum, questions_of(result, metric), table, &judged, error);
    CM_THEN(status, cm_validation_deviations(&judged.definition, table, deviations, error));
    clear_held(&judged);
    return status;
}

/* Events that cannot stand in for a term in the programs are not listed any more. `events`: those of the fit. */
static cm_status judge_stand_ins(cm_benchmark_result *result, size_t metric, size_t term, size_t *events,
                                 double *coefficients, const cm_program_table *table, cm_error *error)
{
    struct cm_term_equivalents *found = &result->proofs[metric].equivalents[term];
    const size_t event = events[term], count = found->count;
    const double coefficient = coefficients[term];
    cm_status status = CM_OK;
    found->count = 0;
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        cm_validation validation = {0};
        events[term] = found->list[i].event;
        coefficients[term] = coefficient / found->list[i].factor;
        const cm_event_sum sum = cm_definition_sum(result, metric);
        status = judge_sum(result, metric, &sum, questions_of(result, metric), table, &validation, error);
        if (!validation.refuted)
            found->list[found->count++] = found->list[i];
    }
    events[term] = event;
    coefficients[term] = coefficient;
    return status;
}

/* Judges the equivalents in a definition that held; by the paper's method they are those of events. */
static cm_status judge_equivalents(cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                                   cm_error *error)
{
    cm_fit *fit = result->fits[metric];
    cm_status status = CM_OK;
    for (size_t k = 0; status == CM_OK && result->proofs != NULL && k < fit->term_count; k++)
        status = judge_stand_ins(result, metric, k, fit->events, fit->rounded, table, error);
    return status;
}

/* Holds a metric's definition and its equivalents against programs; refuted, it is composable no longer. */
static cm_status judge_fit(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error)
{
    cm_fit *fit = result->fits[metric];
    cm_validation *validation = &result->validations[metric];
    cm_status status = cm_judge_definition(result, metric, table, validation, error);
    if (status == CM_OK && validation->refuted)
        fit->composable = false;
    else if (status == CM_OK && validation->programs != 0)
        status = judge_equivalents(result, metric, table, error);
    return status;
}

/* Holds another definition of a metric against programs; refuted, it is composable no longer. */
static cm_status judge_alternative(cm_benchmark_result *result, size_t metric, cm_definition *definition,
                                   const cm_program_table *table, cm_error *error)
{
    cm_validation validation = {0};
    const cm_event_sum sum = {definition->count, definition->events, definition->coefficients};
    cm_status status = judge_sum(result, metric, &sum, definition->open_questions, table, &validation, error);
    definition->composable = definition->composable && !validation.refuted;
    if (definition->open_questions != NULL)
        definition->open_questions->held = validation.programs != 0 && definition->composable;
    return status;
}

/* Removes refuted alternatives: those that remain can be used. */
static cm_status judge_others(cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                              cm_error *error)
{
    struct cm_metric_alternatives *others = &result->alternatives[metric];
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < others->count; i++)
        status = judge_alternative(result, metric, &others->list[i], table, error);
    if (status == CM_OK && others->limited != NULL)
        status = judge_alternative(result, metric, others->limited, table, error);
    size_t kept = 0;
    for (size_t i = 0; status == CM_OK && i < others->count; i++) {
        cm_definition definition = others->list[i];
        others->list[i] = others->list[kept];
        others->list[kept] = definition;
        kept += definition.composable;
    }
    for (size_t i = kept; status == CM_OK && i < others->count; i++)
        cm_definition_clear(&others->list[i]);
    others->count = status == CM_OK ? kept : others->count;
    return status;
}

cm_status cm_judge_metric(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error)
{
    cm_status status = CM_OK;
    if (result->fits[metric] != NULL && result->fits[metric]->composable)
        status = judge_fit(result, metric, table, error);
    return status == CM_OK ? judge_others(result, metric, table, error) : status;
}
