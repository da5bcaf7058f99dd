/* The leaks of a definition, and how frequent its metric must be for them not to matter. */
#include "analysis/rules.h"
#include "law/state.h"

double cm_law_effect(const cm_law_trial *work, size_t alternative, double weight)
{
    return fmax(0.0, cm_law_typical(work->metric, alternative) * fabs(weight));
}

static void add_leak(cm_law_trial *work, cm_law_leak leak)
{
    work->verdict->leaks[work->verdict->leak_count++] = leak;
}

/* The rest of the tolerance beside the own facts. */
static double allowance_beside_own(cm_law_trial *work)
{
    memcpy(work->line, work->far_own, work->metric->program_count * sizeof *work->line);
    double median = cm_median(work->line, work->metric->program_count);
    return fmax(cm_the_rules.natural - (work->metric->program_count > 0 ? median : 0.0), cm_small_leak());
}

bool cm_law_is_share(const cm_law_trial *work, size_t alternative, double weight, double share)
{
    return weight >= share * (1.0 - work->metric->tolerance) * work->metric->middle * work->law->sizes[alternative];
}

/* Whether so much of an alternative an occurrence is a large part of one of the metric. */
static bool is_large(const cm_law_trial *work, size_t alternative, double weight)
{
    return cm_law_is_share(work, alternative, weight, fmin(cm_the_rules.known, work->metric->tolerance));
}

static bool is_misprediction(size_t fact)
{
    return fact == CM_FACT_MISPREDICTED_COND ||
           (fact >= CM_FACT_MISPREDICTED_COND_TAKEN && fact <= CM_FACT_MISPREDICTED_RETURNS);
}

/* Whether it is mispredictions, or where these meet a fact: behind each, wrong paths do any number of what the metric
 * means. Events less others count too few of these, too. */
static bool begins_wrong_paths(const cm_law_trial *work, size_t alternative)
{
    const cm_law_alternative *entry = &work->law->alternatives[alternative];
    const cm_listed_fact *facts = work->law->setup.facts->facts;
    bool mispredicts = is_misprediction(entry->fact) || is_misprediction(entry->other), begins = false;
    for (size_t i = 0; i < cm_fact_count() && entry->sort != CM_LAW_DIFFERENCE && mispredicts; i++)
        begins |= facts[i].kind == CM_FACT_SPECULATIVE && work->metric->weights[facts[i].like] != 0.0;
    return begins;
}

/* A fact counted half as much as the metric, or that may be counted as much, is no leak, unless it is of wrong paths,
 * whose accesses count as others do. */
static bool is_no_leak(const cm_law_trial *work, size_t alternative, double found, double most)
{
    return !work->law->alternatives[alternative].is_speculative && !begins_wrong_paths(work, alternative) &&
           (cm_law_is_share(work, alternative, fabs(found), 0.5) || cm_law_is_share(work, alternative, most, 1.0));
}

/* Whether a leak that must be so rare matters in a natural program, be its class one that seldom does the metric. */
static bool leaves_out(const cm_law_trial *work, size_t alternative, double above)
{
    return cm_law_extreme_of(work->metric, alternative)->most_rare * above > 1.0;
}

static bool is_leak(const cm_law_verdict *verdict, size_t alternative)
{
    bool found = false;
    for (size_t i = 0; i < verdict->leak_count && !found; i++)
        found = verdict->leaks[i].alternative == alternative;
    return found;
}

/* The amount of the other fact for one of the leak that was found, if kernels cannot distinguish them; else 0. */
static double mistaken_for(const cm_law_trial *work, size_t leak, size_t other)
{
    const cm_law_fit *fit = &work->fit;
    const size_t kernels = work->law->setup.kernel_count, column = fit->base + leak;
    const double *one = &work->law->kernels[fit->chosen[leak] * kernels], *two = &work->law->kernels[other * kernels];
    double squares = 0.0, others = 0.0, product = 0.0;
    for (size_t k = 0; k < kernels; k++) {
        squares += one[k] * one[k] * fit->weights[k];
        others += two[k] * two[k] * fit->weights[k];
        product += one[k] * two[k] * fit->weights[k];
    }
    double sure = pow(fit->estimate[column], 2.0) / fit->covariance[column * fit->columns + column];
    bool alike = others > 0.0 && (1.0 - product * product / (squares * others)) * sure < pow(work->law->quantile, 2.0);
    return alike ? product / others : 0.0;
}

/* Adds the facts, and the places where two meet, that kernels cannot tell from leaks, if they matter in a natural
 * program. Refuses the definition, and returns false, if its count is too much for a leak of one of them. */
