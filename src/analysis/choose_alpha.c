/* alpha from the data: the middle of the widest plateau on which the selected events stay the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pivoting.h"
#include "analysis/state.h"
#include "core/error.h"

static const double smallest_alpha = 1e-8, largest_alpha = 0.1; /* more than a tenth is no rounding */
static const double narrowest = 0.25;                           /* decades */
enum { STEPS_A_DECADE = 12, REFINEMENTS = 6 };

typedef struct sweep {
    const double **columns;
    size_t *candidates;
    size_t count, symbols;
    size_t *chosen, *before; /* sorted; room for one a symbol */
    size_t chosen_count, before_count;
} sweep;

static int compare(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Which set is chosen with this alpha, whatever the order. */
static cm_status choose_at(sweep *work, double alpha, cm_error *error)
{
    cm_status status =
        cm_pivot(work->columns, work->count, work->symbols, alpha, work->chosen, &work->chosen_count, error);
    if (status == CM_OK)
        qsort(work->chosen, work->chosen_count, sizeof *work->chosen, compare);
    return status;
}

static bool same(const sweep *work)
{
    return work->chosen_count == work->before_count &&
           memcmp(work->chosen, work->before, work->chosen_count * sizeof *work->chosen) == 0;
}

/* The alpha between `low`, which still gives the set before, and `high`, which does not. */
static cm_status find_edge(sweep *work, double low, double high, double *edge, cm_error *error)
{
    for (int i = 0; i < REFINEMENTS; i++) {
        double middle = sqrt(low * high);
        cm_status status = choose_at(work, middle, error);
        if (status != CM_OK)
            return status;
        if (same(work))
            low = middle;
        else
            high = middle;
    }
    *edge = low;
    return choose_at(work, high, error);
}

static void start_plateau(sweep *work, cm_alpha_choice *choice, double alpha)
{
    memcpy(work->before, work->chosen, work->chosen_count * sizeof *work->chosen);
    work->before_count = work->chosen_count;
    choice->plateaus[choice->count++] = (cm_alpha_plateau){alpha, alpha, work->chosen_count};
}

/* Walks over alpha; a step finds at most one edge, and the plateau behind it begins at the next step. */
static cm_status find_plateaus(sweep *work, cm_alpha_choice *choice, cm_error *error)
{
    size_t steps = (size_t)ceil(log10(choice->highest / choice->lowest) * STEPS_A_DECADE);
    choice->plateaus = malloc((steps + 2) * sizeof *choice->plateaus);
    if (choice->plateaus == NULL)
        return cm_error_no_memory(error);
    cm_status status = choose_at(work, choice->lowest, error);
    if (status == CM_OK)
        start_plateau(work, choice, choice->lowest);
    for (size_t i = 1; i <= steps && status == CM_OK; i++) {
        cm_alpha_plateau *plateau = &choice->plateaus[choice->count - 1];
        double alpha = i == steps ? choice->highest
                                  : choice->lowest * pow(choice->highest / choice->lowest, (double)i / (double)steps);
        status = choose_at(work, alpha, error);
        if (status != CM_OK)
            break;
        if (same(work)) {
            plateau->high = alpha;
            continue;
        }
        status = find_edge(work, plateau->high, alpha, &plateau->high, error);
        if (status == CM_OK)
            status = choose_at(work, alpha, error);
        if (status == CM_OK)
            start_plateau(work, choice, alpha);
    }
    return status;
}

static void choose(cm_alpha_choice *choice, double alpha)
{
    double widest = -1.0;
    for (size_t i = 0; i < choice->count; i++) {
        double width = log10(choice->plateaus[i].high / choice->plateaus[i].low);
        if (choice->plateaus[i].selected != 0 && width > widest) {
            widest = width;
            choice->widest = i;
        }
    }
    choice->refused = widest < narrowest;
    choice->value = alpha;
    if (widest < 0.0) {
        snprintf(choice->reason, sizeof choice->reason, "nothing is selected with any alpha from %.3g to %.3g",
                 choice->lowest, choice->highest);
    } else if (choice->refused) {
        snprintf(
            choice->reason, sizeof choice->reason,
            "the selected events change with every alpha: the widest plateau spans %.2g decades, expected %g or more",
            widest, narrowest);
    } else {
        const cm_alpha_plateau *plateau = &choice->plateaus[choice->widest];
        choice->value = sqrt(plateau->low * plateau->high);
        snprintf(choice->reason, sizeof choice->reason,
                 "the same %zu events are selected with every alpha from %.3g to %.3g, the widest of %zu plateau%s",
                 plateau->selected, plateau->low, plateau->high, choice->count, choice->count == 1 ? "" : "s");
    }
}

/* alpha is there to take noise away: below the noise of the events that are kept it would keep apart what only noise
 * does, and find a wide plateau of nonsense. */
static double lowest_alpha(const cm_analysis *analysis, const sweep *work)
{
    double noise = 0.0;
    for (size_t i = 0; i < work->count; i++)
        noise = fmax(noise, analysis->events[work->candidates[i]].max_rnmse); /* fmax passes over NaN */
    return fmin(fmax(smallest_alpha, noise), largest_alpha);
}

cm_status cm_analysis_choose_alpha(cm_analysis *analysis, cm_alpha_choice **choice, cm_error *error)
{
    if (analysis == NULL || choice == NULL || analysis->pivoted)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "alpha is chosen before the pivoting");
    size_t symbols = analysis->basis->columns;
    sweep work = {.symbols = symbols};
    cm_alpha_choice *created = calloc(1, sizeof *created);
    work.candidates = malloc((analysis->event_count + 1) * sizeof *work.candidates);
    work.columns = malloc((analysis->event_count + 1) * sizeof *work.columns);
    work.chosen = malloc(symbols * sizeof *work.chosen);
    work.before = malloc(symbols * sizeof *work.before);
    cm_status status = CM_OK;
    if (created == NULL || work.candidates == NULL || work.columns == NULL || work.chosen == NULL ||
        work.before == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK) {
        work.count = cm_analysis_candidates(analysis, analysis->thresholds.tau, work.candidates, work.columns);
        created->lowest = lowest_alpha(analysis, &work);
        created->highest = largest_alpha;
        status = find_plateaus(&work, created, error);
    }
    free(work.candidates);
    free(work.columns);
    free(work.chosen);
    free(work.before);
    if (status != CM_OK) {
        cm_alpha_choice_free(created);
        return status;
    }
    choose(created, analysis->thresholds.alpha);
    analysis->thresholds.alpha = created->value;
    *choice = created;
    return CM_OK;
}

void cm_alpha_choice_free(cm_alpha_choice *choice)
{
    if (choice == NULL)
        return;
    free(choice->plateaus);
    free(choice);
}
