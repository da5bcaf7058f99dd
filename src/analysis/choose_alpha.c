/* alpha from the data: the middle of the widest plateau on which the selected events stay the same, or are replaced by
 * others that count the same. alpha is there to take noise away: a plateau counts from half the largest difference
 * between repetitions of its events, which is how far their means may be off, and not at all if one of its events is
 * distinguished from those before it by noise alone. */
#include "analysis/state.h"

static const double smallest_alpha = 1e-8, largest_alpha = 0.1; /* more than a tenth is no rounding */
static const double narrowest_plateau = 0.25;                   /* decades */
enum { PLATEAU_STEPS_A_DECADE = 12, PLATEAU_REFINEMENTS = 6, PROBES = 48, MOST_ROUNDS = 32 };

typedef struct sweep {
    const cm_event_analysis *events;
    size_t symbols;
    cm_selector now;              /* chosen ones sorted */
    size_t before_count, *before; /* likewise */
    double from;                  /* alpha at which the plateau of those chosen begins to count */
    cm_matrix *scratch;           /* symbols x symbols */
} sweep;

static int compare_indices(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Half the largest noise of those chosen; infinity if one differs from those before it by noise alone. */
static double counts_from(sweep *work)
{
    double noise = 0.0;
    for (size_t k = 0; k < work->now.chosen_count; k++) /* fmax passes over NaN */
        noise = fmax(noise, work->events[work->now.chosen[k]].max_rnmse);
    for (size_t k = 0; k < work->now.chosen_count; k++) {
        double *part = cm_matrix_column(work->scratch, k);
        memcpy(part, work->events[work->now.chosen[k]].representation, work->symbols * sizeof *part);
        if (!cm_extend_directions(work->scratch->values, k, work->symbols, noise))
            return INFINITY;
    }
    return 0.5 * noise;
}

/* Chooses the set of events with this alpha, sorted. */
static cm_status choose_at(sweep *work, double alpha, cm_error *error)
{
    cm_status status = cm_selector_choose(&work->now, alpha, error);
    if (status != CM_OK)
        return status;
    work->from = counts_from(work);
    qsort(work->now.chosen, work->now.chosen_count, sizeof *work->now.chosen, compare_indices);
    return CM_OK;
}

static void keep_chosen(sweep *work)
{
    memcpy(work->before, work->now.chosen, work->now.chosen_count * sizeof *work->before);
    work->before_count = work->now.chosen_count;
}

static bool chooses_identical(const sweep *work)
{
    return work->now.chosen_count == work->before_count &&
           memcmp(work->now.chosen, work->before, work->before_count * sizeof *work->before) == 0;
}

/* Whether those chosen are those before, or stand for them: each counts, within alpha, a multiple of one of them. */
static bool chooses_same(const sweep *work, double alpha)
{
    if (work->now.chosen_count != work->before_count || chooses_identical(work))
        return work->now.chosen_count == work->before_count;
    for (size_t k = 0; k < work->before_count; k++)
        memcpy(cm_matrix_column(work->scratch, k), work->events[work->before[k]].representation,
               work->symbols * sizeof(double));
    const cm_matrix stood = {.rows = work->symbols, .columns = work->before_count, .values = work->scratch->values};
    for (size_t k = 0; k < work->now.chosen_count; k++)
        if (cm_equivalent_column(work->events[work->now.chosen[k]].representation, &stood, alpha) < 0)
            return false;
    return true;
}

/* The alpha between `low`, which still gives the set before, and `high`, which does not. */
static cm_status find_edge(sweep *work, double low, double high, double *edge, cm_error *error)
{
    for (int i = 0; i < PLATEAU_REFINEMENTS; i++) {
        double middle = sqrt(low * high);
        cm_status status = choose_at(work, middle, error);
        if (status != CM_OK)
            return status;
        if (chooses_same(work, middle))
            low = middle;
        else
            high = middle;
    }
    *edge = low;
    return choose_at(work, high, error);
}

static void start_plateau(sweep *work, cm_alpha_choice *choice, double alpha)
{
    keep_chosen(work);
    choice->plateaus[choice->count++] = (cm_alpha_plateau){alpha, alpha, work->now.chosen_count, work->from};
}

/* Walks over alpha; a step finds at most one edge, and the plateau behind it begins at the next step. */
static cm_status find_plateaus(sweep *work, cm_alpha_choice *choice, cm_error *error)
{
    size_t steps = (size_t)ceil(log10(choice->highest / choice->lowest) * PLATEAU_STEPS_A_DECADE);
    choice->plateaus = malloc((steps + 2) * sizeof *choice->plateaus);
    cm_status status = choice->plateaus != NULL ? choose_at(work, choice->lowest, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        start_plateau(work, choice, choice->lowest);
    for (size_t i = 1; i <= steps && status == CM_OK; i++) {
        cm_alpha_plateau *plateau = &choice->plateaus[choice->count - 1];
        double alpha = i == steps ? choice->highest
                                  : choice->lowest * pow(choice->highest / choice->lowest, (double)i / (double)steps);
        status = choose_at(work, alpha, error);
        if (status != CM_OK)
            break;
        if (chooses_same(work, alpha)) {
            plateau->high = alpha;
            continue;
        }
        status = find_edge(work, plateau->high, alpha, &plateau->high, error);
        CM_THEN(status, choose_at(work, alpha, error));
        if (status == CM_OK)
            start_plateau(work, choice, alpha);
    }
    return status;
}

/* The alpha from which the plateau counts. */
static double plateau_begin(const cm_alpha_plateau *plateau)
{
    return fmax(plateau->low, plateau->from);
}

/* In decades; 0 if no plateau counts. */
static double find_widest(cm_alpha_choice *choice)
{
    double widest = 0.0;
    for (size_t i = 0; i < choice->count; i++) {
        double width = log10(choice->plateaus[i].high / plateau_begin(&choice->plateaus[i]));
        if (choice->plateaus[i].selected != 0 && width > widest) {
            widest = width;
            choice->widest = i;
        }
    }
    return widest;
}

/* Parts a plateau if the events selected at `alpha`, inside it, are others than those at `before`, below. */
static void split_plateau(sweep *work, cm_alpha_choice *choice, double before, double alpha)
{
    cm_alpha_plateau *plateau = &choice->plateaus[choice->widest];
    memmove(plateau + 1, plateau, (choice->count - choice->widest) * sizeof *plateau);
    choice->count++;
    plateau[0].high = before;
    plateau[1].low = alpha;
    plateau[1].selected = work->now.chosen_count;
    plateau[1].from = work->from;
}

/* Probes the widest plateau: true if it does not hold, and is split. */
static cm_status probe_widest(sweep *work, cm_alpha_choice *choice, bool *split, cm_error *error)
{
    double before = choice->plateaus[choice->widest].low, high = choice->plateaus[choice->widest].high;
    double low = plateau_begin(&choice->plateaus[choice->widest]);
    *split = false;
    cm_status status = choose_at(work, before, error);
    for (int i = 0; status == CM_OK && i <= PROBES; i++) {
        keep_chosen(work);
        double alpha = low * pow(high / low, (double)i / PROBES);
        status = choose_at(work, alpha, error);
        if (status == CM_OK && !chooses_same(work, alpha)) {
            split_plateau(work, choice, before, alpha);
            *split = true;
            break;
        }
        before = alpha;
    }
    return status;
}

/* The steps were wide: the widest plateau is looked at closely, and split, until one holds. */
static cm_status look_closely(sweep *work, cm_alpha_choice *choice, cm_error *error)
{
    cm_alpha_plateau *grown = realloc(choice->plateaus, (choice->count + MOST_ROUNDS) * sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    choice->plateaus = grown;
    cm_status status = CM_OK;
    bool split = true;
    for (int round = 0; status == CM_OK && split && round < MOST_ROUNDS && find_widest(choice) >= narrowest_plateau;
         round++)
        status = probe_widest(work, choice, &split, error);
    return status;
}

/* The middle; but if events that count the same swap inside the plateau, and the default lies in it too, the default:
 * it is as good as the middle, and selects the events that it would select by itself. */
static cm_status take_value(sweep *work, cm_alpha_choice *choice, double alpha, cm_error *error)
{
    const cm_alpha_plateau *plateau = &choice->plateaus[choice->widest];
    choice->value = sqrt(plateau_begin(plateau) * plateau->high);
    if (alpha < plateau_begin(plateau) || alpha > plateau->high)
        return CM_OK;
    cm_status status = choose_at(work, alpha, error);
    keep_chosen(work);
    CM_THEN(status, choose_at(work, choice->value, error));
    if (status == CM_OK && !chooses_identical(work))
        choice->value = alpha;
    return status;
}

/* Chooses alpha from the plateaus, or keeps the default, and says why. */
static cm_status choose_alpha(sweep *work, cm_alpha_choice *choice, double alpha, cm_error *error)
{
    double widest = find_widest(choice);
    size_t standing = 0;
    for (size_t i = 0; i < choice->count; i++)
        standing += choice->plateaus[i].selected != 0;
    choice->refused = widest < narrowest_plateau;
    choice->value = alpha;
    if (standing == 0) {
        snprintf(choice->reason, sizeof choice->reason, "no event is selected with any alpha from %.3g to %.3g",
                 choice->lowest, choice->highest);
        return CM_OK;
    }
    if (choice->refused) {
        snprintf(choice->reason, sizeof choice->reason,
                 "no clear plateau: above the noise of its events, the widest spans %.3g decades, expected %g or more",
                 widest, narrowest_plateau);
        return CM_OK;
    }
    cm_status status = take_value(work, choice, alpha, error);
    const cm_alpha_plateau *plateau = &choice->plateaus[choice->widest];
    snprintf(choice->reason, sizeof choice->reason,
             "the same %zu events%s are selected with every alpha from %.3g to %.3g, the widest of %zu plateau%s",
             plateau->selected, choice->value == alpha ? ", or others that count the same," : "",
             plateau_begin(plateau), plateau->high, choice->count,
             choice->count != 1       ? "s"
             : choice->value == alpha ? ", which holds the default"
                                      : "");
    return status;
}

cm_status cm_alpha_choice_create(cm_analysis *analysis, cm_alpha_choice **choice, cm_error *error)
{
    if (analysis == NULL || choice == NULL || analysis->pivoted)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "alpha must be chosen before the pivoting");
    size_t symbols = analysis->basis->columns;
    sweep work = {.events = analysis->events, .symbols = symbols};
    cm_alpha_choice *created = calloc(1, sizeof *created);
    work.before = malloc(symbols * sizeof *work.before);
    cm_status status = cm_selector_make(analysis, &work.now, error);
    if (created == NULL || work.before == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_matrix_create(symbols, symbols, &work.scratch, error));
    if (status == CM_OK) {
        cm_selector_gather(&work.now, analysis->thresholds.tau, NULL);
        created->lowest = smallest_alpha;
        created->highest = largest_alpha;
        status = find_plateaus(&work, created, error);
        CM_THEN(status, look_closely(&work, created, error));
        CM_THEN(status, choose_alpha(&work, created, analysis->thresholds.alpha, error));
    }
    cm_selector_clear(&work.now);
    free(work.before);
    cm_matrix_free(work.scratch);
    if (status != CM_OK) {
        cm_alpha_choice_free(created);
        return status;
    }
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
