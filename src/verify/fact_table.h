/* Facts as the language of kernels: which facts there are (bases/primitive-facts.csv, bases/derived-facts.csv), and
 * what one iteration of each kernel does in them (bases/facts.csv). */
#ifndef CM_VERIFY_FACT_TABLE_H
#define CM_VERIFY_FACT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef enum cm_fact_kind {
    CM_FACT_UNLISTED, /* in neither file: nothing is said about it */
    CM_FACT_COUNTED,
    CM_FACT_FREE, /* vendors disagree about it: measured, part of no meaning */
    CM_FACT_DERIVED,
} cm_fact_kind;

typedef struct cm_listed_fact {
    cm_fact_kind kind;
    double tolerance;     /* of a primitive fact: by how much an iteration may be off it, 0 or more */
    bool separate;        /* of a primitive fact: kernels must exercise it, and tell it from all others */
    char *subject;        /* of a primitive fact: "yes", or what is yet to separate it */
    bool elsewhere;       /* of a primitive fact: only other machines have what it counts */
    bool lacking;         /* of a primitive fact: it is elsewhere for an instruction set that is left out */
    char *words;          /* of a primitive fact */
    double *coefficients; /* of a derived fact: one a fact, those of primitive ones */
} cm_listed_fact;

typedef enum cm_kernel_role {
    CM_KERNEL_BASIS,   /* a row of the benchmark's basis */
    CM_KERNEL_CONTROL, /* fitted nowhere: what is expected there is known all the same */
    CM_KERNEL_FREE,    /* for facts that vendors disagree about */
} cm_kernel_role;

/* Of one iteration; arrays of one value a fact, derived ones included. A fact is values +- ranges, which the machine
 * decides, and chances is its standard deviation beside that. */
typedef struct cm_kernel_facts {
    char *benchmark, *kernel;
    cm_kernel_role role;
    double *values, *chances, *ranges;
} cm_kernel_facts;

typedef struct cm_fact_table {
    char *file;               /* of the kernels */
    const char *architecture; /* theirs */
    size_t primitive_count;
    size_t *primitives;    /* facts, in the order of their file */
    cm_listed_fact *facts; /* cm_fact_count() */
    size_t kernel_count, other_count;
    cm_kernel_facts *kernels; /* in the order of the file; behind them those that only other architectures have */
} cm_fact_table;

/* `path`: of the kernels' file, NULL for catmint's own of `architecture`, that counted (NULL, or one without kernels:
 * this one); the lists of facts are found as data. CM_BAD_INPUT with file and line for an unknown, derived or repeated
 * fact, an expression that is no sum of multiples, a negative tolerance, chance or range, an unknown role, a kernel
 * that stands there twice. */
cm_status cm_fact_table_load(const char *path, const char *architecture, cm_fact_table **table, cm_error *error);
void cm_fact_table_free(cm_fact_table *table);

/* NULL if there is none, on other architectures neither. */
const cm_kernel_facts *cm_fact_table_find(const cm_fact_table *table, const char *benchmark, const char *kernel);

/* Leaves out instruction sets (bits as of cm_kernel): facts that only kernels of these do are lacking, and elsewhere.
 */
void cm_fact_table_leave_out(cm_fact_table *table, unsigned missing);
/* Whether what ran (NULL: unknown) does anything that is lacking. */
bool cm_fact_table_is_lacking(const cm_fact_table *table, const cm_kernel_facts *kernel);

/* By how much the difference of two runs, a quarter or more of it the shorter one's `iterations`, may be off the value
 * an iteration. */
double cm_fact_allowance(const cm_fact_table *table, const cm_kernel_facts *kernel, size_t fact, double iterations);

#endif
