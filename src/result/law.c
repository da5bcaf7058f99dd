/* The problem of a benchmark, rebuilt from its results, and the law over it. */
#include "result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "core/base.h"
#include "law/counted.h"
#include "law/noise.h"
#include "verify/verify.h"

struct cm_defined_law {
    const cm_read_benchmark *benchmark;
    cm_arena arena;
    cm_fact_table *facts;
    cm_problem problem; /* rows are the kernels of the law, those without fit behind them; events are the results' */
    size_t *rows;
    cm_law_kernel *kernels;
    double *metrics; /* weights of facts, cm_fact_count() a metric */
    bool *meant;
    cm_target *targets; /* one a metric; its arrays are made on demand */
    double *nothing;    /* zeros: the symbols of an event without representation */
    cm_counted_law *law;
    cm_sum_noise *noise;
};

/* ---- made once ---- */

static void *allocate_items(cm_defined_law *law, size_t count, size_t size)
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
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0,
                            "the results have a kernel %.100s of %.100s, which this catmint does not know",
                            kernel->kernel, kernel->benchmark);
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
                                .iterations = allocate_items(law, kernels, sizeof(double)),
                                .payloads = allocate_items(law, kernels, sizeof(double)),
                                .events = allocate_items(law, listed->event_count, sizeof(cm_usable_event))};
    law->rows = allocate_items(law, kernels, sizeof *law->rows);
    law->kernels = allocate_items(law, kernels, sizeof *law->kernels);
    law->metrics = allocate_items(law, metrics * cm_fact_count(), sizeof *law->metrics);
    law->meant = allocate_items(law, metrics, sizeof *law->meant);
    law->targets = allocate_items(law, metrics, sizeof *law->targets);
    law->nothing = allocate_items(law, listed->symbol_count, sizeof *law->nothing);
    return law->problem.iterations != NULL && law->problem.payloads != NULL && law->problem.events != NULL &&
                   law->rows != NULL && law->kernels != NULL && law->metrics != NULL && law->meant != NULL &&
                   law->targets != NULL && law->nothing != NULL
               ? CM_OK
               : cm_error_no_memory(error);
}

/* Fills the counts of an event on every row from those that are not zero; NaN if the kernel was not counted. */
static cm_status take_counts(cm_defined_law *law, size_t index, cm_error *error)
{
    const cm_defined_event *event = &law->benchmark->events[index];
    cm_usable_event *usable = &law->problem.events[index];
    if (usable->mean != NULL)
        return CM_OK;
    size_t kernels = law->benchmark->listed.law_count;
    double *counts = allocate_items(law, 2 * kernels, sizeof *counts);
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
    usable->runs = each > 0 ? allocate_items(law, kernels * each, sizeof *usable->runs) : NULL;
    for (size_t i = 0; usable->runs != NULL && i < event->law_count; i++)
        memcpy(usable->runs + event->law_places[i] * each, event->law_runs + i * each, each * sizeof *usable->runs);
    return each == 0 || usable->runs != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Makes the noise of sums from the events whose repetitions are kept: kernels stand in the order of their tables. */
static cm_status make_noise(cm_defined_law *law, cm_error *error)
{
    const cm_defined_benchmark *listed = &law->benchmark->listed;
    cm_noise_row *rows = allocate_items(law, listed->law_count, sizeof *rows);
    double *hits = allocate_items(law, listed->law_count, sizeof *hits);
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
        status = repetitions == 0 || each == repetitions
                     ? take_counts(law, i, error)
                     : cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0,
                                    "the results have %zu runs a kernel of event %.100s, and %zu of others", each,
                                    event->event, repetitions);
        repetitions = each;
    }
    if (status != CM_OK)
        return status;
    return cm_sum_noise_create(&law->problem, rows, hits, listed->law_count, repetitions, &law->noise, error);
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
    const cm_counted_setup setup = {.facts = law->facts,
                                    .problem = &law->problem,
                                    .kernel_count = listed->law_count,
                                    .kernels = law->kernels,
                                    .rows = law->rows,
                                    .known = law->problem.rows,
                                    .metrics = law->metrics,
                                    .meant = law->meant,
                                    .metric_count = law->benchmark->metric_count,
                                    .interference = listed->interference};
    status = cm_counted_law_create(&setup, &law->law, error);
    law->problem.judge = cm_counted_law_say;
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
    if (status != CM_OK)
        cm_defined_law_free(made);
    else
        *law = made;
    return status;
}

