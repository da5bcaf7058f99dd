/* cpu-flops: loops of one operation each, additions, subtractions, multiplications, fused multiply-adds, divisions or square roots, in
 * registers only, as in cat-kernels/x86_64/flops.S: an accumulator gets 0 added or subtracted, is multiplied or divided by 1, becomes the
 * square root of 1, or 1 * 1 + 0; all values are 0 and 1 for ever. */
#include "flops.inc"

        .macro  OPERATIONS p, w, kind, lane, gpr, ones, r, fma, setup=SETUP_NEON
        LOOP_OF \p\()_ADD_\w, 24, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 31, fadd
        LOOP_OF \p\()_ADD_\w, 96, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 31, fadd
        LOOP_OF \p\()_SUB_\w, 48, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 31, fsub
        LOOP_OF \p\()_MUL_\w, 24, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 30, fmul
        LOOP_OF \p\()_MUL_\w, 96, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 30, fmul
        LOOP_OF \p\()_FMA_\w, 12, \setup, \lane, \gpr, \ones, FUSED_\kind, \r, , \fma
        LOOP_OF \p\()_FMA_\w, 48, \setup, \lane, \gpr, \ones, FUSED_\kind, \r, , \fma
        LOOP_OF \p\()_DIV_\w, 48, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 30, fdiv
        LOOP_OF \p\()_SQRT_\w, 48, \setup, \lane, \gpr, \ones, TWO_\kind, \r, 30, fsqrt
        .endm

        OPERATIONS S, SCAL, SCALAR, s, w, 0x3f800000, s, fmadd
        OPERATIONS S, 128, NEON, s, w, 0x3f800000, 4s, fmla
        OPERATIONS D, SCAL, SCALAR, d, x, 0x3ff0000000000000, d, fmadd
        OPERATIONS D, 128, NEON, d, x, 0x3ff0000000000000, 2d, fmla
#ifdef HAS_FP16
        OPERATIONS H, SCAL, SCALAR, h, w, 0x3c00, h, fmadd
        OPERATIONS H, 128, NEON, h, w, 0x3c00, 8h, fmla
#endif

#ifdef HAS_SVE
/* Of scalable vectors: one body, which goes by the length that they have (kernels.c). */
        OPERATIONS S, V, SVE, s, w, 0x3f800000, s, fmla, SETUP_SVE
        OPERATIONS D, V, SVE, d, x, 0x3ff0000000000000, d, fmla, SETUP_SVE
        OPERATIONS H, V, SVE, h, w, 0x3c00, h, fmla, SETUP_SVE
#endif

        .section .note.GNU-stack, "", @progbits
