/* The verdict of the law on a definition, in words. */
#include "result/fills.h"
#include "result/result.h"

#include "result/law_fields.h"

void cm_fill_also(const cm_counted_law *law, const cm_law_verdict *verdict, cm_filler *filler,
                  cm_defined_metric *filled)
{
    const char **texts = cm_filler_allocate(filler, verdict->also_count, sizeof *texts);
    for (size_t i = 0; i < verdict->also_count && texts != NULL; i++) {
        size_t fact = cm_counted_law_alternative(law, verdict->also[i])->fact;
        texts[filled->also_count++] =
            cm_filler_print(filler, "%s", cm_counted_law_setup(law)->facts->facts[fact].words);
    }
    filled->also_counts = texts;
}

/* The alternatives that are not separated from a definition: each text names a fact, or a pair of facts. */
typedef struct confounded_list {
    const cm_counted_law *law;
    const cm_open_questions *questions;
    cm_filler *filler;
    const char **texts;
    size_t count, most; /* at most so many beside facts alone */
    size_t left;        /* not named: a reader wants no more names than these */
} confounded_list;

static void append_text(confounded_list *list, const char *text)
{
    list->texts[list->count++] = text;
}

/* Facts that no kernel executes are all listed. Up to this number they are among the 20 names; more of them leave all
 * 20 to others. */
enum { MOST_NOT_RUN = 12 };

/* Appends the facts that no kernel executes, those of the metric's kind first. */
static void append_not_run(confounded_list *list)
{
    const cm_open_questions *questions = list->questions;
    const size_t most = questions->beyond_count + (questions->law != NULL ? questions->law->untold_count : 0);
    size_t *facts = cm_filler_allocate(list->filler, most + 1, sizeof *facts);
    const size_t count =
        facts != NULL ? cm_law_not_run(list->law, questions->beyond, questions->beyond_count, questions->law, facts)
                      : 0;
    for (size_t i = 0; i < count; i++)
        append_text(list, cm_filler_print(list->filler, "%s, which no kernel has", cm_fact_name(facts[i])));
    list->most += count > MOST_NOT_RUN ? count : 0;
}

/* Whether the pairs of one of these facts with others have the pair among them. */
static bool has_pair(const cm_beside *beside, size_t count, size_t fact, size_t other)
{
    bool has = false;
    for (size_t i = 0; i < count && !has; i++) {
        const size_t with = beside[i].fact == fact ? other : fact;
        has = beside[i].count > CM_LISTED_BESIDE && (beside[i].fact == fact || beside[i].fact == other);
        for (size_t k = 0; k < beside[i].count && beside[i].count <= CM_LISTED_BESIDE && !has; k++)
            has = (beside[i].fact == fact || beside[i].fact == other) && beside[i].others[k] == with;
    }
    return has;
}

/* Appends the pairs of a fact and others that no kernel executes together; of many others the fact alone. */
static void append_beside(confounded_list *list, size_t place)
{
    const cm_beside *beside = &list->questions->beside[place];
    const char *fact = cm_fact_name(beside->fact);
    if (beside->count > CM_LISTED_BESIDE && list->count < list->most)
        append_text(list, cm_filler_print(list->filler, "%s beside others, which no kernel has", fact));
    else if (beside->count > CM_LISTED_BESIDE)
        list->left++;
    for (size_t k = 0; k < beside->count && beside->count <= CM_LISTED_BESIDE; k++) {
        if (has_pair(list->questions->beside, place, beside->fact, beside->others[k]))
            continue;
        if (list->count < list->most)
            append_text(list, cm_filler_print(list->filler, "%s beside %s, which no kernel has", fact,
                                              cm_fact_name(beside->others[k])));
        else
            list->left++;
    }
}

/* Whether no kernel executes the alternative; its parts are then listed already. */
static bool is_said(const cm_counted_law *law, const cm_law_alternative *alternative)
{
    const cm_fact_table *facts = cm_counted_law_setup(law)->facts;
    bool run = false;
    if (alternative->sort == CM_LAW_DERIVED)
        for (size_t part = 0; part < cm_fact_count() && !run; part++)
            run = facts->facts[alternative->fact].coefficients[part] != 0.0 && cm_law_is_run(law, part);
    else
        run = cm_law_is_run(law, alternative->fact) &&
              (alternative->sort != CM_LAW_DIFFERENCE || cm_law_is_run(law, alternative->other));
    return !run;
}

typedef enum kind { FACTS, PAIRS, OTHERS } kind;

/* Whether the list has the alternative already, as a pair that no kernel executes together. */
static bool is_listed(const confounded_list *list, const cm_law_alternative *alternative)
{
    const cm_open_questions *questions = list->questions;
    return is_said(list->law, alternative) ||
           (alternative->sort == CM_LAW_PAIR &&
            has_pair(questions->beside, questions->beside_count, alternative->fact, alternative->other));
}

