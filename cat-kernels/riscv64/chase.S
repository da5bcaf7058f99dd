/* The pointer chase: cm_kernel_chase_<fillers>(iterations, data), one iteration an access, as cat-kernels/x86_64/chase.S has it:
 * a load whose address is the result of the last, an addition that makes an address of the offset it found, and none, two or five
 * fillers; the loop around them costs two instructions more for 64 accesses, with two fillers for 16.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chase goes on), buffer at 8. */
#include "branch.inc"

        .macro  ACCESS
        ld      a3, 0(a3)
        add     a3, a3, a2
        .endm
        .macro  ACCESS_2
        ACCESS
        addi    a5, a5, 1
        addi    a5, a5, 1
        .endm
        .macro  ACCESS_STORE
        ACCESS
        addi    a5, a5, 1
        sd      a5, 8(sp)
        .endm
        .macro  ACCESS_5
        ACCESS
        .rept   5
        addi    a5, a5, 1
        .endr
        .endm

/* With loads of the same line before it, whose address is that of the first one: they find the line on its way. */
        .macro  ACCESS_FILL_1
        ld      a5, 8(a3)
        ACCESS
        .endm
        .macro  ACCESS_FILL_3
        ld      a5, 8(a3)
        ld      a6, 16(a3)
        ld      a7, 24(a3)
        ACCESS
        .endm

/* With hits of the stack beside it: misses are rare, as in programs. */
        .macro  ACCESS_FIFTH
        .rept   4
        ld      a5, 8(sp)
        .endr
        ACCESS
        .endm

/* With a branch at random, and a wall behind it: the sign of a linear congruential generator modulo 2^64 (Knuth's MMIX constants). */
        .macro  ACCESS_RANDOM
        ACCESS
        mul     a5, a5, a6
        add     a5, a5, a7
        bltz    a5, 9f
        nop
9:      WALL
        .endm

/* The generator begins elsewhere in each run, as the chain does: a predictor would learn a sequence that repeats. */
        .macro  SEED_CHASE
        add     a5, a0, a3
        li      a6, 6364136223846793005
        li      a7, 1442695040888963407
        .endm

/* With stores: once or twice beside the element, on a line that no element is on; before it; and into the element itself, which keeps its
 * value. Elements step over two lines at most, of 64, 128 or 256 bytes, so that none is 448 bytes on. */
        .macro  ACCESS_BESIDE
        sd      a5, 448(a3)
        ACCESS
        .endm
        .macro  ACCESS_BESIDE_FIFTH
        .rept   4
        sd      a5, 8(sp)
        .endr
        ACCESS_BESIDE
        .endm
        .macro  ACCESS_BEFORE
        sd      a5, 8(a3)
        ACCESS
        .endm
        .macro  ACCESS_TWICE
        sd      a5, 448(a3)
        sd      a5, 456(a3)
        ACCESS
        addi    a5, a5, 1
        addi    a5, a5, 1
        .endm
        .macro  ACCESS_SAME
        ld      a6, 0(a3)
        sd      a6, 0(a3)
        add     a3, a2, a6
        .endm

        .macro  CHASE name, access, shift, prepare
        KERNEL  \name
        addi    sp, sp, -16
        ld      a2, 8(a1)
        ld      a3, 0(a1)
        \prepare
        add     a3, a3, a2
        andi    a4, a0, (1 << \shift) - 1
        beqz    a4, 2f
1:      \access
        addi    a4, a4, -1
        bnez    a4, 1b
2:      srli    a0, a0, \shift
        beqz    a0, 4f
        .p2align 6
3:
        .rept   1 << \shift
        \access
        .endr
        addi    a0, a0, -1
        bnez    a0, 3b
4:      sub     a3, a3, a2
        ld      a6, 0(a1)               # fetches the line, so that no store misses: a chase is about loads
        sd      a3, 0(a1)
        addi    sp, sp, 16
        ret
        END     \name
        .endm

        CHASE   chase_0, ACCESS, 6
        CHASE   chase_2, ACCESS_2, 4
        CHASE   chase_store, ACCESS_STORE, 4
        CHASE   chase_5, ACCESS_5, 6
        CHASE   chase_fill_1, ACCESS_FILL_1, 4
        CHASE   chase_fill_3, ACCESS_FILL_3, 4
        CHASE   chase_fifth, ACCESS_FIFTH, 1
        CHASE   chase_random, ACCESS_RANDOM, 2, SEED_CHASE
        CHASE   chase_beside, ACCESS_BESIDE, 6
        CHASE   chase_beside_fifth, ACCESS_BESIDE_FIFTH, 1
        CHASE   chase_before, ACCESS_BEFORE, 6
        CHASE   chase_twice, ACCESS_TWICE, 4
        CHASE   chase_same, ACCESS_SAME, 6

/* As cat-kernels/x86_64/chase.S has it: a loop of two loads or three, so that a wrong path does the third. */
        KERNEL  chase_wrong
        ld      a2, 8(a1)
        ld      a3, 0(a1)
        ld      t1, 8(a2)
        SEED_CHASE
        add     a3, a3, a2
        .p2align 5
1:      mv      t0, a3
        li      a4, 2
4:      mv      a3, t2
5:      ld      t2, 0(t0)
        WALL
        add     t0, t0, t1
        addi    a4, a4, -1
        bgtz    a4, 4b
        bltz    a4, 6f
        add     a3, a3, a2
        add     a5, a5, a3
        .rept   3
        mul     a5, a5, a6
        add     a5, a5, a7
        .endr
        bltz    a5, 5b
        WALL
6:      addi    a0, a0, -1
        bnez    a0, 1b
        sub     a3, a3, a2
        ld      a6, 0(a1)
        sd      a3, 0(a1)
        ret
        END     chase_wrong

        .section .note.GNU-stack, "", @progbits
