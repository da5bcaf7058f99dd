/* The status of one event, beside the paper's method: noise beyond chance, weighted representation, lack of fit. */
#include "analysis/state.h"

#include "analysis/rules.h"

static const double largest_rounding = 1e-9;

void cm_conditions_free(cm_known_conditions *conditions)
{
    if (conditions == NULL)
        return;
    cm_sparse_rows_clear(&conditions->rows);
    free(conditions->iterations);
    free(conditions->chances);
    free(conditions->payloads);
    free(conditions->nuisances);
    free(conditions);
}

/* The largest expectation of a symbol that metrics have. */
static double payload_of(const cm_matrix *basis, size_t kernel, const bool *nuisances)
{
    double largest = 0.0;
    for (size_t j = 0; j < basis->columns; j++)
        if (!nuisances[j])
            largest = fmax(largest, fabs(*cm_matrix_at(basis, kernel, j)));
    return largest > 0.0 ? largest : 1.0;
}

/* Copies the conditions of the kernels, and works out what follows from them and the basis. */
static void fill_conditions(const cm_analysis *analysis, const cm_conditions *given, cm_known_conditions *conditions)
{
    const cm_matrix *basis = analysis->expectations;
    size_t kernels = basis->rows, symbols = basis->columns;
    double tolerance = analysis->thresholds.residual;
    conditions->floor = cm_the_rules.alike * (cm_is_rough(tolerance) ? cm_the_rules.few : tolerance);
    for (size_t j = 0; j < symbols; j++)
        conditions->nuisances[j] = given->nuisances[j];
    for (size_t k = 0; k < kernels; k++) {
        conditions->iterations[k] = given->iterations[k];
        conditions->payloads[k] = payload_of(basis, k, given->nuisances);
        for (size_t j = 0; j < symbols; j++)
            conditions->chances[k * symbols + j] = given->chances[k * symbols + j];
    }
}

cm_status cm_analysis_set_conditions(cm_analysis *analysis, const cm_conditions *given, cm_error *error)
{
    size_t kernels = analysis->expectations->rows, symbols = analysis->expectations->columns;
    cm_known_conditions *conditions = calloc(1, sizeof *conditions);
    if (conditions == NULL)
        return cm_error_no_memory(error);
    conditions->iterations = calloc(kernels, sizeof *conditions->iterations);
    conditions->payloads = calloc(kernels, sizeof *conditions->payloads);
    conditions->chances = calloc(kernels * symbols, sizeof *conditions->chances);
    conditions->nuisances = calloc(symbols, sizeof *conditions->nuisances);
    if (conditions->nuisances == NULL || conditions->iterations == NULL || conditions->payloads == NULL ||
        conditions->chances == NULL || !cm_sparse_rows_make(analysis->expectations, &conditions->rows)) {
        cm_conditions_free(conditions);
        return cm_error_no_memory(error);
    }
    fill_conditions(analysis, given, conditions);
    cm_conditions_free(analysis->conditions);
    analysis->conditions = conditions;
    return CM_OK;
}

double cm_slack_of(double deviation)
{
    return cm_the_rules.sure + cm_the_rules.z * deviation;
}

bool cm_is_silent(double counts)
{
    return fabs(counts) < pow(2.0 * cm_the_rules.z, 2.0);
}

/* One event under judgement. */
typedef struct trial {
    const cm_known_conditions *known;
    size_t kernels, symbols, repetitions;
    double tolerance, slack;
    double *mean, *error, *chance, *variance, *weights, *rest; /* N each */
    double *x, *step, *width;                                  /* S each */
    double *factor;                                            /* S x S */
    double scale, largest;                                     /* of the means, of x */
} trial;

size_t cm_conditions_scratch_size(const cm_analysis *analysis)
{
    size_t kernels = analysis->basis->rows, symbols = analysis->basis->columns;
    return 6 * kernels + 3 * symbols + symbols * symbols;
}

/* The trial writes into x. NOLINTNEXTLINE(readability-non-const-parameter) */
static trial lay_out(const cm_analysis *analysis, size_t repetitions, double slack, double *x, double *scratch)
{
    trial it = {.known = analysis->conditions,
                .kernels = analysis->basis->rows,
                .symbols = analysis->basis->columns,
                .repetitions = repetitions,
                .tolerance = analysis->thresholds.residual,
                .slack = slack,
                .x = x};
    double **vectors[] = {&it.mean, &it.rest, &it.step, &it.error, &it.chance, &it.variance, &it.weights, &it.width};
    for (size_t i = 0; i < CM_COUNT_OF(vectors); i++) {
        *vectors[i] = scratch;
        scratch += vectors[i] == &it.step || vectors[i] == &it.width ? it.symbols : it.kernels;
    }
    it.factor = scratch;
    return it;
}

