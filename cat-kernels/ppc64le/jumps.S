/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

        .macro  LOAD_AT offset
        lwz     7, \offset(4)
        .endm

/* r10, r11: the middle of either half of the lines. The generator has all its bits. */
        .set    LINES, 32
        .macro  SEED
        ld      5, 0(4)
        CONSTANT 8, RANDOM_FACTOR
        CONSTANT 9, RANDOM_INCREMENT
        .endm
        .macro  LINES_FROM label
        mflr    0
        bcl     20, 31, 4f
4:      mflr    10
        addis   10, 10, (\label + 8 * 4096 - 4b)@ha
        addi    10, 10, (\label + 8 * 4096 - 4b)@l
        addis   11, 10, 1
        mtlr    0
        .endm
        .macro  LOAD_LINES from
        .irp    base, 10, 11
        .irp    line, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7
        lwz     7, \from + \line * 4096(\base)
        .endr
        .endr
        .endm

#include "cat-kernels/jump_loops.inc"

/* The iterations that do not fill a turn run before the loop. */
        KERNEL  unrolled_2
        BEGIN
        andi.   7, 3, 1
        beq     1f
        TURN_2
        addic.  3, 3, -1
        beq     4f
        .p2align 5
1:      TURN_2
        TURN_2
        addic.  3, 3, -2
        bne     1b
4:      FINISH
        END     unrolled_2

/* Three turns of four have a jump. */
        KERNEL  unrolled_4
        BEGIN
        andi.   7, 3, 3
        beq     3f
1:      TURN_4
        addi    3, 3, -1
        addic.  7, 7, -1
        bne     1b
        cmpdi   0, 3, 0
        beq     4f
        .p2align 5
3:      TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        addic.  3, 3, -4
        bne     3b
4:      FINISH
        END     unrolled_4

/* The top two bits are both set in a quarter of the turns. */
        .macro  QUARTER name, branch
        KERNEL  \name
        BEGIN
        lis     10, -0x4000
        sldi    10, 10, 32
1:      GENERATE
        cmpld   5, 10
        \branch 2f
        WALL
2:      WALL
        LOOP
        END     \name
        .endm

        QUARTER random_25, bge
        QUARTER random_75, blt

        .section .note.GNU-stack, "", @progbits
