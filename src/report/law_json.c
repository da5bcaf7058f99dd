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

/* The list of what is not told, and how many names it has. */
typedef struct untold {
    const cm_benchmark_result *result;
    const cm_doubts *doubts;
    json_t *array; /* NULL: no memory */
    size_t names;
} untold;

/* Facts that no kernel has are listed all, and count as so many names at most: others are listed, too. */
enum { MOST_NOT_RUN = 12 };

static bool has_room(const untold *list)
{
    return list->array != NULL && list->names < CM_LAW_NAMED;
}

static void append(untold *list, char *words, size_t names)
{
    list->array = cm_json_append(list->array, take_words(words));
    list->names += names;
}

/* A fact beside others that no kernel has with it: up to three by name. */
static void append_beside(untold *list, const cm_beside *beside)
{
    char text[1024];
    int used = snprintf(text, sizeof text, "%.200s beside ", cm_fact_name(beside->fact));
    if (beside->count > CM_LISTED_BESIDE)
        used += snprintf(text + used, sizeof text - (size_t)used, "%zu facts", beside->count);
    for (size_t k = 0; k < beside->count && beside->count <= CM_LISTED_BESIDE; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.200s", k > 0 ? ", " : "",
                         cm_fact_name(beside->others[k]));
    snprintf(text + used, sizeof text - (size_t)used, ", which no kernel has");
    append(list, strdup(text), 1);
}

/* Those that no kernel has, of the metric's kind first. */
static void append_not_run(untold *list)
{
    char *words = NULL;
    size_t names = 1;
    bool enough = cm_law_not_run(list->result->evidence->law, list->doubts->beyond, list->doubts->beyond_count,
                                 list->doubts->law, &words);
    for (const char *at = words; at != NULL && (at = strchr(at, ',')) != NULL; at++)
        names++;
    if (words != NULL || !enough)
        append(list, words, names - 1 < MOST_NOT_RUN ? names - 1 : MOST_NOT_RUN);
}

/* Whether no kernel has what the alternative is, which is said of its parts. */
static bool is_said(const cm_counted_law *law, const cm_law_alternative *what)
{
    const cm_fact_table *facts = cm_counted_law_setup(law)->facts;
    bool run = false;
    if (what->sort == CM_LAW_DERIVED)
        for (size_t part = 0; part < cm_fact_count() && !run; part++)
            run = facts->facts[what->fact].coefficients[part] != 0.0 && cm_law_is_run(law, part);
    else
        run = cm_law_is_run(law, what->fact) && (what->sort != CM_LAW_DIFFERENCE || cm_law_is_run(law, what->other));
    return !run;
}

typedef enum kind { FACTS, PAIRS, OTHERS } kind;

/* Whether the list has it already: a pair where what no kernel has beside one of the two is named. */
static bool is_listed(const untold *list, const cm_law_alternative *what)
{
    const cm_doubts *doubts = list->doubts;
    bool listed = is_said(list->result->evidence->law, what);
    for (size_t i = 0; i < doubts->beside_count && what->sort == CM_LAW_PAIR && !listed; i++)
        listed = doubts->beside[i].fact == what->fact || doubts->beside[i].fact == what->other;
    return listed;
}

static void append_untold(untold *list, kind of)
{
    const cm_law_verdict *verdict = list->doubts->law;
    const cm_counted_law *law = list->result->evidence->law;
    for (size_t i = 0; verdict != NULL && i < verdict->untold_count && list->array != NULL; i++) {
        const cm_law_alternative *what = cm_counted_law_alternative(law, verdict->untold[i]);
        kind own = what->sort == CM_LAW_FACT ? FACTS : what->sort == CM_LAW_PAIR ? PAIRS : OTHERS;
        if (own == of && (own == FACTS || has_room(list)) && !is_listed(list, what))
            append(list, cm_law_untold(law, verdict->untold[i]), 1);
    }
}

/* Facts first, then where facts meet, then what nearly goes together. */
json_t *cm_json_untold(const cm_benchmark_result *result, const cm_doubts *doubts)
{
    untold list = {.result = result, .doubts = doubts, .array = json_array()};
    if (doubts == NULL || list.array == NULL)
        return list.array;
    append_not_run(&list);
    append_untold(&list, FACTS);
    for (size_t i = 0; i < doubts->beside_count && has_room(&list); i++)
        append_beside(&list, &doubts->beside[i]);
    append_untold(&list, PAIRS);
    append_untold(&list, OTHERS);
    return list.array;
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