static double slack_on(const trial *it, size_t kernel)
{
    return it->slack / it->known->iterations[kernel];
}

/* Whether the counts of an empty run explain all of the mean. */
static bool is_zero(const trial *it)
{
    for (size_t k = 0; k < it->kernels; k++)
        if (fabs(it->mean[k]) > slack_on(it, k))
            return false;
    return true;
}

/* The effect of chance on a run's count on each kernel, and on the mean beside its standard error. */
static void add_chance(trial *it)
{
    for (size_t k = 0; k < it->kernels; k++) {
        double sum = 0.0;
        for (size_t j = 0; j < it->symbols; j++)
            if (fabs(it->x[j]) > cm_the_rules.alike * cm_the_rules.least * it->largest)
                sum += fabs(it->x[j]) * it->known->chances[k * it->symbols + j];
        it->chance[k] = sum > 0.0 ? sum / sqrt(it->known->iterations[k]) : 0.0;
        it->variance[k] = it->error[k] * it->error[k] + it->chance[k] * it->chance[k] / (double)it->repetitions;
    }
}

/* The error of counts beside their standard error: interrupts and stray counts. */
static double floor_on(const trial *it, size_t kernel)
{
    return it->known->floor * it->known->payloads[kernel] * it->largest;
}

/* Solves an event by weighted least squares; false if the weights leave it singular. */
static bool solve_weighted_event(trial *it)
{
    double least = largest_rounding * it->scale;
    for (size_t k = 0; k < it->kernels; k++)
        it->weights[k] =
            it->scale / sqrt(it->variance[k] + pow(floor_on(it, k), 2.0) + pow(slack_on(it, k), 2.0) + least * least);
    if (!cm_weighted_factorise(&it->known->rows, it->weights, it->factor))
        return false;
    cm_weighted_solve(&it->known->rows, it->weights, it->factor, it->mean, it->x, it->step, it->rest);
    it->largest = cm_vector_largest(it->x, it->symbols);
    return true;
}

/* Fills the half-width of each element's interval: its standard errors and the counts of an empty run. */
static void find_widths(trial *it)
{
    const cm_sparse_rows *rows = &it->known->rows;
    cm_cholesky_invert(it->factor, it->symbols);
    for (size_t j = 0; j < it->symbols; j++) {
        const double *covariances = it->factor + j * it->symbols;
        double squares = 0.0, slack = 0.0;
        for (size_t k = 0; k < it->kernels; k++) {
            double part = cm_sparse_row_dot(rows, k, covariances) * it->weights[k] * it->weights[k];
            squares += part * part * it->variance[k];
            slack += fabs(part) * slack_on(it, k);
        }
        it->width[j] = cm_the_rules.z * sqrt(squares) + slack;
    }
}

/* The kernel that is off by more than it may be, furthest; -1: none. */
static ptrdiff_t find_misfit(const trial *it, const double *x)
{
    ptrdiff_t found = -1;
    double worst = 1.0;
    for (size_t k = 0; k < it->kernels; k++) {
        double allowed =
            cm_the_rules.z * sqrt(it->variance[k]) + slack_on(it, k) + floor_on(it, k) + largest_rounding * it->scale;
        double off = fabs(cm_sparse_row_dot(&it->known->rows, k, x) - it->mean[k]) / allowed;
        if (off > worst) {
            worst = off;
            found = (ptrdiff_t)k;
        }
    }
    return found;
}

static double residual_of(const trial *it, const double *x)
{
    double squares = 0.0;
    for (size_t k = 0; k < it->kernels; k++)
        squares += pow(cm_sparse_row_dot(&it->known->rows, k, x) - it->mean[k], 2.0);
    return sqrt(squares) / cm_vector_norm(it->mean, it->kernels);
}

/* The simplest number in an element's interval; with `zeros` only 0, else the element itself. */
static double simple_element(const trial *it, size_t symbol, bool zeros)
{
    double most = fmax(it->tolerance, 2.0 * it->known->floor), size = fabs(it->x[symbol]);
    double width = it->width[symbol] + it->known->floor * (cm_the_rules.few * size > it->largest ? size : it->largest);
    /* A few counts a run are no loop's instructions. */
    if (size <= width && (it->known->nuisances[symbol] || width <= most * it->largest))
        return 0.0;
    return width <= most * size && !zeros ? cm_snap_number(it->x[symbol], width) : it->x[symbol];
}

