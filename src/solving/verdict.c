/* Whether a definition holds: on each symbol, each kernel, each control, and for what it is made of. */
#include <math.h>

#include "analysis/rules.h"
#include "analysis/vector.h"
#include "solving/problem.h"

enum { MOST_TERMS = 64 };

bool cm_value_on(const cm_problem *problem, const cm_term *terms, size_t count, size_t row, double *value,
                 double *error)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        const cm_usable_event *event = &problem->events[terms[i].event];
        sum += terms[i].coefficient * event->mean[row];
        squares += pow(terms[i].coefficient * event->error[row], 2.0);
    }
    *value = sum;
    *error = sqrt(squares);
    return !isnan(sum);
}

/* Each event's its own: they add up as what is independent does. */
double cm_slack_on(const cm_problem *problem, const cm_term *terms, size_t count, size_t row)
{
    double squares = 0.0;
    for (size_t i = 0; i < count; i++)
        squares += pow(terms[i].coefficient * problem->events[terms[i].event].slack, 2.0);
    return sqrt(squares) / problem->iterations[row];
}

double cm_limit_on(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count, size_t row)
{
    double value, error;
    if (isnan(target->low[row]) || !cm_value_on(problem, terms, count, row, &value, &error))
        return NAN;
    double deviations = (ptrdiff_t)row == target->twin ? cm_the_rules.twin_deviations : cm_the_rules.deviations;
    return target->limits[row] + deviations * error + target->share * cm_slack_on(problem, terms, count, row);
}

static double symbol_of(const cm_problem *problem, const cm_term *terms, size_t count, size_t symbol)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += terms[i].coefficient * problem->events[terms[i].event].x[symbol];
    return sum;
}

/* Keeps what exceeds its limit most; of those that differ by rounding errors the first. */
static void note(cm_verdict *verdict, cm_refusal refusal, size_t place, double value, double expected, double limit)
{
    double ratio = fabs(value - expected) / limit;
    if (ratio <= fmax(1.0, verdict->ratio * (1.0 + 1e-9)))
        return;
    verdict->refusal = refusal;
    verdict->place = place;
    verdict->value = value;
    verdict->expected = expected;
    verdict->limit = limit;
    verdict->ratio = ratio;
}

static void judge_symbols(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                          cm_verdict *verdict)
{
    for (size_t j = 0; j < problem->symbols; j++)
        note(verdict, CM_REFUSED_SYMBOL, j, symbol_of(problem, terms, count, j), target->signature[j],
             target->share * target->symbol_limits[j]);
}

/* What a program counts that does each of the others as often as what is meant: by as little as each of them may, they
 * may not all be off to the same side. */
static void judge_others(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                         cm_verdict *verdict)
{
    double found = 0.0, plus = 0.0, minus = 0.0;
    for (size_t j = 0; j < problem->symbols; j++) {
        found += target->signature[j] == 0.0 ? symbol_of(problem, terms, count, j) : 0.0;
        plus += fmax(0.0, target->signature[j]);
        minus += fmax(0.0, -target->signature[j]);
    }
    double tolerance = target->share * cm_the_rules.mix * cm_the_rules.tolerances * problem->tolerance;
    note(verdict, CM_REFUSED_OTHERS, 0, found, 0.0, tolerance * fmax(plus, minus));
}

static double nearer_end(const cm_target *target, size_t row, double value)
{
    return fmin(fmax(value, target->low[row]), target->high[row]);
}

static void judge_row(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                      size_t row, cm_refusal refusal, cm_verdict *verdict)
{
    double value, error, limit = cm_limit_on(problem, target, terms, count, row);
    if (isnan(limit))
        return;
    cm_value_on(problem, terms, count, row, &value, &error);
    double expected = nearer_end(target, row, value);
    note(verdict, refusal, row, value, expected, limit);
    if (row < problem->fitted)
        return;
    verdict->controls += (ptrdiff_t)row != target->twin; /* which is no kernel */
    double tolerance = cm_the_rules.tolerances * problem->tolerance;
    double off = fabs(value - expected) * tolerance / target->limits[row];
    if (off > verdict->worst_control || verdict->worst_row == 0) {
        verdict->worst_control = off;
        verdict->worst_row = row;
    }
}

void cm_judge_rows(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                   cm_verdict *verdict)
{
    for (size_t r = 0; r < problem->rows; r++)
        judge_row(problem, target, terms, count, r,
                  r < problem->fitted            ? CM_REFUSED_KERNEL
                  : (ptrdiff_t)r == target->twin ? CM_REFUSED_TWIN
                                                 : CM_REFUSED_CONTROL,
                  verdict);
}

