/* Facts that no kernel has side by side: an event may count more, or less, where they meet. And facts that one kernel
 * alone shows: what is off there alone, no other one tells. */
#include <math.h>
#include <stdlib.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "core/error.h"
#include "discovery/doubts.h"

double cm_fact_weight(const cm_evidence *evidence, const double *x, size_t fact)
{
    double weight = 0.0;
    for (size_t j = 0; j < evidence->problem.symbols; j++)
        weight += x[j] * evidence->symbols[j * cm_fact_count() + fact];
    return weight;
}

/* How much of the fact the definition's terms count, whether or not they cancel. */
static double part_of(const cm_evidence *evidence, const cm_solution *solution, size_t fact)
{
    double sum = 0.0;
    for (size_t k = 0; k < solution->count; k++)
        sum += fabs(solution->terms[k].coefficient *
                    cm_fact_weight(evidence, evidence->problem.events[solution->terms[k].event].x, fact));
    return sum;
}

/* Primitive facts that symbols are made of. */
static size_t list_facts(const cm_evidence *evidence, size_t *facts)
{
    size_t count = 0;
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        bool used = false;
        for (size_t j = 0; j < evidence->problem.symbols; j++)
            used |= evidence->symbols[j * cm_fact_count() + fact] != 0.0;
        const cm_listed_fact *listed = &evidence->facts->facts[fact];
        if (used && listed->kind == CM_FACT_COUNTED && !listed->elsewhere)
            facts[count++] = fact;
    }
    return count;
}

/* How often a row has the fact for sure. */
static double level_on(const cm_evidence *evidence, size_t row, size_t fact)
{
    const cm_kernel_facts *kernel = evidence->rows[row].kernel;
    double level = kernel != NULL ? kernel->values[fact] - kernel->ranges[fact] : 0.0;
    return level > 0.0 ? level : 0.0; /* nor where it is unknown, NaN */
}

/* Marks the pairs that this row tells: where the definition would be off by more than it may be. */
static void tell_pairs(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution, size_t row,
                       cm_apart *apart)
{
    double limit = cm_limit_on(&evidence->problem, target, solution->terms, solution->count, row);
    if (isnan(limit))
        return;
    limit += target->high[row] - target->low[row];
    for (size_t i = 0; i < apart->count; i++) {
        double level = level_on(evidence, row, apart->facts[i]);
        apart->tellers[i] += cm_the_rules.overcount * apart->parts[i] * level > limit;
        for (size_t k = 0; level > 0.0 && k < apart->count; k++) {
            double both = fmin(level, level_on(evidence, row, apart->facts[k]));
            apart->told[i * apart->count + k] |= cm_the_rules.overcount * apart->parts[i] * both > limit;
        }
    }
}

void cm_apart_clear(cm_apart *apart)
{
    free(apart->facts);
    free(apart->parts);
    free(apart->tellers);
    free(apart->told);
    *apart = (cm_apart){0};
}

static cm_status make_room(const cm_evidence *evidence, cm_apart *apart, cm_error *error)
{
    size_t most = evidence->facts->primitive_count + 1;
    apart->facts = malloc(most * sizeof *apart->facts);
    apart->parts = malloc(most * sizeof *apart->parts);
    apart->tellers = calloc(most, sizeof *apart->tellers);
    if (apart->facts == NULL || apart->parts == NULL || apart->tellers == NULL)
        return cm_error_no_memory(error);
    apart->count = list_facts(evidence, apart->facts);
    apart->told = calloc(apart->count * apart->count + 1, sizeof *apart->told);
    return apart->told != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_find_apart(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                        cm_apart *apart, cm_error *error)
{
    cm_status status = make_room(evidence, apart, error);
    if (status != CM_OK)
        return status;
    for (size_t i = 0; i < apart->count; i++)
        apart->parts[i] = part_of(evidence, solution, apart->facts[i]);
    for (size_t r = 0; r < evidence->problem.rows; r++)
        tell_pairs(evidence, target, solution, r, apart);
    double least = cm_the_rules.negligible * target->smallest;
    for (size_t i = 0; i < apart->count; i++) {
        if (apart->parts[i] <= least)
            apart->tellers[i] = 2;
        for (size_t k = 0; k < apart->count; k++) {
            apart->told[i * apart->count + k] |= i == k || apart->parts[i] <= least;
            apart->pairs += !apart->told[i * apart->count + k];
        }
    }
    return CM_OK;
}

void cm_list_apart(const cm_apart *apart, cm_doubts *doubts)
{
    for (size_t i = 0; i < apart->count; i++)
        if (apart->tellers[i] < 2)
            doubts->lone[doubts->lone_count++] = apart->facts[i];
    for (size_t i = 0; i < apart->count; i++)
        for (size_t k = 0; k < apart->count; k++)
            if (!apart->told[i * apart->count + k]) {
                doubts->apart[2 * doubts->apart_count] = apart->facts[i];
                doubts->apart[2 * doubts->apart_count++ + 1] = apart->facts[k];
            }
}
