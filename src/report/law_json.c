#include "report/law_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "core/json_build.h"
#include "core/json_value.h"
#include "discovery/benchmark_result.h"
#include "law/counted.h"

/* In words: what vendors disagree about, and this definition counts. */
static json_t *also_json(const cm_benchmark_result *result, const cm_law_verdict *verdict)
{
    const cm_evidence *evidence = result->evidence;
    json_t *array = json_array();
    for (size_t i = 0; i < verdict->also_count && array != NULL; i++) {
        size_t fact = cm_counted_law_alternative(evidence->law, verdict->also[i])->fact;
        array = cm_json_append(array, json_string(evidence->facts->facts[fact].words));
    }
    return array;
}

/* Of words that were made for it. */
static json_t *take_words(char *words)
{
    json_t *text = words != NULL ? json_string(words) : NULL;
    free(words);
    return text;
}

/* A fact beside others that no kernel has with it: up to three by name. */
static json_t *beside_json(const cm_beside *beside)
{
    char text[1024];
    int used = snprintf(text, sizeof text, "%.200s beside ", cm_fact_name(beside->fact));
    if (beside->count > CM_LISTED_BESIDE)
        used += snprintf(text + used, sizeof text - (size_t)used, "%zu facts", beside->count);
    for (size_t k = 0; k < beside->count && beside->count <= CM_LISTED_BESIDE; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.200s", k > 0 ? ", " : "",
                         cm_fact_name(beside->others[k]));
    snprintf(text + used, sizeof text - (size_t)used, ", which no kernel has");
    return json_string(text);
}

/* Whether an alternative is to be named: two facts that meet, unless that is named as what no kernel has beside one of
 * them; or none such. */
static bool is_named(const cm_doubts *doubts, const cm_law_alternative *what, bool pairs)
{
    bool named = (what->sort == CM_LAW_PAIR) == pairs;
    for (size_t i = 0; i < doubts->beside_count && pairs; i++)
        named &= doubts->beside[i].fact != what->fact && doubts->beside[i].fact != what->other;
    for (size_t i = 0; i < doubts->beyond_count; i++)
        named &= what->sort != CM_LAW_FACT || what->fact != doubts->beyond[i];
    return named;
}

static json_t *append_untold(json_t *array, const cm_benchmark_result *result, const cm_doubts *doubts, bool pairs)
{
    const cm_law_verdict *law = doubts->law;
    for (size_t i = 0; law != NULL && i < law->untold_count && array != NULL; i++)
        if (is_named(doubts, cm_counted_law_alternative(result->evidence->law, law->untold[i]), pairs) &&
            json_array_size(array) < CM_LAW_NAMED)
            array = cm_json_append(array, take_words(cm_law_untold(result->evidence->law, law->untold[i])));
    return array;
}

/* Facts of the metric's kind first, then others, then what the metric's own may meet, then what others may. */
json_t *cm_json_untold(const cm_benchmark_result *result, const cm_doubts *doubts)
{
    json_t *array = json_array();
    if (doubts == NULL)
        return array;
    for (size_t i = 0; i < doubts->beyond_count && array != NULL; i++)
        array = cm_json_append(array, json_string(cm_fact_name(doubts->beyond[i])));
    array = append_untold(array, result, doubts, false);
    for (size_t i = 0; i < doubts->beside_count && array != NULL; i++)
        if (json_array_size(array) < CM_LAW_NAMED)
            array = cm_json_append(array, beside_json(&doubts->beside[i]));
    return append_untold(array, result, doubts, true);
}

/* Of the definition's value, at most so much an occurrence. */
static json_t *leaks_json(const cm_counted_law *law, const cm_law_leak *leaks, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        array = cm_json_append(array,
                               json_pack("{s:o, s:o, s:b}", "fact", take_words(cm_law_words(law, leaks[i].alternative)),
                                         "at_most", cm_json_number(leaks[i].at_most), "found", leaks[i].found));
    return array;
}

/* Shares of facts that the metric must be for the definition to hold: all of them; null where it always does. */
static json_t *ranges_json(const cm_counted_law *law, const cm_doubts *doubts, bool usable)
{
    if (!usable || !cm_is_ranged(doubts))
        return json_null();
    json_t *array = json_array();
    char *meaning = cm_law_meaning(law, doubts->metric);
    for (size_t i = 0; i < doubts->law->leak_count && array != NULL; i++) {
        const cm_law_leak *leak = &doubts->law->leaks[i];
        if (leak->above > 0.0)
            array = cm_json_append(array, json_pack("{s:s, s:o, s:o}", "fact", meaning, "per",
                                                    take_words(cm_law_words(law, leak->alternative)), "share",
                                                    cm_json_number(leak->above)));
    }
    free(meaning);
    return array;
}

json_t *cm_json_set_law(json_t *json, const cm_benchmark_result *result, const cm_doubts *doubts, bool usable)
{
    static const cm_law_verdict none = {0};
    const cm_counted_law *law = doubts != NULL ? result->evidence->law : NULL;
    const cm_law_verdict *verdict = doubts != NULL && doubts->law != NULL ? doubts->law : &none;
    json = cm_json_set(json, "also_counts", also_json(result, verdict));
    json = cm_json_set(json, "leaks", leaks_json(law, verdict->leaks, verdict->leak_count));
    json = cm_json_set(json, "open", leaks_json(law, verdict->open, verdict->open_count));
    const bool known = usable && doubts != NULL && doubts->law != NULL;
    json = cm_json_set(json, "rest", known ? cm_json_number(verdict->rest) : json_null());
    json = cm_json_set(json, "own", known ? cm_json_number(verdict->own) : json_null());
    return cm_json_set(json, "valid_above", ranges_json(law, doubts, usable));
}
