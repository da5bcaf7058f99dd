/* What control kernels say of one event. */
#include <math.h>

#include "analysis/rounding.h"
#include "analysis/vector.h"
#include "core/json_build.h"
#include "core/json_value.h"
#include "report/explain.h"

/* Whether the row is a kernel that nothing is fitted to: no program, and no difference of two. */
static bool is_control(const cm_evidence *evidence, size_t row)
{
    return row >= evidence->problem.fitted && evidence->rows[row].kernel != NULL && evidence->rows[row].means == NULL &&
           row != evidence->problem.difference;
}

json_t *cm_explain_on_controls(const cm_benchmark_result *result, size_t event)
{
    const cm_evidence *evidence = result->evidence;
    const cm_usable_event *looked = evidence != NULL ? cm_evidence_event(evidence, event) : NULL;
    json_t *counted = json_array();
    size_t controls = 0;
    for (size_t r = 0; looked != NULL && r < evidence->problem.rows && counted != NULL; r++) {
        if (!is_control(evidence, r) || isnan(looked->mean[r]))
            continue;
        controls++;
        if (fabs(looked->mean[r]) > looked->slack / evidence->problem.iterations[r])
            counted = cm_json_append(counted, json_pack("{s:s, s:o}", "kernel", evidence->problem.kernels[r], "counted",
                                                        cm_json_number(looked->mean[r])));
    }
    if (controls > 0)
        return json_pack("{s:o, s:o}", "kernels", cm_json_count(controls), "counted", counted);
    json_decref(counted);
    return counted != NULL ? json_null() : NULL;
}

json_t *cm_explain_refuted(const cm_benchmark_result *result, size_t event)
{
    const cm_evidence *evidence = result->evidence;
    const cm_usable_event *looked = evidence != NULL ? cm_evidence_event(evidence, event) : NULL;
    json_t *array = json_array();
    for (size_t m = 0; looked != NULL && m < result->signatures->metric_count && array != NULL; m++) {
        const cm_problem *problem = &evidence->problem;
        const cm_target *target = &evidence->targets[m];
        double factor = cm_vector_factor(target->signature, looked->x, problem->symbols);
        const cm_term term = {(size_t)(looked - problem->events),
                              cm_round_coefficient(factor, result->thresholds.alpha)};
        const cm_verdict verdict = cm_judge_terms(problem, target, &term, 1);
        if (verdict.refusal == CM_REFUSED_CONTROL)
            array = cm_json_append(
                array, json_pack("{s:s, s:s, s:o, s:o}", "metric", result->signatures->metrics[m].metric, "kernel",
                                 problem->kernels[verdict.place], "counted", cm_json_number(verdict.value), "expected",
                                 cm_json_number(verdict.expected)));
    }
    return array;
}
