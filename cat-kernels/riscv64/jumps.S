/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

#include "cat-kernels/jump_loops.inc"

/* The iterations that do not fill a turn run before the loop. */
        KERNEL  unrolled_2
        BEGIN
        andi    a3, a0, 1
        beqz    a3, 1f
        TURN_2
        addi    a0, a0, -1
        beqz    a0, 4f
        .p2align 5
1:      TURN_2
        TURN_2
        addi    a0, a0, -2
        bnez    a0, 1b
4:      FINISH
        END     unrolled_2

/* Three turns of four have a jump. */
        KERNEL  unrolled_4
        BEGIN
        andi    a3, a0, 3
        beqz    a3, 3f
1:      TURN_4
        addi    a0, a0, -1
        addi    a3, a3, -1
        bnez    a3, 1b
        beqz    a0, 4f
        .p2align 5
3:      TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        addi    a0, a0, -4
        bnez    a0, 3b
4:      FINISH
        END     unrolled_4

/* A quarter of the turns is drawn. */
        .macro  QUARTER name, branch
        KERNEL  \name
        BEGIN
        srli    a2, a0, 2
1:      GENERATE
        \branch t1, 2f
        WALL
2:      WALL
        LOOP
        END     \name
        .endm

        QUARTER random_25, bnez
        QUARTER random_75, beqz

        .section .note.GNU-stack, "", @progbits
