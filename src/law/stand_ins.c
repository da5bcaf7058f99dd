/* Events that may stand in for those of a definition. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "law/evidence.h"

static const double rounding_error = 1e-9;

/* The widest relative difference between the two events: a hundredth plus their noise, at most alpha. Facts beside the
 * metric are little of these kernels, and may be most of a program. */
static double allowed_of(const cm_problem *problem, const cm_usable_event *other, const cm_usable_event *own)
{
    double noise = (isnan(other->noise) ? 0.0 : other->noise) + (isnan(own->noise) ? 0.0 : own->noise);
    return fmin(cm_analysis_thresholds(problem->analysis).alpha, cm_the_rules.alike + cm_the_rules.z * noise);
}

static bool is_multiple(const cm_problem *problem, const cm_usable_event *other, const cm_usable_event *own,
                        double factor, double allowed)
{
    bool multiple = factor > 0.0;
    for (size_t j = 0; multiple && j < problem->symbols; j++)
        multiple = fabs(other->x[j] - factor * own->x[j]) <= allowed * other->norm;
    return multiple;
}

/* Whether the events count alike on each kernel, even where the metric's amount is not known: an event that counts on a
 * kernel on which the other does not cannot stand in for it. */
static bool counts_alike(const cm_problem *problem, size_t other, size_t own, double factor, double allowed)
{
    const cm_term difference[] = {{other, 1.0}, {own, -factor}};
    double off, error;
    for (size_t r = 0; r < problem->rows; r++) {
        if (!cm_value_on(problem, difference, 2, r, &off, &error))
            continue;
        double size = fabs(factor * problem->events[own].mean[r]) + cm_the_rules.least * problem->events[other].norm;
        double stray =
            0.5 * (cm_stray_counts_on(problem, difference, 2, r) + cm_the_rules.sure / problem->iterations[r]);
        if (fabs(off) > allowed * size + cm_the_rules.z * error + stray)
            return false;
    }
    return true;
}

/* Whether the other verdict lists no leak that this one does not, which matters as far. */
static bool leaks_no_more(const cm_law_verdict *verdict, const cm_law_verdict *other)
{
    const double as_far = 1.0 + cm_the_rules.least;
    bool listed = true;
    for (size_t i = 0; i < other->leak_count && listed; i++) {
        listed = other->leaks[i].above == 0.0;
        for (size_t k = 0; k < verdict->leak_count && !listed; k++)
            listed = verdict->leaks[k].alternative == other->leaks[i].alternative &&
                     other->leaks[i].above <= as_far * verdict->leaks[k].above;
    }
    return listed;
}

/* Whether all facts that the other verdict leaves untold are those of this one. */
static bool tells_as_much(const cm_law_verdict *verdict, const cm_law_verdict *other)
{
    bool told = true;
    for (size_t i = 0; i < other->untold_facts && told; i++) {
        told = false;
        for (size_t k = 0; k < verdict->untold_facts && !told; k++)
            told = verdict->untold[k] == other->untold[i];
    }
    return told;
}

/* Whether the law says the same of the terms as of the definition, if it says anything. */
static cm_status ask_law(cm_counted_law *law, const cm_target *target, const cm_solution *solution,
                         const cm_term *terms, bool *same, cm_error *error)
{
    const cm_law_verdict *own = NULL, *other = NULL;
    cm_status status = cm_counted_law_judge(law, target, solution->terms, solution->count, &own, error);
    CM_THEN(status, cm_counted_law_judge(law, target, terms, solution->count, &other, error));
    *same = status == CM_OK && (own == NULL || other == NULL ||
                                (cm_law_allows(other) && leaks_no_more(own, other) && tells_as_much(own, other)));
    return status;
}

/* Finds stand-ins for a term: multiples of its event, with which the definition holds as well. */
static cm_status find_stand_ins(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                                size_t term, cm_term *terms, struct cm_term_equivalents *found, cm_error *error)
{
    const cm_problem *problem = &evidence->problem;
    const cm_usable_event *own = &problem->events[solution->terms[term].event];
    cm_status status = CM_OK;
    double most = (1.0 + cm_the_rules.alike) * cm_judge_terms(problem, target, solution->terms, solution->count).ratio;
    memcpy(terms, solution->terms, solution->count * sizeof *terms);
    for (size_t i = 0; i < problem->event_count && status == CM_OK; i++) {
        const cm_usable_event *other = &problem->events[i];
        bool same = false;
        double factor = i != solution->terms[term].event ? cm_vector_factor(other->x, own->x, problem->symbols) : 0.0;
        double allowed = allowed_of(problem, other, own);
        if (!is_multiple(problem, other, own, factor, allowed) ||
            !counts_alike(problem, i, solution->terms[term].event, factor, allowed))
            continue;
        terms[term] = (cm_term){i, solution->terms[term].coefficient / factor};
        if (cm_judge_terms(problem, target, terms, solution->count).ratio <= most)
            status = ask_law(evidence->law, target, solution, terms, &same, error);
        if (same)
            found->list[found->count++] = (cm_equivalent_event){other->index, factor};
    }
    return status;
}

static const cm_usable_event *usable_of(const cm_problem *problem, size_t event)
{
    for (size_t i = 0; i < problem->event_count; i++)
        if (problem->events[i].index == event)
            return &problem->events[i];
    return NULL;
}

bool cm_counts_the_same(const cm_evidence *evidence, size_t one, size_t other, double factor)
{
    const cm_usable_event *a = usable_of(&evidence->problem, one), *b = usable_of(&evidence->problem, other);
    bool same = a != NULL && b != NULL;
    for (size_t r = 0; same && r < evidence->problem.rows + evidence->free_count; r++) {
        double off = b->mean[r] - factor * a->mean[r], error = hypot(b->error[r], factor * a->error[r]);
        double stray = cm_the_rules.sure / evidence->problem.iterations[r];
        same = isnan(off) || fabs(off) <= rounding_error * fabs(b->mean[r]) + cm_the_rules.z * error + stray;
    }
    return same;
}

bool cm_counts_alike(const cm_evidence *evidence, size_t one, size_t other, double factor)
{
    const cm_problem *problem = evidence != NULL ? &evidence->problem : NULL;
    const cm_usable_event *a = problem != NULL ? usable_of(problem, one) : NULL;
    const cm_usable_event *b = problem != NULL ? usable_of(problem, other) : NULL;
    return a == NULL || b == NULL ||
           counts_alike(problem, (size_t)(b - problem->events), (size_t)(a - problem->events), factor,
                        allowed_of(problem, b, a));
}

cm_status cm_find_stand_ins(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                            struct cm_term_equivalents *found, cm_error *error)
{
    cm_term *terms = calloc(solution->count + 1, sizeof *terms);
    cm_status status = terms != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < solution->count && solution->verdict.refusal == CM_REFUSED_NOT; k++) {
        found[k].list = calloc(evidence->problem.event_count + 1, sizeof *found[k].list);
        status = found[k].list != NULL ? find_stand_ins(evidence, target, solution, k, terms, &found[k], error)
                                       : cm_error_no_memory(error);
    }
    free(terms);
    return status;
}