/* Elements become simple numbers where all kernels agree; else at least those that may be 0. */
static void snap_elements(trial *it)
{
    for (int zeros = 0; zeros <= 1; zeros++) {
        for (size_t j = 0; j < it->symbols; j++)
            it->step[j] = simple_element(it, j, zeros == 1);
        if (find_misfit(it, it->step) >= 0)
            continue;
        memcpy(it->x, it->step, it->symbols * sizeof *it->x);
        return;
    }
}

/* Exact counts need no weights; those of work done once a run are among them all the same. */
static void snap_exact(trial *it)
{
    double width = 0.0;
    for (size_t k = 0; k < it->kernels; k++)
        width = fmax(width, slack_on(it, k) / it->known->payloads[k]);
    for (size_t j = 0; j < it->symbols; j++)
        it->width[j] = width;
    if (width > 0.0)
        snap_elements(it);
}

/* Represents an event by the basis: plainly first, then with weights, and rounds what noise allows. */
static void represent_event(const cm_analysis *analysis, trial *it, cm_event_analysis *event)
{
    cm_represent_mean(analysis, event, it->x, it->mean);
    it->largest = cm_vector_largest(it->x, it->symbols);
    add_chance(it);
    if (event->residual > it->tolerance) /* weights would make it larger still */
        return;
    if (event->residual <= largest_rounding) {
        snap_exact(it);
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        if (!solve_weighted_event(it))
            return;
        add_chance(it);
    }
    event->residual = event->offset_residual = residual_of(it, it->x);
    event->misfit_kernel = find_misfit(it, it->x);
    if (event->residual > it->tolerance || event->misfit_kernel >= 0)
        return;
    find_widths(it);
    snap_elements(it);
}

void cm_judge_by_conditions(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                            double *representation, double *scratch, cm_event_analysis *event)
{
    size_t kernels = analysis->basis->rows;
    bool rough = cm_is_rough(analysis->thresholds.residual);
    trial it = lay_out(analysis, repetitions, slack, representation, scratch);
    event->max_rnmse = cm_max_rnmse(vectors, repetitions, kernels);
    event->noise = event->max_rnmse;
    cm_spread(vectors, repetitions, kernels, NULL, rough, it.mean, it.error);
    it.scale = cm_vector_largest(it.mean, kernels);
    if (!is_zero(&it)) {
        represent_event(analysis, &it, event);
        event->noise = cm_noise_beyond(vectors, repetitions, kernels, it.mean, it.chance, rough);
    }
    event->status = cm_event_classify(analysis, event);
}

/* `scratch`: two measurement vectors, the mean before all, and a representation. */
void cm_represent_mean(const cm_analysis *analysis, cm_event_analysis *event, double *representation, double *scratch)
{
    size_t kernels = analysis->basis->rows;
    double *mean = scratch, *residual = mean + kernels, *step = residual + kernels;
    cm_least_squares_solve(analysis->basis, mean, representation, residual, step);
    event->representation = representation;
    event->residual = event->offset_residual = cm_vector_norm(residual, kernels) / cm_vector_norm(mean, kernels);
    if (event->residual <= analysis->thresholds.residual)
        return;
    /* A constant beside the payload is positive, and explains the counts as well as any representation must. */
    memcpy(step, representation, analysis->basis->columns * sizeof *step);
    double offset = cm_take_offset(analysis, residual, step);
    double left = cm_vector_norm(residual, kernels) / cm_vector_norm(mean, kernels);
    if (offset > analysis->thresholds.alpha && left <= analysis->thresholds.residual) {
        memcpy(representation, step, analysis->basis->columns * sizeof *step);
        event->offset = offset;
        event->offset_residual = left;
    }
}

bool cm_event_representable(const cm_analysis *analysis, const cm_event_analysis *event)
{
    return event->representation != NULL && event->status != CM_EVENT_AVOIDED && event->misfit_kernel < 0 &&
           (analysis->use_offsets ? event->offset_residual : event->residual) <= analysis->thresholds.residual &&
           isfinite(cm_vector_norm(event->representation, analysis->basis->columns));
}

cm_event_status cm_event_classify(const cm_analysis *analysis, const cm_event_analysis *event)
{
    if (event->status == CM_EVENT_AVOIDED)
        return CM_EVENT_AVOIDED;
    if (event->representation == NULL)
        return CM_EVENT_ZERO;
    if (!(isnan(event->noise) || event->noise <= analysis->thresholds.tau))
        return CM_EVENT_NOISY;
    return cm_event_representable(analysis, event) ? CM_EVENT_DEPENDENT : CM_EVENT_UNREPRESENTABLE;
}
