/* PTX of each class, for the writers of kernels. */
#ifndef CM_KERNELS_GPU_PTX_H
#define CM_KERNELS_GPU_PTX_H

#include "cat-kernels/gpu/gpu.h"

/* $a accumulator, $x and $y the integers after it, $c and $m constants, $A and $B the descriptions of matrices in
 * shared memory, $t the result of a conversion for the next one. */
typedef struct cm_gpu_ptx_instruction {
    unsigned target; /* the oldest target that has it */
    const char *text, *second;
} cm_gpu_ptx_instruction;

extern const cm_gpu_ptx_instruction cm_gpu_ptx_instructions[CM_GPU_COMPUTING];

#endif
