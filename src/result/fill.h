/* A document filled from results in memory; it points into these and into an arena. */
#ifndef CM_RESULT_FILL_H
#define CM_RESULT_FILL_H

#include "discovery/results.h"
#include "result/result.h"

/* If memory runs out for a part, `short_of_memory` is set and the part stays NULL. */
typedef struct cm_filler {
    cm_arena *arena;
    bool short_of_memory;
} cm_filler;

/* Zeroed memory. */
void *cm_filler_allocate(cm_filler *filler, size_t count, size_t size);
const char *cm_filler_print(cm_filler *filler, const char *format, ...) CM_PRINTF(2, 3);
/* Copies `words` and frees them. */
const char *cm_filler_take(cm_filler *filler, char *words);

/* ---- fill.c ---- */

extern const cm_field_stream cm_benchmark_stream, cm_event_stream, cm_metric_stream;

/* Fills everything except the items of streams. */
cm_status cm_fill_document(const cm_results *results, cm_arena *arena, cm_definitions *definitions, cm_error *error);

/* ---- fill_metric.c ---- */

void cm_fill_metric(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled);
/* Why the metric has no definition that holds, with figures; the text is NULL if it has one, or is defined by the
 * paper's method. */
char *cm_refusal_text(const cm_benchmark_result *result, size_t metric, char *text, size_t size);
/* NULL if programs did not judge it. */
const cm_defined_trial *cm_fill_trial(const cm_validation *validation, cm_filler *filler);
/* The least noisy ones of a list. */
const cm_defined_equivalent *cm_fill_equivalents(const cm_benchmark_result *result, const cm_equivalent_event *list,
                                                 size_t *count, cm_filler *filler);
/* Fills the events that may replace a term of the metric's fit. */
void cm_fill_term_equivalents(const cm_benchmark_result *result, size_t metric, size_t term, cm_filler *filler,
                              cm_defined_term *filled);
/* Fills whether the events can be counted together, if known. */
void cm_fill_together(const cm_benchmark_result *result, const cm_event_group *group, cm_filler *filler,
                      cm_defined_metric *filled);

/* ---- fill_law.c ---- */

/* Fills the verdict of the law on a definition, and the facts that it does not separate from the metric. `usable`:
 * nothing refuted the definition. */
void cm_fill_law(const cm_benchmark_result *result, const cm_open_questions *questions, bool usable, size_t more,
                 cm_filler *filler, cm_defined_metric *filled);
/* Fills the alternatives that the kernels do not separate from the metric: facts first, then combinations of two facts,
 * then near-proportional ones. Reserves space for `more`. */
void cm_fill_confounded(const cm_counted_law *law, const cm_open_questions *questions, size_t more, cm_filler *filler,
                        cm_defined_metric *filled);
/* Fills the ranges in which the definition holds: shares that the metric must have of other facts, all of them. */
void cm_fill_ranges(const cm_counted_law *law, const cm_open_questions *questions, cm_filler *filler,
                    cm_defined_metric *filled);

#endif
