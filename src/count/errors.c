/* Bounds the errors of values in the program that was counted: a definition may count other things beside its metric,
 * as often as the program does these, and noise. Under emulation their number is known; otherwise the counts bound
 * it. */
#include "analysis/rules.h"
#include "count/count.h"
#include "law/law.h"

/* The first bound of a metric: so many times its count. */
static const double most_at_first = 10.0;
enum { ROUNDS = 20 };

/* Indices of the parts of a metric. */
enum { OWN, REST, OTHERS };

static const size_t unread = SIZE_MAX; /* in place of an index: the amount's expression cannot be read */

/* An error of a definition: at most so much of its value for each of an amount. */
typedef struct part {
    size_t amount;
    double at_most;
    bool found; /* adds to the other parts that were found; otherwise only the largest one counts */
} part;

typedef struct metric {
    size_t core;    /* index of its type */
    size_t meaning; /* index of the amount that it counts */
    size_t *ranges; /* indices of the amounts of its range's bounds, or unread */
    size_t part_count;
    part *parts;         /* the metric's own facts, then the rest; none: its errors are unknown */
    const char *because; /* the reason for that */
    double *noise;       /* relative, one a term, from the results; NaN: unknown */
} metric;

typedef struct bounding {
    cm_program_counts *counts;
    cm_amounts *amounts;
    metric *metrics;
    size_t amount_count, core_count;
    double *most;    /* amount / metric at most: amounts x metrics */
    double *bounds;  /* most of an amount in the scope, on cores of one type: cores x amounts; infinity: unknown */
    double *values;  /* counts of the scope, one a metric, as the next two; NaN: none */
    double *scatter; /* NaN: unknown */
    double *highs;   /* upper bounds of the metric; infinity: unknown */
} bounding;

/* ---- errors of definitions ---- */

static cm_status add_part(bounding *work, metric *one, const char *text, double at_most, bool found, cm_error *error)
{
    part *added = &one->parts[one->part_count];
    *added = (part){.at_most = isnan(at_most) ? INFINITY : at_most, .found = found};
    cm_status status = cm_amounts_add(work->amounts, text, one->part_count == OWN, &added->amount, error);
    one->part_count += status == CM_OK;
    return status;
}

static cm_status add_leaks(bounding *work, metric *one, const cm_defined_leak *leaks, size_t count, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = add_part(work, one, leaks[i].fact, leaks[i].at_most, leaks[i].found, error);
    return status;
}

/* Adds the fact to which a range's bound is relative; if it cannot be read, only that bound is unknown. */
static cm_status add_range(bounding *work, const char *per, size_t *amount, cm_error *error)
{
    cm_status status = cm_amounts_add(work->amounts, per, false, amount, error);
    if (status == CM_OK || status == CM_NO_MEMORY)
        return status;
    *amount = unread;
    return CM_OK;
}

/* Reads the errors that the law found for a metric. */
static cm_status read_parts(bounding *work, const cm_defined_metric *defined, metric *one, cm_error *error)
{
    one->parts = calloc(OTHERS + defined->leak_count + defined->open_count, sizeof *one->parts);
    one->ranges = calloc(defined->range_count + 1, sizeof *one->ranges);
    cm_status status = one->parts != NULL && one->ranges != NULL
                           ? cm_amounts_add(work->amounts, defined->meaning, false, &one->meaning, error)
                           : cm_error_no_memory(error);
    for (size_t i = 0; i < defined->range_count && status == CM_OK; i++)
        status = add_range(work, defined->ranges[i].per, &one->ranges[i], error);
    CM_THEN(status, add_part(work, one, defined->meaning, defined->own, true, error));
    CM_THEN(status, add_part(work, one, cm_fact_name(CM_FACT_INSTRUCTIONS), defined->rest, false, error));
    CM_THEN(status, add_leaks(work, one, defined->leaks, defined->leak_count, error));
    return status == CM_OK ? add_leaks(work, one, defined->open, defined->open_count, error) : status;
}

