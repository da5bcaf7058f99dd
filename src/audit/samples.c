/* Samples of counts: kernels, and mixtures of them, with the claimed values. */
#include "audit/values.h"

enum { MIXTURES = 60, PARTS = 3 };
static const double negligible =
    0.05; /* of the smallest weight: the most a row may count beside its facts, times tolerance */
static const double telling = 0.1; /* a row is used if its facts are known to this relative accuracy */

typedef struct gatherer {
    const cm_audit *audit;
    const cm_formulas *formulas;
    const cm_claimed_quantity *claim;
    cm_samples *samples;
    const cm_row_event **events; /* of the group: the parts of each event of the formula, CM_MOST_PARTS each */
    bool *found;                 /* ... somewhere */
    bool *exercised;             /* one a fact */
    bool with_facts;             /* of some row */
} gatherer;

/* The facts of a row, NULL if unknown; with those that the machine decides for a metric that has such. */
static const cm_kernel_facts *facts_of(const cm_claimed_metric *metric, const cm_row_group *group, size_t row)
{
    const bool decided = metric->meaning != NULL && metric->meaning->of_machine && group->decided != NULL;
    return decided ? group->decided[row] : group->facts[row];
}

double cm_claimed_value(const cm_claimed_metric *metric, const cm_row_group *group, size_t row, double *allowed,
                        double *tolerated)
{
    double value = NAN, smallest = INFINITY;
    *allowed = *tolerated = 0.0;
    if (group->skipped[row])
        return NAN;
    const cm_kernel_facts *facts = facts_of(metric, group, row);
    if (facts != NULL && metric->meaning != NULL) {
        value = cm_meaning_value(metric->meaning, facts, group->iterations, allowed);
        smallest = metric->meaning->smallest;
    } else if (group->does != NULL && group->does[row] != NULL && metric->metric != NULL &&
               strcmp(metric->metric->benchmark, group->name) == 0) {
        value = 0.0;
        for (size_t j = 0; j < group->symbol_count; j++) {
            double weight = metric->metric->signature[j];
            value += group->does[row][j] * weight;
            smallest = weight != 0.0 ? fmin(smallest, fabs(weight)) : smallest;
        }
    }
    *allowed += group->overhead * smallest;
    bool control = row >= group->control;
    *tolerated = (control ? group->control_tolerance : group->tolerance) *
                 fmax(fabs(value), (control ? group->control_floor : negligible) * smallest);
    return value;
}

static bool is_telling(double value, double allowed)
{
    return value > 0.0 && allowed <= telling * value;
}

/* Fills the values of the claim's metrics on the row. */
static void fill_claim(const cm_claimed_quantity *claim, cm_sample *sample)
{
    const cm_row_group *group = sample->group;
    double tolerated = 0.0, none = 0.0;
    sample->above = cm_claimed_value(&claim->numerator, group, sample->row, &sample->above_allowed, &tolerated);
    sample->below = 1.0;
    sample->below_allowed = 0.0;
    if (claim->denominator.name != NULL)
        sample->below = cm_claimed_value(&claim->denominator, group, sample->row, &sample->below_allowed, &none);
    sample->telling = is_telling(sample->above, sample->above_allowed) &&
                      (claim->denominator.name == NULL || is_telling(sample->below, sample->below_allowed));
    sample->above_allowed += tolerated;
}

/* Finds the events in the group; whether all of them are counted there. */
static bool find_sampled_events(gatherer *in, const cm_row_group *group)
{
    bool all = true;
    for (size_t i = 0; i < in->samples->event_count; i++) {
        size_t parts[CM_MOST_PARTS];
        const char *name = cm_formulas_quantity_name(in->formulas, in->samples->quantities[i]);
        size_t count = cm_audit_find_parts(in->audit, group->names, name, parts);
        for (size_t part = 0; part < CM_MOST_PARTS; part++)
            in->events[i * CM_MOST_PARTS + part] = part < count ? &group->counted[parts[part]] : NULL;
        in->found[i] = in->found[i] || count > 0;
        all = all && count > 0;
        for (size_t part = 0; part < count; part++)
            all = all && group->counted[parts[part]].counts != NULL;
    }
    return all;
}

/* Events that stand in the way in a group whose rows would tell. */
static void note_unusable(gatherer *in)
{
    cm_samples *samples = in->samples;
    for (size_t i = 0; i < samples->event_count; i++) {
        const cm_row_event *event = NULL;
        for (size_t part = 0; part < CM_MOST_PARTS; part++)
            if (in->events[i * CM_MOST_PARTS + part] != NULL && in->events[i * CM_MOST_PARTS + part]->counts == NULL)
                event = in->events[i * CM_MOST_PARTS + part];
        bool listed = event == NULL;
        for (size_t j = 0; j < samples->unusable_count; j++)
            listed = listed || samples->unusable[j] == samples->quantities[i];
        if (listed)
            continue;
        samples->unusable[samples->unusable_count++] = samples->quantities[i];
        samples->noisy += event->status == CM_EVENT_NOISY;
    }
}

