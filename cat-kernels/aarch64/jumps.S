/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

        .macro  LOAD_AT offset
        ldr     w3, [x1, #\offset]
        .endm

/* x10, x11, x13, x14, x15: every eighth of the lines. */
        .set    LINES, 40
        .macro  SEED
        BEGIN
        .endm
        .macro  LINES_FROM label
        adrp    x10, \label
        add     x10, x10, :lo12:\label
        add     x11, x10, #8, lsl #12
        add     x13, x11, #8, lsl #12
        add     x14, x13, #8, lsl #12
        add     x15, x14, #8, lsl #12
        .endm
        .macro  LOAD_LINES from
        .irp    base, x10, x11, x13, x14, x15
        .irp    line, 0, 1, 2, 3, 4, 5, 6, 7
        ldr     x3, [\base, #(\from + \line * 4096)]
        .endr
        .endr
        .endm

#include "cat-kernels/jump_loops.inc"

/* The iterations that do not fill a turn run before the loop. */
        KERNEL  unrolled_2
        BEGIN
        tbz     x0, #0, 1f
        TURN_2
        subs    x0, x0, #1
        b.eq    4f
        .p2align 5
1:      TURN_2
        TURN_2
        subs    x0, x0, #2
        b.ne    1b
4:      FINISH
        END     unrolled_2

/* Three turns of four have a jump. */
        KERNEL  unrolled_4
        BEGIN
        ands    x3, x0, #3
        b.eq    3f
1:      TURN_4
        sub     x0, x0, #1
        subs    x3, x3, #1
        b.ne    1b
        cbz     x0, 4f
        .p2align 5
3:      TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        subs    x0, x0, #4
        b.ne    3b
4:      FINISH
        END     unrolled_4

/* A quarter of the turns is drawn. */
        .macro  QUARTER name, branch
        KERNEL  \name
        BEGIN
        lsr     x2, x0, #2
1:      GENERATE
        \branch x12, 2f
        WALL
2:      WALL
        LOOP
        END     \name
        .endm

        QUARTER random_25, cbnz
        QUARTER random_75, cbz

        .section .note.GNU-stack, "", @progbits