/* Reads the errors of a metric; if they cannot be read, they are unknown. */
static cm_status read_metric(bounding *work, size_t index, cm_error *error)
{
    const cm_defined_metric *defined = work->counts->metrics[index];
    metric *one = &work->metrics[index];
    cm_error why = {0};
    if (!CM_ALLOCATE(one->noise, defined->term_count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < defined->term_count; i++)
        one->noise[i] = cm_event_noise(work->counts->definitions, defined, defined->terms[i].event);
    for (size_t i = 0; i < cm_definitions_core_count(work->counts->definitions); i++)
        if (strcmp(cm_definitions_core(work->counts->definitions, i)->name, defined->core) == 0)
            one->core = i;
    one->because = !defined->usable ? "its definition does not measure the metric"
                                    : "the results do not say which other facts its definition may count";
    if (!defined->usable || defined->meaning == NULL || isnan(defined->own))
        return CM_OK;
    cm_status status = work->amounts == NULL ? cm_amounts_create(&work->amounts, &why) : CM_OK;
    CM_THEN(status, read_parts(work, defined, one, &why));
    one->part_count = status == CM_OK ? one->part_count : 0;
    if (status != CM_OK && status != CM_NO_MEMORY)
        one->because = cm_counts_text(work->counts, why.text);
    return status == CM_NO_MEMORY || one->because == NULL ? cm_error_no_memory(error) : CM_OK;
}

/* Fills the largest ratios of amounts to metrics. */
static cm_status fill_most(bounding *work, cm_error *error)
{
    const size_t count = work->counts->metric_count;
    work->amount_count = work->amounts != NULL ? cm_amounts_count(work->amounts) : 0;
    work->core_count = cm_definitions_core_count(work->counts->definitions) + 1;
    if (!CM_ALLOCATE(work->most, work->amount_count * count + 1) ||
        !CM_ALLOCATE(work->bounds, work->amount_count * work->core_count + 1))
        return cm_error_no_memory(error);
    for (size_t a = 0; a < work->amount_count; a++)
        for (size_t m = 0; m < count; m++)
            work->most[a * count + m] = work->metrics[m].part_count > 0
                                            ? cm_amounts_most(work->amounts, a, work->metrics[m].meaning)
                                            : INFINITY;
    return CM_OK;
}

/* ---- one scope ---- */

/* The scatter of a metric's counts: that of its events in kernels, or that from run to run if it is larger. The
 * emulated PMU has none. NaN: unknown. */
static double scatter_of(const bounding *work, const cm_scope *scope, size_t index, const cm_summary *summary)
{
    const cm_program_counts *counts = work->counts;
    const cm_defined_metric *defined = counts->metrics[index];
    const double runs = summary->count > 1 ? (summary->highest - summary->lowest) / 2.0 : NAN;
    double sum = 0.0;
    if (counts->multiplexed || scope->facts != NULL)
        return scope->facts != NULL && isnan(runs) ? 0.0 : runs;
    for (size_t i = 0; i < defined->term_count; i++)
        for (size_t e = 0; e < counts->event_count; e++)
            if (strcmp(counts->events[e].name, defined->terms[i].event) == 0)
                sum += fabs(defined->terms[i].coefficient) * cm_scope_event(counts, scope, e).median *
                       work->metrics[index].noise[i];
    return isnan(sum) ? runs : fmax(sum, isnan(runs) ? 0.0 : runs);
}

/* Whether a part is of wrong paths, of which kernels say nothing. */
static bool is_wrong(const bounding *work, const part *one)
{
    return !one->found && cm_amounts_is_speculative(work->amounts, one->amount);
}

/* Whether a part is left out because its amount is not known. */
static bool is_left_out(const bounding *work, const cm_scope *scope, const part *one)
{
    return scope->facts == NULL && (is_wrong(work, one) || cm_amounts_is_free(work->amounts, one->amount));
}

static double bound_of(const bounding *work, const metric *one, size_t place)
{
    return work->bounds[one->core * work->amount_count + one->parts[place].amount];
}

/* Adds the error in the metric's own facts to `others`. Their number is the smaller of its bound and the count with its
 * error. */
static double with_own(const bounding *work, size_t index, double others)
{
    const metric *one = &work->metrics[index];
    const part *own = &one->parts[OWN];
    double share = own->at_most * work->most[own->amount * work->counts->metric_count + index];
    double known = own->at_most * bound_of(work, one, OWN);
    double alone = share < 1.0 ? share / (1.0 - share) * (fabs(work->values[index]) + others) : INFINITY;
    return others + fmin(isfinite(known) ? known : INFINITY, alone);
}

/* The error of a metric's value by the current bounds; infinity or NaN: unknown. Of other parts the largest counts, or
 * all that are of wrong paths: an event that counts some of these counts the others. *worst: the first part with an
 * unknown bound. */
static double error_of(const bounding *work, const cm_scope *scope, size_t index, size_t *worst)
{
    const metric *one = &work->metrics[index];
    double sum = one->part_count > 0 && !isnan(work->values[index]) ? work->scatter[index] : NAN;
    double largest = 0.0, wrong = 0.0;
    *worst = one->part_count;
    for (size_t i = REST; i < one->part_count; i++) {
        if (one->parts[i].at_most == 0.0 || is_left_out(work, scope, &one->parts[i]))
            continue;
        double most = one->parts[i].at_most * bound_of(work, one, i);
        if (i == REST && !isfinite(most))
            most = cm_minor() * fabs(work->values[index]);
        if (!isfinite(most) && *worst == one->part_count)
            *worst = i;
        if (one->parts[i].found)
            sum += most;
        else
            largest = fmax(largest, most);
        if (is_wrong(work, &one->parts[i]))
            wrong += most;
    }
    return one->part_count > 0 ? with_own(work, index, sum + fmax(largest, wrong)) : NAN;
}

/* Bounds all amounts by the bounded metrics. */
static void bound_amounts(bounding *work)
{
    const size_t count = work->counts->metric_count;
    for (size_t i = 0; i < work->core_count * work->amount_count; i++)
        work->bounds[i] = INFINITY;
    for (size_t m = 0; m < count; m++)
        for (size_t a = 0; a < work->amount_count && isfinite(work->highs[m]); a++) {
            double *bound = &work->bounds[work->metrics[m].core * work->amount_count + a];
            if (isfinite(work->most[a * count + m]))
                *bound = fmin(*bound, work->most[a * count + m] * work->highs[m]);
        }
}

/* Bounds metrics by each other's counts. Each starts at a multiple of its count; if its error stays below that, it is
 * bounded by its value and error, and so on. */
static void bound_by_counts(bounding *work, const cm_scope *scope)
{
    const size_t count = work->counts->metric_count;
    size_t worst;
    for (size_t m = 0; m < count; m++)
        work->highs[m] = work->metrics[m].part_count > 0 ? most_at_first * fabs(work->values[m]) : INFINITY;
    for (bool dropped = true; dropped;) {
        dropped = false;
        bound_amounts(work);
        for (size_t m = 0; m < count; m++)
            if (isfinite(work->highs[m]) &&
                !(fabs(work->values[m]) + error_of(work, scope, m, &worst) <= work->highs[m])) {
                work->highs[m] = INFINITY;
                dropped = true;
            }
    }
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t m = 0; m < count; m++)
            work->highs[m] = fabs(work->values[m]) + error_of(work, scope, m, &worst);
        bound_amounts(work);
    }
}

