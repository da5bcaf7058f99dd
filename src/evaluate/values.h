/* Values of formulas as they are shown: those just evaluated, or those of a document. */
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
    size_t above;               /* the metric that is its parent, CM_FORMULAS_NONE: none */
    size_t parts;               /* metrics whose parent it is */
    double row;                 /* in a drawing of the tree: leaves are 0, 1, 2, ..., parents amid their parts */
    double first_row, last_row; /* of its parts */
    const double *values;       /* one a run; NaN: there is none */
    const char *const *reasons; /* one a run: why there is no value, "" where there is one */
} cm_valued_metric;

struct cm_values {
    cm_arena arena;
    const char *formulas; /* their file */
    size_t run_count;
    const char *const *runs;
    size_t leaf_count; /* of the tree; what has neither parent nor parts is no part of it */
    size_t metric_count;
    cm_valued_metric *metrics; /* parents before their parts */
};

/* The same metrics, in the order of the tree. */
cm_status cm_values_of(const cm_evaluation *evaluation, cm_values **values, cm_error *error);
/* Whether a metric has a part, so that there is a tree. */
bool cm_values_have_tree(const cm_values *values);
/* The file of formulas without its folders. */
const char *cm_values_title(const cm_values *values);
/* As in tables: fractions with three digits; "-" where there is none. */
enum { CM_VALUE_SIZE = 32 };
const char *cm_value_text(const cm_valued_metric *metric, double value, char text[CM_VALUE_SIZE]);

#endif
