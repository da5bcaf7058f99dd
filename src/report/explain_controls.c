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

/* Why terms are refused; room for CM_REFUSAL_TEXT. False where memory ran out. */
static bool say_why(const cm_benchmark_result *result, const cm_target *target, const cm_term *term,
                    const cm_verdict *verdict, char *text)
{
    const cm_law_verdict *found = NULL;
    const char *kernel = result->evidence->problem.kernels[verdict->place];
    if (verdict->refusal != CM_REFUSED_LAW)
        cm_refusal_words(verdict, kernel, text, CM_REFUSAL_TEXT);
    else if (cm_counted_law_judge(result->evidence->law, target, term, 1, &found, NULL) == CM_OK)
        cm_law_refusal_text(result->evidence->law, found, text, CM_REFUSAL_TEXT);
    return verdict->refusal != CM_REFUSED_LAW || found != NULL;
}

/* What the event is refused as, though its symbols are right; null where it is not, or they are not. */
static json_t *refused_as(const cm_benchmark_result *result, const cm_usable_event *looked, size_t metric)
{
    const cm_problem *problem = &result->evidence->problem;
    const cm_target *target = &result->evidence->targets[metric];
    double factor = cm_vector_factor(target->signature, looked->x, problem->symbols);
    const cm_term term = {(size_t)(looked - problem->events), cm_round_coefficient(factor, result->thresholds.alpha)};
    const cm_verdict rows = cm_judge_terms(problem, target, &term, 1);
    cm_verdict verdict = {0};
    char why[CM_REFUSAL_TEXT];
    if (rows.refusal == CM_REFUSED_SYMBOL || rows.refusal == CM_REFUSED_OTHERS)
        return json_null();
    if (cm_give_verdict(problem, target, &term, 1, &verdict, NULL) != CM_OK)
        return NULL;
    if (verdict.refusal == CM_REFUSED_NOT)
        return json_null();
    if (!say_why(result, target, &term, &verdict, why))
        return NULL;
    bool control = rows.refusal == CM_REFUSED_CONTROL;
    return json_pack("{s:s, s:s, s:s?, s:o, s:o}", "metric", result->signatures->metrics[metric].metric, "why", why,
                     "kernel", control ? problem->kernels[rows.place] : NULL, "counted",
                     cm_json_number(control ? rows.value : NAN), "expected",
                     cm_json_number(control ? rows.expected : NAN));
}

json_t *cm_explain_refuted(const cm_benchmark_result *result, size_t event)
{
    const cm_evidence *evidence = result->evidence;
    const cm_usable_event *looked = evidence != NULL ? cm_evidence_event(evidence, event) : NULL;
    json_t *array = json_array();
    for (size_t m = 0; looked != NULL && m < result->signatures->metric_count && array != NULL; m++) {
        json_t *refused = refused_as(result, looked, m);
        if (json_is_null(refused))
            json_decref(refused);
        else
            array = cm_json_append(array, refused);
    }
    return array;
}
