/* Values of formulas for measured counts, as tables and trees. */
#ifndef CATMINT_EVALUATE_H
#define CATMINT_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_EVALUATE_TOLERANCE 0.01 /* counts of different runs of one program agree about as well as that */

typedef struct cm_evaluate_options {
    const char *formulas; /* file of formulas: metric,formula,unit,source[,parent][,of] */
    const char *counts;   /* table of counts: event,<run>,<run>,..., or the document catmint.count/1 */
    double tolerance;     /* by how much parts may miss their whole, relative to it; CM_EVALUATE_TOLERANCE */
} cm_evaluate_options;

/* The value of every formula for every run; what is got from it belongs to it. */
typedef struct cm_evaluation cm_evaluation;

/* Formulas and counts may spell events each their way (<catmint/names.h>); a name that is ambiguous among the counts is
 * CM_BAD_INPUT. So it is where a file is wrong; CM_IO where one cannot be read. */
CM_API cm_status cm_evaluation_create(const cm_evaluate_options *options, cm_evaluation **evaluation, cm_error *error);
CM_API void cm_evaluation_free(cm_evaluation *evaluation);
CM_API size_t cm_evaluation_metric_count(const cm_evaluation *evaluation);
CM_API size_t cm_evaluation_run_count(const cm_evaluation *evaluation);

/* Values that do not exist (an event is not among the counts, a division by zero), parts of a metric that miss their
 * whole, and fractions outside 0 to 1, in the order of the tree. */
CM_API size_t cm_evaluation_fault_count(const cm_evaluation *evaluation);
/* "METRIC, run RUN: ..." into `text`, of `size` bytes, cut off where it is longer; 512 are enough. Returns `text`. */
CM_API const char *cm_evaluation_fault(const cm_evaluation *evaluation, size_t index, char *text, size_t size);

/* A value that does not exist is "-" in the table, empty in CSV, null in JSON. CM_IO where the stream fails, with
 * errno's words. */
CM_API cm_status cm_evaluation_write(const cm_evaluation *evaluation, const cm_style *style, FILE *stream,
                                     cm_error *error);
/* The same into a file that is whole or as it was before. */
CM_API cm_status cm_evaluation_save(const cm_evaluation *evaluation, const cm_style *style, const char *path,
                                    cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
