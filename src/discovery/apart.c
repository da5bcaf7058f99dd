/* Facts that no kernel has side by side: an event may count more, or less, when they meet. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "discovery/results.h"

static double fact_weight(const cm_evidence *evidence, const double *x, size_t fact)
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
                    fact_weight(evidence, evidence->problem.events[solution->terms[k].event].x, fact));
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
    return level > 0.0 ? level : 0.0; /* nor if it is unknown, NaN */
}

/* Marks the facts beside which this row would show a miscount of the fact. The definition's terms count `part` of it: a
 * miscount there would exceed the limit. */
static void mark_told(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution, size_t row,
                      const size_t *facts, size_t count, size_t fact, double part, bool *told)
{
    double level = level_on(evidence, row, facts[fact]);
    double limit = level > 0.0 ? cm_limit_on(&evidence->problem, target, solution->terms, solution->count, row) : NAN;
    if (isnan(limit))
        return;
    limit += target->high[row] - target->low[row];
    for (size_t k = 0; k < count; k++) {
        double both = fmin(level, level_on(evidence, row, facts[k]));
        told[k] |= cm_the_rules.prior * part * both > limit;
    }
}

/* Notes the other facts beside which no row shows this one. */
static void note_beside(const size_t *facts, size_t count, size_t fact, const bool *told, cm_open_questions *questions)
{
    cm_beside found = {.fact = facts[fact]};
    for (size_t k = 0; k < count; k++) {
        if (told[k] || k == fact)
            continue;
        if (found.count < CM_LISTED_BESIDE)
            found.others[found.count] = facts[k];
        found.count++;
    }
    questions->beside_more += found.count > 0 && questions->beside_count == CM_LAW_NAMED;
    if (found.count > 0 && questions->beside_count < CM_LAW_NAMED)
        questions->beside[questions->beside_count++] = found;
}

cm_status cm_find_beside(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                         cm_open_questions *questions, cm_error *error)
{
    size_t most = evidence->facts->primitive_count + 1;
    size_t *facts = malloc(most * sizeof *facts), count = 0;
    bool *told = malloc(most * sizeof *told);
    cm_status status = facts != NULL && told != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        count = list_facts(evidence, facts);
    for (size_t i = 0; i < count; i++) {
        double part = part_of(evidence, solution, facts[i]);
        if (part <= cm_the_rules.fit * target->smallest)
            continue;
        memset(told, 0, count * sizeof *told);
        for (size_t r = 0; r < evidence->problem.rows; r++)
            mark_told(evidence, target, solution, r, facts, count, i, part, told);
        note_beside(facts, count, i, told, questions);
    }
    CM_FREE(facts, told);
    return status;
}
