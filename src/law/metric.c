/* A metric of the law: its amounts on kernels and in natural programs, and the machine's part in them. */
#include "analysis/rules.h"
#include "law/state.h"

/* ---- its facts ---- */

/* Finds the metric's facts that some kernel does, and the weights of an occurrence. */
static cm_status find_own(cm_law_metric *metric, cm_error *error)
{
    const cm_law_setup *setup = &metric->law->setup;
    size_t count = 0;
    double sum = 0.0;
    bool adds = true, takes = true;
    metric->own = calloc(cm_fact_count() + 1, sizeof *metric->own);
    if (metric->own == NULL)
        return cm_error_no_memory(error);
    metric->smallest = metric->unit = INFINITY;
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        bool done = false;
        for (size_t k = 0; k < setup->kernel_count && metric->weights[fact] != 0.0 && !done; k++)
            done = setup->kernels[k].facts->values[fact] != 0.0;
        if (!done)
            continue;
        metric->own[count++] = fact;
        metric->smallest = fmin(metric->smallest, fabs(metric->weights[fact]) * cm_law_unit(fact));
        sum += fabs(metric->weights[fact]) * cm_law_unit(fact);
        adds &= metric->weights[fact] > 0.0;
        takes &= metric->weights[fact] < 0.0;
        metric->unit = fmin(metric->unit, cm_law_unit(fact));
    }
    metric->own_count = count;
    /* If weights have both signs, an occurrence of the metric is several facts at once: it counts no more than the
     * smallest weight. */
    metric->middle = count == 0 ? 0.0 : adds || takes ? sum / (double)count : metric->smallest;
    return CM_OK;
}

/* ---- kernels ---- */

/* The metric's amount on a kernel if a neighbour moves all hits one level down; and the most that it could move. */
static void displace_hits(cm_law_metric *metric, size_t kernel)
{
    const cm_law_setup *setup = &metric->law->setup;
    const double *values = setup->kernels[kernel].facts->values, *weights = metric->weights;
    double moved = 0.0, allowance = 0.0;
    for (size_t c = 0; c < CM_LAW_CHAINS; c++)
        for (size_t i = 0; i + 1 < CM_LAW_LEVELS; i++) {
            const size_t *chain = cm_law_served[c];
            double most = 0.0;
            for (size_t j = 0; j < CM_LAW_LEVELS; j++)
                most = fmax(most, fabs(weights[chain[j]] - weights[chain[i]]));
            moved += values[chain[i]] * (weights[chain[i + 1]] - weights[chain[i]]);
            allowance += values[chain[i]] * most;
        }
    metric->displaced[kernel] = setup->interference * moved;
    metric->displaced_allowance[kernel] = cm_the_rules.sure * setup->interference * allowance;
}

/* The accesses that two levels exchange on a kernel are one quantity: one that the first may not serve, the second
 * does. Returns the facts that this settles. */
static void exchange_levels(const cm_law_metric *metric, size_t kernel, const size_t *chain, double *column,
                            bool *taken)
{
    const double *ranges = metric->law->setup.kernels[kernel].facts->ranges;
    size_t between[CM_LAW_LEVELS], count = 0;
    for (size_t i = 0; i < CM_LAW_LEVELS; i++)
        if (ranges[chain[i]] > 0.0)
            between[count++] = chain[i];
    if (count != 2 || ranges[between[0]] != ranges[between[1]])
        return;
    column[kernel] = ranges[between[0]] * (metric->weights[between[0]] - metric->weights[between[1]]);
    taken[between[0]] = taken[between[1]] = true;
}

/* Fills the amounts that the machine decides on a kernel, by chains of levels and by facts. */
static void fill_leans(const cm_law_metric *metric, size_t kernel, double *leans, bool *taken)
{
    const cm_law_setup *setup = &metric->law->setup;
    size_t kernels = setup->kernel_count;
    memset(taken, 0, cm_fact_count() * sizeof *taken);
    for (size_t c = 0; c < CM_LAW_CHAINS; c++)
        exchange_levels(metric, kernel, cm_law_served[c], leans + c * kernels, taken);
    for (size_t i = 0; i < metric->own_count; i++) {
        size_t fact = metric->own[i];
        if (!taken[fact])
            leans[(CM_LAW_CHAINS + i) * kernels + kernel] =
                setup->kernels[kernel].facts->ranges[fact] * metric->weights[fact];
    }
}

