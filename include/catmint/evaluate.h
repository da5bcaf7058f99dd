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
enum { CM_EVALUATE_MOST_DRAWN = 64 };

/* One of several tables of counts. */
typedef struct cm_counts_file {
    const char *name; /* of its runs: of a table with one run its name, else "NAME RUN"; NULL: the file's own name,
                         without folders and what follows its last dot */
    const char *path;
} cm_counts_file;

typedef struct cm_evaluate_options {
    const char *formulas; /* file of formulas: metric,formula,unit,source[,parent][,of] */
    const char *counts;   /* table of counts: event,<run>,<run>,..., or the document catmint.count/1 */
    double tolerance;     /* by how much parts may miss their whole, relative to it; CM_EVALUATE_TOLERANCE */
    size_t file_count;
    const cm_counts_file *files; /* instead of `counts`: the runs of several tables side by side, in this order. What
                                    one of them does not count has no value there */
    bool hierarchy;              /* without counts: the hierarchy alone, which has no runs, to be drawn */
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

/* A value that does not exist is "-" in the table, empty in CSV, null in JSON. As SVG the hierarchy is drawn, once a
 * run: CM_BAD_ARGUMENT where no formula has a parent, or there are more than CM_EVALUATE_MOST_DRAWN runs; and for a
 * hierarchy alone in any other format. CM_IO where the stream fails, with errno's words. */
CM_API cm_status cm_evaluation_write(const cm_evaluation *evaluation, const cm_style *style, FILE *stream,
                                     cm_error *error);
/* The same into a file that is whole or as it was before. */
CM_API cm_status cm_evaluation_save(const cm_evaluation *evaluation, const cm_style *style, const char *path,
                                    cm_error *error);

/* What was evaluated, read back from JSON with the schema catmint.evaluate/1, to be shown in a page. */
typedef struct cm_values cm_values;

/* CM_IO where the file cannot be read, CM_BAD_INPUT where it is no such document. */
CM_API cm_status cm_values_load(const char *path, cm_values **values, cm_error *error);
CM_API void cm_values_free(cm_values *values);

#ifdef __cplusplus
}
#endif
#endif