/* A fact that the machine decides is exercised where it is enough of the metric to be missed. */
static void note_exercised(gatherer *in, const cm_sample *sample)
{
    const cm_claimed_metric *metrics[] = {&in->claim->numerator, &in->claim->denominator};
    for (size_t m = 0; m < 2 && metrics[m]->name != NULL; m++) {
        const cm_kernel_facts *facts = facts_of(metrics[m], sample->group, sample->row);
        const double whole = m == 0 ? sample->above : sample->below;
        in->with_facts = in->with_facts || facts != NULL;
        for (size_t i = 0; i < cm_fact_count() && facts != NULL; i++) {
            const bool unlisted = in->audit->facts->facts[i].kind == CM_FACT_UNLISTED;
            const double least = unlisted ? telling * whole : 0.0;
            in->exercised[i] = in->exercised[i] || facts->values[i] > facts->ranges[i] + least;
        }
    }
}

/* Adds a row with its counts, and the part of each that is uncertain. */
static cm_status add_sample(gatherer *in, const cm_sample *filled, cm_error *error)
{
    cm_samples *samples = in->samples;
    cm_sample *sample = &samples->items[samples->count];
    *sample = *filled;
    double *numbers = cm_arena_allocate(&samples->arena, (2 * samples->event_count + 1) * sizeof *numbers);
    if (numbers == NULL)
        return cm_error_no_memory(error);
    memset(numbers, 0, (2 * samples->event_count + 1) * sizeof *numbers);
    sample->counts = numbers;
    sample->uncertain = numbers + samples->event_count;
    sample->exact = sample->group != NULL;
    for (size_t i = 0; i < samples->event_count * CM_MOST_PARTS && sample->group != NULL; i++) {
        if (in->events[i] == NULL)
            continue;
        double count = in->events[i]->counts[sample->row];
        sample->exact = sample->exact && in->events[i]->exact;
        sample->counts[i / CM_MOST_PARTS] += count;
        double uncertain = in->events[i]->uncertain != NULL ? in->events[i]->uncertain[sample->row] : 0.0;
        sample->uncertain[i / CM_MOST_PARTS] += fmax(uncertain, in->events[i]->shift * fabs(count));
    }
    samples->count++;
    samples->telling_count += sample->telling;
    return CM_OK;
}

/* Whether all events were counted on the row, by the group's. */
static bool is_counted(const gatherer *in, size_t row)
{
    bool counted = true;
    for (size_t i = 0; i < in->samples->event_count * CM_MOST_PARTS; i++)
        counted = counted && (in->events[i] == NULL || !isnan(in->events[i]->counts[row]));
    return counted;
}

/* Adds the rows of a group on which the claimed metric has a value and all events were counted. */
static cm_status add_group(gatherer *in, const cm_row_group *group, cm_error *error)
{
    bool usable = find_sampled_events(in, group);
    cm_status status = CM_OK;
    for (size_t row = 0; row < group->row_count && status == CM_OK; row++) {
        cm_sample sample = {.group = group, .row = row};
        fill_claim(in->claim, &sample);
        if (isnan(sample.above) || isnan(sample.below))
            continue;
        if (sample.telling && !usable)
            note_unusable(in);
        if (!usable || !is_counted(in, row))
            continue;
        note_exercised(in, &sample);
        status = add_sample(in, &sample, error);
    }
    return status;
}

