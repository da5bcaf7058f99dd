/* Values of formulas for display: evaluated now, or read from a document. */
#ifndef CM_EVALUATE_VALUES_H
#define CM_EVALUATE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/evaluate.h>

#include "core/arena.h"
#include "evaluate/evaluation.h"

typedef struct cm_valued_metric {
    const char *metric, *unit;
    const char *parent, *of; /* NULL: none */
    double depth;
    size_t above; /* its parent, CM_FORMULAS_NONE: none */
    size_t parts; /* number of metrics whose parent it is */
    double row;   /* in a drawing of the tree: leaves are 0, 1, 2, ..., parents are in the middle of their parts */
    double first_row, last_row; /* of its parts */
    const double *values;       /* one a run; NaN: there is none */
    const char *const *reasons; /* one a run: why there is no value; "" if there is one */
} cm_valued_metric;

struct cm_values {
    cm_arena arena;
    const char *formulas; /* their file */
    size_t run_count;
    const char *const *runs;
    size_t leaf_count; /* of the tree; a metric with neither parent nor parts is not in it */
    size_t metric_count;
    cm_valued_metric *metrics; /* parents before their parts */
};

/* The same metrics, in the order of the tree. */
cm_status cm_values_of(const cm_evaluation *evaluation, cm_values **values, cm_error *error);
/* Whether any metric has parts, so that there is a tree. */
bool cm_values_have_tree(const cm_values *values);
/* The file of formulas without its directories. */
const char *cm_values_title(const cm_values *values);
/* As in tables: fractions with three digits; "-" if there is no value. */
enum { CM_VALUE_SIZE = 32 };
const char *cm_value_text(const cm_valued_metric *metric, double value, char text[CM_VALUE_SIZE]);

#endif