/* The columns of the block: the metric's facts, as kernels surely do them, then the parts that the machine decides, if
 * any. A kernel on which it decides much of a fact says nothing of its decisions on others. */
static cm_status fill_block(cm_law_metric *metric, cm_error *error)
{
    const cm_law_setup *setup = &metric->law->setup;
    size_t kernels = setup->kernel_count, most = CM_LAW_CHAINS + metric->own_count;
    double *leans = calloc(kernels * most + 1, sizeof *leans);
    bool *taken = calloc(cm_fact_count() + 1, sizeof *taken);
    metric->block = calloc(kernels * (metric->own_count + most) + 1, sizeof *metric->block);
    bool made = leans != NULL && taken != NULL && metric->block != NULL;
    for (size_t k = 0; made && k < kernels; k++) {
        fill_leans(metric, k, leans, taken);
        for (size_t i = 0; i < metric->own_count; i++)
            metric->block[i * kernels + k] =
                metric->law->sure[metric->own[i]] ? setup->kernels[k].facts->values[metric->own[i]] : 0.0;
    }
    metric->block_count = metric->own_count;
    for (size_t c = 0; made && c < most; c++) {
        double sum = 0.0;
        for (size_t k = 0; k < kernels; k++) {
            metric->machine_share[k] += fabs(leans[c * kernels + k]);
            if (c >= CM_LAW_CHAINS && fabs(leans[c * kernels + k]) > cm_the_rules.least)
                leans[c * kernels + k] = 0.0;
            sum += fabs(leans[c * kernels + k]);
        }
        if (sum > 0.0)
            memcpy(metric->block + metric->block_count++ * kernels, leans + c * kernels, kernels * sizeof *leans);
    }
    free(leans);
    free(taken);
    return made ? CM_OK : cm_error_no_memory(error);
}

/* Fills the metric's amounts on kernels; *possible: some kernel does it. */
static cm_status fill_meant(cm_law_metric *metric, bool *possible, cm_error *error)
{
    const cm_law_setup *setup = &metric->law->setup;
    size_t size = setup->kernel_count + 1;
    double **arrays[] = {&metric->meant, &metric->scale, &metric->displaced, &metric->displaced_allowance,
                         &metric->machine_share};
    for (size_t i = 0; i < CM_COUNT_OF(arrays); i++)
        if ((*arrays[i] = calloc(size, sizeof(double))) == NULL)
            return cm_error_no_memory(error);
    for (size_t k = 0; k < setup->kernel_count; k++) {
        for (size_t i = 0; i < metric->own_count; i++)
            metric->meant[k] += metric->weights[metric->own[i]] * setup->kernels[k].facts->values[metric->own[i]];
        *possible |= metric->meant[k] != 0.0;
        metric->scale[k] = fmax(fabs(metric->meant[k]), cm_the_rules.least * metric->smallest);
        displace_hits(metric, k);
    }
    return fill_block(metric, error);
}

/* ---- programs ---- */

/* Fills the metric's amount in each natural program. */
static void find_meanings(const cm_law_metric *metric, double *meanings)
{
    const cm_natural *natural = metric->law->setup.natural;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        for (size_t p = 0; p < natural->count && metric->weights[fact] != 0.0; p++)
            meanings[p] += metric->weights[fact] * natural->facts[p * cm_fact_count() + fact];
}

static void take_program(cm_law_metric *metric, size_t program, size_t place, const double *meanings)
{
    metric->meanings[place] = meanings[program];
    metric->programs[place] = program;
}

/* Whether a program does the metric at least at the rate. */
static bool program_does(const cm_law_metric *metric, size_t program, double rate, const double *meanings)
{
    const double *facts = &metric->law->setup.natural->facts[program * cm_fact_count()];
    return meanings[program] > rate * facts[CM_FACT_INSTRUCTIONS];
}

