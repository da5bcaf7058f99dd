/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

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
