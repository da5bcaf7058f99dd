/* The pointer chase: cm_kernel_chase_<fillers>(iterations, data), one iteration an access, as cat-kernels/x86_64/chase.S has it:
 * a load whose address is the result of the last, an addition that makes an address of the offset it found, and none, two or five
 * fillers; the loop around them costs two instructions more for 64 accesses, with two fillers for 16.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chase goes on), buffer at 8. */
#include "branch.inc"

        .macro  ACCESS
        ld      6, 0(6)
        add     6, 6, 7
        .endm
        .macro  ACCESS_2
        ACCESS
        addi    5, 5, 1
        addi    5, 5, 1
        .endm
        .macro  ACCESS_STORE
        ACCESS
        addi    5, 5, 1
        std     5, -8(1)
        .endm
        .macro  ACCESS_5
        ACCESS
        .rept   5
        addi    5, 5, 1
        .endr
        .endm

/* With loads of the same line before it, whose address is that of the first one: they find the line on its way. */
        .macro  ACCESS_FILL_1
        ld      5, 8(6)
        ACCESS
        .endm
        .macro  ACCESS_FILL_3
        ld      5, 8(6)
        ld      9, 16(6)
        ld      10, 24(6)
        ACCESS
        .endm

/* With hits of the stack beside it: misses are rare, as in programs. */
        .macro  ACCESS_FIFTH
        .rept   4
        ld      5, -8(1)
        .endr
        ACCESS
        .endm

/* With a branch at random, and a wall behind it. */
        .macro  ACCESS_RANDOM
        ACCESS
        mulld   10, 10, 11
        add     10, 10, 12
        cmpdi   0, 10, 0
        blt     9f
        nop
9:      WALL
        .endm

/* The generator begins elsewhere in each run, as the chain does: a predictor would learn a sequence that repeats. */
        .macro  SEED_CHASE
        add     10, 3, 6
        CONSTANT 11, RANDOM_FACTOR
        CONSTANT 12, RANDOM_INCREMENT
        .endm

/* With stores: once or twice beside the element, on a line that no element is on; before it; and into the element itself, which keeps its
 * value. Elements step over two lines at most, of 64, 128 or 256 bytes, so that none is 448 bytes on. */
        .macro  ACCESS_BESIDE
        std     5, 448(6)
        ACCESS
        .endm
        .macro  ACCESS_BESIDE_FIFTH
        .rept   4
        std     5, -8(1)
        .endr
        ACCESS_BESIDE
        .endm
        .macro  ACCESS_BEFORE
        std     5, 8(6)
        ACCESS
        .endm
        .macro  ACCESS_TWICE
        std     5, 448(6)
        std     5, 456(6)
        ACCESS
        addi    5, 5, 1
        addi    5, 5, 1
        .endm
        .macro  ACCESS_SAME
        ld      9, 0(6)
        std     9, 0(6)
        add     6, 7, 9
        .endm

/* Below the stack pointer lie 288 bytes that a function may use. */
        .macro  CHASE name, access, shift, prepare
        KERNEL  \name
        ld      7, 8(4)
        ld      6, 0(4)
        \prepare
        add     6, 6, 7
        andi.   8, 3, (1 << \shift) - 1
        beq     2f
1:      \access
        addic.  8, 8, -1
        bne     1b
2:      srdi    3, 3, \shift
        cmpdi   0, 3, 0
        beq     4f
        .p2align 6
3:
        .rept   1 << \shift
        \access
        .endr
        addic.  3, 3, -1
        bne     3b
4:      subf    6, 7, 6
        ld      9, 0(4)         # fetches the line, so that no store misses: a chase is about loads
        std     6, 0(4)
        blr
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
        ld      7, 8(4)
        ld      6, 0(4)
        ld      5, 8(7)
        SEED_CHASE
        add     6, 6, 7
        .p2align 5
1:      mr      9, 6
        li      8, 2
4:      mr      6, 0
5:      ld      0, 0(9)
        WALL
        add     9, 9, 5
        addic.  8, 8, -1
        bgt     4b
        blt     6f
        add     6, 6, 7
        add     10, 10, 6
        .rept   3
        mulld   10, 10, 11
        add     10, 10, 12
        .endr
        cmpdi   0, 10, 0
        blt     5b
        WALL
6:      addic.  3, 3, -1
        bne     1b
        subf    6, 7, 6
        ld      9, 0(4)
        std     6, 0(4)
        blr
        END     chase_wrong

        .section .note.GNU-stack, "", @progbits
