/* cpu-flops: loops of one operation each, additions, subtractions, multiplications, fused multiply-adds, divisions or square roots, in
 * registers only, as in cat-kernels/x86_64/flops.S: an accumulator gets 0 added or subtracted, is multiplied or divided by 1, becomes the
 * square root of 1, or 1 * 0 + 1; all values are 0 and 1 for ever. Scalars by the instructions that POWER always had; flops_control.S has
 * those of VSX. */
#include "flops.inc"

        .macro  OPERATIONS p, w, ones, prefix, suffix, fused, fma
        LOOP_OF \p\()_ADD_\w, 24, \ones, THREE, 9, \prefix\()add\suffix
        LOOP_OF \p\()_ADD_\w, 96, \ones, THREE, 9, \prefix\()add\suffix
        LOOP_OF \p\()_SUB_\w, 48, \ones, THREE, 9, \prefix\()sub\suffix
        LOOP_OF \p\()_MUL_\w, 24, \ones, THREE, 8, \prefix\()mul\suffix
        LOOP_OF \p\()_MUL_\w, 96, \ones, THREE, 8, \prefix\()mul\suffix
        LOOP_OF \p\()_FMA_\w, 12, \ones, \fused, , \fma
        LOOP_OF \p\()_FMA_\w, 48, \ones, \fused, , \fma
        LOOP_OF \p\()_DIV_\w, 48, \ones, THREE, 8, \prefix\()div\suffix
        LOOP_OF \p\()_SQRT_\w, 48, \ones, TWO, 8, \prefix\()sqrt\suffix
        .endm

        OPERATIONS S, SCAL, ONES_D, f, s, FUSED_OLD, fmadds
        OPERATIONS S, 128, ONES_S, xv, sp, FUSED, xvmaddasp
        OPERATIONS D, SCAL, ONES_D, f, , FUSED_OLD, fmadd
        OPERATIONS D, 128, ONES_D, xv, dp, FUSED, xvmaddadp

        .section .note.GNU-stack, "", @progbits
