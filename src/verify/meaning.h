/* Expressions over facts, evaluated on what kernels do. */
#ifndef CM_VERIFY_MEANING_H
#define CM_VERIFY_MEANING_H

#include "verify/fact_table.h"

/* Fills `weights` (cm_fact_count(), those of primitive facts) from a sum of multiples of facts, derived ones among
 * them. CM_BAD_INPUT with `file` where the text is none. */
cm_status cm_meaning_parse(const cm_fact_table *table, const char *text, const char *file, double *weights,
                           cm_error *error);

/* What it is on a kernel; by how much that may be more or less, as the machine decides; its standard deviation by
 * chance, of one iteration. */
typedef struct cm_meant {
    double value, range, chance;
} cm_meant;

/* Notes how many levels of caches the machine has (0: unknown): hits of later ones are elsewhere. */
void cm_meaning_set_levels(cm_fact_table *table, size_t levels);

cm_meant cm_meaning_on(const cm_fact_table *table, const double *weights, const cm_kernel_facts *kernel);

#endif