/* Takes the programs of a class that do the metric at least at the rate, as a group, unless they are too small a part
 * of the class. */
static void take_class(cm_law_metric *metric, size_t class, double rate, const double *meanings)
{
    size_t first = metric->program_count;
    for (size_t p = class * CM_NATURAL_OF_A_CLASS; p < (class + 1) * CM_NATURAL_OF_A_CLASS; p++)
        if (program_does(metric, p, rate, meanings))
            take_program(metric, p, metric->program_count++, meanings);
    if (cm_the_rules.few * (double)(metric->program_count - first) < CM_NATURAL_OF_A_CLASS)
        metric->program_count = first;
    else
        metric->groups[metric->group_count++] = first;
}

/* Programs of all classes that do the metric a tenth as often as those that judge it, after these. */
static void take_rare(cm_law_metric *metric, double rate, const double *meanings)
{
    metric->rare_count = metric->program_count;
    for (size_t p = 0; p < metric->law->setup.natural->count; p++)
        if (program_does(metric, p, rate * cm_the_rules.least, meanings))
            take_program(metric, p, metric->rare_count++, meanings);
}

/* A metric that no class does so often is judged in programs that do it a tenth as often, and so on. */
static cm_status choose_programs(cm_law_metric *metric, cm_error *error)
{
    const cm_natural *natural = metric->law->setup.natural;
    metric->programs = calloc(2 * natural->count + 1, sizeof *metric->programs);
    metric->meanings = calloc(2 * natural->count + 1, sizeof *metric->meanings);
    metric->groups = calloc(natural->class_count + 2, sizeof *metric->groups);
    double *meanings = calloc(natural->count + 1, sizeof *meanings);
    bool made = metric->programs != NULL && metric->meanings != NULL && metric->groups != NULL && meanings != NULL;
    if (made)
        find_meanings(metric, meanings);
    double rate = cm_the_rules.rate / cm_the_rules.least;
    while (made && rate > 1e-8 && metric->group_count == 0) {
        rate *= cm_the_rules.least;
        for (size_t c = 0; c < natural->class_count; c++)
            take_class(metric, c, rate, meanings);
    }
    if (made) {
        metric->groups[metric->group_count] = metric->program_count;
        take_rare(metric, rate, meanings);
    }
    free(meanings);
    return made ? CM_OK : cm_error_no_memory(error);
}

/* ---- alternatives ---- */

/* Partly ordered: the element that belongs at `place` stands there, no larger ones before it. */
static double select_nth(double *values, size_t count, size_t place)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = values[(low + high) / 2];
        size_t i = low, j = high;
        while (i <= j) {
            for (; values[i] < pivot; i++)
                ;
            for (; values[j] > pivot; j--)
                ;
            if (i > j)
                break;
            double kept = values[i];
            values[i++] = values[j];
            values[j] = kept;
            if (j == 0)
                break;
            j--;
        }
        if (place <= j)
            high = j;
        else if (place >= i)
            low = i;
        else
            break;
    }
    return values[place];
}

/* Whether the median of values is above `least`: cheaper than the median. */
static bool is_median_above(const double *values, size_t count, double least)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++)
        below += values[i] <= least;
    return below <= count / 2;
}

double cm_law_worst_class(const cm_law_metric *metric, double least, double *values)
{
    double worst = least;
    for (size_t g = 0; g < metric->group_count; g++) {
        double *class = values + metric->groups[g];
        size_t count = metric->groups[g + 1] - metric->groups[g];
        if (is_median_above(class, count, worst))
            worst = fmax(worst, select_nth(class, count, count / 2));
    }
    return worst;
}

/* Whether the metric's own facts are all that it is; of a fact that kernels cannot tell from one of them, the
 * difference of both is an alternative of its own. */
