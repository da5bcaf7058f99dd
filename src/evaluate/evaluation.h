/* The values of a file of formulas for a table of counts, and what is wrong with them. */
#ifndef CM_EVALUATE_EVALUATION_H
#define CM_EVALUATE_EVALUATION_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/evaluate.h>

#include "core/arena.h"
#include "formulas/formulas.h"
#include "tables/table.h"

/* Why a cell has no value. */
typedef enum cm_cell_state { CM_CELL_VALUE, CM_CELL_MISSING, CM_CELL_DIVISION, CM_CELL_NOT_FINITE } cm_cell_state;

typedef struct cm_cell {
    double value;
    cm_cell_state state;
    const char *offending; /* the event that is missing, the metric that divides by zero or overflows */
} cm_cell;

typedef struct cm_value_fault {
    size_t metric;
    size_t run; /* CM_FORMULAS_NONE: every run */
    char text[256];
} cm_value_fault;

struct cm_evaluation {
    cm_formulas *set;
    cm_table *counts; /* NULL: there are none, nor runs */
    cm_arena arena;
    size_t file_count;
    const char **files; /* that the counts are from, where several were given */
    size_t run_count;
    cm_cell *cells; /* metric x run */
    size_t *rows;   /* metrics in the order of the tree */
    size_t fault_count;
    cm_value_fault *faults;
};

/* ---- join.c ---- */

/* As cm_counts_table_load, of which no count is negative. */
cm_status cm_counts_load_checked(const char *path, cm_table **table, cm_error *error);
/* Such tables as one: a row for each name, the runs of each as columns, named as cm_counts_file says; NaN where a table
 * lacks a row. CM_BAD_INPUT where two runs have one name. */
cm_status cm_counts_load_joined(const cm_counts_file *files, size_t count, cm_table **table, cm_error *error);

/* ---- faults.c ---- */

cm_status cm_evaluation_check(cm_evaluation *evaluation, double tolerance, cm_error *error);
/* Why the cell has no value; returns `text`. */
const char *cm_cell_reason(const cm_cell *cell, char *text, size_t size);

#endif
