/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

        .macro  LOAD_AT offset
        lw      a3, \offset(a1)
        .endm

/* t3: the first of the lines, t4: how far the next is. */
        .set    LINES, 32
        .macro  SEED
        BEGIN
        .endm
        .macro  LINES_FROM label
        lla     t3, \label
        li      t4, 4096
        .endm
        .macro  LOAD_LINES from
        lw      a3, \from(t3)
        add     t0, t3, t4
        .rept   LINES - 2
        lw      a3, \from(t0)
        add     t0, t0, t4
        .endr
        lw      a3, \from(t0)
        .endm

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