/* Numbers that look random and are the same each time: 0 to 1. */
static double draw_share(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Adds a weighted part of one program to a mixture, with the errors that it may have. */
static void mix_in(const cm_samples *samples, const cm_sample *part, double weight, cm_sample *mixture)
{
    for (size_t i = 0; i < samples->event_count; i++) {
        mixture->counts[i] += weight * part->counts[i];
        mixture->uncertain[i] += weight * part->uncertain[i];
    }
    mixture->above += weight * part->above;
    mixture->above_allowed += weight * part->above_allowed;
    mixture->below += weight * part->below;
    mixture->below_allowed += weight * part->below_allowed;
}

/* Rows one after the other, each for a part of the time. */
static cm_status add_mixture(gatherer *in, const cm_sample *const parts[PARTS], unsigned long long *state,
                             cm_error *error)
{
    cm_samples *samples = in->samples;
    bool ratio = in->claim->denominator.name != NULL;
    cm_status status = add_sample(in, &(cm_sample){0}, error);
    if (status != CM_OK)
        return status;
    cm_sample *mixture = &samples->items[samples->count - 1];
    for (size_t i = 0; i < PARTS && parts[i] != NULL; i++) {
        double size = parts[i]->above + (ratio ? parts[i]->below : 0.0);
        mix_in(samples, parts[i], draw_share(state) / fmax(size, 1.0), mixture);
    }
    if (!ratio) {
        mixture->below = 1.0;
        mixture->below_allowed = 0.0;
    }
    return CM_OK;
}

/* A row that tells nothing of a ratio, because nothing is above there, tells something together with one that does:
 * the denominator is as much of it. */
static cm_status add_pairs(gatherer *in, unsigned long long *state, cm_error *error)
{
    const cm_samples *samples = in->samples;
    cm_status status = CM_OK;
    for (size_t i = 0, told = 0; i < samples->row_count && samples->telling_count > 0 && status == CM_OK; i++) {
        if (samples->items[i].telling)
            continue;
        do
            told = (told + 1) % samples->row_count;
        while (!samples->items[told].telling);
        const cm_sample *parts[PARTS] = {&samples->items[told], &samples->items[i]};
        status = add_mixture(in, parts, state, error);
    }
    return status;
}

/* Adds random sums of rows; of a ratio also pairs, since its parts may come from different rows. */
static cm_status add_mixtures(gatherer *in, cm_error *error)
{
    unsigned long long state = 1;
    const cm_samples *samples = in->samples;
    cm_status status = CM_OK;
    for (size_t i = 0; i < MIXTURES && samples->row_count > 1 && status == CM_OK; i++) {
        const cm_sample *parts[PARTS];
        for (size_t part = 0; part < PARTS; part++)
            parts[part] = &samples->items[(size_t)(draw_share(&state) * (double)samples->row_count)];
        status = add_mixture(in, parts, &state, error);
    }
    return status == CM_OK && in->claim->denominator.name != NULL ? add_pairs(in, &state, error) : status;
}

/* Lists the facts of the claimed metrics that no row has. */
static void note_untried(const gatherer *in)
{
    const cm_claimed_metric *metrics[] = {&in->claim->numerator, &in->claim->denominator};
    for (size_t i = 0; i < cm_fact_count(); i++)
        for (size_t m = 0; m < 2; m++)
            if (metrics[m]->name != NULL && metrics[m]->meaning != NULL && in->with_facts &&
                metrics[m]->meaning->coefficients[i] != 0.0 && !in->exercised[i] &&
                !in->audit->facts->facts[i].elsewhere) {
                in->samples->untried[in->samples->untried_count++] = i;
                break;
            }
}

/* Room for the events, and which they are. */
static bool allocate_samples(gatherer *in, size_t formula, const cm_row_group *const *groups, size_t group_count)
{
    cm_samples *samples = in->samples;
    size_t count = 0, rows = 0;
    const size_t *needs = cm_formulas_needs(in->formulas, formula, &count);
    for (size_t i = 0; i < group_count; i++)
        rows += groups[i]->row_count;
    samples->quantities = cm_arena_allocate(&samples->arena, (count + 1) * sizeof *samples->quantities);
    samples->missing = cm_arena_allocate(&samples->arena, (count + 1) * sizeof *samples->missing);
    samples->unusable = cm_arena_allocate(&samples->arena, (count + 1) * sizeof *samples->unusable);
    samples->untried = cm_arena_allocate(&samples->arena, (cm_fact_count() + 1) * sizeof *samples->untried);
    samples->items = cm_arena_allocate(&samples->arena, (2 * rows + MIXTURES + 1) * sizeof *samples->items);
    in->events = cm_arena_allocate(&samples->arena, (count + 1) * CM_MOST_PARTS * sizeof *in->events);
    in->found = cm_arena_allocate(&samples->arena, (count + 1) * sizeof *in->found);
    in->exercised = cm_arena_allocate(&samples->arena, (cm_fact_count() + 1) * sizeof *in->exercised);
    if (samples->quantities == NULL || samples->missing == NULL || samples->unusable == NULL ||
        samples->untried == NULL || samples->items == NULL || in->events == NULL || in->found == NULL ||
        in->exercised == NULL)
        return false;
    memset(in->found, 0, (count + 1) * sizeof *in->found);
    memset(in->exercised, 0, (cm_fact_count() + 1) * sizeof *in->exercised);
    for (size_t i = 0; i < count; i++)
        if (cm_formulas_quantity_kind(in->formulas, needs[i]) == CM_QUANTITY_EVENT)
            samples->quantities[samples->event_count++] = needs[i];
    return true;
}

cm_status cm_samples_gather(const cm_audit *audit, const cm_formulas *formulas, size_t formula,
                            const cm_claimed_quantity *claim, const cm_row_group *const *groups, size_t group_count,
                            bool mixtures, cm_samples *samples, cm_error *error)
{
    gatherer in = {.audit = audit, .formulas = formulas, .claim = claim, .samples = samples};
    *samples = (cm_samples){0};
    if (!allocate_samples(&in, formula, groups, group_count))
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    for (size_t i = 0; i < group_count && status == CM_OK; i++)
        status = add_group(&in, groups[i], error);
    samples->row_count = samples->count;
    if (status == CM_OK && mixtures)
        status = add_mixtures(&in, error);
    for (size_t i = 0; i < samples->event_count; i++)
        if (!in.found[i])
            samples->missing[samples->missing_count++] = samples->quantities[i];
    note_untried(&in);
    return status;
}

void cm_samples_clear(cm_samples *samples)
{
    cm_arena_clear(&samples->arena);
    *samples = (cm_samples){0};
}
