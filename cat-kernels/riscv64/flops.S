/* cpu-flops: loops of one operation each, additions, subtractions, multiplications, fused multiply-adds, divisions or square roots, in
 * registers only, as in cat-kernels/x86_64/flops.S: an accumulator gets 0 added or subtracted, is multiplied or divided by 1, becomes the
 * square root of 1, or itself * 1 + 0; all values are 0 and 1 for ever. */
#include "flops.inc"

        .macro  OPERATIONS p, w, kind, lane, move, ones, r
        LOOP_OF \p\()_ADD_\w, 24, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 31, fadd
        LOOP_OF \p\()_ADD_\w, 96, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 31, fadd
        LOOP_OF \p\()_SUB_\w, 48, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 31, fsub
        LOOP_OF \p\()_MUL_\w, 24, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 30, fmul
        LOOP_OF \p\()_MUL_\w, 96, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 30, fmul
        LOOP_OF \p\()_FMA_\w, 12, SETUP_\kind, \lane, \move, \ones, FUSED_\kind, \r, , fmadd
        LOOP_OF \p\()_FMA_\w, 48, SETUP_\kind, \lane, \move, \ones, FUSED_\kind, \r, , fmadd
        LOOP_OF \p\()_DIV_\w, 48, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 30, fdiv
        LOOP_OF \p\()_SQRT_\w, 48, SETUP_\kind, \lane, \move, \ones, TWO_\kind, \r, 30, fsqrt
        .endm

#ifdef HAS_F
        OPERATIONS S, SCAL, SCALAR, s, w, 0x3f800000, s
#endif
#ifdef HAS_D
        OPERATIONS D, SCAL, SCALAR, d, d, 0x3ff0000000000000, d
#endif
#ifdef HAS_ZFH
        OPERATIONS H, SCAL, SCALAR, h, h, 0x3c00, h
#endif

#ifdef HAS_V
/* Of vectors: one body, which goes by the length that they have (kernels.c). */
        OPERATIONS S, V, VECTOR, e32, , 0x3f800000, vv
        OPERATIONS D, V, VECTOR, e64, , 0x3ff0000000000000, vv
        OPERATIONS H, V, VECTOR, e16, , 0x3c00, vv
#endif

        .section .note.GNU-stack, "", @progbits
