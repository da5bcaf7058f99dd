/* What NVIDIA's compiler made of a kernel, held against the kernel's description. */
#ifndef CM_VERIFY_MACHINE_CODE_H
#define CM_VERIFY_MACHINE_CODE_H

#include <catmint/verify.h>

#include "cat-kernels/gpu/gpu.h"

/* The kinds of instructions that are counted: "FADD". */
extern const char *const cm_machine_kinds[];
extern const size_t cm_machine_kind_count;

/* Fills quantities (one a kind, by the loop's text), `ok` and `text` of `verified`. CM_NO_MEMORY alone is a failure. */
cm_status cm_machine_code_judge(const char *listing, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                                cm_error *error);

#endif
