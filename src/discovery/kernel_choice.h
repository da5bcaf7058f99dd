/* Which columns of a table are fitted, and which are controls. */
#ifndef CM_DISCOVERY_KERNEL_CHOICE_H
#define CM_DISCOVERY_KERNEL_CHOICE_H

#include <catmint/results.h>
#include <catmint/tables.h>

#include "verify/fact_table.h"

enum { CM_NO_COLUMN = -1 };

typedef struct cm_kernel_choice {
    size_t count;
    size_t *columns;  /* of the table */
    char **names;     /* the table's */
    ptrdiff_t *quiet; /* columns of what was counted for as long while nothing ran, CM_NO_COLUMN: none */
    ptrdiff_t empty;  /* column of the kernel that does nothing, CM_NO_COLUMN: none, or not to be taken off */
    bool rough;       /* caches are measured: runs that a neighbour disturbed say nothing of stray counts */
} cm_kernel_choice;

/* Of a benchmark's own table: its kernels but for controls, of which the basis has no row. A kernel that is neither in
 * the basis nor a control, of the benchmark (facts of the architecture) or of the request, is chosen, too: the basis
 * says that it lacks it. Or it is left out and named, where the request says so. Clear also after a failure; the table
 * must live as long as the choice. */
cm_status cm_kernel_choice_make(const char *benchmark, const cm_benchmark_request *request,
                                const cm_measurements *table, const cm_basis *basis, cm_kernel_choice *choice,
                                cm_error *error);
/* Adds the table's kernels that the caller's own controls have and the basis has not. */
void cm_kernel_choice_add_own(const cm_basis *controls, const cm_measurements *table, const cm_basis *basis,
                              cm_kernel_choice *choice);
/* Finds the empty kernel, whose counts are then taken from all others'. */
void cm_kernel_choice_find_empty(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                 cm_kernel_choice *choice);
/* Of any benchmark's table: the kernels that control definitions, and the empty one. Rows of `basis` (may be NULL) are
 * none, nor are kernels for facts that vendors disagree about, or whose facts are not known. */
cm_status cm_kernel_choice_controls(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                    const cm_basis *basis, cm_kernel_choice *choice, cm_error *error);
/* Likewise: the kernels for facts that vendors disagree about. */
cm_status cm_kernel_choice_free(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                cm_kernel_choice *choice, cm_error *error);
void cm_kernel_choice_clear(cm_kernel_choice *choice);

#endif
