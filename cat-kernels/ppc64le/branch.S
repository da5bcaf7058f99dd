/* branch: the eleven loops of cat-kernels/x86_64/branch.S, each with exactly its row of the paper's basis a turn; what a turn executes
 * besides is its own. calls.S has the loops with calls, returns and indirect jumps, jumps.S those with more of what is here.
 *
 * In b4, b4a and b4b a wall stands behind the random branch on both sides, so that a wrong path executes no branch. In b5, b5a and b5b
 * it stands before the random number is made: there a wrong path executes one branch, that of the loop or the nested one, and then meets
 * a wall. */
#include "branch.inc"

/* Taken in the first half of the run, not in the second. */
        KERNEL  b1
        srdi    10, 3, 1
        BEGIN
1:      WALL
        GENERATE
        cmpld   3, 10
        bgt     2f
        nop
2:      LOOP
        END     b1

/* Never taken. */
        KERNEL  b2
        BEGIN
1:      WALL
        GENERATE
        NEVER   2f
        nop
2:      LOOP
        END     b2

/* Always taken. */
        KERNEL  b3
        BEGIN
1:      WALL
        GENERATE
        ALWAYS  2f
        nop
2:      LOOP
        END     b3

/* Random; a wrong path reaches no branch. */
        KERNEL  b4
        BEGIN
1:      GENERATE
        blt     2f
        WALL
2:      WALL
        LOOP
        END     b4

/* b4 with a branch that is never taken under the random one. */
        KERNEL  b4a
        BEGIN
1:      GENERATE
        blt     2f
        WALL
        NEVER   2f
        nop
2:      WALL
        LOOP
        END     b4a

/* b4 with a branch that is always taken under the random one. */
        KERNEL  b4b
        BEGIN
1:      GENERATE
        blt     2f
        WALL
        ALWAYS  2f
        nop
2:      WALL
        LOOP
        END     b4b

/* Random; a wrong path executes the branch of the loop. */
        KERNEL  b5
        BEGIN
1:      WALL
        GENERATE
        blt     2f
        nop
2:      LOOP
        END     b5

/* b5 with a branch that is never taken under the random one: a wrong path executes that or the one of the loop. */
        KERNEL  b5a
        BEGIN
1:      WALL
        GENERATE
        blt     3f
        NEVER   2f
        nop
2:      WALL
3:      LOOP
        END     b5a

/* b5a with a branch that is always taken. */
        KERNEL  b5b
        BEGIN
1:      WALL
        GENERATE
        blt     3f
        ALWAYS  2f
        nop
2:      WALL
3:      LOOP
        END     b5b

/* b2 and an unconditional jump. */
        KERNEL  b6
        BEGIN
1:      WALL
        GENERATE
        NEVER   2f
        b       3f
2:      nop
3:      LOOP
        END     b6

/* The bare loop. */
        KERNEL  b7
        BEGIN
1:      WALL
        GENERATE
        LOOP
        END     b7

        .section .note.GNU-stack, "", @progbits
