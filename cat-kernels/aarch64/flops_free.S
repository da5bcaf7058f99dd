/* cpu-flops: loops of instructions that vendors count differently: minima and maxima, reciprocal estimates, pairwise additions, comparisons, conversions:
 * some events count them as operations, others do not. They are measured, and part of no verdict. */
#include "flops.inc"

        .macro  MINMAX p, w, kind, lane, gpr, ones, r, setup=SETUP_NEON
        LOOP_OF \p\()_MINMAX_\w, 48, \setup, \lane, \gpr, \ones, THREE_\kind, \r, 30, fmin, fmax, 2
        .endm

        MINMAX  S, SCAL, SCALAR, s, w, 0x3f800000, s
        MINMAX  S, 128, NEON, s, w, 0x3f800000, 4s
        MINMAX  D, SCAL, SCALAR, d, x, 0x3ff0000000000000, d
        MINMAX  D, 128, NEON, d, x, 0x3ff0000000000000, 2d
#ifdef HAS_FP16
        MINMAX  H, SCAL, SCALAR, h, w, 0x3c00, h
        MINMAX  H, 128, NEON, h, w, 0x3c00, 8h
#endif
#ifdef HAS_SVE
        MINMAX  S, V, SVE, s, w, 0x3f800000, s, SETUP_SVE
        MINMAX  D, V, SVE, d, x, 0x3ff0000000000000, d, SETUP_SVE
        MINMAX  H, V, SVE, h, w, 0x3c00, h, SETUP_SVE
#endif

        LOOP_OF S_RECIPROCAL_SCAL, 48, SETUP_NEON, s, w, 0x3f800000, TWO_SCALAR, s, 30, frecpe, frsqrte, 2
        LOOP_OF S_RECIPROCAL_128, 48, SETUP_NEON, s, w, 0x3f800000, TWO_NEON, 4s, 30, frecpe, frsqrte, 2
        LOOP_OF D_HORIZONTAL_128, 48, SETUP_NEON, d, x, 0x3ff0000000000000, THREE_NEON, 2d, 31, faddp

        .macro  WIDEN operation, r, source, n
        \operation d\n, s\source
        .endm
        LOOP_OF S_COMPARE_SCAL, 48, SETUP_NEON, s, w, 0x3f800000, TWO_SCALAR, s, 30, fcmp
        LOOP_OF D_COMPARE_128, 48, SETUP_NEON, d, x, 0x3ff0000000000000, THREE_NEON, 2d, 30, fcmeq
        LOOP_OF S_CONVERT_SCAL, 48, SETUP_NEON, s, w, 0x3f800000, WIDEN, , 30, fcvt
        LOOP_OF D_CONVERT_128, 48, SETUP_NEON, d, x, 0x3ff0000000000000, TWO_NEON, 2d, 31, scvtf

        .section .note.GNU-stack, "", @progbits