static double amplification_of(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(terms[i].coefficient) * problem->events[terms[i].event].norm;
    return sum / cm_vector_norm(target->signature, problem->symbols);
}

/* What repetitions differ in, and what a run may be off by anyhow, where it counts too little to tell what it counts.
 */
static void judge_noise(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                        cm_verdict *verdict)
{
    double squares = 0.0, strays = 0.0, value, error, size = cm_vector_norm(target->low, problem->fitted);
    for (size_t r = 0; r < problem->fitted; r++) {
        if (!cm_value_on(problem, terms, count, r, &value, &error))
            continue;
        squares += error * error;
        strays += target->low[r] != 0.0 ? pow(cm_slack_on(problem, terms, count, r), 2.0) : 0.0;
    }
    double tolerance = cm_the_rules.tolerances * problem->tolerance;
    note(verdict, CM_REFUSED_NOISE, 0, sqrt(squares) / size, 0.0, 0.5 * tolerance);
    note(verdict, CM_REFUSED_STRAYS, 0, sqrt(strays) / size, 0.0, cm_the_rules.strays * tolerance);
}

/* All kernels together, each as often as it does the same work: what is off everywhere by little, always to the same
 * side, is much in a program that does a bit of everything. */
static void judge_mix(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                      cm_verdict *verdict)
{
    double found = 0.0, meant = 0.0, size = 0.0, squares = 0.0, value, error;
    for (size_t r = 0; r < problem->fitted; r++) {
        if (!cm_value_on(problem, terms, count, r, &value, &error))
            return;
        found += value / problem->payloads[r];
        meant += target->low[r] / problem->payloads[r];
        size += fabs(target->low[r]) / problem->payloads[r];
        squares += pow(error / problem->payloads[r], 2.0);
    }
    double tolerance = cm_the_rules.mix * cm_the_rules.tolerances * problem->tolerance;
    note(verdict, CM_REFUSED_MIX, 0, found, meant, tolerance * size + cm_the_rules.mix_deviations * sqrt(squares));
}

static cm_verdict judge_whole(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count)
{
    cm_verdict verdict = {.refusal = count == 0 ? CM_REFUSED_EMPTY : CM_REFUSED_NOT};
    if (count == 0)
        return verdict;
    /* In this order: a symbol that is off explains the kernels that are. */
    judge_symbols(problem, target, terms, count, &verdict);
    if (verdict.refusal == CM_REFUSED_NOT)
        judge_others(problem, target, terms, count, &verdict);
    cm_verdict whole = verdict;
    cm_judge_rows(problem, target, terms, count, &whole);
    if (verdict.refusal != CM_REFUSED_NOT) {
        verdict.controls = whole.controls;
        verdict.worst_control = whole.worst_control;
        verdict.worst_row = whole.worst_row;
        return verdict;
    }
    if (whole.refusal == CM_REFUSED_NOT)
        judge_mix(problem, target, terms, count, &whole);
    note(&whole, CM_REFUSED_AMPLIFICATION, 0, amplification_of(problem, target, terms, count), 0.0,
         target->share * problem->amplification);
    if (whole.refusal == CM_REFUSED_NOT)
        judge_noise(problem, target, terms, count, &whole);
    return whole;
}

/* Whether two terms take from each other what they count of every symbol, within what is tolerated of either. */
static bool cancel(const cm_problem *problem, const cm_target *target, const cm_term *one, const cm_term *other)
{
    for (size_t j = 0; j < problem->symbols; j++) {
        double a = symbol_of(problem, one, 1, j), b = symbol_of(problem, other, 1, j);
        if (fabs(a + b) > fmax(target->symbol_limits[j], problem->tolerance * (fabs(a) + fabs(b))))
            return false;
    }
    return true;
}

/* Without two of its terms. */
static cm_verdict judge_rest(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                             size_t one, size_t other)
{
    cm_term rest[MOST_TERMS];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i != one && i != other)
            rest[kept++] = terms[i];
    return judge_whole(problem, target, rest, kept);
}

/* Terms that cancel each other add nothing but what the definition may be off by: what is refused without them is
 * refused with them. */
cm_verdict cm_judge_terms(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count)
{
    cm_verdict verdict = judge_whole(problem, target, terms, count);
    for (size_t i = 0; i < count && count <= MOST_TERMS; i++)
        for (size_t j = i + 1; j < count && verdict.refusal == CM_REFUSED_NOT; j++)
            if (count > 2 && cancel(problem, target, &terms[i], &terms[j]))
                verdict = judge_rest(problem, target, terms, count, i, j);
    return verdict;
}
