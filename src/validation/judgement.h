/* The judgement of programs on the definitions that are built of a metric. */
#ifndef CM_VALIDATION_JUDGEMENT_H
#define CM_VALIDATION_JUDGEMENT_H

#include "analysis/state.h"
#include "discovery/results.h"
#include "validation/validation.h"

/* The terms of the metric's definition. */
cm_event_sum cm_definition_sum(const cm_benchmark_result *result, size_t metric);

/* The definition alone. */
cm_status cm_judge_definition(const cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                              cm_validation *validation, cm_error *error);

/* The definition, not composable if refuted, and the equivalents of its terms and alternatives, which are gone. */
cm_status cm_judge_metric(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error);

/* How far a definition of the metric is off on each program, relative; NaN if that says nothing. */
cm_status cm_deviations_of(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                           const cm_program_table *table, double *deviations, cm_error *error);

/* ---- evidence_programs.c ---- */

/* Programs that are `chosen` become controls of all metrics. */
cm_status cm_evidence_add_programs(cm_evidence *evidence, const cm_program_table *table, const bool *chosen,
                                   cm_error *error);

#endif
