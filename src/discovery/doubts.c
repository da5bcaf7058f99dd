/* What a definition's evidence cannot tell: facts that happen wherever a symbol does, and how small an overcount shows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "core/error.h"
#include "discovery/doubts.h"

static double expectation(const cm_evidence *evidence, size_t row, size_t symbol)
{
    return *cm_matrix_at(evidence->basis->expectations, row, symbol);
}

static const cm_kernel_facts *kernel_of(const cm_evidence *evidence, size_t row)
{
    return evidence->rows[row].kernel;
}

double cm_goes_with(const cm_evidence *evidence, size_t fact, size_t symbol)
{
    double ratio = 0.0;
    bool decided = false;
    for (size_t r = 0; r < evidence->problem.fitted; r++) {
        const cm_kernel_facts *kernel = kernel_of(evidence, r);
        if (kernel == NULL)
            return 0.0;
        double expected = expectation(evidence, r, symbol), value = kernel->values[fact];
        if (isnan(value) || (value != 0.0) != (expected != 0.0))
            return 0.0;
        if (value == 0.0)
            continue;
        if (ratio != 0.0 && fabs(value / expected - ratio) > 1e-9 * fabs(ratio))
            return 0.0;
        ratio = value / expected;
        decided |= kernel->ranges[fact] > 0.0;
    }
    return decided ? ratio : 0.0;
}

/* Whether a kernel has the fact for sure. */
static bool is_sure(const cm_kernel_facts *kernel, size_t fact)
{
    return kernel != NULL && kernel->values[fact] > kernel->ranges[fact];
}

/* Whether a control has the fact for sure, and is there to say what the metric is exactly. */
static bool is_told(const cm_evidence *evidence, const cm_target *target, size_t fact)
{
    for (size_t r = evidence->problem.fitted; r < evidence->problem.rows; r++)
        if (is_sure(kernel_of(evidence, r), fact) && cm_is_exact(target, r))
            return true;
    return false;
}

/* Whether twins, of which one has the fact more often beside the same of the symbol, are too noisy to show that the
 * solution counts it. */
static bool is_blurred(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution, size_t fact)
{
    if (target->twin < 0)
        return false;
    double limit = cm_limit_on(&evidence->problem, target, solution->terms, solution->count, (size_t)target->twin);
    const cm_kernel_facts *one = kernel_of(evidence, (size_t)evidence->twins[0]),
                          *other = kernel_of(evidence, (size_t)evidence->twins[1]);
    double apart = fabs(one->values[fact] - other->values[fact]);
    return apart > 0.0 && limit > cm_the_rules.blur * target->smallest * apart;
}

/* How much of the symbol the definition's terms count, whether or not they cancel. */
static double part_of(const cm_evidence *evidence, const cm_solution *solution, size_t symbol)
{
    double sum = 0.0;
    for (size_t k = 0; k < solution->count; k++)
        sum += fabs(solution->terms[k].coefficient * evidence->problem.events[solution->terms[k].event].x[symbol]);
    return sum;
}

static bool goes_with_symbol(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                             size_t fact)
{
    for (size_t j = 0; j < evidence->problem.symbols; j++)
        if (part_of(evidence, solution, j) > target->symbol_limits[j] && cm_goes_with(evidence, fact, j) != 0.0 &&
            (!is_told(evidence, target, fact) || is_blurred(evidence, target, solution, fact)))
            return true;
    return false;
}

void cm_represent(const cm_evidence *evidence, const double *x, double *counts)
{
    for (size_t r = 0; r < evidence->problem.rows; r++) {
        counts[r] = 0.0;
        for (size_t j = 0; j < evidence->problem.symbols; j++)
            counts[r] += x[j] * evidence->rows[r].levels[j];
    }
}

