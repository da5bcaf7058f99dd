/* A document filled from results in memory: it points to these, and to an arena. */
#ifndef CM_RESULT_FILL_H
#define CM_RESULT_FILL_H

#include "discovery/benchmark_result.h"
#include "discovery/results.h"
#include "discovery/together.h"
#include "result/result.h"

/* Where memory is short for a part, `short_of_memory` is set, and what was to be filled stays NULL. */
typedef struct cm_filler {
    cm_arena *arena;
    bool short_of_memory;
} cm_filler;

/* Zeros. */
void *cm_filler_allocate(cm_filler *filler, size_t count, size_t size);
const char *cm_filler_print(cm_filler *filler, const char *format, ...) CM_PRINTF(2, 3);
/* Of words that were made for it, and are freed. */
const char *cm_filler_take(cm_filler *filler, char *words);

/* ---- fill.c ---- */

extern const cm_field_stream cm_benchmark_stream, cm_event_stream, cm_metric_stream;

/* All but what the streams make. */
cm_status cm_fill_document(const cm_results *results, cm_arena *arena, cm_definitions *definitions, cm_error *error);

/* ---- fill_metric.c ---- */

void cm_fill_metric(const cm_benchmark_result *result, size_t metric, cm_filler *filler, cm_defined_metric *filled);
/* Why the metric has no definition that holds, with figures; NULL text where it has one, or by the paper's method. */
char *cm_refusal_text(const cm_benchmark_result *result, size_t metric, char *text, size_t size);
/* NULL where it was held against none. */
const cm_defined_trial *cm_fill_trial(const cm_validation *validation, cm_filler *filler);
/* The first of a list of them, the least noisy ones. */
const cm_defined_equivalent *cm_fill_equivalents(const cm_benchmark_result *result, const cm_equivalent *list,
                                                 size_t *count, cm_filler *filler);
/* What may stand in for a term of the metric's fit. */
void cm_fill_term_equivalents(const cm_benchmark_result *result, size_t metric, size_t term, cm_filler *filler,
                              cm_defined_term *filled);
/* What is known of whether events can be counted together. */
void cm_fill_together(const cm_benchmark_result *result, const cm_event_group *group, cm_filler *filler,
                      cm_defined_metric *filled);

/* ---- fill_law.c ---- */

/* What the law says of a definition, and what it does not tell from it. `usable`: nothing refuted it. */
void cm_fill_law(const cm_benchmark_result *result, const cm_doubts *doubts, bool usable, size_t more,
                 cm_filler *filler, cm_defined_metric *filled);
/* What is not told from it: facts first, then where facts meet, then what nearly goes together. With room for `more`.
 */
void cm_fill_confounded(const cm_counted_law *law, const cm_doubts *doubts, size_t more, cm_filler *filler,
                        cm_defined_metric *filled);
/* Shares of facts that the metric must be for the definition to hold: all of them. */
void cm_fill_ranges(const cm_counted_law *law, const cm_doubts *doubts, cm_filler *filler, cm_defined_metric *filled);

#endif
