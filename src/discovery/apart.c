/* Facts that no kernel has side by side: an event may count more, or less, when they meet. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "discovery/results.h"

bool cm_are_kin(const char *one, const char *other)
{
    size_t different = 0;
    while (*one != '\0' && *other != '\0') {
        size_t length = strcspn(one, "_"), other_length = strcspn(other, "_");
        different += length != other_length || memcmp(one, other, length) != 0;
        one += length + (one[length] == '_');
        other += other_length + (other[other_length] == '_');
    }
    return different == 1 && *one == *other;
}

static double fact_weight(const cm_evidence *evidence, const double *x, size_t fact)
{
    double weight = 0.0;
    for (size_t j = 0; j < evidence->problem.symbols; j++)
        weight += x[j] * evidence->symbols[j * cm_fact_count() + fact];
    return weight;
}

/* Fills how much of each fact the definition's terms count, whether or not they cancel: by symbols, or as each is read.
 */
static cm_status find_parts(const cm_evidence *evidence, const cm_solution *solution, double *parts, cm_error *error)
{
    cm_status status = solution->count > 1
                           ? cm_counted_law_parts(evidence->law, solution->terms, solution->count, parts, error)
                           : CM_OK;
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        double sum = 0.0;
        for (size_t k = 0; k < solution->count; k++)
            sum += fabs(solution->terms[k].coefficient *
                        fact_weight(evidence, evidence->problem.events[solution->terms[k].event].x, fact));
        parts[fact] = fmax(parts[fact], sum);
    }
    return status;
}

static bool is_of_symbols(const cm_evidence *evidence, size_t fact)
{
    bool used = false;
    for (size_t j = 0; j < evidence->problem.symbols && !used; j++)
        used = evidence->symbols[j * cm_fact_count() + fact] != 0.0;
    return used;
}

/* Whether terms count the fact, or one of its kind that no symbol has. */
static bool is_of_terms(const cm_evidence *evidence, const double *parts, double least, size_t fact)
{
    bool counted = parts[fact] > least;
    for (size_t i = 0; i < evidence->facts->primitive_count && !counted; i++) {
        size_t other = evidence->facts->primitives[i];
        counted = parts[other] > least && !is_of_symbols(evidence, other) &&
                  cm_are_kin(cm_fact_name(fact), cm_fact_name(other));
    }
    return counted;
}

/* Lists the primitive facts that symbols are made of, or the others that terms count; returns how many there are. */
static size_t list_facts(const cm_evidence *evidence, const double *parts, double least, bool of_symbols, size_t *facts)
{
    size_t count = 0;
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        const cm_listed_fact *listed = &evidence->facts->facts[fact];
        if (listed->kind == CM_FACT_COUNTED && !listed->elsewhere && is_of_symbols(evidence, fact) == of_symbols &&
            (of_symbols || is_of_terms(evidence, parts, least, fact)))
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
    const double least = cm_the_rules.fit * target->smallest;
    size_t *facts = calloc(evidence->facts->primitive_count + 1, sizeof *facts);
    bool *told = calloc(evidence->facts->primitive_count + 1, sizeof *told);
    double *parts = calloc(cm_fact_count() + 1, sizeof *parts);
    cm_status status = facts != NULL && told != NULL && parts != NULL ? find_parts(evidence, solution, parts, error)
                                                                      : cm_error_no_memory(error);
    size_t own = status == CM_OK ? list_facts(evidence, parts, least, true, facts) : 0;
    size_t all = own + (status == CM_OK ? list_facts(evidence, parts, least, false, facts + own) : 0);
    for (size_t i = 0; i < all; i++) {
        const size_t count = i < own ? own : all;
        if (parts[facts[i]] <= least)
            continue;
        memset(told, 0, count * sizeof *told);
        for (size_t r = 0; r < evidence->problem.rows; r++)
            mark_told(evidence, target, solution, r, facts, count, i, parts[facts[i]], told);
        note_beside(facts, count, i, told, questions);
    }
    CM_FREE(facts, told, parts);
    return status;
}
