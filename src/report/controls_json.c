#include "report/controls_json.h"

#include <stdlib.h>

#include "core/json_build.h"
#include "core/json_value.h"

/* How many controls there are; 0 also by the paper's method. */
static size_t count_of(const cm_benchmark_result *result)
{
    return result->evidence != NULL ? cm_evidence_control_count(result->evidence) : 0;
}

json_t *cm_json_controls(const cm_benchmark_result *result)
{
    const cm_evidence *evidence = result->evidence;
    if (evidence == NULL)
        return json_null();
    json_t *kernels = json_array(), *iterations = json_array();
    for (size_t i = 0; i < count_of(result); i++) {
        size_t row = cm_evidence_control(evidence, i);
        kernels = cm_json_append(kernels, json_string(evidence->problem.kernels[row]));
        iterations = cm_json_append(iterations, cm_json_number(evidence->problem.iterations[row]));
    }
    return json_pack("{s:o, s:o}", "kernels", kernels, "iterations", iterations);
}

bool cm_json_has_controls(const cm_benchmark_result *result, size_t event)
{
    return count_of(result) > 0 && cm_evidence_event(result->evidence, event) != NULL;
}

json_t *cm_json_event_controls(const cm_benchmark_result *result, size_t event)
{
    size_t count = count_of(result);
    double *counts = malloc(2 * count * sizeof *counts);
    if (counts == NULL)
        return NULL;
    const cm_usable_event *looked = cm_evidence_event(result->evidence, event);
    cm_evidence_on_controls(result->evidence, looked, counts, counts + count);
    json_t *json = json_pack("{s:o, s:o, s:o}", "counts", cm_json_numbers(counts, count), "errors",
                             cm_json_numbers(counts + count, count), "strays", cm_json_number(looked->slack));
    free(counts);
    return json;
}

json_t *cm_json_held_to(const cm_benchmark_result *result, size_t metric)
{
    size_t count = count_of(result);
    double *low = malloc((3 * count + 1) * sizeof *low);
    if (low == NULL)
        return NULL;
    bool known = count > 0 && cm_evidence_bounds(result->evidence, metric, low, low + count, low + 2 * count);
    json_t *json =
        known ? json_pack("{s:o, s:o, s:o}", "low", cm_json_numbers(low, count), "high",
                          cm_json_numbers(low + count, count), "limits", cm_json_numbers(low + 2 * count, count))
              : json_null();
    free(low);
    return json;
}
