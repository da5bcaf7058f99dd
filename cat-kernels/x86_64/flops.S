/* cpu-flops: loops of one operation each, additions, subtractions, multiplications, fused multiply-adds, divisions or square roots, in
 * registers only. Two sizes if an event may count a part of an instruction's operations, so that the loop's own instructions can be separated.
 *
 * Eight accumulators, so that no instruction waits for the one before it: an accumulator gets 0 added or subtracted, is multiplied or
 * divided by 1, becomes the square root of 1, or 1 * 1 + 0; all values are 0 and 1 for ever. Fused instructions and those of 256 bits have VEX
 * encodings, 512 bits and half precision EVEX. */
#include "flops.inc"

        .macro  FUSED_OF p, w, ones, width, r, t
        LOOP_VEX \p\()_FMA_\w, 12, \ones, \width, \r, FUSED, , vfmadd213\t
        LOOP_VEX \p\()_FMA_\w, 48, \ones, \width, \r, FUSED, , vfmadd213\t
        .endm

        .macro  OPERATIONS_SSE p, w, ones, t
        LOOP_SSE \p\()_ADD_\w, 24, \ones, 9, add\t
        LOOP_SSE \p\()_ADD_\w, 96, \ones, 9, add\t
        LOOP_SSE \p\()_SUB_\w, 48, \ones, 9, sub\t
        LOOP_SSE \p\()_MUL_\w, 24, \ones, 8, mul\t
        LOOP_SSE \p\()_MUL_\w, 96, \ones, 8, mul\t
        LOOP_SSE \p\()_DIV_\w, 48, \ones, 8, div\t
        LOOP_SSE \p\()_SQRT_\w, 48, \ones, 8, sqrt\t
        .endm

/* \root: TWO for packed square roots, THREE for scalar ones. */
        .macro  OPERATIONS_VEX p, w, ones, width, r, t, root=TWO
        LOOP_VEX \p\()_ADD_\w, 24, \ones, \width, \r, THREE, 9, vadd\t
        LOOP_VEX \p\()_ADD_\w, 96, \ones, \width, \r, THREE, 9, vadd\t
        LOOP_VEX \p\()_SUB_\w, 48, \ones, \width, \r, THREE, 9, vsub\t
        LOOP_VEX \p\()_MUL_\w, 24, \ones, \width, \r, THREE, 8, vmul\t
        LOOP_VEX \p\()_MUL_\w, 96, \ones, \width, \r, THREE, 8, vmul\t
        LOOP_VEX \p\()_DIV_\w, 48, \ones, \width, \r, THREE, 8, vdiv\t
        LOOP_VEX \p\()_SQRT_\w, 48, \ones, \width, \r, \root, 8, vsqrt\t
        FUSED_OF \p, \w, \ones, \width, \r, \t
        .endm

        OPERATIONS_SSE S, SCAL, ONES_SINGLE_SSE, ss
        FUSED_OF S, SCAL, ONES_SINGLE_AVX, xmm, xmm, ss
        OPERATIONS_SSE S, 128, ONES_SINGLE_SSE, ps
        FUSED_OF S, 128, ONES_SINGLE_AVX, xmm, xmm, ps
        OPERATIONS_VEX S, 256, ONES_SINGLE_AVX, ymm, ymm, ps
        OPERATIONS_VEX S, 512, ONES_SINGLE_EVEX, , zmm, ps
        OPERATIONS_SSE D, SCAL, ONES_DOUBLE_SSE, sd
        FUSED_OF D, SCAL, ONES_DOUBLE_AVX, xmm, xmm, sd
        OPERATIONS_SSE D, 128, ONES_DOUBLE_SSE, pd
        FUSED_OF D, 128, ONES_DOUBLE_AVX, xmm, xmm, pd
        OPERATIONS_VEX D, 256, ONES_DOUBLE_AVX, ymm, ymm, pd
        OPERATIONS_VEX D, 512, ONES_DOUBLE_EVEX, , zmm, pd
        OPERATIONS_VEX H, SCAL, ONES_HALF, xmm, xmm, sh, THREE
        OPERATIONS_VEX H, 128, ONES_HALF, xmm, xmm, ph
        OPERATIONS_VEX H, 256, ONES_HALF, ymm, ymm, ph
        OPERATIONS_VEX H, 512, ONES_HALF, zmm, zmm, ph

        .section .note.GNU-stack, "", @progbits
