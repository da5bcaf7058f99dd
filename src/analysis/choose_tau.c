/* tau from the data: the widest gap in the sorted variabilities (which the paper reads off its plots, section IV) above
 * which no event measures anything that the events below it do not. */
#include "analysis/state.h"

static const double exact_residual = 1e-9; /* the most that rounding leaves of an exact event */
static const double quietest = 1e-16;      /* below it, and 0: exact */
static const double loudest = 1.0;         /* noise as large as the counts: from here on an event says nothing */
static const double narrowest_gap = 0.5;   /* decades: a gap is at least a factor of three */
enum { SMALLEST_CLUSTER = 2 };

typedef struct ranked_event {
    double variability;
    size_t event;
} ranked_event;

static int compare_variabilities(const void *left, const void *right)
{
    const ranked_event *a = left, *b = right;
    if (a->variability != b->variability)
        return a->variability < b->variability ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

/* Fills the sorted variabilities and the events in their order. */
static cm_status gather_variabilities(const cm_analysis *analysis, cm_tau_choice *choice, size_t *order,
                                      cm_error *error)
{
    ranked_event *list = malloc((analysis->event_count + 1) * sizeof *list);
    if (list == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *event = &analysis->events[i];
        if (event->representation != NULL && event->status != CM_EVENT_AVOIDED && !isnan(event->noise))
            list[choice->count++] = (ranked_event){event->noise, i};
    }
    qsort(list, choice->count, sizeof *list, compare_variabilities);
    for (size_t i = 0; i < choice->count; i++) {
        choice->variabilities[i] = list[i].variability;
        order[i] = list[i].event;
    }
    free(list);
    return CM_OK;
}

/* ---- events that no quieter one replaces ---- */

static bool is_true(const cm_analysis *analysis, const cm_event_analysis *event)
{
    double residual = analysis->use_offsets ? event->offset_residual : event->residual;
    return cm_event_representable(analysis, event) && event->noise <= analysis->thresholds.residual &&
           (analysis->conditions != NULL || residual <= fmax(event->noise, exact_residual));
}

/* R x, as long as E x and at the same angles to others: the event's counts in the kernels, S elements for N. */
static void counts_of(const cm_least_squares *basis, const double *representation, double *counts)
{
    size_t symbols = basis->columns;
    for (size_t i = 0; i < symbols; i++)
        counts[i] = 0.0;
    for (size_t j = 0; j < symbols; j++)
        cm_vector_add(counts, representation[j], basis->triangle + j * symbols, j + 1);
}

/* Finds the number of the quietest events that together measure all that true events measure. An event is true if its
 * representation leaves no more than its noise, neither of them beyond the residual tolerance: all that it counts
 * besides ideal events is noise. `order` holds `count` events that count something, by rising noise. *needed is one
 * more than the place of the last true event whose counts are no combination, within the residual tolerance, of those
 * of the true events before it; 0 if no event is true. */
static cm_status find_true_directions(const cm_analysis *analysis, const size_t *order, size_t count, size_t *needed,
                                      cm_error *error)
{
    size_t symbols = analysis->basis->columns, found = 0;
    double *directions = malloc((symbols + 1) * symbols * sizeof *directions);
    if (directions == NULL)
        return cm_error_no_memory(error);
    *needed = 0;
    for (size_t i = 0; i < count && found < symbols; i++) {
        const cm_event_analysis *event = &analysis->events[order[i]];
        if (!is_true(analysis, event))
            continue;
        double *part = directions + found * symbols;
        counts_of(analysis->basis, event->representation, part);
        if (!cm_extend_directions(directions, found, symbols, analysis->thresholds.residual))
            continue;
        found++;
        *needed = i + 1;
    }
    free(directions);
    return CM_OK;
}

/* ---- gaps ---- */

static double decades_of(double variability)
{
    return log10(fmin(fmax(variability, quietest), loudest));
}

/* The variability behind the first `quiet` events; behind the last one, the loudest. */
static double variability_above(const cm_tau_choice *choice, size_t quiet)
{
    return quiet < choice->count ? choice->variabilities[quiet] : loudest;
}

/* The widest gap behind `fewest` events or more, none of them noisier than `limit`; 0 decades if there is none. */
static double widest_gap(const cm_tau_choice *choice, size_t fewest, double limit, size_t *quiet)
{
    double widest = 0.0;
    *quiet = 0;
    for (size_t i = fewest; i <= choice->count && choice->variabilities[i - 1] <= limit; i++) {
        double width = decades_of(variability_above(choice, i)) - decades_of(choice->variabilities[i - 1]);
        if (width > widest) {
            widest = width;
            *quiet = i;
        }
    }
    return widest;
}

/* Keeps the default tau, and says why the data suggest none. */
static void keep_default(cm_tau_choice *choice, double tau, double width)
{
    choice->refused = true;
    choice->quiet = 0;
    choice->value = tau;
    choice->gap[0] = choice->gap[1] = NAN;
    if (choice->count < SMALLEST_CLUSTER)
        snprintf(choice->reason, sizeof choice->reason,
                 "%zu event%s with counts in several repetitions: too few to find a cluster", choice->count,
                 choice->count == 1 ? "" : "s");
    else
        snprintf(choice->reason, sizeof choice->reason,
                 "no gap separates quiet events from the rest: the widest spans %.3g decades, expected %g or more",
                 width, narrowest_gap);
}

/* Chooses tau in the middle of the widest gap, or keeps the default, and says why. */
static void choose_tau(cm_tau_choice *choice, double tau, double residual)
{
    size_t fewest = choice->needed > SMALLEST_CLUSTER ? choice->needed : SMALLEST_CLUSTER, other;
    double width = widest_gap(choice, fewest, residual, &choice->quiet);
    double wider = widest_gap(choice, SMALLEST_CLUSTER, residual, &other);
    if (width < narrowest_gap) {
        keep_default(choice, tau, width);
        return;
    }
    choice->gap[0] = choice->variabilities[choice->quiet - 1];
    choice->gap[1] = variability_above(choice, choice->quiet);
    choice->value = pow(10.0, 0.5 * (decades_of(choice->gap[0]) + decades_of(choice->gap[1])));
    int length = snprintf(choice->reason, sizeof choice->reason,
                          "the widest gap, %.3g decades from %.3g to %.3g, has %zu quiet events below it and %zu above",
                          width, choice->gap[0], choice->gap[1], choice->quiet, choice->count - choice->quiet);
    if (wider > width)
        snprintf(choice->reason + length, sizeof choice->reason - (size_t)length,
                 "; a wider one, from %.3g to %.3g, would drop true events that measure what no quieter event does",
                 choice->variabilities[other - 1], variability_above(choice, other));
}

cm_status cm_tau_choice_create(cm_analysis *analysis, cm_tau_choice **choice, cm_error *error)
{
    if (analysis == NULL || choice == NULL || analysis->pivoted)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "tau must be chosen before the pivoting");
    cm_tau_choice *created = calloc(1, sizeof *created);
    size_t *order = malloc((analysis->event_count + 1) * sizeof *order);
    cm_status status = CM_OK;
    if (created != NULL)
        created->variabilities = malloc((analysis->event_count + 1) * sizeof *created->variabilities);
    if (created == NULL || created->variabilities == NULL || order == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, gather_variabilities(analysis, created, order, error));
    CM_THEN(status, find_true_directions(analysis, order, created->count, &created->needed, error));
    free(order);
    if (status != CM_OK) {
        cm_tau_choice_free(created);
        return status;
    }
    choose_tau(created, analysis->thresholds.tau, analysis->thresholds.residual);
    analysis->thresholds.tau = created->value;
    *choice = created;
    return CM_OK;
}

void cm_tau_choice_free(cm_tau_choice *choice)
{
    if (choice == NULL)
        return;
    free(choice->variabilities);
    free(choice);
}
