#include "definitions/controls.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/error.h"
#include "solving/problem.h"

/* The events as the problem of a benchmark has them, whose rows are its controls alone. */
static cm_usable_event usable_of(const cm_defined_event *event)
{
    return (cm_usable_event){.mean = (double *)(uintptr_t)event->control_counts,
                             .error = (double *)(uintptr_t)event->control_errors,
                             .slack = event->control_strays};
}

cm_status cm_controls_judge(const cm_defined_benchmark *benchmark, const cm_defined_metric *metric,
                            const cm_defined_event *const *events, const double *coefficients, size_t count,
                            double factor, cm_control_fault *fault, cm_error *error)
{
    *fault = (cm_control_fault){0};
    if (benchmark->control_count == 0 || metric->control_low == NULL)
        return CM_OK;
    cm_usable_event *usable = calloc(count + 1, sizeof *usable);
    cm_term *terms = calloc(count + 1, sizeof *terms);
    cm_status status = usable != NULL && terms != NULL ? CM_OK : cm_error_no_memory(error);
    bool known = true;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        usable[i] = usable_of(events[i]);
        terms[i] = (cm_term){i, coefficients[i] / factor};
        known = known && usable[i].mean != NULL;
    }
    if (status == CM_OK && known) {
        const cm_problem problem = {.rows = benchmark->control_count,
                                    .iterations = (double *)(uintptr_t)benchmark->control_iterations,
                                    .event_count = count,
                                    .events = usable};
        const cm_target target = {.low = (double *)(uintptr_t)metric->control_low,
                                  .high = (double *)(uintptr_t)metric->control_high,
                                  .limits = (double *)(uintptr_t)metric->control_limits};
        cm_verdict verdict = {0};
        cm_judge_rows(&problem, &target, terms, count, 0, &verdict);
        if (verdict.refusal != CM_REFUSED_NOT)
            *fault = (cm_control_fault){benchmark->controls[verdict.place], verdict.value, verdict.expected};
    }
    free(terms);
    free(usable);
    return status;
}
