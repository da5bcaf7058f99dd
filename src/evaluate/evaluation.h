/* The values of a file of formulas for a table of counts, and their faults. */
#ifndef CM_EVALUATE_EVALUATION_H
#define CM_EVALUATE_EVALUATION_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/evaluate.h>

#include "core/arena.h"
#include "formulas/formulas.h"
#include "tables/table.h"

/* The reason why a cell has no value. */
typedef enum cm_cell_state { CM_CELL_VALUE, CM_CELL_MISSING, CM_CELL_DIVISION, CM_CELL_NOT_FINITE } cm_cell_state;

typedef struct cm_cell {
    double value;
    cm_cell_state state;
    const char *offending; /* the missing event, or the metric that divides by zero or overflows */
} cm_cell;

typedef struct cm_value_fault {
    size_t metric;
    size_t run; /* CM_FORMULAS_NONE: every run */
    char text[256];
} cm_value_fault;

struct cm_evaluation {
    cm_formulas *set;
    cm_table *counts; /* NULL: no counts, and no runs */
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
 * lacks a row. CM_BAD_INPUT if two runs have the same name. */
cm_status cm_counts_load_joined(const cm_counts_file *files, size_t count, cm_table **table, cm_error *error);

/* ---- faults.c ---- */

cm_status cm_evaluation_check(cm_evaluation *evaluation, double tolerance, cm_error *error);
/* The reason why the cell has no value; returns `text`. */
const char *cm_cell_reason(const cm_cell *cell, char *text, size_t size);

#endif
