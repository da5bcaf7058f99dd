/* What programs tell apart that the kernels could not: a definition that held in them is no longer confounded with
 * that.
 *
 * A doubt says that the definition may count something else than its metric, as long as only kernels were asked. Where
 * that else would have put it off a program by more than twice what refutes it, and it is not off there, it counts no
 * such thing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "core/error.h"
#include "discovery/doubts.h"
#include "discovery/judgement.h"
#include "validation/judge.h"

/* The programs in which a definition held. */
typedef struct holding {
    const cm_benchmark_result *result;
    size_t metric;
    const cm_event_sum *sum;
    const cm_program_table *table;
    double limit;
    double *deviations, *meant, *ranges; /* one a program */
    double *counts;                      /* one a kernel: what an event should count */
} holding;

static const cm_evidence *evidence_of(const holding *held)
{
    return held->result->evidence;
}

/* What a term's event is represented as; NULL: it counts nothing on the fitted kernels. */
static const double *x_of(const holding *held, size_t term)
{
    return cm_analysis_event(held->result->analysis, held->sum->events[term]).representation;
}

/* Whether counting so much more, or less, in a run of the program would have refuted the definition there. */
static bool would_show(const holding *held, size_t program, double excess, double factor)
{
    return held->deviations[program] <= held->limit && fabs(excess) > factor * held->limit * fabs(held->meant[program]);
}

/* A fact in a program; NaN: unknown. */
static double fact_in(const holding *held, size_t program, size_t fact)
{
    size_t at = program * cm_fact_count() + fact;
    return held->table->ranges[at] > 0.0 ? NAN : held->table->facts[at];
}

/* A symbol in a program; NaN: unknown. */
static double symbol_in(const holding *held, size_t program, size_t symbol)
{
    const cm_evidence *evidence = evidence_of(held);
    const double *weights = evidence->symbols + symbol * cm_fact_count();
    double sum = 0.0;
    for (size_t i = 0; i < evidence->facts->primitive_count; i++) {
        size_t fact = evidence->facts->primitives[i];
        if (weights[fact] != 0.0)
            sum += weights[fact] * fact_in(held, program, fact);
    }
    return sum;
}

/* ---- facts instead of what was represented ---- */

/* Whether some program tells the fact from a sum of symbols: `weights`, one a symbol, `ratio` of the fact. */
static bool is_told_apart(const holding *held, size_t fact, const double *weights, double factor, double ratio)
{
    for (size_t p = 0; p < held->table->program_count; p++) {
        double sum = 0.0;
        for (size_t j = 0; j < evidence_of(held)->problem.symbols; j++)
            if (weights[j] != 0.0)
                sum += weights[j] * symbol_in(held, p, j);
        if (would_show(held, p, factor * (ratio * fact_in(held, p, fact) - sum), 2.0))
            return true;
    }
    return false;
}

/* How much of the symbol the definition's terms count, whether or not they cancel. */
static double part_of(const holding *held, size_t symbol)
{
    const cm_event_sum *terms = held->sum;
    double sum = 0.0;
    for (size_t k = 0; k < terms->count; k++)
        if (x_of(held, k) != NULL)
            sum += fabs(terms->coefficients[k] * x_of(held, k)[symbol]);
    return sum;
}

static bool is_told_from_symbols(const holding *held, size_t fact)
{
    const cm_evidence *evidence = evidence_of(held);
    const cm_target *target = &evidence->targets[held->metric];
    double *weights = held->counts;
    for (size_t j = 0; j < evidence->problem.symbols; j++) {
        double ratio = cm_goes_with(evidence, fact, j);
        if (ratio == 0.0 || part_of(held, j) <= target->symbol_limits[j])
            continue;
        memset(weights, 0, evidence->problem.symbols * sizeof *weights);
        weights[j] = 1.0;
        double weight = target->signature[j] != 0.0 ? target->signature[j] : target->smallest;
        if (!is_told_apart(held, fact, weights, weight, 1.0 / ratio))
            return false;
    }
    return true;
}

static bool is_told_from_events(const holding *held, size_t fact)
{
    const cm_evidence *evidence = evidence_of(held);
    const cm_event_sum *terms = held->sum;
    for (size_t k = 0; k < terms->count; k++) {
        const double *x = x_of(held, k);
        if (x == NULL)
            continue;
        cm_represent(evidence, x, held->counts);
        double ratio = terms->coefficients[k] != 0.0 ? cm_is_like(evidence, held->counts, fact) : 0.0;
        if (ratio != 0.0 && !is_told_apart(held, fact, x, terms->coefficients[k], ratio))
            return false;
    }
    return true;
}

