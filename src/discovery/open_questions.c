/* The support of a definition: the law's verdict, and the smallest overcount that would show. */
#include "discovery/results.h"

bool cm_is_ranged(const cm_open_questions *questions)
{
    return questions != NULL && questions->law != NULL && questions->law->finding == CM_LAW_IN_RANGE;
}

bool cm_fit_is_ranged(const cm_benchmark_result *result, size_t metric)
{
    return result->proofs != NULL && cm_is_ranged(result->proofs[metric].open_questions);
}

/* Whether no kernel that was measured has the fact, and it is of the kind of one that the metric means: a
 * fact of loads is kin to the same of stores. */
static bool is_beyond(const cm_evidence *evidence, size_t metric, size_t fact)
{
    bool kin = false;
    for (size_t i = 0; i < evidence->facts->primitive_count && !kin; i++) {
        size_t own = evidence->facts->primitives[i];
        kin = evidence->metrics[metric * cm_fact_count() + own] != 0.0 &&
              cm_are_kin(cm_fact_name(own), cm_fact_name(fact));
    }
    return kin && !evidence->facts->facts[fact].elsewhere && !cm_law_is_run(evidence->law, fact);
}

static void find_beyond(const cm_evidence *evidence, size_t metric, cm_open_questions *questions)
{
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        if (evidence->facts->facts[fact].kind == CM_FACT_COUNTED && questions->beyond_count < CM_LISTED_BEYOND &&
            is_beyond(evidence, metric, fact))
            questions->beyond[questions->beyond_count++] = fact;
    }
}

cm_status cm_find_open_questions(const cm_evidence *evidence, size_t metric, const cm_solution *solution,
                                 cm_open_questions **questions, cm_error *error)
{
    bool asked = cm_solution_is_usable(solution) || solution->verdict.refusal == CM_REFUSED_LAW;
    const cm_law_verdict *law = NULL;
    cm_status status = asked ? cm_counted_law_judge(evidence->law, &evidence->targets[metric], solution->terms,
                                                    solution->count, &law, error)
                             : CM_OK;
    cm_open_questions *found = status == CM_OK ? calloc(1, sizeof *found) : NULL;
    if (found == NULL)
        return status != CM_OK ? status : cm_error_no_memory(error);
    *found = (cm_open_questions){.metric = metric, .controls = solution->verdict.controls, .law = law};
    find_beyond(evidence, metric, found);
    status = cm_find_beside(evidence, &evidence->targets[metric], solution, found, error);
    CM_HAND_OVER(status, questions, found, free);
    return status;
}

/* The smallest overcount of a symbol that exceeds a kernel's limit. */
static double noticed(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution, size_t symbol)
{
    double least = INFINITY;
    for (size_t r = 0; r < evidence->problem.fitted; r++) {
        double part = fabs(target->signature[symbol] * *cm_matrix_at(evidence->basis->expectations, r, symbol));
        double limit = cm_limit_on(&evidence->problem, target, solution->terms, solution->count, r);
        if (part != 0.0 && !isnan(limit))
            least = fmin(least, limit / part);
    }
    return least;
}

double cm_resolution_of(const cm_evidence *evidence, size_t metric, const cm_solution *solution)
{
    const cm_target *target = &evidence->targets[metric];
    double worst = 0.0;
    for (size_t j = 0; j < evidence->problem.symbols; j++)
        if (target->signature[j] != 0.0)
            worst = fmax(worst, noticed(evidence, target, solution, j));
    return isfinite(worst) ? worst : NAN;
}
