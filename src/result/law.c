/* The problem of a benchmark, rebuilt from its results, and the law over it. */
#include "result/result.h"

#include "analysis/numerics.h"
#include "analysis/rules.h"

/* ---- made once ---- */

void *cm_defined_law_allocate(cm_defined_law *law, size_t count, size_t size)
{
    void *items = cm_arena_allocate(&law->arena, (count + 1) * size);
    if (items != NULL)
        memset(items, 0, (count + 1) * size);
    return items;
}

/* Fills the facts of a kernel of the law from its name; an error if this catmint does not know it. */
static cm_status take_kernel(cm_defined_law *law, size_t k, cm_error *error)
{
    const cm_defined_kernel *kernel = &law->benchmark->listed.law_kernels[k];
    cm_law_kernel *made = &law->kernels[k];
    made->facts = cm_fact_table_find(law->facts, kernel->benchmark, kernel->kernel);
    if (kernel->part == CM_PART_DIFFERENCE) {
        for (size_t i = 0; i < 2; i++)
            made->twins[i] = law->kernels[kernel->difference_of[i]].facts;
        made->facts = cm_law_difference(&law->arena, made->twins, kernel->kernel);
        if (made->facts == NULL)
            return cm_error_no_memory(error);
    }
    if (made->facts == NULL)
        return CM_FAIL(error, CM_BAD_INPUT,
                       "the results have a kernel %.100s of %.100s, which this catmint does not know", kernel->kernel,
                       kernel->benchmark);
    made->home = strcmp(kernel->benchmark, law->benchmark->listed.benchmark) == 0;
    made->free = kernel->part == CM_PART_FREE;
    made->loops = strcmp(kernel->kernel, "empty") != 0;
    law->rows[k] = k;
    law->problem.iterations[k] = kernel->iterations;
    law->problem.payloads[k] = INFINITY; /* the symbols have the facts of fitted kernels */
    law->problem.fitted += kernel->part == CM_PART_FITTED;
    law->problem.rows += kernel->part != CM_PART_FREE;
    return CM_OK;
}

/* Reads the metrics' meanings as sums of facts; one without a meaning keeps zeros. */
static cm_status take_meanings(cm_defined_law *law, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t m = 0; m < law->benchmark->metric_count && status == CM_OK; m++) {
        const char *meaning = law->benchmark->metrics[m].meaning;
        law->meant[m] = meaning != NULL;
        if (meaning != NULL)
            status = cm_meaning_parse(law->facts, meaning, NULL, law->metrics + m * cm_fact_count(), error);
    }
    return status;
}

/* Makes the events of the problem; their counts are filled on demand. */
static void take_events(cm_defined_law *law)
{
    for (size_t i = 0; i < law->benchmark->listed.event_count; i++) {
        const cm_defined_event *event = &law->benchmark->events[i];
        bool represented = event->representation != NULL && event->status != CM_EVENT_ZERO;
        law->problem.events[i] =
            (cm_usable_event){.index = i,
                              .slack = event->control_strays,
                              .x = represented ? event->representation : law->nothing,
                              .norm = represented ? cm_vector_norm(event->representation, law->problem.symbols) : 0.0};
    }
}

/* Allocates the arrays of the problem and of the law. */
static cm_status make_arrays(cm_defined_law *law, cm_error *error)
{
    const cm_defined_benchmark *listed = &law->benchmark->listed;
    size_t kernels = listed->law_count, metrics = law->benchmark->metric_count;
    law->problem = (cm_problem){.symbols = listed->symbol_count,
                                .tolerance = listed->residual,
                                .amplification = listed->amplification,
                                .rough = cm_is_rough(listed->residual),
                                .event_count = listed->event_count,
                                .iterations = cm_defined_law_allocate(law, kernels, sizeof(double)),
                                .payloads = cm_defined_law_allocate(law, kernels, sizeof(double)),
                                .events = cm_defined_law_allocate(law, listed->event_count, sizeof(cm_usable_event))};
    law->rows = cm_defined_law_allocate(law, kernels, sizeof *law->rows);
    law->kernels = cm_defined_law_allocate(law, kernels, sizeof *law->kernels);
    law->metrics = cm_defined_law_allocate(law, (metrics + 1) * cm_fact_count(), sizeof *law->metrics);
    law->meant = cm_defined_law_allocate(law, metrics, sizeof *law->meant);
    law->last = cm_defined_law_allocate(law, metrics + 1, sizeof *law->last);
    law->targets = cm_defined_law_allocate(law, metrics, sizeof *law->targets);
    law->nothing = cm_defined_law_allocate(law, listed->symbol_count, sizeof *law->nothing);
    return law->problem.iterations != NULL && law->problem.payloads != NULL && law->problem.events != NULL &&
                   law->rows != NULL && law->kernels != NULL && law->metrics != NULL && law->meant != NULL &&
                   law->last != NULL && law->targets != NULL && law->nothing != NULL
               ? CM_OK
               : cm_error_no_memory(error);
}

