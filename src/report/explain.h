/* What the analysis knows of one event or one metric, as JSON; the text for people is made of that. */
#ifndef CM_REPORT_EXPLAIN_H
#define CM_REPORT_EXPLAIN_H

#include <jansson.h>

#include "discovery/benchmark_result.h"
#include "report/page.h"
#include "tables/symbol_words.h"

/* `words` says what symbols count; it may be NULL, and need not have them. */
json_t *cm_explain_event(const cm_benchmark_result *result, size_t index, const cm_symbol_words *words);
json_t *cm_explain_metric(const cm_benchmark_result *result, size_t metric, const cm_symbol_words *words);

/* ---- explain_controls.c ---- */

/* The control kernels on which an event counts something, and how many there are; null where nobody has looked. */
json_t *cm_explain_on_controls(const cm_benchmark_result *result, size_t event);
/* Metrics that the event alone is by its symbols, and why it is refused as these all the same; of a control that says
 * so what it counts there. */
json_t *cm_explain_refuted(const cm_benchmark_result *result, size_t event);

/* All that was asked for, in every benchmark that has it, as an array. */
cm_status cm_explain_find(const cm_results *results, const cm_question *question, json_t **found, cm_error *error);

/* ---- explain_text.c ---- */

/* Either of them as text. */
void cm_explain_put_event(const json_t *json, const cm_page *page);
void cm_explain_put_metric(const json_t *json, const cm_page *page);

#endif
