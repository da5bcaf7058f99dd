/* Rows that formulas are evaluated on: counts and facts of the kernels or programs that ran. A group of rows has one
 * list of events: the kernels of a benchmark. Programs of known facts would be a group of their own. */
#ifndef CM_AUDIT_ROWS_H
#define CM_AUDIT_ROWS_H

#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/names.h>
#include <catmint/tables.h>

#include "core/base.h"
#include "verify/verify.h"

typedef struct cm_row_event {
    cm_event_status status;
    const double *counts;    /* an iteration, one a row; NaN: not known there; NULL: nowhere */
    const double *uncertain; /* by how much they may be off; NULL: by nothing */
    double shift;            /* ... and by how much of themselves, in all repetitions alike */
    bool exact;              /* repetitions agree, count by count */
    const char *happens_in; /* a benchmark of the sweep on a kernel of which it counts, one of no row too; NULL: none */
} cm_row_event;

typedef struct cm_row_group {
    const char *name;
    const cm_event_names *names; /* of the events */
    size_t event_count;
    const char *const *events;
    cm_row_event *counted;
    size_t row_count;
    const char *const *rows;
    const cm_kernel_facts **facts; /* one a row; NULL: not known */
    /* Likewise for metrics of facts that no table lists, with what the machine decided; NULL: none was asked for. */
    const cm_kernel_facts **decided;
    const bool *skipped; /* one a row: it needs facts that the processor of the formulas lacks */
    size_t symbol_count;
    const double **does;      /* one a row: the symbols of an iteration, by the basis; NULL: not known */
    double tolerance;         /* a value may be off by so much of itself */
    size_t control;           /* the first of the rows that definitions were held to and not fitted on */
    double control_tolerance; /* there, as definitions may */
    double control_floor;     /* ... of the smallest weight at least */
    double iterations;        /* of a row at least, for facts that chance decides */
    double overhead;          /* the most that starting and stopping add to an iteration, of each fact */
} cm_row_group;

/* Tables of the caller's own that the results were made with; NULL: they were made with ours, or without controls. */
typedef struct cm_own_tables {
    const char *basis, *controls;
} cm_own_tables;

/* The kernels of a benchmark of the results, whose events `names` has in their order. Unknown members stay NULL. All
 * belongs to the arena, facts and definitions. */
cm_status cm_row_group_of_benchmark(const cm_definitions *definitions, size_t benchmark, cm_own_tables own,
                                    const cm_fact_table *facts, const cm_event_names *names, cm_arena *arena,
                                    cm_row_group *group, cm_error *error);

/* Whether the event counts more than `least`, and than its uncertainty, on a row from `first` on. */
bool cm_row_group_counts(const cm_row_group *group, size_t event, size_t first, double least);

/* Finds the rows to be skipped, into the arena. */
cm_status cm_row_group_skip(cm_row_group *group, const cm_fact_table *facts, cm_arena *arena, cm_error *error);

/* ---- programs ---- */

/* Validation programs as rows: formulas are held against them, too, because nothing was fitted to them. */

typedef struct cm_audit_programs {
    cm_row_group rows;
    struct cm_program_table *table;
    cm_event_names *names;
    cm_arena arena;
} cm_audit_programs;

/* Loads the programs of a sweep's validation; *programs stays NULL if there is none, or `against` is a file.
 * Programs that need missing facts are skipped. */
cm_status cm_audit_programs_load(const char *against, const cm_fact_table *facts, cm_audit_programs **programs,
                                 cm_error *error);
void cm_audit_programs_free(cm_audit_programs *programs);

#endif
