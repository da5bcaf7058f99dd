/* Definitions of results in memory: what reading the document of these results would yield. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "definitions/definitions.h"
#include "discovery/benchmark_result.h"
#include "discovery/results.h"
#include "discovery/together.h"

/* Where memory is short for a part, `short_of_memory` is set, and what was to be filled stays NULL. */
typedef struct copier {
    cm_arena *arena;
    bool short_of_memory;
} copier;

static void *allocate(copier *copy, size_t count, size_t size)
{
    void *items = cm_arena_allocate(copy->arena, count * size);
    copy->short_of_memory = copy->short_of_memory || items == NULL;
    return items;
}

static const char *copy_text(copier *copy, const char *text)
{
    const char *copied = text != NULL ? cm_arena_text(copy->arena, text) : NULL;
    copy->short_of_memory = copy->short_of_memory || (text != NULL && copied == NULL);
    return copied;
}

static const char *const *copy_names(copier *copy, char *const *names, size_t count)
{
    const char **copied = allocate(copy, count, sizeof *copied);
    for (size_t i = 0; i < count && copied != NULL; i++)
        copied[i] = copy_text(copy, names[i]);
    return copied;
}

/* The document knows no negative zero. */
static double plain(double value)
{
    return value == 0.0 ? 0.0 : value;
}

/* A document has null for what is no number, as infinities are. */
static double or_unknown(double value)
{
    return isfinite(value) ? plain(value) : NAN;
}

static const double *copy_numbers(copier *copy, const double *numbers, size_t count)
{
    double *copied = numbers != NULL ? allocate(copy, count, sizeof *copied) : NULL;
    for (size_t i = 0; i < count && copied != NULL; i++)
        copied[i] = plain(numbers[i]);
    return copied;
}

static void copy_equivalents(copier *copy, const cm_benchmark_result *result, size_t metric, size_t term,
                             cm_defined_term *copied)
{
    const struct cm_term_equivalents *found = cm_equivalents_of(result, metric, term);
    size_t count = found->count < CM_LISTED_EQUIVALENTS ? found->count : CM_LISTED_EQUIVALENTS;
    cm_defined_equivalent *equivalents = count > 0 ? allocate(copy, count, sizeof *equivalents) : NULL;
    cm_event_group group = cm_fit_group(result, result->fits[metric]);
    group.replaces = true;
    group.place = term;
    for (size_t i = 0; i < count && equivalents != NULL; i++) {
        group.by = found->list[i].event;
        equivalents[copied->equivalent_count++] =
            (cm_defined_equivalent){copy_text(copy, cm_analysis_event(result->analysis, found->list[i].event).event),
                                    plain(found->list[i].factor), cm_tried_sets_find(result->tried, &group, NULL)};
    }
    copied->equivalents = equivalents;
}

/* The coefficients as solved, or the rounded ones that are not zero. */
static const cm_defined_term *copy_terms(copier *copy, const cm_benchmark_result *result, size_t metric, bool rounded,
                                         size_t *count)
{
    const cm_fit *fit = result->fits[metric];
    cm_defined_term *terms = allocate(copy, fit != NULL ? fit->term_count : 0, sizeof *terms);
    *count = 0;
    for (size_t i = 0; fit != NULL && i < fit->term_count && terms != NULL; i++) {
        double coefficient = rounded ? fit->rounded[i] : fit->coefficients[i];
        const char *event = cm_analysis_event(result->analysis, fit->events[i]).event;
        if (rounded && coefficient == 0.0)
            continue;
        terms[*count] = (cm_defined_term){.event = copy_text(copy, event), .coefficient = plain(coefficient)};
        if (rounded)
            copy_equivalents(copy, result, metric, i, &terms[*count]);
        (*count)++;
    }
    return terms;
}

static void copy_together(copier *copy, const cm_benchmark_result *result, const cm_fit *fit, cm_defined_metric *metric)
{
    const cm_event_group group = cm_fit_group(result, fit);
    const char **names = allocate(copy, group.count, sizeof *names);
    bool *refusing = allocate(copy, group.count, sizeof *refusing);
    if (names == NULL || refusing == NULL)
        return;
    metric->together = cm_tried_sets_find(result->tried, &group, refusing);
    for (size_t i = 0; i < group.count && metric->together == CM_TOGETHER_NO; i++)
        if (refusing[i])
            names[metric->refusing_count++] = copy_text(copy, cm_event_group_name(&group, i));
    metric->refusing = names;
}

