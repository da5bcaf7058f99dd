/* Loads, stores and gathers in the first cache: as many at once as the core can take, or one chain of them. The first array of the memory is
 * at x8. */
#include "timed.inc"

        .macro  FIXED operation, r, n, at
        \operation \r\n, [x8, #\at]
        .endm
        .macro  SCALABLE operation, lanes, n, at
        \operation {z\n\().d}, \lanes, [x8, #\at, mul vl]
        .endm

/* 48 accesses, one vector behind the other, and from the first again \around further on. */
        .macro  ACCESS name, set, form, operation, r, width, around, lanes
        TIMED   \name\()_\set
        \lanes
        ldr     x8, [x1]
        .p2align 5
1:
        .set    turn, 0
        .rept   48
        .altmacro
        \form   \operation, \r, %(turn % 8), %(turn * \width % \around)
        .noaltmacro
        .set    turn, turn + 1
        .endr
        FINISH  \name\()_\set
        .endm

        ACCESS  loads, SCALAR, FIXED, ldr, d, 8, 512, NOTHING
        ACCESS  stores, SCALAR, FIXED, str, d, 8, 512, NOTHING
        ACCESS  loads, NEON, FIXED, ldr, q, 16, 512, NOTHING
        ACCESS  stores, NEON, FIXED, str, q, 16, 512, NOTHING
        ACCESS  loads, SVE, SCALABLE, ld1d, p0/z, 1, 8, ALL_LANES
        ACCESS  stores, SVE, SCALABLE, st1d, p0, 1, 8, ALL_LANES

/* A word that holds its own address. */
        TIMED   load_chain
        ldr     x9, [x1]
        str     x9, [x9]
        .p2align 5
1:
        .rept   48
        ldr     x9, [x9]
        .endr
        FINISH  load_chain

/* 24 gathers of double-precision numbers from one line. */
        .macro  GATHER from, n
        ld1d    {z\n\().d}, p0/z, [x8, z\from\().d, lsl #3]
        .endm
        TIMED   gather_SVE
        ldr     x8, [x1]
        ptrue   p0.b
        index   z31.d, #0, #1
        .p2align 5
1:
        .rept   3
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        GATHER  31, \n
        .endr
        .endr
        FINISH  gather_SVE

/* The line is zeros, so that a chain of gathers, each the indices of the next, stays at one line. */
        TIMED   gather_chain_SVE
        ldr     x8, [x1]
        ptrue   p0.b
        mov     z0.d, #0
        st1d    {z0.d}, p0, [x8]
        .p2align 5
1:
        .rept   12
        GATHER  0, 1
        GATHER  1, 0
        .endr
        FINISH  gather_chain_SVE

        .section .note.GNU-stack, "", @progbits