void cm_defined_law_settle(cm_defined_law *law)
{
    if (law == NULL)
        return;
    cm_counted_law_free(law->law);
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

/* ---- questions ---- */

/* Makes the metric's value on every kernel, and its limits. */
static cm_status make_target(cm_defined_law *law, size_t metric, cm_error *error)
{
    cm_target *target = &law->targets[metric];
    size_t rows = law->problem.rows;
    if (target->low != NULL)
        return CM_OK;
    *target = (cm_target){.metric = metric,
                          .signature = law->benchmark->metrics[metric].signature,
                          .high = allocate_items(law, rows, sizeof *target->high),
                          .limits = allocate_items(law, rows, sizeof *target->limits),
                          .symbol_limits = allocate_items(law, law->problem.symbols, sizeof *target->symbol_limits),
                          .low = allocate_items(law, rows, sizeof *target->low)};
    if (target->low == NULL || target->high == NULL || target->limits == NULL || target->symbol_limits == NULL)
        return cm_error_no_memory(error);
    for (size_t r = 0; r < rows; r++) {
        cm_meant meant = cm_meaning_on(law->facts, law->metrics + metric * cm_fact_count(), law->kernels[r].facts);
        target->low[r] = meant.value - meant.range;
        target->high[r] = meant.value + meant.range;
    }
    cm_target_limit(&law->problem, target);
    return CM_OK;
}

/* Makes terms of the problem; *known is false if the counts of an event are unknown. */
static cm_status make_terms(cm_defined_law *law, const cm_defined_event *const *events, const double *coefficients,
                            size_t count, double factor, cm_term *terms, bool *known, cm_error *error)
{
    cm_status status = CM_OK;
    *known = true;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        *known &= events[i] != NULL && events[i]->law_places != NULL;
        if (!*known)
            return CM_OK;
        terms[i] = (cm_term){(size_t)(events[i] - law->benchmark->events), coefficients[i] / factor};
        status = take_counts(law, terms[i].event, error);
    }
    return status;
}

/* Fills the ranges in which the sum holds, the facts that nothing separates from it, and free ones that it counts. */
static cm_status say_limits(cm_defined_law *law, size_t metric, const cm_law_verdict *verdict, cm_held *held,
                            cm_error *error)
{
    const cm_open_questions questions = {.metric = metric, .law = verdict, .held = true};
    cm_filler filler = {.arena = &law->arena};
    cm_defined_metric said = {0};
    cm_fill_ranges(law->law, &questions, &filler, &said);
    cm_fill_confounded(law->law, &questions, 0, &filler, &said);
    if (verdict != NULL)
        cm_fill_also(law->law, verdict, &filler, &said);
    held->range_count = said.range_count;
    held->range_share = said.range_share;
    held->ranges = said.ranges;
    held->untold_count = said.confounded_count;
    held->untold = said.confounded;
    held->also_count = said.also_count;
    held->also = said.also_counts;
    return filler.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

static const char *place_of(const cm_defined_law *law, const cm_verdict *verdict)
{
    const cm_defined_benchmark *listed = &law->benchmark->listed;
    return verdict->refusal == CM_REFUSED_SYMBOL ? listed->symbols[verdict->place]
                                                 : listed->law_kernels[verdict->place].kernel;
}

/* Judges the terms as the metric, by the problem's limits and by the law. */
static cm_status give_verdict(cm_defined_law *law, size_t metric, const cm_term *terms, size_t count, cm_held *held,
                              cm_error *error)
{
    const cm_law_verdict *found = NULL;
    cm_verdict verdict = {0};
    cm_status status = make_target(law, metric, error);
    CM_THEN(status, cm_give_verdict(&law->problem, &law->targets[metric], terms, count, &verdict, error));
    bool asked = status == CM_OK && (verdict.refusal == CM_REFUSED_NOT || verdict.refusal == CM_REFUSED_LAW);
    if (asked)
        status = cm_counted_law_judge(law->law, &law->targets[metric], terms, count, &found, error);
    held->judged = status == CM_OK && (found != NULL || !asked);
    held->right = held->judged && verdict.refusal == CM_REFUSED_NOT;
    held->by_symbols = verdict.refusal == CM_REFUSED_SYMBOL || verdict.refusal == CM_REFUSED_EMPTY;
    if (held->right)
        return say_limits(law, metric, found, held, error);
    if (held->judged && found != NULL)
        cm_law_refusal_text(law->law, found, held->text, sizeof held->text);
    else if (held->judged)
        cm_refusal_words(&verdict, place_of(law, &verdict), held->text, sizeof held->text);
    return status;
}

cm_status cm_defined_law_judge(cm_defined_law *law, const cm_defined_metric *metric,
                               const cm_defined_event *const *events, const double *coefficients, size_t count,
                               double factor, cm_held *held, cm_error *error)
{
    size_t index = (size_t)(metric - law->benchmark->metrics);
    cm_term *terms = calloc(count + 1, sizeof *terms);
    bool known = law->meant[index];
    cm_status status = terms != NULL ? CM_OK : cm_error_no_memory(error);
    *held = (cm_held){0};
    if (status == CM_OK && known)
        status = make_terms(law, events, coefficients, count, factor, terms, &known, error);
    if (status == CM_OK && known)
        status = give_verdict(law, index, terms, count, held, error);
    free(terms);
    return status;
}

cm_status cm_hold_uncontrolled(const double *coefficients, size_t count, double factor, cm_held *held, cm_error *error)
{
    cm_term *terms = calloc(count + 1, sizeof *terms);
    cm_verdict verdict = {0};
    if (terms == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        terms[i] = (cm_term){i, coefficients[i] / factor};
    cm_judge_uncontrolled(terms, count, &verdict);
    *held = (cm_held){.judged = verdict.refusal != CM_REFUSED_NOT};
    cm_refusal_words(&verdict, "", held->text, sizeof held->text);
    free(terms);
    return CM_OK;
}
