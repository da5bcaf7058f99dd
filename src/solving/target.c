/* What a metric is held to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rules.h"
#include "core/error.h"
#include "solving/problem.h"

bool cm_is_exact(const cm_target *target, size_t row)
{
    return target->high[row] - target->low[row] <= 1e-9 * (1.0 + fabs(target->low[row]));
}

static double smallest_weight(const double *signature, size_t symbols)
{
    double smallest = INFINITY;
    for (size_t j = 0; j < symbols; j++)
        if (signature[j] != 0.0)
            smallest = fmin(smallest, fabs(signature[j]));
    return smallest;
}

/* Of the tolerance, what a symbol without weight may have: the more of them there are for each with weight, the less,
 * since a program does a bit of all. */
static double share_of_zeros(const double *signature, size_t symbols, bool rough)
{
    double weighted = 0.0;
    for (size_t j = 0; j < symbols; j++)
        weighted += signature[j] != 0.0;
    return fmin(1.0, (rough ? cm_the_rules.rough_zeros : cm_the_rules.zeros) * weighted /
                         fmax(1.0, (double)symbols - weighted));
}

static void limit_symbols(const cm_problem *problem, cm_target *target, double tolerance)
{
    target->zeros = share_of_zeros(target->signature, problem->symbols, problem->rough);
    double off = (problem->rough ? cm_the_rules.rough_zero * cm_the_rules.tolerances : tolerance) * target->zeros;
    double widest = 0.0;
    for (size_t j = 0; j < problem->symbols; j++) {
        double weight = fabs(target->signature[j]);
        target->symbol_limits[j] = weight != 0.0 ? tolerance * weight : off * target->smallest;
        widest = fmax(widest, weight);
    }
    for (size_t j = 0; j < problem->symbols && cm_the_rules.relative_to_widest; j++)
        target->symbol_limits[j] = tolerance * widest;
}

/* What a row may be off that is no fitted one. */
static double limit_of_control(const cm_problem *problem, const cm_target *target, size_t row, double tolerance)
{
    double floor = problem->rough ? cm_the_rules.rough_control_floor : cm_the_rules.control_floor;
    double meant = fmax(fabs(target->low[row]), fabs(target->high[row]));
    /* What a kernel does once a run, as it begins and ends, is none of its facts. */
    return tolerance * fmax(meant, target->smallest * floor) +
           cm_the_rules.stray_counts * target->smallest / problem->iterations[row];
}

static void limit_rows(const cm_problem *problem, cm_target *target, double tolerance)
{
    double widest = 0.0;
    for (size_t r = 0; r < problem->rows; r++) {
        double meant = fmax(fabs(target->low[r]), fabs(target->high[r]));
        target->limits[r] = r < problem->fitted ? tolerance * fmax(meant, target->smallest * problem->payloads[r])
                                                : limit_of_control(problem, target, r, tolerance);
        widest = r < problem->fitted ? fmax(widest, meant) : widest;
    }
    for (size_t r = 0; r < problem->fitted && cm_the_rules.relative_to_widest; r++)
        target->limits[r] = tolerance * widest;
}

void cm_target_limit(const cm_problem *problem, cm_target *target, double mispredictions)
{
    double tolerance = cm_the_rules.tolerances * problem->tolerance;
    target->share = 1.0;
    target->smallest = smallest_weight(target->signature, problem->symbols);
    limit_symbols(problem, target, tolerance);
    limit_rows(problem, target, tolerance);
    if (target->twin >= 0)
        target->limits[target->twin] += cm_the_rules.twin * target->smallest * mispredictions;
}

/* Where the meaning is an interval, what the definition counts there is taken for it. */
static void settle_row(const cm_problem *problem, const cm_solution *definition, size_t row, cm_target *settled)
{
    double value, error, tolerance = settled->share * cm_the_rules.tolerances * problem->tolerance;
    if (isnan(settled->low[row]) || cm_is_exact(settled, row) || (ptrdiff_t)row == settled->twin ||
        !cm_value_on(problem, definition->terms, definition->count, row, &value, &error))
        return;
    settled->low[row] = settled->high[row] = fmin(fmax(value, settled->low[row]), settled->high[row]);
    settled->limits[row] = limit_of_control(problem, settled, row, tolerance) + cm_the_rules.deviations * error +
                           cm_slack_on(problem, definition->terms, definition->count, row);
}

cm_status cm_target_settle(const cm_problem *problem, const cm_target *target, const cm_solution *definition,
                           cm_target *settled, cm_error *error)
{
    size_t rows = problem->rows;
    *settled = *target;
    settled->share = cm_the_rules.others;
    settled->low = malloc((3 * rows + 1) * sizeof *settled->low);
    if (settled->low == NULL)
        return cm_error_no_memory(error);
    settled->high = settled->low + rows;
    settled->limits = settled->high + rows;
    memcpy(settled->low, target->low, rows * sizeof *settled->low);
    memcpy(settled->high, target->high, rows * sizeof *settled->high);
    memcpy(settled->limits, target->limits, rows * sizeof *settled->limits);
    for (size_t r = problem->fitted; r < rows; r++)
        settle_row(problem, definition, r, settled);
    return CM_OK;
}

void cm_target_unsettle(cm_target *settled)
{
    free(settled->low);
    settled->low = settled->high = settled->limits = NULL;
}
