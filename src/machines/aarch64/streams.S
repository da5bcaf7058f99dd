/* Streams through arrays, all of them again in each turn: loads and stores, in vectors of one width. Eight vectors stand in a loop's
 * body, and each array has a pointer of its own.
 *
 * x8 to x11 are the arrays: the first is stored to (of `load` it is loaded), the others are loaded; x12 is the end of the first. Non-temporal
 * accesses are hints, which a core may leave unheeded. */
#include "timed.inc"

        .section .rodata
        .p2align 3
factor:
        .double 0.4231087751

        .macro  FACTOR_SCALAR
        ldr     d31, [x3]
        .endm
        .macro  FACTOR_NEON
        ld1r    {v31.2d}, [x3]
        .endm
        .macro  FACTOR_SVE
        ptrue   p0.b
        ld1rd   {z31.d}, p0/z, [x3]
        .endm

/* The k-th vector of an array to or from register \n. */
        .macro  GET_SCALAR n, array, k
        ldr     d\n, [\array, #8 * \k]
        .endm
        .macro  GET_NEON n, array, k
        ldr     q\n, [\array, #16 * \k]
        .endm
        .macro  GET_SVE n, array, k
        ld1d    {z\n\().d}, p0/z, [\array, #\k, mul vl]
        .endm
        .macro  PUT_SCALAR n, array, k
        str     d\n, [\array, #8 * \k]
        .endm
        .macro  PUT_NEON n, array, k
        str     q\n, [\array, #16 * \k]
        .endm
        .macro  PUT_SVE n, array, k
        st1d    {z\n\().d}, p0, [\array, #\k, mul vl]
        .endm

/* \n = \n + \x * \y */
        .macro  FUSED_SCALAR n, x, y
        fmadd   d\n, d\x, d\y, d\n
        .endm
        .macro  FUSED_NEON n, x, y
        fmla    v\n\().2d, v\x\().2d, v\y\().2d
        .endm
        .macro  FUSED_SVE n, x, y
        fmla    z\n\().d, p0/m, z\x\().d, z\y\().d
        .endm

        .macro  NEXT_SCALAR array
        add     \array, \array, #64
        .endm
        .macro  NEXT_NEON array
        add     \array, \array, #128
        .endm
        .macro  NEXT_SVE array
        addvl   \array, \array, #8
        .endm

/* The work on the k-th vectors. */
        .macro  LOAD kind, k
        GET_\kind \k, x8, \k
        .endm
        .macro  STORE kind, k
        PUT_\kind 31, x8, \k
        .endm
        .macro  COPY kind, k
        GET_\kind \k, x9, \k
        PUT_\kind \k, x8, \k
        .endm
        .macro  SUM kind, k
        GET_\kind \k, x9, \k
        GET_\kind 16, x10, \k
        FUSED_\kind \k, 16, 31
        .endm
        .macro  TRIAD kind, k
        SUM     \kind, \k
        PUT_\kind \k, x8, \k
        .endm
        .macro  SCHOENAUER kind, k
        GET_\kind \k, x9, \k
        GET_\kind 16, x10, \k
        GET_\kind 17, x11, \k
        FUSED_\kind \k, 16, 17
        PUT_\kind \k, x8, \k
        .endm

/* Past the caches: of SVE one by one, of NEON by pairs, behind the second of which both are stored (true is -1 here). */
        .macro  PUT_PAST_SVE n, k
        stnt1d  {z\n\().d}, p0, [x8, #\k, mul vl]
        .endm
        .macro  PUT_PAST_NEON n, k
        .if     \k & 1
        .altmacro
        STORE_PAIR %(\n + (\n != 31)), \n, %(16 * (\k - 1))
        .noaltmacro
        .endif
        .endm
        .macro  STORE_PAIR first, second, at
        stnp    q\first, q\second, [x8, #\at]
        .endm
        .macro  STORE_NT kind, k
        PUT_PAST_\kind 31, \k
        .endm
        .macro  COPY_NT kind, k
        GET_\kind \k, x9, \k
        PUT_PAST_\kind \k, \k
        .endm
        .macro  TRIAD_NT kind, k
        SUM     \kind, \k
        PUT_PAST_\kind \k, \k
        .endm

        .macro  STREAM name, kind, one, arrays:vararg
        TIMED   \name\()_\kind
        adrp    x3, factor
        add     x3, x3, :lo12:factor
        FACTOR_\kind
        .p2align 5
1:      ldp     x8, x9, [x1]
        ldp     x10, x11, [x1, #16]
        ldr     x12, [x1, #32]
        add     x12, x12, x8
        .p2align 5
2:
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        \one    \kind, \k
        .endr
        .irp    array, \arrays
        NEXT_\kind \array
        .endr
        cmp     x8, x12
        b.lo    2b
        FINISH  \name\()_\kind
        .endm

        .irp    kind, SCALAR, NEON, SVE
        STREAM  load, \kind, LOAD, x8
        STREAM  store, \kind, STORE, x8
        STREAM  copy, \kind, COPY, x8, x9
        STREAM  triad, \kind, TRIAD, x8, x9, x10
        STREAM  schoenauer, \kind, SCHOENAUER, x8, x9, x10, x11
        .endr
        .irp    kind, NEON, SVE
        STREAM  store_nt, \kind, STORE_NT, x8
        STREAM  copy_nt, \kind, COPY_NT, x8, x9
        STREAM  triad_nt, \kind, TRIAD_NT, x8, x9, x10
        .endr

        .section .note.GNU-stack, "", @progbits
