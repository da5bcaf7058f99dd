/* Kernels held against their facts. */
#ifndef CM_VERIFY_VERIFY_H
#define CM_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/kernels.h>
#include <catmint/verify.h>

#include "cat-kernels/gpu/gpu.h"
#include "verify/fact_table.h"

/* ---- machine_code.c ---- */

/* The machine code of NVIDIA's compiler for a kernel, compared with the kernel's description. */

/* The kinds of counted instructions: "FADD". */
extern const char *const cm_machine_kinds[];
extern const size_t cm_machine_kind_count;

/* Fills quantities (one a kind, for the loop's code), `ok` and `text` of `verified`. Its only failure is CM_NO_MEMORY.
 */
cm_status cm_machine_code_judge(const char *listing, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                                cm_error *error);

/* ---- meaning.c: expressions over facts, evaluated on kernels ---- */

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

/* Sets `ok`, and appends what differs to the text, which is empty: of `count` facts, primitive ones first. A derived
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
