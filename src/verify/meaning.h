/* Expressions over facts, evaluated on kernels. */
#ifndef CM_VERIFY_MEANING_H
#define CM_VERIFY_MEANING_H

#include "verify/fact_table.h"

/* Fills `weights` (cm_fact_count(), those of primitive facts) from a sum of multiples of facts, primitive or derived.
 * CM_BAD_INPUT with `file` if the text is no such sum. */
cm_status cm_meaning_parse(const cm_fact_table *table, const char *text, const char *file, double *weights,
                           cm_error *error);

/* Its value on a kernel; the range that the machine decides; its standard deviation by chance, in one iteration. */
typedef struct cm_meant {
    double value, range, chance;
} cm_meant;

/* Notes the number of the machine's cache levels (0: unknown): hits of further levels are elsewhere. */
void cm_meaning_set_levels(cm_fact_table *table, size_t levels);

cm_meant cm_meaning_on(const cm_fact_table *table, const double *weights, const cm_kernel_facts *kernel);

#endif