static bool take_mistaken(cm_law_trial *work, size_t leak, double most, double allowance)
{
    const cm_law_fit *fit = &work->fit;
    for (size_t a = 0; a < work->law->count; a++) {
        const cm_law_alternative *entry = &work->law->alternatives[a];
        bool may = entry->sort == CM_LAW_FACT || entry->sort == CM_LAW_PAIR;
        for (size_t i = 0; i < fit->chosen_count && may; i++)
            may = fit->chosen[i] != a; /* a leak of its own */
        if (!may || entry->is_free || is_leak(work->verdict, a) || !work->metric->relevant[a])
            continue;
        double times = mistaken_for(work, leak, a), found = times * fit->estimate[fit->base + leak];
        double effect = times != 0.0 ? cm_law_effect(work, a, times * most) : 0.0;
        if (times != 0.0 && is_no_leak(work, a, found, fabs(times) * most))
            return cm_law_refuse(work, CM_LAW_COUNTS, a, found, effect);
        if (cm_law_extreme_of(work->metric, a)->most * fabs(times) * most > allowance)
            add_leak(work, (cm_law_leak){a, fabs(times) * most, fabs(times) * most / allowance, false});
    }
    return true;
}

/* The leaks' largest sizes, and the ranges in which these do not matter. */
static bool range_of_leaks(cm_law_trial *work, double allowance)
{
    const cm_law_fit *fit = &work->fit;
    const double least = fmin(cm_small_leak(), work->metric->tolerance);
    for (size_t i = 0; i < fit->chosen_count; i++) {
        double most = work->leaking[i], found = fit->estimate[fit->base + i];
        bool matters = cm_law_is_share(work, fit->chosen[i], most, least) ||
                       cm_law_effect(work, fit->chosen[i], most) > work->metric->tolerance ||
                       leaves_out(work, fit->chosen[i], most / allowance);
        if (is_no_leak(work, fit->chosen[i], found, most))
            return cm_law_refuse(work, CM_LAW_COUNTS, fit->chosen[i], found, cm_law_effect(work, fit->chosen[i], most));
        add_leak(work, (cm_law_leak){fit->chosen[i], most, matters ? most / allowance : 0.0, true});
        if (matters && !take_mistaken(work, i, most, allowance))
            return false;
    }
    return true;
}

/* Whether kernels do it alone, and the definition counts less than `least` an occurrence of it on each of them. */
static bool is_cleared(const cm_law_trial *work, size_t alternative, double least)
{
    const cm_law *law = work->law;
    size_t alone = 0, counted = 0;
    for (size_t k = 0; k < law->setup.kernel_count; k++) {
        if (!isfinite(work->variances[k]) || law->alone[k] != alternative)
            continue;
        double amount = fabs(law->kernels[alternative * law->setup.kernel_count + k]);
        alone++;
        counted += fabs(work->errors[k]) + cm_the_rules.z * sqrt(work->variances[k]) > least * amount;
    }
    return alone > 0 && counted == 0;
}

/* Facts that vendors disagree about are part of no verdict: they are named if they are counted. */
static void name_free(cm_law_trial *work)
{
    const cm_law_metric *metric = work->metric;
    for (size_t a = 0; a < work->law->count; a++) {
        const cm_law_side_effect *found = &work->effects[a];
        if (!work->law->alternatives[a].is_free)
            continue;
        double sure = fabs(found->weight) - cm_the_rules.z * found->deviation;
        double least = cm_the_rules.known * metric->middle;
        if ((sure > least && !is_cleared(work, a, least)) || cm_law_counts_alone(work, a, least))
            work->verdict->also[work->verdict->also_count++] = a;
    }
}

/* Whether it is named as facts are: all of them, before alternatives made of them. */
static bool is_named_first(const cm_law_trial *work, size_t alternative)
{
    const cm_law_alternative *entry = &work->law->alternatives[alternative];
    return entry->sort == CM_LAW_FACT || entry->is_alike;
}

/* Of both those that may matter most come before others. */
static bool comes_before(const cm_law_trial *work, size_t one, size_t other)
{
    bool first = is_named_first(work, one), other_first = is_named_first(work, other);
    return first != other_first ? first : work->effects[one].far > work->effects[other].far;
}

/* Names alternatives that cannot be told, those that may matter most first: each fact, and of others as many as a
 * person reads. */
static void name_untold(cm_law_trial *work, size_t alternative)
{
    cm_law_verdict *verdict = work->verdict;
    verdict->untold_facts += is_named_first(work, alternative);
    size_t place = verdict->untold_count, most = verdict->untold_facts + CM_LAW_NAMED;
    for (; place > 0 && comes_before(work, alternative, verdict->untold[place - 1]); place--)
        if (place < most)
            verdict->untold[place] = verdict->untold[place - 1];
    if (place < most)
        verdict->untold[place] = alternative;
    verdict->unnamed += verdict->untold_count == most;
    verdict->untold_count += verdict->untold_count < most;
}

