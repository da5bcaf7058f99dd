/* Facts as the language of kernels: the lists of facts (bases/primitive-facts.csv, bases/derived-facts.csv), and the
 * facts of one iteration of each kernel (bases/facts.csv). */
#ifndef CM_VERIFY_FACT_TABLE_H
#define CM_VERIFY_FACT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef enum cm_fact_kind {
    CM_FACT_UNLISTED, /* in neither list */
    CM_FACT_COUNTED,
    CM_FACT_FREE, /* vendors disagree about it: measured, part of no meaning */
    CM_FACT_DERIVED,
} cm_fact_kind;

typedef struct cm_listed_fact {
    cm_fact_kind kind;
    double tolerance; /* of a primitive fact: largest error of an iteration, 0 or more */
    bool separate;    /* of a primitive fact: kernels must exercise it, and distinguish it from all others */
    char *subject;    /* of a primitive fact: "yes", or the benchmark or planned subject that separates it */
    bool elsewhere;   /* of a primitive fact: only other machines can have it */
    bool here;        /* of a primitive fact: the machine has the cache for it, be there a kernel that fits or not */
    bool lacking;     /* of a primitive fact: it is elsewhere because of an instruction set that is left out */
    char *words;      /* of a primitive fact */
    double *coefficients; /* of a derived fact: one a fact, those over primitive ones */
} cm_listed_fact;

typedef enum cm_kernel_role {
    CM_KERNEL_BASIS,   /* a row of the benchmark's basis */
    CM_KERNEL_CONTROL, /* not fitted, but its expected values are known */
    CM_KERNEL_FREE,    /* measures facts that vendors disagree about */
} cm_kernel_role;

/* The facts of one iteration; arrays of one value a fact, including derived ones. A fact is values +- ranges, which the
 * machine decides; chances is its standard deviation besides. */
typedef struct cm_kernel_facts {
    char *benchmark, *kernel;
    cm_kernel_role role;
    double *values, *chances, *ranges;
} cm_kernel_facts;

typedef struct cm_fact_table {
    char *file;               /* file of the kernels */
    const char *architecture; /* architecture of the kernels */
    size_t primitive_count;
    size_t *primitives; /* facts, in the order of their file */
    size_t derived_count;
    size_t *derived;       /* likewise */
    cm_listed_fact *facts; /* cm_fact_count() */
    size_t kernel_count, other_count;
    cm_kernel_facts *kernels; /* in the order of the file; then those that only other architectures have */
    double *none;             /* of every kernel without chances or ranges: 0 */
} cm_fact_table;

/* `path`: of the kernels' file, NULL for catmint's own of `architecture`, whose kernels were counted (NULL, or one
 * without kernels: this one); the lists of facts are found as data. CM_BAD_INPUT with file and line for an unknown,
 * derived or repeated fact, an expression that is no sum of multiples, a negative tolerance, chance or range, an
 * unknown role, or a repeated kernel. */
cm_status cm_fact_table_load(const char *path, const char *architecture, cm_fact_table **table, cm_error *error);
void cm_fact_table_free(cm_fact_table *table);

/* NULL if no architecture has one of that name. */
const cm_kernel_facts *cm_fact_table_find(const cm_fact_table *table, const char *benchmark, const char *kernel);

/* Leaves out instruction sets (bits as of cm_kernel): facts that only their kernels exercise become lacking, and
 * elsewhere. */
void cm_fact_table_leave_out(cm_fact_table *table, unsigned missing);
/* Whether the kernel (NULL: unknown) has a lacking fact. */
bool cm_fact_table_is_lacking(const cm_fact_table *table, const cm_kernel_facts *kernel);

/* Largest error of a fact an iteration, measured as the difference of two runs; `iterations`: those of the shorter run,
 * a quarter of the longer one's or more. */
double cm_fact_allowance(const cm_fact_table *table, const cm_kernel_facts *kernel, size_t fact, double iterations);

#endif
