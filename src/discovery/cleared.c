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

#include "core/error.h"
#include "discovery/doubts.h"
#include "discovery/judgement.h"
#include "validation/judge.h"

/* Overcounts of a symbol from here on must show, for two symbols to be told apart where they meet. */
static const double overcount = 0.2;

/* The programs in which a definition held. */
typedef struct holding {
    const cm_benchmark_result *result;
    size_t metric;
    const cm_program_table *table;
    double limit;
    double *deviations, *meant, *ranges; /* one a program */
    double *counts;                      /* one a kernel: what an event should count */
} holding;

static const cm_evidence *evidence_of(const holding *held)
{
    return held->result->evidence;
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
    const cm_fit *fit = held->result->fits[held->metric];
    double sum = 0.0;
    for (size_t k = 0; k < fit->term_count; k++)
        sum += fabs(fit->rounded[k] * cm_analysis_event(held->result->analysis, fit->events[k]).representation[symbol]);
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
        if (!is_told_apart(held, fact, weights, target->signature[j], 1.0 / ratio))
            return false;
    }
    return true;
}

static bool is_told_from_events(const holding *held, size_t fact)
{
    const cm_evidence *evidence = evidence_of(held);
    const cm_fit *fit = held->result->fits[held->metric];
    for (size_t k = 0; k < fit->term_count; k++) {
        const double *x = cm_analysis_event(held->result->analysis, fit->events[k]).representation;
        cm_represent(evidence, x, held->counts);
        double ratio = fit->rounded[k] != 0.0 ? cm_is_like(evidence, held->counts, fact) : 0.0;
        if (ratio != 0.0 && !is_told_apart(held, fact, x, fit->rounded[k], ratio))
            return false;
    }
    return true;
}

static void clear_facts(const holding *held, cm_metric_proof *proof)
{
    size_t kept = 0;
    for (size_t i = 0; i < proof->confounded_count; i++) {
        size_t fact = proof->confounded[i];
        if (!is_told_from_symbols(held, fact) || !is_told_from_events(held, fact))
            proof->confounded[kept++] = fact;
    }
    proof->confounded_count = kept;
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

static void clear_unseen(const holding *held, cm_metric_proof *proof)
{
    size_t kept = 0;
    for (size_t i = 0; i < proof->unseen_count; i++)
        if (!is_seen(held, proof->unseen[i]))
            proof->unseen[kept++] = proof->unseen[i];
    proof->unseen_count = kept;
}

/* ---- symbols that no kernel has side by side ---- */

static bool meet(const holding *held, const size_t *pair)
{
    double weight = evidence_of(held)->targets[held->metric].signature[pair[0]];
    for (size_t p = 0; p < held->table->program_count; p++)
        if (symbol_in(held, p, pair[1]) > 0.0 &&
            would_show(held, p, weight * symbol_in(held, p, pair[0]), 1.0 / overcount))
            return true;
    return false;
}

static void clear_apart(const holding *held, cm_metric_proof *proof)
{
    size_t kept = 0;
    for (size_t i = 0; i < proof->apart_count; i++) {
        const size_t pair[2] = {proof->apart[2 * i], proof->apart[2 * i + 1]};
        if (meet(held, pair))
            continue;
        memcpy(proof->apart + 2 * kept, pair, sizeof pair);
        kept++;
    }
    proof->apart_count = kept;
}

/* ---- all ---- */

cm_status cm_clear_doubts(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error)
{
    if (result->evidence == NULL)
        return CM_OK;
    const cm_problem *problem = &result->evidence->problem;
    size_t programs = table->program_count;
    double *room = calloc(3 * programs + problem->rows + problem->symbols + 1, sizeof *room);
    if (room == NULL)
        return cm_error_no_memory(error);
    const holding held = {.result = result,
                          .metric = metric,
                          .table = table,
                          .limit = CM_VALIDATION_FACTOR * result->thresholds.residual,
                          .deviations = room,
                          .meant = room + programs,
                          .ranges = room + 2 * programs,
                          .counts = room + 3 * programs};
    cm_status status = cm_deviations_of(result, metric, table, held.deviations, error);
    if (status == CM_OK)
        status =
            cm_validation_means(result->signatures->metrics[metric].meaning, table, held.meant, held.ranges, error);
    if (status == CM_OK) {
        clear_facts(&held, &result->proofs[metric]);
        clear_unseen(&held, &result->proofs[metric]);
        clear_apart(&held, &result->proofs[metric]);
        result->proofs[metric].held = true;
    }
    free(room);
    return status;
}
