#include "report/proof_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "core/json_value.h"
#include "discovery/benchmark_result.h"
#include "report/json_equivalents.h"
#include "report/law_json.h"

/* Said where there is no control kernel: what each kernel does beside its symbols could be counted as well. */
static const char uncontrolled[] = "anything that these kernels do alike: there are no control kernels";

static json_t *controls_json(const cm_metric_proof *proof)
{
    if (proof == NULL || proof->verdict.controls == 0)
        return json_null();
    return json_pack("{s:o, s:o}", "kernels", cm_json_count(proof->verdict.controls), "worst",
                     cm_json_number(proof->verdict.worst_control));
}

json_t *cm_json_doubts(const cm_benchmark_result *result, const cm_doubts *doubts)
{
    json_t *array = cm_json_untold(result, doubts);
    if (doubts != NULL && doubts->controls == 0 && !doubts->held && array != NULL)
        array = cm_json_append(array, json_string(uncontrolled));
    return array;
}

/* What the definition counts of a symbol, less what the signature has. */
static double deviation_of(const cm_benchmark_result *result, size_t metric, const cm_fit *fit, size_t symbol)
{
    double sum = -result->signatures->metrics[metric].values[symbol];
    for (size_t k = 0; k < fit->term_count; k++)
        sum += fit->rounded[k] * cm_symbol_part(result->analysis, fit->events[k], symbol);
    return sum;
}

static json_t *deviations_json(const cm_benchmark_result *result, size_t metric)
{
    const cm_fit *fit = result->fits[metric];
    if (fit == NULL || result->proofs == NULL)
        return json_null();
    json_t *array = json_array();
    for (size_t j = 0; j < result->basis->symbol_count && array != NULL; j++)
        array = cm_json_append(array, cm_json_number(deviation_of(result, metric, fit, j)));
    return array;
}

char *cm_refusal_text(const cm_benchmark_result *result, size_t metric, char *text, size_t size)
{
    if (result->proofs == NULL || result->fits[metric] == NULL)
        return NULL;
    const cm_verdict *found = &result->proofs[metric].verdict;
    const char *place = found->refusal == CM_REFUSED_SYMBOL ? result->basis->symbols[found->place]
                                                            : result->evidence->problem.kernels[found->place];
    if (found->refusal == CM_REFUSED_NOT)
        return NULL;
    if (found->refusal == CM_REFUSED_LAW)
        cm_law_refusal_text(result->evidence->law, result->proofs[metric].doubts->law, text, size);
    else
        cm_refusal_words(found, place, text, size);
    return text;
}

/* Why there is no definition that holds: what kernels say of it, or programs that refute it. */
static json_t *refused_json(const cm_benchmark_result *result, size_t metric)
{
    const cm_validation *judged[] = {cm_benchmark_result_validation(result, metric),
                                     cm_benchmark_result_workloads(result, metric)};
    const char *names[] = {"programs", "workloads"};
    char text[CM_PROGRAM_WORDS + 160];
    if (cm_refusal_text(result, metric, text, sizeof text) != NULL)
        return json_string(text);
    for (size_t i = 0; i < 2; i++)
        if (judged[i] != NULL && judged[i]->refuted) {
            bool natural = judged[i]->worst_class[0] != '\0';
            snprintf(text, sizeof text, "refuted by %zu %s: in the median %.3g %% off%s%s, at worst %.3g %%, in %s",
                     judged[i]->programs, names[i], 100.0 * judged[i]->median, natural ? " in class " : "",
                     judged[i]->worst_class, 100.0 * judged[i]->worst, judged[i]->worst_program);
            return json_string(text);
        }
    return json_null();
}

/* Facts, and other events than those of the definition. */
static json_t *confounded_json(const cm_benchmark_result *result, size_t metric, const cm_metric_proof *proof)
{
    json_t *array = cm_json_doubts(result, proof != NULL ? proof->doubts : NULL);
    return proof != NULL && array != NULL ? cm_json_append_alike(array, result, metric) : array;
}

json_t *cm_json_proof(const cm_benchmark_result *result, size_t metric)
{
    const cm_metric_proof *proof =
        result->proofs != NULL && result->fits[metric] != NULL ? &result->proofs[metric] : NULL;
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:o, s:n}", "controls", controls_json(proof), "resolution",
                             proof != NULL ? cm_json_number(proof->resolution) : json_null(), "confounded_with",
                             confounded_json(result, metric, proof), "symbol_deviations",
                             deviations_json(result, metric), "refused", refused_json(result, metric), "validation");
    return cm_json_set_law(json, result, proof != NULL ? proof->doubts : NULL,
                           proof != NULL && result->fits[metric]->composable);
}

static json_t *symbols_json(const cm_benchmark_result *result, size_t metric)
{
    const cm_fit *fit = result->fits[metric];
    const cm_target *target = &result->evidence->targets[metric];
    json_t *array = json_array();
    for (size_t j = 0; j < result->basis->symbol_count && array != NULL; j++) {
        double deviation = deviation_of(result, metric, fit, j), wanted = target->signature[j];
        if (wanted == 0.0 && fabs(deviation) <= 1e-9 * target->smallest)
            continue;
        array =
            cm_json_append(array, json_pack("{s:s, s:o, s:o, s:o}", "symbol", result->basis->symbols[j], "metric",
                                            cm_json_number(wanted), "definition", cm_json_number(wanted + deviation),
                                            "limit", cm_json_number(target->symbol_limits[j])));
    }
    return array;
}

json_t *cm_json_proof_by_symbol(const cm_benchmark_result *result, size_t metric)
{
    if (result->proofs == NULL || result->fits[metric] == NULL)
        return json_null();
    const cm_verdict *verdict = &result->proofs[metric].verdict;
    json_t *json = cm_json_proof(result, metric), *symbols = symbols_json(result, metric);
    const char *worst = verdict->controls > 0 ? result->evidence->problem.kernels[verdict->worst_row] : "";
    bool made = json != NULL && symbols != NULL && json_object_set(json, "symbols", symbols) == 0 &&
                json_object_set_new(json, "worst_control", json_string(worst)) == 0;
    json_decref(symbols);
    if (made)
        return json;
    json_decref(json);
    return NULL;
}
