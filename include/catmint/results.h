/* Results: what the analysis of measurements yields, and its two forms: a table for people, JSON for programs. */
#ifndef CATMINT_RESULTS_H
#define CATMINT_RESULTS_H

#include <stdio.h>

#include <catmint/analysis.h>
#include <catmint/error.h>
#include <catmint/tables.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One benchmark, analysed. The owner of everything it points to. */
typedef struct cm_benchmark_result cm_benchmark_result;

/* Brings a measurement table, a basis and signatures together: counts per iteration, medians over threads, events,
 * selection, and a fit for each metric. `unavailable`: events that could not be counted, for the record. The tables may
 * be freed afterwards. CM_BAD_INPUT names the measurement's file where it does not fit the basis. */
CM_EXPORT cm_status cm_benchmark_result_create(const char *benchmark, const cm_measurements *measurements,
                                               const cm_basis *basis, const cm_signatures *signatures,
                                               const cm_thresholds *thresholds, size_t unavailable,
                                               cm_benchmark_result **result, cm_error *error);
CM_EXPORT void cm_benchmark_result_free(cm_benchmark_result *result);
/* The analysis behind it, for statuses, representations and selection. */
CM_EXPORT const cm_analysis *cm_benchmark_result_analysis(const cm_benchmark_result *result);
CM_EXPORT size_t cm_benchmark_result_metric_count(const cm_benchmark_result *result);
CM_EXPORT const char *cm_benchmark_result_metric_name(const cm_benchmark_result *result, size_t metric);
/* NULL where nothing of the metric is left on this machine. */
CM_EXPORT const cm_fit *cm_benchmark_result_fit(const cm_benchmark_result *result, size_t metric);

#ifdef __cplusplus
}
#endif
#endif