static void copy_bounds(copier *copy, const cm_benchmark_result *result, size_t index, cm_defined_metric *metric)
{
    size_t count = result->evidence != NULL ? cm_evidence_control_count(result->evidence) : 0;
    double *low = count > 0 ? allocate(copy, 3 * count, sizeof *low) : NULL;
    if (low == NULL || !cm_evidence_bounds(result->evidence, index, low, low + count, low + 2 * count))
        return;
    for (size_t i = 0; i < 3 * count; i++)
        low[i] = or_unknown(low[i]);
    metric->control_low = low;
    metric->control_high = low + count;
    metric->control_limits = low + 2 * count;
}

/* Words of the law are made anew each time. */
static const char *take_words(copier *copy, char *words)
{
    const char *copied = copy_text(copy, words);
    copy->short_of_memory = copy->short_of_memory || words == NULL;
    free(words);
    return copied;
}

static const cm_defined_leak *copy_leaks(copier *copy, const cm_counted_law *law, const cm_law_leak *leaks,
                                         size_t count)
{
    cm_defined_leak *copied = allocate(copy, count, sizeof *copied);
    for (size_t i = 0; i < count && copied != NULL; i++)
        copied[i] = (cm_defined_leak){take_words(copy, cm_law_words(law, leaks[i].alternative)),
                                      or_unknown(leaks[i].at_most), leaks[i].found};
    return copied;
}

static void copy_law(copier *copy, const cm_benchmark_result *result, const cm_doubts *doubts,
                     cm_defined_metric *metric)
{
    const cm_counted_law *law = result->evidence->law;
    static const cm_law_verdict none = {0};
    const cm_law_verdict *verdict = doubts->law != NULL ? doubts->law : &none;
    cm_defined_range *ranges = allocate(copy, verdict->leak_count, sizeof *ranges);
    metric->leaks = copy_leaks(copy, law, verdict->leaks, verdict->leak_count);
    metric->leak_count = metric->leaks != NULL ? verdict->leak_count : 0;
    metric->open = copy_leaks(copy, law, verdict->open, verdict->open_count);
    metric->open_count = metric->open != NULL ? verdict->open_count : 0;
    metric->own = metric->usable && doubts->law != NULL ? or_unknown(verdict->own) : NAN;
    metric->rest = metric->usable && doubts->law != NULL ? or_unknown(verdict->rest) : NAN;
    for (size_t i = 0; i < metric->leak_count && ranges != NULL; i++)
        if (metric->usable && !metric->composable && verdict->leaks[i].above > 0.0)
            ranges[metric->range_count++] =
                (cm_defined_range){take_words(copy, cm_law_meaning(law, doubts->metric)), metric->leaks[i].fact,
                                   or_unknown(verdict->leaks[i].above)};
    metric->ranges = ranges;
}

static void copy_metric(copier *copy, const cm_benchmark_result *result, size_t index, const char *benchmark,
                        cm_defined_metric *metric)
{
    static const cm_fitness unknown = {NAN, NAN, NAN};
    const cm_signature *signature = &result->signatures->metrics[index];
    const cm_fit *fit = result->fits[index];
    const cm_fitness *fitness = fit != NULL ? &fit->rounded_fitness : &unknown;
    const cm_doubts *doubts = result->proofs != NULL ? result->proofs[index].doubts : NULL;
    *metric = (cm_defined_metric){.benchmark = benchmark,
                                  .core = copy_text(copy, result->core),
                                  .metric = copy_text(copy, signature->metric),
                                  .preset = copy_text(copy, signature->preset),
                                  .description = copy_text(copy, signature->description),
                                  .backward_error = or_unknown(fitness->backward_error),
                                  .misfit = or_unknown(fitness->misfit),
                                  .amplification = or_unknown(fitness->amplification),
                                  .symbol_count = result->basis->symbol_count,
                                  .composable = fit != NULL && fit->composable && !cm_is_ranged(doubts),
                                  .usable = fit != NULL && fit->composable,
                                  .measurable = fit != NULL,
                                  .lacks = ""};
    if (result->lacking[index] != NULL)
        metric->lacks = copy_text(copy, result->lacking[index]);
    const cm_validation *validation = cm_benchmark_result_validation(result, index);
    metric->validation_count = validation != NULL ? validation->programs : 0;
    metric->validation_median = validation != NULL ? plain(validation->median) : NAN;
    metric->validation_worst = validation != NULL ? plain(validation->worst) : NAN;
    metric->signature = copy_numbers(copy, signature->values, metric->symbol_count);
    metric->solved = copy_terms(copy, result, index, false, &metric->solved_count);
    metric->terms = copy_terms(copy, result, index, true, &metric->term_count);
    copy_bounds(copy, result, index, metric);
    metric->own = metric->rest = NAN;
    metric->meaning =
        signature->meaning != NULL && signature->meaning[0] != '\0' ? copy_text(copy, signature->meaning) : NULL;
    if (doubts != NULL)
        copy_law(copy, result, doubts, metric);
    copy_together(copy, result, fit, metric);
}