static bool is_own(const cm_law_metric *metric, const cm_law_alternative *entry)
{
    const cm_listed_fact *listed = &metric->law->setup.facts->facts[entry->fact];
    if (entry->sort == CM_LAW_FACT)
        return metric->weights[listed->kind == CM_FACT_ALIKE ? listed->like : entry->fact] != 0.0;
    bool own = entry->sort == CM_LAW_DERIVED;
    const double *parts = listed->coefficients;
    for (size_t i = 0; own && i < cm_fact_count(); i++)
        own = parts[i] == 0.0 || metric->weights[i] != 0.0;
    return own;
}

/* Pairs that the median program of each class hardly has beside the metric cannot matter. */
static bool is_rare(const cm_law_metric *metric, size_t alternative)
{
    const cm_law *law = metric->law;
    const double *programs = law->programs + alternative * law->setup.natural->count;
    double most = cm_the_rules.prior * cm_the_rules.largest * metric->middle / cm_the_rules.natural;
    bool rare = law->alternatives[alternative].sort == CM_LAW_PAIR;
    for (size_t g = 0; g < metric->group_count && rare; g++) {
        size_t often = 0;
        for (size_t q = metric->groups[g]; q < metric->groups[g + 1]; q++)
            often += programs[metric->programs[q]] * most > fabs(metric->meanings[q]);
        rare = 2 * often < metric->groups[g + 1] - metric->groups[g];
    }
    return rare;
}

/* Whether it is a fact of wrong paths that no kernel does, and does not matter: the metric means none of its kind. */
static bool is_beyond(const cm_law_metric *metric, size_t alternative)
{
    const cm_law_alternative *entry = &metric->law->alternatives[alternative];
    return entry->is_speculative && entry->is_untried && cm_law_like(metric->law, entry, metric->weights) == 0.0;
}

double cm_law_like(const cm_law *law, const cm_law_alternative *entry, const double *weights)
{
    const cm_listed_fact *facts = law->setup.facts->facts;
    if (entry->sort == CM_LAW_FACT)
        return fabs(weights[facts[entry->fact].like]);
    double most = 0.0;
    for (size_t i = 0; entry->parts[i] != SIZE_MAX; i++)
        most = fmax(most, fabs(weights[facts[entry->parts[i]].like]));
    return most;
}

/* Finds the alternatives that matter to the metric; allocates what is found of each later. */
static cm_status find_relevant(cm_law_metric *metric, cm_error *error)
{
    metric->relevant = calloc(metric->law->count + 1, sizeof *metric->relevant);
    metric->extremes = calloc(metric->law->count + 1, sizeof *metric->extremes);
    metric->line = calloc(metric->program_count + 1, sizeof *metric->line);
    if (metric->relevant == NULL || metric->extremes == NULL || metric->line == NULL)
        return cm_error_no_memory(error);
    for (size_t a = 0; a < metric->law->count; a++)
        metric->relevant[a] =
            !is_own(metric, &metric->law->alternatives[a]) && !is_rare(metric, a) && !is_beyond(metric, a);
    return CM_OK;
}

cm_status cm_law_metric_create(const cm_law *law, const double *weights, double tolerance, cm_law_metric **metric,
                               cm_error *error)
{
    cm_law_metric *made = calloc(1, sizeof *made);
    bool possible = false;
    *metric = NULL;
    if (made == NULL)
        return cm_error_no_memory(error);
    made->law = law;
    made->weights = weights;
    made->tolerance = tolerance;
    cm_status status = find_own(made, error);
    CM_THEN(status, fill_meant(made, &possible, error));
    CM_THEN(status, choose_programs(made, error));
    CM_THEN(status, find_relevant(made, error));
    if (status == CM_OK && possible)
        *metric = made;
    else
        cm_law_metric_free(made);
    return status;
}

CM_GETTER(double cm_law_metric_unit(const cm_law_metric *metric), metric->unit)

void cm_law_metric_free(cm_law_metric *metric)
{
    if (metric == NULL)
        return;
    free(metric->own);
    free(metric->meant);
    free(metric->scale);
    free(metric->block);
    free(metric->displaced);
    free(metric->displaced_allowance);
    free(metric->machine_share);
    free(metric->programs);
    free(metric->meanings);
    free(metric->groups);
    free(metric->relevant);
    free(metric->extremes);
    free(metric->line);
    free(metric);
}
