/* Whether a definition holds: on each symbol, each kernel, each control, and for the terms it is made of. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "analysis/solving/problem.h"

double cm_event_size(const cm_problem *problem, const cm_usable_event *event)
{
    double largest = 0.0;
    for (size_t r = problem->fitted; r < problem->rows; r++)
        largest = fmax(largest, isnan(event->mean[r]) ? 0.0 : fabs(event->mean[r]));
    return fmax(event->norm, cm_the_rules.alike * largest);
}

bool cm_value_on(const cm_problem *problem, const cm_term *terms, size_t count, size_t row, double *value,
                 double *error)
{
    double sum = 0.0, squares = 0.0;
    const double *together =
        problem->errors_of != NULL ? problem->errors_of(problem->errors_context, terms, count) : NULL;
    for (size_t i = 0; i < count; i++) {
        const cm_usable_event *event = &problem->events[terms[i].event];
        sum += terms[i].coefficient * event->mean[row];
        squares += pow(terms[i].coefficient * event->error[row], 2.0);
    }
    *value = sum;
    *error = together != NULL ? together[row] : sqrt(squares);
    return !isnan(sum);
}

/* Each event has stray counts of its own: they add up as independent errors do. */
double cm_stray_counts_on(const cm_problem *problem, const cm_term *terms, size_t count, size_t row)
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
    return target->limits[row] + cm_the_rules.z * error + cm_stray_counts_on(problem, terms, count, row);
}

static double symbol_of(const cm_problem *problem, const cm_term *terms, size_t count, size_t symbol)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += terms[i].coefficient * problem->events[terms[i].event].x[symbol];
    return sum;
}

/* Keeps the row that exceeds its limit most; of those that differ by rounding errors the first. */
static void note_excess(cm_verdict *verdict, cm_refusal refusal, size_t place, double value, double expected,
                        double limit)
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
        note_excess(verdict, CM_REFUSED_SYMBOL, j, symbol_of(problem, terms, count, j), target->signature[j],
                    target->symbol_limits[j]);
}

/* Judges a definition on one row, and keeps the worst that it is off by. */
static void judge_row(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                      size_t row, cm_refusal refusal, cm_verdict *verdict)
{
    double value, error, limit = cm_limit_on(problem, target, terms, count, row);
    if (isnan(limit))
        return;
    cm_value_on(problem, terms, count, row, &value, &error);
    double expected = fmin(fmax(value, target->low[row]), target->high[row]);
    note_excess(verdict, refusal, row, value, expected, limit);
    if (row < problem->fitted)
        return;
    verdict->controls += row != problem->difference;
    double off = fabs(value - expected) * problem->tolerance / target->limits[row];
    if (off > verdict->worst_control || verdict->worst_row == 0) {
        verdict->worst_control = off;
        verdict->worst_row = row;
    }
}

void cm_judge_rows(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count, size_t first,
                   cm_verdict *verdict)
{
    for (size_t r = first; r < problem->rows; r++)
        judge_row(problem, target, terms, count, r, r < problem->fitted ? CM_REFUSED_KERNEL : CM_REFUSED_CONTROL,
                  verdict);
}

double cm_amplification_of(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(terms[i].coefficient) * problem->events[terms[i].event].norm;
    return sum / cm_vector_norm(target->signature, problem->symbols);
}

/* Judges the noise of the sum by the standard errors on fitted kernels. */
static void judge_noise(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                        cm_verdict *verdict)
{
    double squares = 0.0, value, error, size = cm_vector_norm(target->low, problem->fitted);
    for (size_t r = 0; r < problem->fitted; r++)
        if (cm_value_on(problem, terms, count, r, &value, &error))
            squares += error * error;
    note_excess(verdict, CM_REFUSED_NOISE, 0, sqrt(squares) / size, 0.0, problem->tolerance / cm_the_rules.sure);
}

cm_verdict cm_judge_terms(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count)
{
    cm_verdict verdict = {.refusal = count == 0 ? CM_REFUSED_EMPTY : CM_REFUSED_NOT, .share = 1.0};
    if (count == 0)
        return verdict;
    /* In this order: a symbol that is off explains the kernels that are. */
    judge_symbols(problem, target, terms, count, &verdict);
    cm_verdict whole = verdict;
    cm_judge_rows(problem, target, terms, count, 0, &whole);
    if (verdict.refusal != CM_REFUSED_NOT) {
        verdict.controls = whole.controls;
        verdict.worst_control = whole.worst_control;
        verdict.worst_row = whole.worst_row;
        return verdict;
    }
    note_excess(&whole, CM_REFUSED_AMPLIFICATION, 0, cm_amplification_of(problem, target, terms, count), 0.0,
                problem->amplification);
    if (whole.refusal == CM_REFUSED_NOT)
        judge_noise(problem, target, terms, count, &whole);
    return whole;
}