/* The most that may be counted of a fact of wrong paths, by the metric and by what terms count of the fact that it is
 * like: such counts may cancel in the sum, and those of wrong paths not. */
static double most_like(const cm_law_trial *work, size_t alternative)
{
    const cm_law_counts *counts = work->counts;
    const cm_law_alternative *entry = &work->law->alternatives[alternative];
    double sums[2] = {0.0, 0.0}; /* of terms that are added, and of those that are subtracted */
    for (size_t i = 0; i < counts->term_count && counts->read != NULL; i++)
        sums[counts->terms[i].coefficient < 0.0] +=
            fabs(counts->terms[i].coefficient) * cm_law_like(work->law, entry, counts->terms[i].facts);
    return fmax(cm_law_like(work->law, entry, work->metric->weights), fmax(sums[0], sums[1]));
}

/* Whether it is of wrong paths, no kernel does it, and it may be counted as often as what it is like. */
static bool may_be_counted_alike(const cm_law_trial *work, size_t alternative)
{
    const cm_law_alternative *entry = &work->law->alternatives[alternative];
    return entry->is_speculative && entry->is_untried &&
           (work->metric->relevant[alternative] ||
            cm_law_is_share(work, alternative, most_like(work, alternative), 0.5));
}

/* The other alternatives, if their interval does not let the definition hold everywhere: one that is known well enough,
 * or surely counted, gives a range, and the rest cannot be told. */
static void judge_side_effects(cm_law_trial *work, double allowance)
{
    size_t open = 0;
    for (size_t a = 0; a < work->law->count; a++)
        open += !work->law->alternatives[a].is_free && work->effects[a].far > cm_the_rules.natural;
    double quantile = cm_law_quantile(open);
    for (size_t a = 0; a < work->law->count; a++) {
        const cm_law_side_effect *found = &work->effects[a];
        const cm_law_alternative *entry = &work->law->alternatives[a];
        bool own = entry->sort == CM_LAW_FACT && work->metric->weights[entry->fact] != 0.0;
        bool untried = entry->sort == CM_LAW_FACT && (own ? !work->law->sure[entry->fact] : entry->is_untried);
        if (untried && (!entry->is_speculative || may_be_counted_alike(work, a)))
            name_untold(work, a);
        if (entry->is_free || untried || is_leak(work->verdict, a))
            continue;
        bool known = !is_large(work, a, found->at_most);
        if (found->far <= cm_the_rules.natural) {
            if (!known && (found->far > work->metric->tolerance ||
                           (entry->sort == CM_LAW_FACT && leaves_out(work, a, found->at_most / allowance))))
                name_untold(work, a);
            continue;
        }
        bool counted = found->near > cm_the_rules.natural && fabs(found->weight) > quantile * found->deviation;
        if (counted || known)
            add_leak(work, (cm_law_leak){a, found->at_most, found->at_most / allowance, false});
        else
            name_untold(work, a);
    }
}

/* Whether so much of the alternative an occurrence comes to more than nothing, for one of the metric, in any natural
 * program that does it. */
static bool is_minor(const cm_law_trial *work, size_t alternative, double weight)
{
    return !(cm_law_extreme_of(work->metric, alternative)->most * fabs(weight) > cm_minor());
}

/* The most of a fact that vendors disagree about and the definition surely counts; of others 0. */
static double counts_surely(const cm_law_trial *work, size_t alternative)
{
    const cm_law_side_effect *found = &work->effects[alternative];
    bool sure = fabs(found->weight) > work->law->quantile * found->deviation;
    return work->law->alternatives[alternative].is_free && sure
               ? fabs(found->weight) + cm_the_rules.z * found->deviation
               : 0.0;
}

/* Lists the other alternatives that kernels leave open, unless they are minor in all natural programs. If no kernel
 * tells, the interval is the expectation for any event, and says nothing; of wrong paths an event may count as much as
 * of others. */
static void list_open(cm_law_trial *work)
{
    cm_law_verdict *verdict = work->verdict;
    for (size_t a = 0; a < work->law->count; a++) {
        const cm_law_alternative *entry = &work->law->alternatives[a];
        bool as_own = may_be_counted_alike(work, a);
        double surely = counts_surely(work, a), most = fmax(surely, work->effects[a].at_most);
        bool twice = as_own && entry->sort != CM_LAW_FACT; /* its parts are listed */
        if (is_leak(verdict, a) || twice || (is_large(work, a, most) && surely == 0.0 && !as_own))
            continue;
        most = as_own ? most_like(work, a) : most;
        if (!is_minor(work, a, most))
            verdict->open[verdict->open_count++] = (cm_law_leak){a, most, 0.0, surely > 0.0};
        else
            verdict->rest = fmax(verdict->rest, work->law->most[a] * most);
    }
}

