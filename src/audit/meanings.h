/* The meanings of metrics as sums over facts: those of signatures/, and those of data/meanings.csv. */
#ifndef CM_AUDIT_MEANINGS_H
#define CM_AUDIT_MEANINGS_H

#include <catmint/error.h>

#include "core/arena.h"
#include "verify/fact_table.h"

typedef struct cm_meaning {
    const char *metric, *preset; /* preset "": none */
    double *coefficients;        /* one a fact, those of primitive ones */
    double smallest;             /* of their sizes that are not 0 */
    double settled;              /* by how much caches and predictors settle elsewhere */
} cm_meaning;

typedef struct cm_meanings {
    cm_arena arena;
    size_t count;
    cm_meaning *items;
} cm_meanings;

/* Reads data/meanings.csv. */
cm_status cm_meanings_load(const cm_fact_table *facts, cm_meanings *meanings, cm_error *error);
/* Adds one; nothing if the text is empty, or there is one of that name. CM_BAD_INPUT if the text is no sum of
 * multiples of facts; file and line are for that. */
cm_status cm_meanings_add(cm_meanings *meanings, const cm_fact_table *facts, const char *metric, const char *preset,
                          const char *text, const char *file, size_t line, cm_error *error);
void cm_meanings_clear(cm_meanings *meanings);

/* By the exact name, else by any spelling of name or preset; NULL: there is none. */
const cm_meaning *cm_meanings_find(const cm_meanings *meanings, const char *name);

/* The metric's value on a kernel, and how much more or less it may be: by the machine's choice, by the state
 * that caches settle in, and by chance in `iterations`, 4 standard deviations. */
double cm_meaning_value(const cm_meaning *meaning, const cm_kernel_facts *kernel, double iterations, double *allowed);

#endif