static void copy_counts(copier *copy, const cm_benchmark_result *result, size_t index, cm_defined_event *event)
{
    size_t count = result->evidence != NULL ? cm_evidence_control_count(result->evidence) : 0;
    const cm_usable_event *looked = count > 0 ? cm_evidence_event(result->evidence, index) : NULL;
    double *counts = looked != NULL ? allocate(copy, 2 * count, sizeof *counts) : NULL;
    if (counts == NULL)
        return;
    cm_evidence_on_controls(result->evidence, looked, counts, counts + count);
    for (size_t i = 0; i < 2 * count; i++)
        counts[i] = or_unknown(counts[i]);
    event->control_counts = counts;
    event->control_errors = counts + count;
    event->control_strays = looked->slack;
}

static cm_defined_event copy_event(copier *copy, const cm_benchmark_result *result, size_t index)
{
    const cm_event_analysis event = cm_analysis_event(result->analysis, index);
    const char *equal = event.equivalent_to == CM_NO_EVENT
                            ? NULL
                            : cm_analysis_event(result->analysis, (size_t)event.equivalent_to).event;
    return (cm_defined_event){.event = copy_text(copy, event.event),
                              .status = event.status,
                              .max_rnmse = or_unknown(event.max_rnmse),
                              .residual = or_unknown(event.residual),
                              .representation = copy_numbers(copy, event.representation, result->basis->symbol_count),
                              .counts = event.status == CM_EVENT_UNREPRESENTABLE
                                            ? copy_numbers(copy, event.mean, result->basis->kernel_count)
                                            : NULL,
                              .equivalent_to = copy_text(copy, equal)};
}

static void copy_events(copier *copy, const cm_benchmark_result *result, cm_read_benchmark *benchmark)
{
    size_t measured = cm_analysis_event_count(result->analysis), listed = 0;
    for (size_t i = 0; i < measured; i++)
        listed += cm_benchmark_result_lists(result, i);
    benchmark->events = allocate(copy, listed, sizeof *benchmark->events);
    for (size_t i = 0; i < measured && benchmark->events != NULL; i++)
        if (cm_benchmark_result_lists(result, i)) {
            cm_defined_event *event = &benchmark->events[benchmark->listed.event_count++];
            *event = copy_event(copy, result, i);
            copy_counts(copy, result, i, event);
        }
}

static void copy_controls(copier *copy, const cm_benchmark_result *result, cm_defined_benchmark *listed)
{
    const cm_evidence *evidence = result->evidence;
    if (evidence == NULL)
        return;
    size_t count = cm_evidence_control_count(evidence);
    const char **names = allocate(copy, count, sizeof *names);
    double *iterations = allocate(copy, count, sizeof *iterations);
    for (size_t i = 0; i < count && names != NULL && iterations != NULL; i++) {
        size_t row = cm_evidence_control(evidence, i);
        names[i] = copy_text(copy, evidence->problem.kernels[row]);
        iterations[i] = evidence->problem.iterations[row];
    }
    listed->control_count = count;
    listed->controls = names;
    listed->control_iterations = iterations;
    for (size_t m = 0; m < result->signatures->metric_count; m++)
        if (result->proofs[m].verdict.controls > listed->held_count)
            listed->held_count = result->proofs[m].verdict.controls;
}