static void bound_by_facts(bounding *work, const cm_scope *scope, double runs)
{
    for (size_t i = 0; i < work->core_count * work->amount_count; i++) {
        double known = cm_amounts_in(work->amounts, i % work->amount_count, scope->facts) / runs;
        work->bounds[i] = isnan(known) ? INFINITY : known;
    }
}

/* The part that an error leaves out; "": none. */
static const char *left_out(const bounding *work, const cm_scope *scope, const metric *one)
{
    static const char *const words[2][2] = {
        {"", "without what wrong paths may add: open of the results names it"},
        {"without facts on which vendors disagree: also_counts of the results names them",
         "without facts on which vendors disagree, and what wrong paths may add: "
         "also_counts and open of the results name them"}};
    bool vendors = false, wrong = false;
    for (size_t i = 0; i < one->part_count && scope->facts == NULL; i++) {
        vendors |= cm_amounts_is_free(work->amounts, one->parts[i].amount);
        wrong |= is_wrong(work, &one->parts[i]) && one->parts[i].at_most > 0.0;
    }
    return words[vendors][wrong];
}

/* The reason why an error is unknown or incomplete; "": none. `text` is a buffer for it. */
static const char *reason_of_error(const bounding *work, const cm_scope *scope, size_t index, size_t worst, char *text,
                                   size_t size)
{
    const metric *one = &work->metrics[index];
    if (isnan(work->values[index]))
        return "there is no value";
    if (one->part_count == 0)
        return one->because;
    if (isnan(work->scatter[index]))
        return work->counts->multiplexed ? "events took turns, and one run does not show the error of that"
                                         : "neither the results nor a single run show the noise of its events";
    if (worst < one->part_count) {
        snprintf(text, size, "it may count some of %s, and no counted event says how often that happens",
                 cm_amounts_text(work->amounts, one->parts[worst].amount));
        return text;
    }
    if (!isfinite(bound_of(work, one, REST)))
        return "unless the metric is rare: no counted event gives the number of instructions";
    return left_out(work, scope, one);
}

