/* Runs one kernel under the software PMU and compares it with its facts. */
#ifndef CM_VERIFY_PROOF_H
#define CM_VERIFY_PROOF_H

#include <catmint/kernels.h>
#include <catmint/verify.h>

#include "verify/fact_table.h"

typedef struct cm_proof cm_proof;

/* `machine` gives predictor and caches; nothing interferes. Both must live as long as the proof. CM_UNSUPPORTED if
 * there is no software PMU. */
cm_status cm_proof_create(const cm_fact_table *table, const cm_pmu_machine *machine, cm_proof **proof, cm_error *error);
void cm_proof_free(cm_proof *proof);

/* The facts that are compared with the table: primitive ones in its order, then derived ones. */
size_t cm_proof_fact_count(const cm_proof *proof);
size_t cm_proof_fact(const cm_proof *proof, size_t index);

/* Fills `verified`, except the kernel's name. `kernel`: NULL if there is none. */
cm_status cm_proof_kernel(cm_proof *proof, const cm_kernel *kernel, const cm_kernel_facts *expected,
                          cm_verified_kernel *verified, cm_error *error);

#endif
