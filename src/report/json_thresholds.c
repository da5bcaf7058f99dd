/* Which thresholds were used, and why. */
#include "report/json_thresholds.h"

#include <math.h>

#include "core/json_value.h"

static const char *source_word(cm_threshold_source source)
{
    switch (source) {
    case CM_THRESHOLD_DEFAULT: return "default";
    case CM_THRESHOLD_GIVEN: return "given";
    case CM_THRESHOLD_AUTO: return "auto";
    case CM_THRESHOLD_REFUSED: return "auto refused";
    }
    return "default";
}

static const char *reason_of(cm_threshold_source source, const char *choice)
{
    if (choice != NULL)
        return choice;
    return source == CM_THRESHOLD_GIVEN ? "given by the user" : "the default of this benchmark";
}

static json_t *tau_json(const cm_benchmark_result *result)
{
    const cm_tau_choice *choice = result->tau_choice;
    json_t *json = json_pack("{s:o, s:s, s:s}", "value", cm_json_number(result->thresholds.tau), "source",
                             source_word(result->tau_source), "reason",
                             reason_of(result->tau_source, choice != NULL ? choice->reason : NULL));
    if (choice == NULL || json == NULL)
        return json;
    json_t *evidence =
        json_pack("{s:o, s:o, s:o, s:o}", "gap", choice->refused ? json_null() : cm_json_numbers(choice->gap, 2),
                  "quiet", cm_json_count(choice->quiet), "needed", cm_json_count(choice->needed), "variabilities",
                  cm_json_numbers(choice->variabilities, choice->count));
    if (json_object_set_new(json, "evidence", evidence) == 0)
        return json;
    json_decref(json);
    return NULL;
}

static json_t *plateaus_json(const cm_alpha_choice *choice)
{
    json_t *array = json_array();
    for (size_t i = 0; i < choice->count && array != NULL; i++)
        array =
            cm_json_append(array, json_pack("{s:o, s:o, s:o, s:o, s:b}", "low", cm_json_number(choice->plateaus[i].low),
                                            "high", cm_json_number(choice->plateaus[i].high), "selected",
                                            cm_json_count(choice->plateaus[i].selected), "counts_from",
                                            cm_json_number(choice->plateaus[i].from), "taken",
                                            !choice->refused && i == choice->widest));
    return array;
}

static json_t *alpha_json(const cm_benchmark_result *result)
{
    const cm_alpha_choice *choice = result->alpha_choice;
    json_t *json = json_pack("{s:o, s:s, s:s}", "value", cm_json_number(result->thresholds.alpha), "source",
                             source_word(result->alpha_source), "reason",
                             reason_of(result->alpha_source, choice != NULL ? choice->reason : NULL));
    if (choice == NULL || json == NULL)
        return json;
    json_t *evidence = json_pack("{s:o, s:o, s:o}", "lowest", cm_json_number(choice->lowest), "highest",
                                 cm_json_number(choice->highest), "plateaus", plateaus_json(choice));
    if (json_object_set_new(json, "evidence", evidence) == 0)
        return json;
    json_decref(json);
    return NULL;
}

json_t *cm_json_thresholds(const cm_benchmark_result *result)
{
    return json_pack("{s:o, s:o}", "tau", tau_json(result), "alpha", alpha_json(result));
}