/* Whether the law has to be asked: symbols of the metric are right, of others less than half a weight is counted.
 */
static bool is_near(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count)
{
    bool near = count > 0 && cm_are_simple(terms, count);
    for (size_t j = 0; j < problem->symbols && near; j++) {
        double off = fabs(symbol_of(problem, terms, count, j) - target->signature[j]);
        near = off <= (target->signature[j] != 0.0 ? target->symbol_limits[j] : 0.5 * target->smallest);
    }
    return near;
}

/* Judges a program that does each other symbol as often as the meant ones: each may be off a little, but not all to the
 * same side. The law asks for one at a time. */
static void judge_others(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                         cm_verdict *verdict)
{
    double found = 0.0, plus = 0.0, minus = 0.0;
    for (size_t j = 0; j < problem->symbols; j++) {
        found += target->signature[j] == 0.0 ? symbol_of(problem, terms, count, j) : 0.0;
        plus += fmax(0.0, target->signature[j]);
        minus += fmax(0.0, -target->signature[j]);
    }
    note_excess(verdict, CM_REFUSED_OTHERS, 0, found, 0.0, problem->tolerance * fmax(plus, minus));
}

/* Whether the numbers are the same, or one is twice the other, but for their sign. */
static bool are_tied(double one, double other)
{
    double ratio = fabs(one / other), tied = cm_the_rules.alike * cm_the_rules.least;
    return fabs(ratio - 1.0) <= tied || fabs(ratio - 2.0) <= tied || fabs(ratio - 0.5) <= tied;
}

/* The coefficients that are no simple numbers: tied ones count once, and those that sum to a simple number one less. */
static size_t count_fitted(const cm_term *terms, size_t count)
{
    size_t fitted = 0;
    cm_term sum = {0};
    for (size_t i = 0; i < count; i++) {
        bool again = cm_are_simple(&terms[i], 1);
        sum.coefficient += again ? 0.0 : terms[i].coefficient;
        for (size_t k = 0; k < i && !again; k++)
            again = !cm_are_simple(&terms[k], 1) && are_tied(terms[k].coefficient, terms[i].coefficient);
        fitted += !again;
    }
    return fitted > 1 && cm_are_simple(&sum, 1) ? fitted - 1 : fitted;
}

/* Whether a number that is no simple one multiplies an event by more than two. */
static bool multiplies_event(const cm_term *terms, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= fabs(terms[i].coefficient) > 2.0 && !cm_are_simple(&terms[i], 1);
    return found;
}

/* Two fitted numbers make up for a little each; an event that is multiplied counts something else. */
void cm_judge_uncontrolled(const cm_term *terms, size_t count, cm_verdict *verdict)
{
    bool alone = multiplies_event(terms, count) || (verdict->refusal == CM_REFUSED_NOT && verdict->share < 1.0);
    double most = alone ? 1.0 : 1.0 + fmin(1.0, floor((double)verdict->controls / cm_the_rules.few));
    note_excess(verdict, CM_REFUSED_UNCONTROLLED, 0, (double)count_fitted(terms, count), 0.0, most);
}

cm_status cm_give_verdict(const cm_problem *problem, const cm_target *target, const cm_term *terms, size_t count,
                          cm_verdict *verdict, cm_error *error)
{
    cm_status status = CM_OK;
    *verdict = cm_judge_terms(problem, target, terms, count);
    if (problem->judge != NULL && (verdict->refusal == CM_REFUSED_NOT || is_near(problem, target, terms, count))) {
        status = problem->judge(problem->judge_context, target, terms, count, verdict, error);
        if (status == CM_OK && verdict->refusal == CM_REFUSED_NOT && verdict->share >= 1.0)
            judge_others(problem, target, terms, count, verdict);
    }
    if (verdict->refusal == CM_REFUSED_NOT)
        cm_judge_uncontrolled(terms, count, verdict);
    return status;
}
