#include <catmint/validation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/analysis.h>
#include <catmint/software_pmu.h>

#include "core/error.h"
#include "formulas/expression.h"

/* What a meaning is on a program: value +- range. */
struct meant {
    double value, range;
};

static ptrdiff_t resolve_fact(const char *name, void *data)
{
    (void)data;
    ptrdiff_t fact = cm_fact_find(name);
    return fact >= 0 ? fact : CM_RESOLVED_NONE;
}

/* By how much the expression may be off where each fact may be off by its range: meanings are sums. `zeros`: room for
 * one a fact, all 0. */
static double range_of(const cm_expression *meaning, const double *ranges, double *zeros)
{
    double range = 0.0;
    for (size_t i = 0; i < cm_expression_name_count(meaning); i++) {
        size_t fact = cm_expression_name_index(meaning, i);
        zeros[fact] = 1.0;
        double weight = fabs(cm_expression_evaluate(meaning, zeros));
        zeros[fact] = 0.0;
        if (weight > 0.0)
            range += weight * ranges[fact];
    }
    return range;
}

/* The index of each term's event; false where one was not counted. */
static bool find_terms(const cm_validated_claim *claim, const cm_program_table *table, size_t *events)
{
    for (size_t k = 0; k < claim->term_count; k++) {
        size_t event = 0;
        while (event < table->event_count && strcmp(table->events[event], claim->terms[k].event) != 0)
            event++;
        if (event == table->event_count)
            return false;
        events[k] = event;
    }
    return true;
}

static double value_of(const cm_validated_claim *claim, const cm_program_table *table, const size_t *events,
                       size_t program)
{
    double value = 0.0;
    for (size_t k = 0; k < claim->term_count; k++)
        value += claim->terms[k].coefficient * table->counts[events[k] * table->program_count + program];
    return value;
}

/* Where the meaning is next to 0, or may be anything as large as itself, nothing is said about it. */
static void judge_program(double limit, size_t program, double value, struct meant meant, double *deviations,
                          size_t *worst, cm_validation *validation)
{
    if (!(fabs(meant.value) >= CM_VALIDATION_LEAST) || !(meant.range < fabs(meant.value)))
        return;
    double deviation = fmax(0.0, fabs(value - meant.value) - meant.range) / fabs(meant.value);
    if (validation->programs == 0 || deviation > validation->worst) {
        validation->worst = deviation;
        *worst = program;
    }
    validation->failed += deviation > limit;
    deviations[validation->programs++] = deviation;
}

static void judge_all(const cm_validated_claim *claim, const cm_expression *meaning, const cm_program_table *table,
                      const size_t *events, double *zeros, double *deviations, cm_validation *validation)
{
    double limit = CM_VALIDATION_FACTOR * claim->tolerance;
    size_t worst = 0;
    for (size_t i = 0; i < table->program_count; i++) {
        const double *facts = table->facts + i * cm_fact_count(), *ranges = table->ranges + i * cm_fact_count();
        struct meant meant = {cm_expression_evaluate(meaning, facts), range_of(meaning, ranges, zeros)};
        judge_program(limit, i, value_of(claim, table, events, i), meant, deviations, &worst, validation);
    }
    if (validation->programs != 0)
        snprintf(validation->worst_program, sizeof validation->worst_program, "%s (%s)", table->programs[worst],
                 table->descriptions[worst]);
    validation->median = cm_median(deviations, validation->programs);
    validation->refuted = validation->programs != 0 && !(validation->median <= limit);
}

cm_status cm_validation_judge(const cm_validated_claim *claim, const cm_program_table *table, cm_validation *validation,
                              cm_error *error)
{
    const cm_expression_source source = {.names_are = "fact"};
    *validation = (cm_validation){.seed = table->seed, .median = NAN, .worst = NAN};
    if (claim->meaning[0] == '\0')
        return CM_OK;
    cm_expression *meaning = NULL;
    cm_status status = cm_expression_parse(claim->meaning, &source, resolve_fact, NULL, &meaning, error);
    size_t *events = calloc(claim->term_count + 1, sizeof *events);
    double *zeros = calloc(cm_fact_count() + 1, sizeof *zeros);
    double *deviations = calloc(table->program_count + 1, sizeof *deviations);
    if (status == CM_OK && (events == NULL || zeros == NULL || deviations == NULL))
        status = cm_error_no_memory(error);
    if (status == CM_OK && find_terms(claim, table, events))
        judge_all(claim, meaning, table, events, zeros, deviations, validation);
    cm_expression_free(meaning);
    free(events);
    free(zeros);
    free(deviations);
    return status;
}
