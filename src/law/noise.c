/* Noise of sums of events on kernels, by their repetitions. */
#include "law/law.h"

#include "analysis/numerics.h"

struct cm_sum_noise {
    const cm_problem *problem;
    size_t row_count, repetitions;
    cm_noise_row *rows;
    size_t count; /* terms of the last sum */
    cm_term *terms;
    double *numbers; /* has the following */
    double *errors;  /* of the last sum, one a row */
    double *means, *spread, *trust, *vectors;
    double **chances; /* one an event; NULL, or variances, one a row, that its repetitions do not show */
};

double cm_runs_of_mean(const cm_problem *problem, size_t repetitions)
{
    return problem->rough ? sqrt((double)repetitions) : 1.0;
}

double cm_first_level_hits(const cm_kernel_facts *kernel)
{
    return kernel->values[CM_FACT_L1D_LOAD_HIT] + kernel->values[CM_FACT_L1D_STORE_HIT] +
           kernel->values[CM_FACT_L1I_FETCH_HIT];
}

/* ---- of a sum ---- */

/* Adds the terms whose repetitions are kept, on rows of one table, and judges them as an event's counts are. */
static void spread_sum(const cm_sum_noise *noise, const cm_term *terms, size_t count, size_t first, size_t kernels)
{
    size_t repetitions = noise->repetitions;
    memset(noise->vectors, 0, kernels * repetitions * sizeof *noise->vectors);
    for (size_t i = 0; i < count; i++) {
        const double *runs = noise->problem->events[terms[i].event].runs;
        for (size_t k = 0; runs != NULL && k < kernels; k++)
            for (size_t r = 0; r < repetitions; r++)
                noise->vectors[r * kernels + k] +=
                    terms[i].coefficient * runs[noise->rows[first + k].counted * repetitions + r];
    }
    cm_spread(noise->vectors, repetitions, kernels, noise->trust + first, noise->problem->rough, noise->means,
              noise->spread);
}

/* The error of the sum on a row, of whose kept terms the spread is `together`; NaN: each by itself. */
static double error_on(const cm_sum_noise *noise, const cm_term *terms, size_t count, size_t row, double together)
{
    double squares = isnan(together) ? 0.0 : together * together;
    for (size_t i = 0; i < count; i++) {
        const cm_usable_event *event = &noise->problem->events[terms[i].event];
        bool kept = event->runs != NULL && !isnan(together);
        double variance = kept ? noise->chances[terms[i].event][row] : event->error[row] * event->error[row];
        squares += terms[i].coefficient * terms[i].coefficient * variance;
    }
    return sqrt(squares);
}

/* Calls for the rows of each table in turn. */
typedef void (*on_table)(const cm_sum_noise *noise, const cm_term *terms, size_t count, size_t first, size_t kernels);

/* Visits the rows of each table together, with their sums spread if the table has any. */
static void walk_tables(const cm_sum_noise *noise, const cm_term *terms, size_t count, on_table visit)
{
    size_t first = 0;
    for (size_t end = 1; end <= noise->row_count; end++)
        if (end == noise->row_count || noise->rows[end].table != noise->rows[first].table) {
            if (noise->rows[first].table != CM_NO_TABLE)
                spread_sum(noise, terms, count, first, end - first);
            visit(noise, terms, count, first, end - first);
            first = end;
        }
}

static void set_errors(const cm_sum_noise *noise, const cm_term *terms, size_t count, size_t first, size_t kernels)
{
    bool counted = noise->rows[first].table != CM_NO_TABLE;
    double runs = cm_runs_of_mean(noise->problem, noise->repetitions);
    for (size_t k = 0; k < kernels; k++)
        noise->errors[first + k] = error_on(noise, terms, count, first + k, counted ? noise->spread[k] * runs : NAN);
}

/* The errors of a sum on all rows; NULL if fewer than two of its events have runs. */
static const double *errors_of(void *context, const cm_term *terms, size_t count)
{
    cm_sum_noise *noise = context;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        kept += noise->problem->events[terms[i].event].runs != NULL;
    if (kept < 2)
        return NULL;
    if (noise->count == count && memcmp(noise->terms, terms, count * sizeof *terms) == 0)
        return noise->errors;
    memcpy(noise->terms, terms, count * sizeof *terms);
    noise->count = count;
    walk_tables(noise, terms, count, set_errors);
    return noise->errors;
}

/* ---- made once ---- */

/* Adds the parts of an event's error beside the spread of its repetitions. */
static void set_chances(const cm_sum_noise *noise, const cm_term *terms, size_t count, size_t first, size_t kernels)
{
    (void)count;
    const double *errors = noise->problem->events[terms->event].error;
    double runs = cm_runs_of_mean(noise->problem, noise->repetitions);
    for (size_t k = 0; k < kernels && noise->rows[first].table != CM_NO_TABLE; k++)
        noise->chances[terms->event][first + k] =
            fmax(0.0, pow(errors[first + k], 2.0) - pow(noise->spread[k] * runs, 2.0));
}

/* Finds the error of each event with runs, beside the spread of its repetitions. */
static cm_status find_chances(cm_sum_noise *noise, cm_error *error)
{
    for (size_t i = 0; i < noise->problem->event_count; i++) {
        if (noise->problem->events[i].runs == NULL)
            continue;
        noise->chances[i] = calloc(noise->row_count, sizeof **noise->chances);
        if (noise->chances[i] == NULL)
            return cm_error_no_memory(error);
        walk_tables(noise, &(cm_term){i, 1.0}, 1, set_chances);
    }
    return CM_OK;
}

/* Allocates the noise of sums on these rows. */
static cm_status fill_noise(cm_sum_noise *noise, const cm_noise_row *rows, const double *trust, cm_error *error)
{
    size_t events = noise->problem->event_count, count = noise->row_count;
    noise->rows = calloc(count, sizeof *noise->rows);
    noise->terms = calloc(events, sizeof *noise->terms);
    noise->chances = calloc(events, sizeof *noise->chances);
    noise->numbers = calloc(count * (noise->repetitions + 4), sizeof *noise->numbers);
    if (noise->rows == NULL || noise->terms == NULL || noise->chances == NULL || noise->numbers == NULL)
        return cm_error_no_memory(error);
    memcpy(noise->rows, rows, count * sizeof *rows);
    noise->errors = noise->numbers;
    noise->means = noise->errors + count;
    noise->spread = noise->means + count;
    noise->trust = noise->spread + count;
    noise->vectors = noise->trust + count;
    memcpy(noise->trust, trust, count * sizeof *trust);
    return find_chances(noise, error);
}

cm_status cm_sum_noise_create(cm_problem *problem, const cm_noise_row *rows, const double *trust, size_t row_count,
                              size_t repetitions, cm_sum_noise **noise, cm_error *error)
{
    bool any = false;
    for (size_t i = 0; i < problem->event_count; i++)
        any |= problem->events[i].runs != NULL;
    if (!any)
        return CM_OK;
    cm_sum_noise *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    *made = (cm_sum_noise){.problem = problem, .row_count = row_count, .repetitions = repetitions};
    cm_status status = fill_noise(made, rows, trust, error);
    if (status != CM_OK) {
        cm_sum_noise_free(made);
        return status;
    }
    problem->errors_of = errors_of;
    problem->errors_context = made;
    *noise = made;
    return CM_OK;
}

void cm_sum_noise_free(cm_sum_noise *noise)
{
    if (noise == NULL)
        return;
    cm_free_list(noise->chances, noise->problem->event_count);
    free(noise->rows);
    free(noise->terms);
    free(noise->numbers);
    free(noise);
}
