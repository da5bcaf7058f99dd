/* Which columns of a table are fitted: those of its kernels but for controls, of which the basis has no row. */
#ifndef CM_DISCOVERY_KERNEL_CHOICE_H
#define CM_DISCOVERY_KERNEL_CHOICE_H

#include <catmint/tables.h>

typedef struct cm_kernel_choice {
    size_t count;
    size_t *columns; /* of the table */
    char **names;    /* the table's */
} cm_kernel_choice;

/* A kernel that is neither in the basis nor a control of the benchmark (bases/facts.csv) is chosen, too: the basis says
 * that it lacks it. Clear also after a failure; the table must live as long as the choice. */
cm_status cm_kernel_choice_make(const char *benchmark, const cm_measurements *table, const cm_basis *basis,
                                cm_kernel_choice *choice, cm_error *error);
void cm_kernel_choice_clear(cm_kernel_choice *choice);

#endif
