/* Values of formulas for measured counts, as tables and trees. */
#ifndef CATMINT_EVALUATE_H
#define CATMINT_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_evaluate_format { CM_EVALUATE_TABLE, CM_EVALUATE_CSV, CM_EVALUATE_JSON } cm_evaluate_format;

/* Called once a fault, in the order of the tree: "METRIC, run RUN: ..."; `text` lives until it returns. */
typedef void (*cm_evaluate_note)(const char *text, void *data);

typedef struct cm_evaluate_options {
    const char *formulas; /* file of formulas: metric,formula,unit,source[,parent][,of] */
    const char *counts;   /* table of counts: event,<run>,<run>,... */
    double tolerance;     /* by how much parts may miss their whole, relative to it; CM_EVALUATE_TOLERANCE */
    cm_evaluate_format format;
    size_t width;          /* of the table, in columns; 0: no limit */
    bool colour;           /* shade fractions in the table */
    cm_evaluate_note note; /* may be NULL */
    void *note_data;
} cm_evaluate_options;

#define CM_EVALUATE_TOLERANCE 0.01 /* counts of different runs of one program agree about as well as that */

typedef struct cm_evaluate_summary {
    size_t metrics, runs;
    size_t faults; /* values that do not exist, parts that do not add up, fractions outside 0 to 1 */
} cm_evaluate_summary;

/* Evaluates every formula for every run and writes that to `stream`. A value that does not exist (an event is not among
 * the counts, a division by zero) is "-", empty or null, and a fault; so are the parts of a metric that miss their
 * whole and fractions outside 0 to 1. Formulas and counts may spell events each their way (<catmint/names.h>); a name
 * that is ambiguous among the counts is CM_BAD_INPUT. So it is where a file is wrong; CM_IO where the stream fails.
 * `summary` may be NULL. */
CM_API cm_status cm_evaluate(const cm_evaluate_options *options, FILE *stream, cm_evaluate_summary *summary,
                             cm_error *error);

/* The same into a file that is whole or as it was before. CM_IO where `path` cannot be written. */
CM_API cm_status cm_evaluate_save(const cm_evaluate_options *options, const char *path, cm_evaluate_summary *summary,
                                  cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