static bool is_told(const holding *held, size_t fact)
{
    return is_told_from_symbols(held, fact) && is_told_from_events(held, fact);
}

/* ---- facts that no kernel has ---- */

static bool is_seen(const holding *held, size_t fact)
{
    double weight = evidence_of(held)->targets[held->metric].smallest;
    for (size_t p = 0; p < held->table->program_count; p++)
        if (would_show(held, p, weight * fact_in(held, p, fact), 2.0))
            return true;
    return false;
}

/* ---- facts that no kernel has side by side ---- */

/* How much of the fact the definition's terms count, whether or not they cancel. */
static double fact_part_of(const holding *held, size_t fact)
{
    double sum = 0.0;
    for (size_t k = 0; k < held->sum->count; k++)
        if (x_of(held, k) != NULL)
            sum += fabs(held->sum->coefficients[k] * cm_fact_weight(evidence_of(held), x_of(held, k), fact));
    return sum;
}

/* How often both facts happen in a program; NaN where either is unknown, which fmin would pass over. */
static double both_in(const holding *held, size_t program, const size_t *pair)
{
    double first = fact_in(held, program, pair[0]), second = fact_in(held, program, pair[1]);
    return isnan(first) || isnan(second) ? NAN : fmin(first, second);
}

static bool meet(const holding *held, const size_t *pair)
{
    double part = fact_part_of(held, pair[0]);
    for (size_t p = 0; p < held->table->program_count; p++)
        if (would_show(held, p, part * both_in(held, p, pair), 1.0 / cm_the_rules.overcount))
            return true;
    return false;
}

static void clear_apart(const holding *held, cm_doubts *doubts)
{
    size_t kept = 0;
    for (size_t i = 0; i < doubts->apart_count; i++) {
        const size_t pair[2] = {doubts->apart[2 * i], doubts->apart[2 * i + 1]};
        if (meet(held, pair))
            continue;
        memcpy(doubts->apart + 2 * kept, pair, sizeof pair);
        kept++;
    }
    doubts->apart_count = kept;
}

/* ---- facts that one kernel alone shows ---- */

static bool shows(const holding *held, size_t fact)
{
    double part = fact_part_of(held, fact);
    for (size_t p = 0; p < held->table->program_count; p++)
        if (would_show(held, p, part * fact_in(held, p, fact), 1.0 / cm_the_rules.overcount))
            return true;
    return false;
}

/* ---- all ---- */

/* Takes away the facts that programs tell; returns how many are left. */
static size_t keep_untold(const holding *held, bool (*told)(const holding *, size_t), size_t *facts, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!told(held, facts[i]))
            facts[kept++] = facts[i];
    return kept;
}

/* `room`: for all that the holding needs. */
static cm_status clear(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                       const cm_program_table *table, double *room, cm_doubts *doubts, cm_error *error)
{
    size_t programs = table->program_count;
    const holding held = {.result = result,
                          .metric = metric,
                          .sum = sum,
                          .table = table,
                          .limit = CM_VALIDATION_FACTOR * result->thresholds.residual,
                          .deviations = room,
                          .meant = room + programs,
                          .ranges = room + 2 * programs,
                          .counts = room + 3 * programs};
    cm_status status = cm_deviations_of(result, metric, sum, table, held.deviations, error);
    if (status == CM_OK)
        status =
            cm_validation_means(result->signatures->metrics[metric].meaning, table, held.meant, held.ranges, error);
    if (status != CM_OK)
        return status;
    doubts->confounded_count = keep_untold(&held, is_told, doubts->confounded, doubts->confounded_count);
    doubts->unseen_count = keep_untold(&held, is_seen, doubts->unseen, doubts->unseen_count);
    doubts->lone_count = keep_untold(&held, shows, doubts->lone, doubts->lone_count);
    clear_apart(&held, doubts);
    doubts->held = true;
    return CM_OK;
}

cm_status cm_clear_doubts(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                          const cm_program_table *table, cm_doubts *doubts, cm_error *error)
{
    if (result->evidence == NULL || doubts == NULL)
        return CM_OK;
    const cm_problem *problem = &result->evidence->problem;
    double *room = calloc(3 * table->program_count + problem->rows + problem->symbols + 1, sizeof *room);
    if (room == NULL)
        return cm_error_no_memory(error);
    cm_status status = clear(result, metric, sum, table, room, doubts, error);
    free(room);
    return status;
}
