/* A definition, with each of its events read as facts: do these come to the metric in natural programs? */
#include "analysis/rules.h"
#include "law/state.h"

/* The excess of a fact that kernels do over the metric's meaning; 0 if it is so little that it is a leak. */
static double excess_of(const cm_law_trial *work, const double *facts, size_t fact)
{
    double more = facts[fact] - work->metric->weights[fact];
    bool little = fabs(more) * cm_law_unit(fact) < cm_the_rules.known * work->metric->middle;
    return work->law->tried[fact] && !little ? more : 0.0;
}

/* Fills these amounts, and lists the facts that have one. */
static void find_extra(cm_law_trial *work, const double *facts)
{
    work->extra_count = 0;
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        work->extra[fact] = excess_of(work, facts, fact);
        if (work->extra[fact] != 0.0)
            work->extras[work->extra_count++] = fact;
    }
}

/* The error of a definition in a natural program, as its terms are read. */
static double off_in(const cm_law_trial *work, const double *facts, size_t q)
{
    const cm_natural *natural = work->law->setup.natural;
    size_t program = work->metric->programs[q];
    const double *often = natural->facts + program * cm_fact_count();
    double sum = facts[cm_fact_count()] * natural->turns[program];
    for (size_t i = 0; i < work->extra_count; i++)
        sum += work->extra[work->extras[i]] * often[work->extras[i]];
    return sum / work->metric->meanings[q];
}

/* The fact counted beside the metric that comes to most in all programs. */
static size_t most_of(const cm_law_trial *work)
{
    const cm_natural *natural = work->law->setup.natural;
    size_t found = 0;
    double most = 0.0;
    for (size_t i = 0; i < work->extra_count; i++) {
        size_t fact = work->extras[i];
        double sum = 0.0;
        for (size_t q = 0; q < work->metric->program_count; q++)
            sum += natural->facts[work->metric->programs[q] * cm_fact_count() + fact] / work->metric->meanings[q];
        sum *= fabs(work->extra[fact]);
        if (sum > most) {
            most = sum;
            found = fact;
        }
    }
    return found;
}

/* The way in which kernels distinguish the facts read from the metric. */
typedef enum told { NOT_TOLD, BY_DECIDED, TOLD } told;

/* The part of the terms' facts that the machine decides on a kernel. */
static double decided_by(const cm_law_counts *counts, const cm_kernel_facts *kernel)
{
    double sum = 0.0;
    for (size_t i = 0; i < counts->term_count; i++)
        for (size_t fact = 0; fact < cm_fact_count(); fact++)
            sum += fabs(counts->terms[i].coefficient * counts->terms[i].facts[fact]) * kernel->ranges[fact];
    return sum;
}

/* Kernels tell it if no machine can decide that it comes to as much as the metric; or by the decided part of the terms,
 * if these may have been misread for that. */
static told how_told(const cm_law_trial *work, const cm_law_counts *counts)
{
    told found = NOT_TOLD;
    for (size_t k = 0; k < work->law->setup.kernel_count; k++) {
        const cm_law_kernel *kernel = &work->law->setup.kernels[k];
        double sum = kernel->loops ? counts->read[cm_fact_count()] : 0.0;
        double allowance = work->metric->tolerance * work->metric->scale[k] + work->metric->machine_share[k] +
                           cm_the_rules.z * sqrt(work->variances[k]);
        double decided = 0.0;
        for (size_t fact = 0; fact < cm_fact_count(); fact++) {
            double more = work->extra[fact];
            sum += more * kernel->facts->values[fact];
            decided += fabs(more) * kernel->facts->ranges[fact];
        }
        if (!isfinite(work->variances[k]) || kernel->free || fabs(sum) <= allowance + decided)
            continue;
        if (fabs(sum) > allowance + decided_by(counts, kernel->facts))
            return TOLD;
        found = BY_DECIDED;
    }
    return found;
}

/* Whether that term may count the rest of the metric that the others leave: some facts, each of them once. */
static bool may_be_else(const cm_law_trial *work, const double *facts, const cm_law_term *term)
{
    bool may = true;
    for (size_t fact = 0; fact <= cm_fact_count() && may; fact++) {
        bool is_turn = fact == cm_fact_count();
        double more = is_turn ? facts[fact] : work->extra[fact];
        double counted = term->facts[fact] - more / term->coefficient;
        bool is_more = !is_turn && term->most != NULL && counted > fmax(term->most[fact], term->facts[fact]);
        may = (!is_turn && !work->law->tried[fact]) ||
              (!is_more && fmin(fabs(counted), fabs(counted - 1.0)) <= cm_the_rules.known);
    }
    return may;
}

/* The fact of a term that counts most an occurrence. */
static size_t largest_of(const cm_law_term *term)
{
    size_t found = 0;
    for (size_t fact = 1; fact < cm_fact_count(); fact++)
        if (fabs(term->facts[fact]) * cm_law_unit(fact) > fabs(term->facts[found]) * cm_law_unit(found))
            found = fact;
    return found;
}

/* Whether a multiple is a unit that events count in, a power of two, as is a line of 64 bytes. */
static bool is_unit(double value)
{
    double power = log2(value);
    return fabs(value - exp2(nearbyint(power))) <= cm_the_rules.fit * value;
}

/* Whether each event counts some fact as more than a leak; one that does not is for something that no kernel does. */
static bool are_for_facts(cm_law_trial *work, const cm_law_counts *counts)
{
    bool all = true;
    for (size_t i = 0; i < counts->term_count && all; i++) {
        const cm_law_term *term = &counts->terms[i];
        size_t fact = largest_of(term);
        double value = fabs(term->facts[fact]) * cm_law_unit(fact);
        bool is_leak = value > 0.0 && value < cm_the_rules.prior && !is_unit(value);
        if (is_leak && fabs(term->facts[cm_fact_count()]) < cm_the_rules.prior)
            all = cm_law_refuse(work, CM_LAW_LEAK, fact, value, cm_the_rules.prior);
    }
    return all;
}

void cm_law_hold_to_reading(cm_law_trial *work, const cm_law_counts *counts)
{
    const cm_law_metric *metric = work->metric;
    const double *facts = counts->read;
    double worst = 0.0, limit = fmin(cm_the_rules.natural, metric->tolerance);
    if (!are_for_facts(work, counts))
        return;
    find_extra(work, facts);
    for (size_t g = 0; g < metric->group_count; g++) {
        size_t count = 0;
        for (size_t q = metric->groups[g]; q < metric->groups[g + 1]; q++)
            if (cm_law_is_in_range(work, q))
                work->line[count++] = fabs(off_in(work, facts, q));
        if (count > 0)
            worst = fmax(worst, cm_median(work->line, count));
    }
    if (worst <= limit)
        return;
    told how = how_told(work, counts);
    bool may = how == BY_DECIDED;
    for (size_t i = 0; how == NOT_TOLD && i < counts->term_count && !may; i++)
        may = may_be_else(work, facts, &counts->terms[i]);
    if (may)
        return;
    cm_law_refuse(work, CM_LAW_READ, most_of(work), worst, limit);
}
