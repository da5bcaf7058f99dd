/* The machine code of NVIDIA's compiler for a kernel, compared with the kernel's description. */
#ifndef CM_VERIFY_MACHINE_CODE_H
#define CM_VERIFY_MACHINE_CODE_H

#include <catmint/verify.h>

#include "cat-kernels/gpu/gpu.h"

/* The kinds of counted instructions: "FADD". */
extern const char *const cm_machine_kinds[];
extern const size_t cm_machine_kind_count;

/* Fills quantities (one a kind, for the loop's code), `ok` and `text` of `verified`. Its only failure is CM_NO_MEMORY.
 */
cm_status cm_machine_code_judge(const char *listing, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                                cm_error *error);

#endif
