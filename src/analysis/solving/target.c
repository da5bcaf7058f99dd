/* The target of a metric: its meaning and its allowance on every row. */
#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "analysis/solving/problem.h"

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

static void limit_symbols(const cm_problem *problem, cm_target *target, double tolerance)
{
    double off = problem->rough ? cm_the_rules.few * cm_the_rules.alike : tolerance;
    for (size_t j = 0; j < problem->symbols; j++) {
        double weight = fabs(target->signature[j]);
        target->symbol_limits[j] = weight != 0.0 ? tolerance * weight : off * target->smallest;
    }
}

/* The allowance of a row that is not fitted. */
static double limit_of_control(const cm_problem *problem, const cm_target *target, size_t row, double tolerance)
{
    double meant = fmax(fabs(target->low[row]), fabs(target->high[row]));
    /* The work of a kernel as it begins and ends, once a run, is none of its facts. */
    return tolerance * fmax(meant, target->smallest * cm_the_rules.least) +
           cm_the_rules.sure * target->smallest / problem->iterations[row];
}

static void limit_rows(const cm_problem *problem, cm_target *target, double tolerance)
{
    for (size_t r = 0; r < problem->rows; r++) {
        double meant = fmax(fabs(target->low[r]), fabs(target->high[r]));
        target->limits[r] = r < problem->fitted ? tolerance * fmax(meant, target->smallest * problem->payloads[r])
                                                : limit_of_control(problem, target, r, tolerance);
    }
}

void cm_target_limit(const cm_problem *problem, cm_target *target)
{
    double tolerance = problem->tolerance;
    target->smallest = smallest_weight(target->signature, problem->symbols);
    limit_symbols(problem, target, tolerance);
    limit_rows(problem, target, tolerance);
}
