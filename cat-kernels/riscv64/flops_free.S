/* cpu-flops: loops of instructions that vendors count differently: minima and maxima, reciprocal estimates, sums over lanes, comparisons, conversions:
 * some events count them as operations, others do not. They are measured, and part of no verdict. */
#include "flops.inc"

        .macro  MINMAX p, w, kind, lane, move, ones, r
        LOOP_OF \p\()_MINMAX_\w, 48, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 30, fmin, fmax, 2
        .endm

#ifdef HAS_F
        MINMAX  S, SCAL, SCALAR, s, w, 0x3f800000, s
#endif
#ifdef HAS_D
        MINMAX  D, SCAL, SCALAR, d, d, 0x3ff0000000000000, d
#endif
#ifdef HAS_ZFH
        MINMAX  H, SCAL, SCALAR, h, h, 0x3c00, h
#endif
#ifdef HAS_V
        MINMAX  S, V, VECTOR, e32, , 0x3f800000, vv
        MINMAX  D, V, VECTOR, e64, , 0x3ff0000000000000, vv
        MINMAX  H, V, VECTOR, e16, , 0x3c00, vv

        .macro  CONVERT operation, r, source, n
        v\operation v\n, v\source
        .endm
        LOOP_OF S_RECIPROCAL_V, 48, SETUP_VECTOR, e32, , 0x3f800000, TWO_VECTOR, , 30, frec7, frsqrt7, 2
        LOOP_OF D_HORIZONTAL_V, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, THREE_VECTOR, vs, 31, fredusum
        LOOP_OF D_COMPARE_V, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, THREE_VECTOR, vv, 30, mfeq
        LOOP_OF D_CONVERT_V, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, CONVERT, , 31, fcvt.f.x.v
#endif

        .macro  COMPARE operation, r, source, n
        \operation a4, f\n, f\source
        .endm
        .macro  WIDEN operation, r, source, n
        \operation f\n, f\source
        .endm
#ifdef HAS_F
        LOOP_OF S_COMPARE_SCAL, 48, SETUP_SCALAR, s, w, 0x3f800000, COMPARE, , 30, feq.s
#endif
#ifdef HAS_D
        LOOP_OF S_CONVERT_SCAL, 48, SETUP_SCALAR, s, w, 0x3f800000, WIDEN, , 30, fcvt.d.s
#endif

        .section .note.GNU-stack, "", @progbits
