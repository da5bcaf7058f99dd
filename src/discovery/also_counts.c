/* What a definition counts beside its metric of what vendors disagree about: minima, comparisons, conversions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/rules.h"
#include "core/error.h"
#include "discovery/benchmark_result.h"

/* Of what a kernel is there for, this part of its smallest weight is counted. */
static const double COUNTED = 0.05;

/* The fact that a kernel is there for: of those that vendors disagree about the last, since what is named comes behind
 * what is "other". */
static bool find_subject(const cm_fact_table *facts, const cm_kernel_facts *kernel, size_t *subject)
{
    bool found = false;
    for (size_t i = 0; i < facts->primitive_count; i++) {
        size_t fact = facts->primitives[i];
        if (facts->facts[fact].kind == CM_FACT_FREE && kernel->values[fact] > 0.0) {
            *subject = fact;
            found = true;
        }
    }
    return found;
}

static bool counts_any(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution, size_t row,
                       double payload)
{
    const cm_problem *problem = &evidence->problem;
    double value, error;
    if (!cm_value_on(problem, solution->terms, solution->count, row, &value, &error))
        return false;
    double noise = cm_the_rules.deviations * error + cm_slack_on(problem, solution->terms, solution->count, row);
    return fabs(value) > COUNTED * target->smallest * payload + noise;
}

cm_status cm_find_also_counted(const cm_evidence *evidence, size_t metric, const cm_solution *solution, size_t *also,
                               size_t *count, cm_error *error)
{
    const cm_target *target = &evidence->targets[metric];
    bool *counted = calloc(cm_fact_count() + 1, sizeof *counted);
    if (counted == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < evidence->free_count; i++) {
        size_t row = evidence->problem.rows + i, subject = 0;
        const cm_kernel_facts *kernel = evidence->rows[row].kernel;
        if (find_subject(evidence->facts, kernel, &subject))
            counted[subject] |= counts_any(evidence, target, solution, row, kernel->values[subject]);
    }
    *count = 0;
    for (size_t i = 0; i < evidence->facts->primitive_count; i++)
        if (counted[evidence->facts->primitives[i]])
            also[(*count)++] = evidence->facts->primitives[i];
    free(counted);
    return CM_OK;
}
