/* Functions whose facts test_count.c knows: what is loaded and stored in parts, atomically, across lines. x0: memory, aligned to 64. */
        .arch   armv8.2-a+sve

        .macro  FUNCTION name
        .text
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  END name
        ret
        .size   \name, . - \name
        .endm

        FUNCTION count_pairs
        ldp     x1, x2, [x0]
        ldp     q0, q1, [x0, #32]
        stp     w1, w2, [x0]
        ldr     q2, [x0, #16]
        END     count_pairs

        FUNCTION count_structures
        ld1     {v0.16b, v1.16b, v2.16b, v3.16b}, [x0]
        ld2     {v0.4s, v1.4s}, [x0]
        st3     {v0.8b, v1.8b, v2.8b}, [x0]
        ld1     {v0.s}[1], [x0]
        ld1r    {v4.8h}, [x0]
        END     count_structures

        FUNCTION count_atomics
        mov     x1, #1
        ldadd   x1, x2, [x0]
        swpal   w1, w2, [x0]
        cas     x3, x1, [x0]
1:      ldaxr   x4, [x0]
        stlxr   w5, x4, [x0]
        cbnz    w5, 1b
        END     count_atomics

        FUNCTION count_split
        ldr     x1, [x0, #60]
        str     w1, [x0, #62]
        ldrb    w1, [x0, #63]
        END     count_split

        FUNCTION count_nothing
        prfm    pldl1keep, [x0]
        adr     x1, count_split
        dmb     ish
        nop
        END     count_nothing

        FUNCTION count_calls
        mov     x10, x30
        bl      count_nothing
        adr     x1, count_nothing
        blr     x1
        b       1f
        nop
1:      br      x10
        .size   count_calls, . - count_calls

/* Neighbours are one access, elements here and there one each. The last addition's lanes depend on registers. */
        FUNCTION count_scalable
        ptrue   p0.b
        ld1d    {z0.d}, p0/z, [x0]
        ld2w    {z0.s, z1.s}, p0/z, [x0]
        st1b    {z0.d}, p0, [x0]
        ptrue   p1.d, vl2
        index   z2.d, #0, #8
        ld1d    {z3.d}, p1/z, [x0, z2.d]
        fadd    z0.d, p1/m, z0.d, z2.d
        whilelo p1.d, xzr, x0
        fadd    z0.d, p1/m, z0.d, z2.d
        END     count_scalable

        .section .note.GNU-stack, "", @progbits