/* Finds whether the scope lies in the range of the metric's definition. */
static cm_status place_metric(const bounding *work, const cm_scope *scope, size_t index, cm_error *error)
{
    const metric *one = &work->metrics[index];
    const cm_defined_metric *defined = work->counts->metrics[index];
    cm_status status = CM_OK;
    double facts[CM_FACT_COUNT];
    if (defined->range_count == 0 || !defined->usable)
        return CM_OK;
    cm_scope_facts(work->counts, scope, work->values, defined->core, facts);
    for (size_t i = 0; i < defined->range_count && status == CM_OK; i++) {
        cm_compared_facts compared = {NAN, NAN, INFINITY, false};
        if (one->part_count > 0 && !isnan(work->values[index])) {
            compared.metric = scope->facts != NULL ? cm_amounts_in(work->amounts, one->meaning, facts)
                                                   : fmax(work->values[index], 0.0);
            compared.is_unread = one->ranges[i] == unread;
            if (!compared.is_unread)
                compared.per = cm_amounts_in(work->amounts, one->ranges[i], facts);
            if (!compared.is_unread && scope->facts == NULL)
                compared.most = work->bounds[one->core * work->amount_count + one->ranges[i]];
        }
        status = cm_count_place(work->counts, index, i, &compared, &scope->errors[index], error);
    }
    return status;
}

/* Bounds the errors of all values in the scope. */
static cm_status bound_scope(bounding *work, cm_scope *scope, cm_error *error)
{
    cm_program_counts *counts = work->counts;
    char text[512];
    scope->errors = cm_arena_allocate(&counts->arena, (counts->metric_count + 1) * sizeof *scope->errors);
    if (scope->errors == NULL)
        return cm_error_no_memory(error);
    double runs = 0.0;
    for (size_t m = 0; m < counts->metric_count; m++) {
        const cm_summary summary = cm_scope_metric(counts, scope, m);
        work->values[m] = summary.median;
        work->scatter[m] = scatter_of(work, scope, m, &summary);
        runs = fmax(runs, (double)summary.count);
    }
    if (scope->facts != NULL)
        bound_by_facts(work, scope, runs);
    else
        bound_by_counts(work, scope);
    for (size_t m = 0; m < counts->metric_count; m++) {
        size_t worst;
        double found = error_of(work, scope, m, &worst);
        scope->errors[m] = (cm_value_error){.error = isfinite(found) ? found : NAN, .place = ""};
        scope->errors[m].because = cm_counts_text(counts, reason_of_error(work, scope, m, worst, text, sizeof text));
        if (scope->errors[m].because == NULL)
            return cm_error_no_memory(error);
        if (place_metric(work, scope, m, error) != CM_OK ||
            cm_count_compare_error(counts, work->values[m], &scope->errors[m], error) != CM_OK)
            return CM_NO_MEMORY;
    }
    return CM_OK;
}

/* Prepares everything that is the same in all scopes. */
static cm_status prepare_metrics(bounding *work, cm_error *error)
{
    const size_t count = work->counts->metric_count;
    if (!CM_ALLOCATE(work->metrics, count + 1) || !CM_ALLOCATE(work->values, 3 * count + 1))
        return cm_error_no_memory(error);
    work->scatter = work->values + count;
    work->highs = work->scatter + count;
    cm_status status = CM_OK;
    for (size_t m = 0; m < count && status == CM_OK; m++)
        status = read_metric(work, m, error);
    return status == CM_OK ? fill_most(work, error) : status;
}

cm_status cm_count_find_errors(cm_program_counts *counts, cm_error *error)
{
    bounding work = {.counts = counts};
    if (counts->metric_count == 0)
        return CM_OK;
    cm_status status = prepare_metrics(&work, error);
    for (size_t i = 0; i < counts->scope_count && status == CM_OK; i++)
        status = bound_scope(&work, &counts->scopes[i], error);
    for (size_t m = 0; work.metrics != NULL && m < counts->metric_count; m++) {
        CM_FREE(work.metrics[m].parts, work.metrics[m].ranges, work.metrics[m].noise);
    }
    CM_FREE(work.metrics, work.values, work.most, work.bounds);
    cm_amounts_free(work.amounts);
    return status;
}