/* Whether the event is represented as that fact, and nothing else. */
static bool is_fact(const cm_evidence *evidence, const cm_usable_event *event, size_t fact)
{
    for (size_t i = 0; i < cm_fact_count(); i++) {
        if (i != fact && fabs(cm_fact_weight(evidence, event->x, i)) > 1e-6 * event->norm)
            return false;
    }
    return true;
}

double cm_is_like(const cm_evidence *evidence, const double *counts, size_t fact)
{
    double ratio = 0.0;
    for (size_t r = 0; r < evidence->problem.rows; r++) {
        const cm_kernel_facts *kernel = kernel_of(evidence, r);
        double value = kernel != NULL ? kernel->values[fact] : 0.0;
        if (kernel == NULL || (value == 0.0 && counts[r] == 0.0))
            continue;
        if (value == 0.0 || counts[r] == 0.0 || (ratio != 0.0 && fabs(counts[r] / value - ratio) > 1e-6 * fabs(ratio)))
            return 0.0;
        ratio = counts[r] / value;
    }
    return ratio;
}

/* Marks the facts that no kernel tells from one of the solution's events. */
static void mark_likes(const cm_evidence *evidence, const cm_usable_event *event, double *counts, bool *marked)
{
    cm_represent(evidence, event->x, counts);
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        marked[fact] |= cm_is_like(evidence, counts, fact) != 0.0 && !is_fact(evidence, event, fact);
    }
}

/* ---- facts that no kernel has ---- */

/* Whether two names differ in one word: l3_load_hit and l3_store_hit. */
static bool are_kin(const char *one, const char *other)
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

static bool has_kernel(const cm_evidence *evidence, size_t fact)
{
    for (size_t r = 0; r < evidence->problem.rows; r++)
        if (kernel_of(evidence, r) != NULL && kernel_of(evidence, r)->values[fact] > 0.0)
            return true;
    return false;
}

/* Whether no kernel that was measured has the fact, and it is of the kind of one that the metric means: what fills a
 * cache for loads does so for stores. */
static bool is_beyond(const cm_evidence *evidence, size_t metric, size_t fact)
{
    bool kin = false;
    for (size_t i = 0; i < evidence->facts->primitive_count && !kin; i++) {
        size_t own = evidence->facts->primitives[i];
        kin =
            evidence->metrics[metric * cm_fact_count() + own] != 0.0 && are_kin(cm_fact_name(own), cm_fact_name(fact));
    }
    return kin && !evidence->facts->facts[fact].elsewhere && !has_kernel(evidence, fact);
}

/* Facts that an event may count and no kernel has for sure. */
static void find_unseen(cm_evidence *evidence)
{
    evidence->unseen_count = 0;
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        bool seen = evidence->facts->facts[fact].kind != CM_FACT_COUNTED || evidence->facts->facts[fact].elsewhere;
        for (size_t r = 0; r < evidence->problem.rows && !seen; r++)
            seen = is_sure(kernel_of(evidence, r), fact);
        if (seen)
            continue;
        evidence->unseen[evidence->unseen_count++] = fact;
    }
}

cm_status cm_evidence_find_unseen(cm_evidence *evidence, cm_error *error)
{
    free(evidence->unseen);
    evidence->unseen = calloc(evidence->facts->primitive_count + 1, sizeof *evidence->unseen);
    if (evidence->unseen == NULL)
        return cm_error_no_memory(error);
    find_unseen(evidence);
    return CM_OK;
}

bool cm_is_ranged(const cm_doubts *doubts)
{
    return doubts != NULL && doubts->judged && doubts->law.finding == CM_LAW_IN_RANGE;
}

bool cm_fit_is_ranged(const cm_benchmark_result *result, size_t metric)
{
    return result->proofs != NULL && cm_is_ranged(result->proofs[metric].doubts);
}

