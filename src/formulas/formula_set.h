/* A file of formulas: metric,formula,unit,source[,parent][,of]. docs/formats.md says what the columns mean. */
#ifndef CM_FORMULAS_FORMULA_SET_H
#define CM_FORMULAS_FORMULA_SET_H

#include <stddef.h>

#include <catmint/error.h>

#include "core/name_index.h"
#include "formulas/expression.h"

enum {
    CM_FORMULAS_MOST = 4096, /* metrics in one file */
    CM_FORMULAS_DEPTH = 64,  /* levels of a hierarchy */
};
#define CM_FORMULAS_NONE ((size_t)-1)

typedef struct cm_formula {
    char *metric, *formula, *unit, *source;
    char *parent_name, *of_name; /* "" where there is none */
    size_t parent;               /* a metric, CM_FORMULAS_NONE: none */
    size_t of;                   /* an index of a value, CM_FORMULAS_NONE: it is no fraction */
    size_t depth;                /* 0 without a parent */
    size_t line;
    cm_expression *expression; /* over indices of values */
} cm_formula;

/* The value of metric i has index i, that of event j index metric_count + j. A name is a metric where the file defines
 * it, else an event. */
typedef struct cm_formula_set {
    char *file;
    size_t metric_count;
    cm_formula *metrics; /* in the order of the file */
    size_t *order;       /* all metrics, each behind those that its formula uses */
    size_t event_count;
    char **events; /* in the order of their first appearance */
    cm_name_index *names;
} cm_formula_set;

/* CM_BAD_INPUT also where a metric appears twice, formulas or parents go round in a circle, `parent` is no metric, `of`
 * neither a metric nor an event of a formula, or where the parts of one metric are fractions of different things. */
cm_status cm_formula_set_load(const char *path, cm_formula_set **set, cm_error *error);
void cm_formula_set_free(cm_formula_set *set);

const char *cm_formula_set_name(const cm_formula_set *set, size_t value);

/* ---- formula_tree.c: the second half of loading ---- */

cm_status cm_formula_set_link(cm_formula_set *set, cm_error *error);

#endif
