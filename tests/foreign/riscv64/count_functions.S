/* Functions whose facts test_count.c knows: what is loaded and stored compressed, atomically, across lines; and arithmetic on vectors
 * whose type changes. a0: memory, aligned to 64. */
        .option arch, +v

        .macro  FUNCTION name
        .text
        .globl  \name
        .type   \name, @function
        .p2align 2
\name:
        .endm
        .macro  END name
        ret
        .size   \name, . - \name
        .endm

        FUNCTION count_sizes
        c.ld    a1, 8(a0)
        c.lw    a2, 16(a0)
        c.sd    a1, 24(a0)
        fld     fa0, 8(a0)
        fsw     fa0, 32(a0)
        lbu     a1, 3(a0)
        sh      a1, 6(a0)
        END     count_sizes

        FUNCTION count_atomics
        li      a1, 1
        amoadd.d a2, a1, (a0)
        amoswap.w.aq a2, a1, (a0)
1:      lr.d    a3, (a0)
        sc.d    a4, a3, (a0)
        bnez    a4, 1b
        END     count_atomics

        FUNCTION count_split
        ld      a1, 60(a0)
        sw      a1, 62(a0)
        lbu     a1, 63(a0)
        END     count_split

        .option norvc
        FUNCTION count_nothing
        addi    a1, a0, 64
        lui     a2, 5
        fence
        nop
        END     count_nothing

        FUNCTION count_calls
        mv      a4, ra
        jal     count_nothing
        lla     a3, count_nothing
        jalr    a3
        j       1f
        nop
1:      jr      a4
        .size   count_calls, . - count_calls

/* Vectors of two registers count twice their length, those of half a register half of it; what widens counts what comes out. One loop,
 * whose blocks are entered with two types. */
        FUNCTION count_vectors
        vsetvli t0, zero, e64, m1, ta, ma
        li      a1, 2
1:      vfadd.vv v0, v8, v16
        vfmacc.vv v0, v8, v16
        addi    a1, a1, -1
        beqz    a1, 2f
        vsetvli t0, zero, e32, m1, ta, ma
        j       1b
2:      vsetvli t0, zero, e32, mf2, ta, ma
        vfwmul.vv v0, v8, v16
        vle32.v v0, (a0)
        END     count_vectors

/* Neighbours are one access, elements here and there one each. How many lanes the last addition has, a register says. */
        FUNCTION count_lanes
        vsetivli t0, 3, e32, m1, ta, ma
        vle32.v v0, (a0)
        vse64.v v2, (a0)
        li      a1, 8
        vlse32.v v0, (a0), a1
        vsetvli t0, zero, e64, m2, ta, ma
        vfadd.vv v4, v8, v12
        vsetivli t0, 3, e32, m1, ta, ma
        vfmacc.vv v0, v8, v12
        vl2re8.v v2, (a0)
        li      t0, 2
        vsetvli t0, t0, e32, m1, ta, ma
        vfadd.vv v0, v8, v12
        END     count_lanes

        .section .note.GNU-stack, "", @progbits
