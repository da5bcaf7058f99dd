/* The values of a file of formulas for a table of counts, and their faults. */
#ifndef CM_EVALUATE_EVALUATION_H
#define CM_EVALUATE_EVALUATION_H

#include <catmint/evaluate.h>

#include "formulas/formulas.h"
#include "tables/tables.h"

/* The reason why a cell has no value. */
typedef enum cm_cell_state { CM_CELL_VALUE, CM_CELL_MISSING, CM_CELL_DIVISION, CM_CELL_NOT_FINITE } cm_cell_state;

typedef struct cm_cell {
    double value;
    cm_cell_state state;
    const char *offending; /* the missing event, or the metric that divides by zero or overflows */
    const char *because;   /* why the event has no value among the counts; NULL: it is not among them */
} cm_cell;

typedef struct cm_value_fault {
    size_t metric;
    size_t run; /* CM_FORMULAS_NONE: every run */
    char text[256];
} cm_value_fault;

struct cm_evaluation {
    cm_formulas *set;
    cm_table *counts;    /* NULL: no counts, and no runs */
    const char *counted; /* the name of the counts in documents; NULL: their file's */
    cm_arena arena;
    size_t file_count;
    const char **files; /* the files of counts, if there are several */
    size_t run_count;
    cm_cell *cells; /* metric x run */
    size_t *rows;   /* metrics, in the order of the tree */
    size_t fault_count;
    cm_value_fault *faults;
};

/* ---- join.c ---- */

/* As cm_counts_table_load, but CM_BAD_INPUT if a count is negative. */
cm_status cm_counts_load_checked(const char *path, cm_table **table, cm_error *error);
/* Joins such tables: a row for each name, and the runs of each as columns, named as cm_counts_file says; NaN if a table
 * lacks a row. CM_BAD_INPUT if two runs have the same name. `summed` (NULL: none): formulas; the joined table has one
 * column, with the sum of each event and the largest value of each of their variables. CM_BAD_INPUT if a table has
 * several runs then. */
cm_status cm_counts_load_joined(const cm_counts_file *files, size_t count, const cm_formulas *summed, cm_table **table,
                                cm_error *error);

/* ---- faults.c ---- */

cm_status cm_evaluation_check(cm_evaluation *evaluation, double tolerance, cm_error *error);
/* The reason why the cell has no value; returns `text`. */
const char *cm_cell_reason(const cm_cell *cell, char *text, size_t size);

/* ---- values.c: values of formulas for display: evaluated now, or read from a document ---- */

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

struct cm_formula_values {
    cm_arena arena;
    const char *formulas; /* their file */
    size_t run_count;
    const char *const *runs;
    size_t leaf_count; /* of the tree; a metric with neither parent nor parts is not in it */
    size_t metric_count;
    cm_valued_metric *metrics; /* parents before their parts */
};

/* The same metrics, in the order of the tree. */
cm_status cm_formula_values_of(const cm_evaluation *evaluation, cm_formula_values **values, cm_error *error);
/* Whether any metric has parts, so that there is a tree. */
bool cm_formula_values_have_tree(const cm_formula_values *values);
/* The file of formulas without its directories. */
const char *cm_formula_values_title(const cm_formula_values *values);
/* The value as tables show it: fractions with three digits, "-" if there is none. */
enum { CM_VALUE_SIZE = 32 };
const char *cm_value_text(const cm_valued_metric *metric, double value, char text[CM_VALUE_SIZE]);

#endif
