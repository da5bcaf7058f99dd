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

#define CM_EVALUATE_TOLERANCE 0.01 /* counts of different runs of one program agree about that well */
enum { CM_EVALUATE_MOST_DRAWN = 64 };

/* One of several tables of counts. */
typedef struct cm_counts_file {
    const char *name; /* name of its runs: a table with one run has this name, else "NAME RUN"; NULL: the file's own
                       * name, without directories and extension */
    const char *path;
} cm_counts_file;

typedef struct cm_evaluate_options {
    size_t size;          /* of this structure */
    const char *formulas; /* file of formulas: metric,formula,unit,source[,parent][,of] */
    const char *counts;   /* table of counts: event,<run>,<run>,..., or the document catmint.count/1 */
    double tolerance;     /* largest difference between parts and their whole, relative to it; CM_EVALUATE_TOLERANCE */
    size_t file_count;
    const cm_counts_file *files; /* instead of `counts`: the runs of several tables side by side, in this order. Events
                                  * that one of them does not count have no value there */
    bool hierarchy;              /* draws the hierarchy alone, without counts and runs */
    bool sum;            /* with `files`, of one run each: one run instead, "sum", of the processes of a program.
                          * Events are added; of a variable, such as seconds, the largest value is taken */
    const char *counted; /* the name of `counts` in documents, must outlive the evaluation; NULL: its path */
} cm_evaluate_options;
CM_OPTIONS_DEFAULT(cm_evaluate_options)

/* The value of every formula for every run; pointers from its accessors belong to it. */
typedef struct cm_evaluation cm_evaluation;

/* Formulas and counts may spell events each their way (<catmint/names.h>). CM_BAD_INPUT if a name is ambiguous among
 * the counts or a file is wrong; CM_IO if one cannot be read. */
CM_API cm_status cm_evaluation_create(const cm_evaluate_options *options, cm_evaluation **evaluation, cm_error *error);
CM_API void cm_evaluation_free(cm_evaluation *evaluation);
CM_API size_t cm_evaluation_metric_count(const cm_evaluation *evaluation);
CM_API size_t cm_evaluation_run_count(const cm_evaluation *evaluation);

/* Missing values (an event is not among the counts, a division by zero), parts of a metric that miss their whole, and
 * fractions outside 0 to 1, in the order of the tree. */
CM_API size_t cm_evaluation_fault_count(const cm_evaluation *evaluation);
/* Writes "METRIC, run RUN: ..." into `text`, of `size` bytes, cut off if it is longer; 512 suffice. Returns `text`. */
CM_API const char *cm_evaluation_fault(const cm_evaluation *evaluation, size_t index, char *text, size_t size);

/* A missing value is "-" in the table, empty in CSV, null in JSON. SVG shows the hierarchy, once a run. CM_BAD_ARGUMENT
 * for SVG if no formula has a parent, or there are more than CM_EVALUATE_MOST_DRAWN runs, and for a hierarchy alone in
 * any other format. CM_IO if the stream fails, with errno's words. */
CM_API cm_status cm_evaluation_write(const cm_evaluation *evaluation, const cm_output_style *style, FILE *stream,
                                     cm_error *error);
/* Writes the same into a file, which is whole, or as it was before. */
CM_API cm_status cm_evaluation_save(const cm_evaluation *evaluation, const cm_output_style *style, const char *path,
                                    cm_error *error);

/* Evaluated values, read back from JSON with the schema catmint.evaluate/1, for a page. */
typedef struct cm_formula_values cm_formula_values;

/* CM_IO if the file cannot be read, CM_BAD_INPUT if it is no such document. */
CM_API cm_status cm_formula_values_load(const char *path, cm_formula_values **values, cm_error *error);
CM_API void cm_formula_values_free(cm_formula_values *values);

#ifdef __cplusplus
}
#endif
#endif
