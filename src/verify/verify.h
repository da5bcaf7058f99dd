/* Kernels held against their facts. */
#ifndef CM_VERIFY_VERIFY_H
#define CM_VERIFY_VERIFY_H

#include <catmint/kernels.h>
#include <catmint/verify.h>

#include "cat-kernels/gpu/gpu.h"
#include "core/base.h"

/* ---- fact_table ---- */

/* Facts as the language of kernels: the lists of facts (bases/primitive-facts.csv, bases/derived-facts.csv), and the
 * facts of one iteration of each kernel (bases/facts.csv). */

typedef enum cm_fact_kind {
    CM_FACT_UNLISTED, /* in neither list */
    CM_FACT_COUNTED,
    CM_FACT_FREE,        /* vendors disagree about it: measured, part of no meaning */
    CM_FACT_SPECULATIVE, /* of wrong paths, part of no meaning: an event that counts it is right if it is rare */
    CM_FACT_ALIKE,       /* on every kernel as often as another fact, in programs not; part of no meaning */
    CM_FACT_DERIVED,
} cm_fact_kind;

typedef struct cm_listed_fact {
    cm_fact_kind kind;
    size_t like;      /* of a speculative fact: the fact that it would be on the right path; of one alike: the other */
    double tolerance; /* of a primitive fact: largest error of an iteration, 0 or more */
    bool separate;    /* of a primitive fact: kernels must exercise it, and distinguish it from all others */
    char *subject;    /* of a primitive fact: "yes", or the benchmark or planned subject that separates it */
    bool elsewhere;   /* of a primitive fact: only other machines can have it */
    bool here;        /* of a primitive fact: the machine has the cache for it, be there a kernel that fits or not */
    bool lacking;     /* of a primitive fact: it is elsewhere because of an instruction set that is left out */
    char *words;      /* of a listed fact */
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
    size_t *derived;                           /* likewise */
    cm_listed_fact *facts;                     /* cm_fact_count() */
    size_t kernel_count, other_count, sharers; /* sharers: beside the first owner; each of all frees the table */
    cm_kernel_facts *kernels;   /* in the order of the file; then those that only other architectures have */
    double *none;               /* of every kernel without chances or ranges: 0 */
    struct cm_natural *natural; /* programs of whoever asked for them first; NULL: nobody did */
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

/* ---- verify ---- */

/* ---- machine_code.c ---- */

/* The machine code of NVIDIA's compiler for a kernel, compared with the kernel's description. */

/* The kinds of counted instructions: "FADD". */
extern const char *const cm_machine_kinds[];
extern const size_t cm_machine_kind_count;

/* Fills quantities (one a kind, for the loop's code), `ok` and `text` of `verified`. May fail with CM_NO_MEMORY. */
cm_status cm_machine_code_judge(const char *listing, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                                cm_error *error);

/* ---- meaning.c: expressions over facts, evaluated on kernels ---- */

/* For cm_expression_parse: the number of the fact of that name, CM_RESOLVED_NONE: none. `data` is not used. */
ptrdiff_t cm_fact_resolve(const char *name, void *data);

/* Fills `weights` (cm_fact_count(), those of primitive facts) from a sum of multiples of facts, primitive or derived.
 * CM_BAD_INPUT with `file` if the text is no such sum. */
cm_status cm_meaning_parse(const cm_fact_table *table, const char *text, const char *file, double *weights,
                           cm_error *error);

/* Its value on a kernel; the range that the machine decides; its standard deviation by chance, in one iteration. */
typedef struct cm_meant {
    double value, range, chance;
} cm_meant;

/* Notes the number of the machine's cache levels (0: unknown): hits of these are here, hits of further levels
 * elsewhere. */
void cm_meaning_set_levels(cm_fact_table *table, size_t levels);

cm_meant cm_meaning_on(const cm_fact_table *table, const double *weights, const cm_kernel_facts *kernel);

/* ---- compare.c ---- */

/* Sets `ok`, and appends the differences to the text, which is empty: of `count` facts, primitive ones first. A derived
 * fact is named only if no primitive one explains it. */
void cm_verified_compare(cm_verified_kernel *verified, const size_t *facts, size_t count, size_t primitives, char *text,
                         size_t size);

/* ---- proof.c: runs one kernel under the software PMU and compares it with its facts ---- */

typedef struct cm_proof cm_proof;

/* `machine` gives predictor and caches; nothing interferes. Both must live as long as the proof. CM_UNSUPPORTED if
 * there is no software PMU. */
cm_status cm_proof_create(const cm_fact_table *table, const cm_pmu_machine *machine, cm_proof **proof, cm_error *error);
void cm_proof_free(cm_proof *proof);

/* The facts that are compared with the table: primitive ones in its order, then derived ones. */
size_t cm_proof_fact_count(const cm_proof *proof);
size_t cm_proof_primitive_count(const cm_proof *proof); /* of these facts, the first */
size_t cm_proof_fact(const cm_proof *proof, size_t index);

/* Whether the machine has a cache for the lines of the kernel's pages. */
bool cm_proof_has_place(const cm_proof *proof, const cm_kernel *kernel);

/* Fills `verified`, except the kernel's name. `kernel`: NULL if there is none. */
cm_status cm_proof_kernel(cm_proof *proof, const cm_kernel *kernel, const cm_kernel_facts *expected,
                          cm_verified_kernel *verified, cm_error *error);

/* ---- gpu_results.c ---- */

/* Holds the memory that a launch of a GPU kernel leaves against this processor's result from the memory before it.
 * `text`: the first difference, "" if there is none. */
cm_status cm_gpu_results_check(const cm_gpu_kernel *kernel, cm_gpu_vendor vendor, const cm_gpu_launch *launch,
                               const void *before, const void *after, char *text, size_t size, cm_error *error);

/* ---- launches.c ---- */

/* Whether the benchmark is one of those; none of them: all are chosen. */
bool cm_gpu_is_chosen(const char *const *benchmarks, size_t count, const char *benchmark);

/* Loads a model of a GPU; CM_BAD_ARGUMENT if there is none of that name, or it is a processor's. Free the model also
 * after a failure. */
cm_status cm_gpu_model_load(const char *name, cm_pmu_model **model, cm_error *error);

/* ---- gpu_peaks.c ---- */

/* Fills in time, rate and peak of a launch. */
cm_status cm_gpu_rate(const cm_gpu_kernel *kernel, cm_gpu_vendor vendor, const cm_gpu_device *device,
                      const cm_gpu_launch *launch, double seconds, cm_launched_kernel *launched, cm_error *error);

/* ---- listing.c: a disassembler's text of a kernel: its instructions, and its loop ---- */

/* Pointers into the text. */
typedef struct cm_listed {
    unsigned long address;
    bool predicated;
    const char *name, *operands; /* "FADD.FTZ R5, R5, R0 ;" */
} cm_listed;

typedef struct cm_listing {
    size_t count;
    cm_listed *instructions;
    size_t loops;      /* backward branches; a branch to itself, which waits for ever, does not count */
    size_t first, end; /* of the last loop: its first instruction, and the one after its branch */
    size_t calls;
    size_t ways_past; /* branches and exits that skip the loop */
} cm_listing;

/* Reads the output of nvdisasm or of cuobjdump -sass. Free with cm_listing_clear, also after a failure. */
cm_status cm_listing_read(const char *text, cm_listing *listing, cm_error *error);
void cm_listing_clear(cm_listing *listing);

/* Whether the instruction is of that kind: "FADD" matches FADD, FADD.FTZ and FADD32I, but not FADD2. */
bool cm_listed_is(const cm_listed *instruction, const char *kind);

#endif