/* Appends the alternatives of one kind that are not listed yet. */
static void append_confounded(confounded_list *list, kind of)
{
    const cm_law_verdict *verdict = list->questions->law;
    for (size_t i = 0; verdict != NULL && i < verdict->untold_count; i++) {
        const cm_law_alternative *alternative = cm_counted_law_alternative(list->law, verdict->untold[i]);
        bool fact = alternative->sort == CM_LAW_FACT || alternative->is_alike;
        kind own = fact ? FACTS : alternative->sort == CM_LAW_PAIR ? PAIRS : OTHERS;
        if (own != of || is_listed(list, alternative))
            continue;
        if (own == FACTS || list->count < list->most)
            append_text(list, cm_filler_take(list->filler, cm_law_untold(list->law, verdict->untold[i])));
        else
            list->left++;
    }
}

void cm_fill_confounded(const cm_counted_law *law, const cm_open_questions *questions, size_t more, cm_filler *filler,
                        cm_defined_metric *filled)
{
    size_t most = questions != NULL ? questions->beyond_count : 0;
    most += questions != NULL && questions->law != NULL ? questions->law->untold_count : 0;
    confounded_list list = {.law = law, .questions = questions, .filler = filler, .most = CM_LAW_NAMED - more};
    list.texts = cm_filler_allocate(filler, most + CM_LAW_NAMED + 1, sizeof *list.texts);
    filled->confounded = list.texts;
    if (questions == NULL || list.texts == NULL)
        return;
    append_not_run(&list);
    const bool many = list.most + more > CM_LAW_NAMED; /* few benchmarks were swept: facts must not crowd out pairs */
    if (!many)
        append_confounded(&list, FACTS);
    for (size_t i = 0; i < questions->beside_count; i++)
        append_beside(&list, i);
    if (many)
        append_confounded(&list, FACTS);
    append_confounded(&list, PAIRS);
    append_confounded(&list, OTHERS);
    list.left += questions->beside_more + (questions->law != NULL ? questions->law->unnamed : 0);
    filled->confounded_more = list.left;
    if (questions->controls == 0 &&
        !questions->held) /* anything that every kernel does beside its symbols could be counted, too */
        append_text(&list, "anything that these kernels do alike: there are no control kernels");
    filled->confounded_count = list.count;
}

static const cm_defined_leak *leaks_of(const cm_counted_law *law, const cm_law_leak *leaks, size_t count,
                                       cm_filler *filler)
{
    cm_defined_leak *filled = cm_filler_allocate(filler, count, sizeof *filled);
    for (size_t i = 0; i < count && filled != NULL; i++)
        set_leak(&filled[i], &leaks[i], cm_filler_take(filler, cm_law_words(law, leaks[i].alternative)));
    return filled;
}

void cm_fill_ranges(const cm_counted_law *law, const cm_open_questions *questions, cm_filler *filler,
                    cm_defined_metric *filled)
{
    size_t count = cm_is_ranged(questions) ? questions->law->leak_count : 0;
    cm_defined_range *ranges = count > 0 ? cm_filler_allocate(filler, count, sizeof *ranges) : NULL;
    for (size_t i = 0; i < count && ranges != NULL; i++)
        if (questions->law->leaks[i].above > 0.0)
            set_range(&ranges[filled->range_count++], cm_filler_take(filler, cm_law_meaning(law, questions->metric)),
                      cm_filler_take(filler, cm_law_words(law, questions->law->leaks[i].alternative)),
                      questions->law->leaks[i].above);
    filled->ranges = ranges;
    filled->range_share = filled->range_count > 0 ? questions->law->share : NAN;
}

void cm_fill_law(const cm_benchmark_result *result, const cm_open_questions *questions, bool usable, size_t more,
                 cm_filler *filler, cm_defined_metric *filled)
{
    const cm_law_verdict *verdict = questions != NULL ? questions->law : NULL;
    const cm_counted_law *law = questions != NULL ? result->evidence->law : NULL;
    cm_fill_confounded(law, questions, more, filler, filled);
    set_law(filled, verdict, usable);
    filled->range_share = NAN;
    if (verdict == NULL)
        return;
    cm_fill_also(law, verdict, filler, filled);
    filled->leaks = leaks_of(law, verdict->leaks, verdict->leak_count, filler);
    filled->leak_count = filled->leaks != NULL ? verdict->leak_count : 0;
    filled->open = leaks_of(law, verdict->open, verdict->open_count, filler);
    filled->open_count = filled->open != NULL ? verdict->open_count : 0;
    if (usable)
        cm_fill_ranges(law, questions, filler, filled);
}