cm_status cm_defined_law_take_counts(cm_defined_law *law, size_t index, cm_error *error)
{
    const cm_defined_event *event = &law->benchmark->events[index];
    cm_usable_event *usable = &law->problem.events[index];
    if (usable->mean != NULL)
        return CM_OK;
    size_t kernels = law->benchmark->listed.law_count;
    double *counts = cm_defined_law_allocate(law, 2 * kernels, sizeof *counts);
    if (counts == NULL)
        return cm_error_no_memory(error);
    usable->mean = counts;
    usable->error = counts + kernels;
    for (size_t i = 0; i < event->law_count; i++) {
        usable->mean[event->law_places[i]] = event->law_means[i];
        usable->error[event->law_places[i]] = event->law_errors[i];
    }
    for (size_t k = 0; k < kernels; k++)
        if (cm_fact_table_is_lacking(law->facts, law->kernels[k].facts))
            usable->mean[k] = NAN;
    size_t each = event->law_count > 0 ? event->law_run_count / event->law_count : 0;
    usable->runs = each > 0 ? cm_defined_law_allocate(law, kernels * each, sizeof *usable->runs) : NULL;
    for (size_t i = 0; usable->runs != NULL && i < event->law_count; i++)
        memcpy(usable->runs + event->law_places[i] * each, event->law_runs + i * each, each * sizeof *usable->runs);
    return each == 0 || usable->runs != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Makes the noise of sums from the events whose repetitions are kept: kernels stand in the order of their tables. */
static cm_status make_noise(cm_defined_law *law, cm_error *error)
{
    const cm_defined_benchmark *listed = &law->benchmark->listed;
    cm_noise_row *rows = cm_defined_law_allocate(law, listed->law_count, sizeof *rows);
    double *hits = cm_defined_law_allocate(law, listed->law_count, sizeof *hits);
    cm_status status = rows != NULL && hits != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t k = 0; k < listed->law_count && status == CM_OK; k++) {
        const cm_defined_kernel *kernel = &listed->law_kernels[k];
        bool same = k > 0 && kernel->part == kernel[-1].part && strcmp(kernel->benchmark, kernel[-1].benchmark) == 0;
        rows[k] = (cm_noise_row){(k > 0 ? rows[k - 1].table : 0) + !same, k};
        hits[k] = cm_first_level_hits(law->kernels[k].facts);
    }
    size_t repetitions = 0;
    for (size_t i = 0; i < listed->event_count && status == CM_OK; i++) {
        const cm_defined_event *event = &law->benchmark->events[i];
        if (event->law_run_count == 0)
            continue;
        size_t each = event->law_run_count / event->law_count;
        status =
            repetitions == 0 || each == repetitions
                ? cm_defined_law_take_counts(law, i, error)
                : CM_FAIL(error, CM_BAD_INPUT, "the results have %zu runs a kernel of event %.100s, and %zu of others",
                          each, event->event, repetitions);
        repetitions = each;
    }
    if (status != CM_OK)
        return status;
    return cm_sum_noise_create(&law->problem, rows, hits, listed->law_count, repetitions, &law->noise, error);
}

cm_status cm_defined_law_count(const cm_defined_law *law, const cm_problem *problem, size_t metrics, const bool *meant,
                               cm_counted_law **made, cm_error *error)
{
    const cm_counted_setup setup = {.facts = law->facts,
                                    .problem = problem,
                                    .kernel_count = law->benchmark->listed.law_count,
                                    .kernels = law->kernels,
                                    .rows = law->rows,
                                    .known = problem->rows,
                                    .metrics = law->metrics,
                                    .meant = meant,
                                    .metric_count = metrics,
                                    .interference = law->benchmark->listed.interference};
    return cm_counted_law_create(&setup, made, error);
}

/* Fills the problem and the law from the benchmark. */
static cm_status fill_law(cm_defined_law *law, const cm_definitions *definitions, unsigned missing, cm_error *error)
{
    const cm_defined_benchmark *listed = &law->benchmark->listed;
    cm_status status = make_arrays(law, error);
    CM_THEN(status, cm_fact_table_load(NULL, definitions->architecture, &law->facts, error));
    if (status == CM_OK) {
        cm_meaning_set_levels(law->facts, definitions->cache_levels);
        cm_fact_table_leave_out(law->facts, missing);
    }
    for (size_t k = 0; k < listed->law_count && status == CM_OK; k++)
        status = take_kernel(law, k, error);
    CM_THEN(status, take_meanings(law, error));
    if (status != CM_OK)
        return status;
    take_events(law);
    status = make_noise(law, error);
    if (status != CM_OK)
        return status;
    status = cm_defined_law_count(law, &law->problem, law->benchmark->metric_count, law->meant, &law->law, error);
    law->problem.judge = cm_counted_law_describe;
    law->problem.judge_context = law->law;
    return status;
}

cm_status cm_defined_law_create(const cm_definitions *definitions, size_t benchmark, unsigned missing,
                                cm_defined_law **law, cm_error *error)
{
    if (definitions->benchmarks[benchmark].listed.law_count == 0)
        return CM_OK;
    cm_defined_law *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->benchmark = &definitions->benchmarks[benchmark];
    cm_status status = fill_law(made, definitions, missing, error);
    CM_HAND_OVER(status, law, made, cm_defined_law_free);
    return status;
}

void cm_defined_law_settle(cm_defined_law *law)
{
    if (law == NULL)
        return;
    cm_counted_law_free(law->law);
    for (size_t i = 0; i < 2; i++) {
        cm_counted_law_free(law->asked[i].law);
        law->asked[i] = (struct cm_asked_law){0};
    }
    cm_sum_noise_free(law->noise);
    cm_fact_table_free(law->facts);
    law->law = NULL;
    law->noise = NULL;
    law->facts = NULL;
}

void cm_defined_law_free(cm_defined_law *law)
{
    if (law == NULL)
        return;
    cm_defined_law_settle(law);
    cm_arena_clear(&law->arena);
    free(law);
}