static void copy_benchmark(copier *copy, const cm_benchmark_result *result, cm_read_benchmark *benchmark)
{
    cm_defined_benchmark *listed = &benchmark->listed;
    *benchmark = (cm_read_benchmark){.metric_count = result->signatures->metric_count};
    *listed = (cm_defined_benchmark){.benchmark = copy_text(copy, result->benchmark),
                                     .core = copy_text(copy, result->core),
                                     .tau = result->thresholds.tau,
                                     .alpha = result->thresholds.alpha,
                                     .residual = result->thresholds.residual,
                                     .amplification = or_unknown(result->thresholds.amplification),
                                     .kernel_count = result->basis->kernel_count,
                                     .kernels = copy_names(copy, result->basis->kernels, result->basis->kernel_count),
                                     .symbol_count = result->basis->symbol_count,
                                     .symbols = copy_names(copy, result->basis->symbols, result->basis->symbol_count),
                                     .measured_count = cm_analysis_event_count(result->analysis)};
    copy_controls(copy, result, listed);
    copy_events(copy, result, benchmark);
    benchmark->metrics = allocate(copy, benchmark->metric_count, sizeof *benchmark->metrics);
    for (size_t i = 0; i < benchmark->metric_count && benchmark->metrics != NULL; i++)
        copy_metric(copy, result, i, listed->benchmark, &benchmark->metrics[i]);
    if (benchmark->events == NULL || cm_definitions_take_sight(copy->arena, result, benchmark, NULL) != CM_OK)
        copy->short_of_memory = true;
    json_t *code_names = cm_code_names_create(result);
    if (code_names == NULL || cm_definitions_take_code_names(copy->arena, code_names, benchmark, NULL) != CM_OK)
        copy->short_of_memory = true;
    json_decref(code_names);
}

/* What a caller may have put together that no document may have. */
static void copy_set(copier *copy, const cm_tried_set *set, cm_counted_set *copied)
{
    const char **refusing = allocate(copy, set->count, sizeof *refusing);
    *copied = (cm_counted_set){.together = set->together,
                               .count = set->count,
                               .events = copy_names(copy, set->events, set->count),
                               .refusing = refusing};
    for (size_t i = 0; i < set->count && refusing != NULL && copied->events != NULL; i++)
        if (set->refusing[i])
            refusing[copied->refusing_count++] = copied->events[i];
}

static void copy_sets(copier *copy, const cm_tried_sets *tried, cm_definitions *definitions)
{
    size_t count = tried != NULL ? tried->count : 0;
    definitions->sets = allocate(copy, count, sizeof *definitions->sets);
    for (size_t i = 0; i < count && definitions->sets != NULL; i++)
        copy_set(copy, &tried->sets[i], &definitions->sets[definitions->set_count++]);
}

static cm_status check(const cm_results *results, cm_error *error)
{
    if (results->pmu != NULL && !cm_definitions_knows_pmu(results->pmu))
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, CM_DEFINITIONS_PMU, "pmu ", results->pmu);
    const char *not_comparable = cm_results_not_comparable(results);
    if (not_comparable != NULL)
        return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, CM_DEFINITIONS_NOT_COMPARABLE, not_comparable);
    for (size_t i = 0; i < results->benchmark_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(results->benchmarks[i]->benchmark, results->benchmarks[j]->benchmark) == 0 &&
                strcmp(results->benchmarks[i]->core, results->benchmarks[j]->core) == 0)
                return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "benchmark '%.100s' appears twice",
                                    results->benchmarks[i]->benchmark);
    return CM_OK;
}

cm_status cm_definitions_from_results_create(const cm_results *results, cm_definitions **definitions, cm_error *error)
{
    cm_status status = check(results, error);
    if (status != CM_OK)
        return status;
    cm_definitions *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    copier copy = {.arena = &created->arena};
    const char *gpu = json_string_value(json_object_get(results->machine, "gpu"));
    const char *machine = gpu != NULL ? gpu : json_string_value(json_object_get(results->machine, "model_name"));
    char identity[CM_IDENTITY_SIZE];
    cm_definitions_identify(results->machine, identity);
    created->identity = copy_text(&copy, identity);
    created->architecture = copy_text(&copy, json_string_value(json_object_get(results->machine, "architecture")));
    created->pmu = copy_text(&copy, results->pmu);
    created->machine = copy_text(&copy, machine != NULL ? machine : "");
    created->cache_levels = results->cache_levels;
    created->by_paper = results->benchmark_count != 0 && results->benchmarks[0]->method == CM_METHOD_PAPER;
    created->core_count = results->part_count;
    created->cores = allocate(&copy, results->part_count, sizeof *created->cores);
    if (created->cores != NULL)
        memcpy(created->cores, results->cores, results->part_count * sizeof *created->cores);
    created->benchmarks = allocate(&copy, results->benchmark_count, sizeof *created->benchmarks);
    for (size_t i = 0; i < results->benchmark_count && created->benchmarks != NULL; i++)
        copy_benchmark(&copy, results->benchmarks[i], &created->benchmarks[created->benchmark_count++]);
    copy_sets(&copy, results->tried, created);
    if (copy.short_of_memory) {
        cm_definitions_free(created);
        return cm_error_no_memory(error);
    }
    *definitions = created;
    return CM_OK;
}