/* In one block, the law's verdict with it. */
static cm_doubts *allocate_doubts(const cm_evidence *evidence, size_t pairs, const cm_law_verdict *law)
{
    size_t facts = evidence->facts->primitive_count, numbers = 3 * facts + 2 * pairs + evidence->unseen_count;
    cm_doubts *doubts = calloc(1, sizeof *doubts + (law->leak_count + law->open_count) * sizeof *law->leaks +
                                      (numbers + law->untold_count + law->also_count) * sizeof(size_t));
    if (doubts == NULL)
        return NULL;
    doubts->law = *law;
    doubts->law.leaks = (cm_law_leak *)(doubts + 1);
    doubts->law.open = doubts->law.leaks + law->leak_count;
    doubts->confounded = (size_t *)(doubts->law.open + law->open_count);
    doubts->lone = doubts->confounded + facts;
    doubts->also = doubts->lone + facts;
    doubts->apart = doubts->also + facts;
    doubts->unseen = doubts->apart + 2 * pairs;
    doubts->law.untold = doubts->unseen + evidence->unseen_count;
    doubts->law.also = doubts->law.untold + law->untold_count;
    for (size_t i = 0; i < law->leak_count; i++)
        doubts->law.leaks[i] = law->leaks[i];
    for (size_t i = 0; i < law->open_count; i++)
        doubts->law.open[i] = law->open[i];
    for (size_t i = 0; i < law->untold_count; i++)
        doubts->law.untold[i] = law->untold[i];
    for (size_t i = 0; i < law->also_count; i++)
        doubts->law.also[i] = law->also[i];
    return doubts;
}

static void find_confounded(const cm_evidence *evidence, size_t metric, const cm_solution *solution, const bool *marked,
                            cm_doubts *doubts)
{
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        bool counted = evidence->facts->facts[fact].kind == CM_FACT_COUNTED;
        if (counted && (marked[fact] || goes_with_symbol(evidence, &evidence->targets[metric], solution, fact) ||
                        is_beyond(evidence, metric, fact)))
            doubts->confounded[doubts->confounded_count++] = fact;
    }
}

cm_status cm_find_doubts(const cm_evidence *evidence, size_t metric, const cm_solution *solution, cm_doubts **doubts,
                         cm_error *error)
{
    bool *marked = calloc(cm_fact_count() + 1, sizeof *marked);
    double *counts = calloc(evidence->problem.rows + 1, sizeof *counts);
    cm_apart apart = {0};
    cm_law_verdict law = {0};
    bool judged = false;
    cm_doubts *found = NULL;
    cm_status status = marked != NULL && counts != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t k = 0; status == CM_OK && k < solution->count; k++)
        mark_likes(evidence, &evidence->problem.events[solution->terms[k].event], counts, marked);
    if (status == CM_OK)
        status = cm_find_apart(evidence, &evidence->targets[metric], solution, &apart, error);
    if (status == CM_OK)
        status = cm_evidence_law_judge(evidence->law, metric, solution, &judged, &law, error);
    if (status == CM_OK && (found = allocate_doubts(evidence, apart.pairs, &law)) == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK)
        status = cm_find_also_counted(evidence, metric, solution, found->also, &found->also_count, error);
    if (status == CM_OK) {
        found->judged = judged;
        found->metric = metric;
        found->controls = solution->verdict.controls;
        find_confounded(evidence, metric, solution, marked, found);
        cm_list_apart(&apart, found);
        memcpy(found->unseen, evidence->unseen, evidence->unseen_count * sizeof *found->unseen);
        found->unseen_count = evidence->unseen_count;
        *doubts = found;
    } else {
        free(found);
    }
    cm_law_verdict_clear(&law);
    cm_apart_clear(&apart);
    free(marked);
    free(counts);
    return status;
}

/* The smallest overcount of a symbol that exceeds a kernel's limit. */
static double noticed(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution, size_t symbol)
{
    double least = INFINITY;
    for (size_t r = 0; r < evidence->problem.fitted; r++) {
        double part = fabs(target->signature[symbol] * expectation(evidence, r, symbol));
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
