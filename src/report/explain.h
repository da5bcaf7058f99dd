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

/* ---- explain_text.c ---- */

/* Either of them as text. */
void cm_explain_put_event(const json_t *json, const cm_page *page);
void cm_explain_put_metric(const json_t *json, const cm_page *page);

#endif
