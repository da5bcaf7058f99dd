/* tau from the data: the widest gap in the sorted variabilities (what the paper reads off its plots, section IV). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/state.h"
#include "core/error.h"

static const double quietest = 1e-16; /* below it, and 0: exact */
static const double loudest = 1.0;    /* noise as large as the counts: what says nothing begins here */
static const double narrowest = 0.5;  /* decades: a gap is at least a factor of three */
enum { SMALLEST_CLUSTER = 2 };

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static size_t gather(const cm_analysis *analysis, double *variabilities)
{
    size_t count = 0;
    for (size_t i = 0; i < analysis->event_count; i++) {
        const cm_event_analysis *event = &analysis->events[i];
        if (event->representation != NULL && event->status != CM_EVENT_AVOIDED && !isnan(event->max_rnmse))
            variabilities[count++] = event->max_rnmse;
    }
    qsort(variabilities, count, sizeof *variabilities, compare);
    return count;
}

static double decades(double variability)
{
    return log10(fmin(fmax(variability, quietest), loudest));
}

/* The widest gap: it follows the first `quiet` variabilities. Behind the last one comes the loudest. */
static double widest_gap(const cm_tau_choice *choice, size_t *quiet)
{
    double widest = 0.0;
    *quiet = 0;
    for (size_t i = SMALLEST_CLUSTER; i <= choice->count; i++) {
        double above = i < choice->count ? choice->variabilities[i] : loudest;
        double width = decades(above) - decades(choice->variabilities[i - 1]);
        if (width > widest) {
            widest = width;
            *quiet = i;
        }
    }
    return widest;
}

static void choose(cm_tau_choice *choice, double tau)
{
    double width = widest_gap(choice, &choice->quiet);
    choice->refused = width < narrowest;
    if (choice->refused) {
        choice->quiet = 0;
        choice->value = tau;
        choice->gap[0] = choice->gap[1] = NAN;
        if (choice->count < SMALLEST_CLUSTER)
            snprintf(choice->reason, sizeof choice->reason,
                     "%zu event%s with counts in several repetitions: no cluster", choice->count,
                     choice->count == 1 ? "" : "s");
        else
            snprintf(choice->reason, sizeof choice->reason,
                     "no gap separates quiet events from the rest: the widest spans %.2g decades, expected %g or more",
                     width, narrowest);
        return;
    }
    choice->gap[0] = choice->variabilities[choice->quiet - 1];
    choice->gap[1] = choice->quiet < choice->count ? choice->variabilities[choice->quiet] : loudest;
    choice->value = pow(10.0, 0.5 * (decades(choice->gap[0]) + decades(choice->gap[1])));
    snprintf(choice->reason, sizeof choice->reason,
             "the widest gap, %.3g decades from %.3g to %.3g, has %zu quiet events below it and %zu above", width,
             choice->gap[0], choice->gap[1], choice->quiet, choice->count - choice->quiet);
}

cm_status cm_analysis_choose_tau(cm_analysis *analysis, cm_tau_choice **choice, cm_error *error)
{
    if (analysis == NULL || choice == NULL || analysis->pivoted)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "tau is chosen before the pivoting");
    cm_tau_choice *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->variabilities = malloc((analysis->event_count + 1) * sizeof *created->variabilities);
    if (created->variabilities == NULL) {
        cm_tau_choice_free(created);
        return cm_error_no_memory(error);
    }
    created->count = gather(analysis, created->variabilities);
    choose(created, analysis->thresholds.tau);
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