/* Leaks add up, so that their ranges share the rest of the tolerance. */
static void share_allowance(cm_law_verdict *verdict)
{
    size_t found = 0;
    for (size_t i = 0; i < verdict->leak_count; i++)
        found += verdict->leaks[i].found && verdict->leaks[i].above > 0.0;
    for (size_t i = 0; i < verdict->leak_count; i++)
        verdict->leaks[i].above *= verdict->leaks[i].found ? (double)found : 1.0;
}

/* Whether the program is in the range of that leak. */
static bool is_within(const cm_law_trial *work, const cm_law_leak *leak, size_t program)
{
    return fabs(cm_law_in_program(work->metric, leak->alternative, program)) * leak->above <= 1.0;
}

/* Whether every program is. */
static bool holds_all(const cm_law_trial *work, const cm_law_leak *leak)
{
    return cm_law_extreme_of(work->metric, leak->alternative)->most * leak->above <= 1.0;
}

/* The leak whose range leaves out most of the programs that the chosen ranges hold (`left` is not 0); leak_count: none
 * leaves out any. */
static size_t next_range(const cm_law_trial *work, const bool *chosen, const double *left)
{
    const cm_law_verdict *verdict = work->verdict;
    size_t best = verdict->leak_count, most = 0;
    for (size_t i = 0; i < verdict->leak_count; i++) {
        size_t out = 0;
        bool may = !chosen[i] && !holds_all(work, &verdict->leaks[i]);
        for (size_t q = 0; q < work->metric->program_count && may; q++)
            out += left[q] != 0.0 && !is_within(work, &verdict->leaks[i], q);
        if (out > most) {
            most = out;
            best = i;
        }
    }
    return best;
}

/* Ranges that hold in every natural program that the others hold say nothing, and go, but for those of leaks that were
 * found or are large: other programs may have them. False: memory ran out. */
static bool thin_out(cm_law_trial *work)
{
    cm_law_verdict *verdict = work->verdict;
    bool *chosen = calloc(verdict->leak_count + 1, sizeof *chosen);
    if (chosen == NULL)
        return false;
    for (size_t q = 0; q < work->metric->program_count; q++)
        work->line[q] = 1.0;
    for (size_t i = 0; i < verdict->leak_count; i++) {
        const cm_law_leak *leak = &verdict->leaks[i];
        chosen[i] = leak->above > 0.0 && (leak->found || is_large(work, leak->alternative, leak->at_most));
        for (size_t q = 0; chosen[i] && q < work->metric->program_count; q++)
            work->line[q] = is_within(work, leak, q) ? work->line[q] : 0.0;
    }
    for (size_t i; (i = next_range(work, chosen, work->line)) < verdict->leak_count;) {
        chosen[i] = true;
        for (size_t q = 0; q < work->metric->program_count; q++)
            work->line[q] = is_within(work, &verdict->leaks[i], q) ? work->line[q] : 0.0;
    }
    for (size_t i = 0; i < verdict->leak_count; i++)
        verdict->leaks[i].above = chosen[i] ? verdict->leaks[i].above : 0.0;
    free(chosen);
    return true;
}

bool cm_law_is_in_range(const cm_law_trial *work, size_t program)
{
    bool holds = true;
    for (size_t i = 0; i < work->verdict->leak_count && holds; i++)
        holds = work->verdict->leaks[i].above == 0.0 || is_within(work, &work->verdict->leaks[i], program);
    return holds;
}

/* The share of natural programs that all ranges hold, of the average class. */
static double share_of(const cm_law_trial *work)
{
    const cm_law_metric *metric = work->metric;
    double sum = 0.0;
    for (size_t g = 0; g < metric->group_count; g++) {
        size_t inside = 0, count = metric->groups[g + 1] - metric->groups[g];
        for (size_t q = metric->groups[g]; q < metric->groups[g + 1]; q++)
            inside += cm_law_is_in_range(work, q);
        sum += (double)inside / (double)count;
    }
    return metric->group_count > 0 ? sum / (double)metric->group_count : 1.0;
}

cm_status cm_law_find_range(cm_law_trial *work, cm_error *error)
{
    double allowance = allowance_beside_own(work);
    name_free(work);
    if (!range_of_leaks(work, allowance))
        return CM_OK;
    judge_side_effects(work, allowance);
    list_open(work);
    share_allowance(work->verdict);
    if (!thin_out(work))
        return cm_error_no_memory(error);
    bool ranged = false;
    for (size_t i = 0; i < work->verdict->leak_count; i++)
        ranged |= work->verdict->leaks[i].above > 0.0;
    work->verdict->share = share_of(work);
    work->verdict->finding = ranged ? CM_LAW_IN_RANGE : CM_LAW_HOLDS;
    return CM_OK;
}
