/* The law's verdicts in words. */
#include <math.h>

#include "law/law.h"

char *cm_law_words(const cm_counted_law *law, size_t alternative)
{
    const cm_law_alternative *entry = cm_counted_law_alternative(law, alternative);
    const char *fact = cm_fact_name(entry->fact), *other = cm_fact_name(entry->other);
    char *words = NULL;
    int length = 0;
    switch (entry->sort) {
    case CM_LAW_TURN: return strdup("branches_cond_taken"); /* a loop turns by one */
    case CM_LAW_FACT:
    case CM_LAW_DERIVED: return strdup(fact);
    case CM_LAW_MEANT: return cm_law_meaning(law, entry->fact);
    case CM_LAW_DIFFERENCE:
        length = entry->ratio == 1.0 ? asprintf(&words, "%s - %s", fact, other)
                                     : asprintf(&words, "%s - %.6g*%s", fact, entry->ratio, other);
        break;
    case CM_LAW_PAIR: length = asprintf(&words, "min(%s, %s)", fact, other); break;
    }
    return length < 0 ? NULL : words;
}

/* The derived fact that is the metric, as far as this machine has its parts; -1: none. */
static ptrdiff_t derived_of(const cm_counted_law *law, const double *weights)
{
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        const double *parts = cm_counted_law_setup(law)->facts->facts[fact].coefficients;
        bool same = cm_counted_law_setup(law)->facts->facts[fact].kind == CM_FACT_DERIVED;
        for (size_t i = 0; i < cm_fact_count() && same; i++)
            same = parts[i] == weights[i];
        if (same)
            return (ptrdiff_t)fact;
    }
    return -1;
}

char *cm_law_meaning(const cm_counted_law *law, size_t metric)
{
    const double *weights = cm_counted_law_setup(law)->metrics + metric * cm_fact_count();
    ptrdiff_t derived = derived_of(law, weights);
    char *text = NULL;
    if (derived >= 0)
        return strdup(cm_fact_name((size_t)derived));
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        char *longer = NULL;
        if (weights[fact] == 0.0)
            continue;
        int length = weights[fact] == 1.0 ? asprintf(&longer, "%s%s%s", text != NULL ? text : "",
                                                     text != NULL ? " + " : "", cm_fact_name(fact))
                                          : asprintf(&longer, "%s%s%.17g*%s", text != NULL ? text : "",
                                                     text != NULL ? " + " : "", weights[fact], cm_fact_name(fact));
        free(text);
        text = length < 0 ? NULL : longer;
        if (text == NULL)
            return NULL;
    }
    return text;
}

char *cm_law_untold(const cm_counted_law *law, size_t alternative)
{
    const cm_law_alternative *entry = cm_counted_law_alternative(law, alternative);
    const char *fact = cm_fact_name(entry->fact), *other = cm_fact_name(entry->other);
    char *words = NULL;
    int length = 0;
    if (entry->sort == CM_LAW_PAIR)
        length = asprintf(&words, "%s beside %s, which no kernel has", fact, other);
    else if (entry->sort == CM_LAW_DIFFERENCE)
        length = asprintf(&words, "%s, %s, which no kernel distinguishes", fact, other);
    else
        return cm_law_words(law, alternative);
    return length < 0 ? NULL : words;
}

bool cm_law_is_run(const cm_counted_law *law, size_t fact)
{
    const cm_counted_setup *setup = cm_counted_law_setup(law);
    for (size_t k = 0; k < setup->kernel_count; k++)
        if (cm_law_is_done(setup->kernels[k].facts->values[fact], setup->kernels[k].facts->ranges[fact]))
            return true;
    return false;
}

/* The derived fact that is a sum of several that no kernel has, with this one among them; itself if there is none. */
static size_t whole_of(const cm_counted_law *law, size_t fact)
{
    const cm_fact_table *table = cm_counted_law_setup(law)->facts;
    for (size_t derived = 0; derived < cm_fact_count(); derived++) {
        const double *parts = table->facts[derived].coefficients;
        bool whole = table->facts[derived].kind == CM_FACT_DERIVED && parts[fact] > 0.0;
        for (size_t part = 0; part < cm_fact_count() && whole; part++)
            whole = parts[part] == 0.0 || (parts[part] > 0.0 && !cm_law_is_run(law, part));
        if (whole)
            return derived;
    }
    return fact;
}

/* Adds the fact, or the whole that it is of, unless a kernel has it or it is there. */
static void add_not_run(const cm_counted_law *law, size_t fact, size_t *found, size_t *count)
{
    const size_t whole = cm_law_is_run(law, fact) ? fact : whole_of(law, fact);
    size_t place = 0;
    while (place < *count && found[place] != whole)
        place++;
    if (!cm_law_is_run(law, fact) && place == *count)
        found[(*count)++] = whole;
}

