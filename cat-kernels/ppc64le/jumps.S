/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

        .macro  JUMPS count
        .rept   \count
        b       2f
        nop
2:
        .endr
        .endm

/* One conditional branch after the other, as `branch` says: NEVER or ALWAYS. */
        .macro  BRANCHES branch, count
        .rept   \count
        \branch 2f
        nop
2:
        .endr
        .endm

        KERNEL  jump_2
        BEGIN
1:      WALL
        GENERATE
        JUMPS   2
        LOOP
        END     jump_2

        KERNEL  jump_8
        BEGIN
1:      WALL
        GENERATE
        JUMPS   8
        LOOP
        END     jump_8

        KERNEL  not_taken_8
        BEGIN
1:      WALL
        GENERATE
        BRANCHES NEVER, 8
        LOOP
        END     not_taken_8

        KERNEL  taken_8
        BEGIN
1:      WALL
        GENERATE
        BRANCHES ALWAYS, 8
        LOOP
        END     taken_8

/* A turn of the unrolled loops: a branch that is not taken; in the loop of four another that is. */
        .macro  TURN_2
        WALL
        GENERATE
        BRANCHES NEVER, 1
        .endm
        .macro  TURN_4
        TURN_2
        BRANCHES ALWAYS, 1
        .endm

/* What the iterations leave over runs before the loop. */
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

/* A jump on the side of the random branch that is not taken; a wrong path executes it, and then meets a wall. */
        KERNEL  wrong_path_jump
        BEGIN
1:      GENERATE
        blt     2f
        b       3f
2:      nop
3:      WALL
        LOOP
        END     wrong_path_jump

        .section .note.GNU-stack, "", @progbits