size_t cm_law_not_run(const cm_counted_law *law, const size_t *facts, size_t count, const cm_law_verdict *verdict,
                      size_t *found)
{
    size_t found_count = 0;
    for (size_t i = 0; i < count; i++)
        add_not_run(law, facts[i], found, &found_count);
    for (size_t i = 0; verdict != NULL && i < verdict->untold_facts; i++)
        add_not_run(law, cm_counted_law_alternative(law, verdict->untold[i])->fact, found, &found_count);
    return found_count;
}

static const char *kernel_of(const cm_counted_law *law, size_t kernel)
{
    return cm_counted_law_setup(law)->kernels[kernel].facts->kernel;
}

void cm_law_refusal_text(const cm_counted_law *law, const cm_law_verdict *verdict, char *text, size_t size)
{
    char *words = verdict->finding == CM_LAW_COUNTS ? cm_law_words(law, verdict->place) : NULL;
    switch (verdict->finding) {
    case CM_LAW_HOLDS:
    case CM_LAW_IN_RANGE: text[0] = '\0'; break;
    case CM_LAW_AMPLIFIED:
        snprintf(text, size, "amplifies noise %.3g-fold, %.3g-fold is tolerated", verdict->value, verdict->limit);
        break;
    case CM_LAW_KERNEL:
        snprintf(text, size, "is %.3g %% off on the kernel %.200s beyond what its facts explain, %.3g %% are tolerated",
                 100.0 * verdict->value, kernel_of(law, verdict->place), 100.0 * verdict->limit);
        break;
    case CM_LAW_NOISY:
        snprintf(text, size, "is too noisy: two standard errors are %.3g %% of the metric, %.3g %% are tolerated",
                 100.0 * verdict->value, 100.0 * verdict->limit);
        break;
    case CM_LAW_OWN:
        snprintf(text, size, "may be %.3g %% off where %s happens, %.3g %% are tolerated", 100.0 * verdict->value,
                 cm_fact_name(verdict->place), 100.0 * verdict->limit);
        break;
    case CM_LAW_LEAK:
        snprintf(text, size,
                 "needs an event that counts %.3g for each %s, and nothing more often: no kernel exercises what the "
                 "event is for",
                 verdict->value, cm_fact_name(verdict->place));
        break;
    case CM_LAW_READ:
        snprintf(
            text, size,
            "is %.3g %% off in natural programs, mostly by %s, if each event counts there what it counts on kernels; "
            "%.3g %% are tolerated",
            100.0 * verdict->value, cm_fact_name(verdict->place), 100.0 * verdict->limit);
        break;
    case CM_LAW_COUNTS:
        snprintf(text, size, "%s %.3g an occurrence of %.200s, which is %.3g %% of it in natural programs",
                 verdict->value < 0.0 ? "loses" : "counts", fabs(verdict->value),
                 words != NULL ? words : "another fact", 100.0 * verdict->limit);
        break;
    }
    free(words);
}

void cm_refusal_words(const cm_verdict *found, const char *place, char *text, size_t size)
{
    /* A rounding error is nothing: it would be the processor's. */
    const double value = fabs(found->value) > 1e-9 * found->limit ? found->value : 0.0;
    switch (found->refusal) {
    case CM_REFUSED_NOT:
    case CM_REFUSED_LAW: text[0] = '\0'; break;
    case CM_REFUSED_EMPTY: snprintf(text, size, "is empty: no event that the kernels explain counts any of it"); break;
    case CM_REFUSED_SYMBOL:
        snprintf(text, size, "counts %.6g of %.200s, the metric has %.6g, and it may be off by %.3g", value, place,
                 found->expected, found->limit);
        break;
    case CM_REFUSED_OTHERS:
        snprintf(text, size,
                 "counts %.6g of what the metric does not have, one of each symbol, and it may be off by %.3g", value,
                 found->limit);
        break;
    case CM_REFUSED_KERNEL:
        snprintf(text, size, "counts %.6g per iteration of the kernel %.200s, expected %.6g within %.3g", value, place,
                 found->expected, found->limit);
        break;
    case CM_REFUSED_CONTROL:
        snprintf(text, size,
                 "counts %.6g per iteration of the control kernel %.200s, where the metric is %.6g within %.3g", value,
                 place, found->expected, found->limit);
        break;
    case CM_REFUSED_NOISE:
        snprintf(text, size, "is too noisy: its standard error is %.3g %% of the metric, %.3g %% are tolerated",
                 100.0 * found->value, 100.0 * found->limit);
        break;
    case CM_REFUSED_UNCONTROLLED:
        if (found->controls == 0)
            snprintf(
                text, size,
                "has %.0f coefficients that are no simple numbers, and there are no control kernels: one is tolerated",
                found->value);
        else
            snprintf(text, size,
                     "has %.0f coefficients that are no simple numbers: with %zu control kernels %.0f are tolerated",
                     found->value, found->controls, found->limit);
        break;
    case CM_REFUSED_AMPLIFICATION:
        snprintf(text, size, "amplifies noise %.3g-fold, %.3g-fold is tolerated", found->value, found->limit);
        break;
    }
}
