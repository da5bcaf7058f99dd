/* branch: eleven loops, each with exactly its row of the paper's basis a turn: conditional branches executed (wrong path included),
 * retired, taken, unconditional branches, mispredictions. calls.S has the loops with calls, returns and indirect jumps, jumps.S those
 * with more jumps and branches.
 *
 * Instructions are no combination of the symbols: without nops or fences, with each fence counted up to eight times, with each compare
 * and its branch fused into one, or any of this together (tests/unit/test_kernels.c).
 *
 * In b4, b4a and b4b a wall stands behind the random branch on both sides, so that a wrong path executes no branch. In b5, b5a and b5b
 * it stands before the random number is made: there a wrong path executes one branch, that of the loop or the nested one, and then meets
 * a wall. The loops without a random branch begin with it too, so that the few mispredictions at their ends do not run through them
 * many times. */
#include "branch.inc"

/* Taken in the first half of the run, not in the second. */
        KERNEL  b1
        movq    %rdi, %r10
        shrq    $1, %r10
        BEGIN
1:      lfence
        GENERATE
        cmpq    %r10, %rdi
        ja      2f
        nop
2:      LOOP
        END     b1

/* Never taken. */
        KERNEL  b2
        BEGIN
1:      lfence
        GENERATE
        testq   %rdi, %rdi
        jz      2f
        nop
2:      LOOP
        END     b2

/* Always taken. */
        KERNEL  b3
        BEGIN
1:      lfence
        GENERATE
        testq   %rdi, %rdi
        jnz     2f
        nop
2:      LOOP
        END     b3

/* Random; a wrong path reaches no branch. */
        KERNEL  b4
        BEGIN
1:      GENERATE
        js      2f
        lfence
2:      lfence
        LOOP
        END     b4

/* b4 with a branch that is never taken under the random one. */
        KERNEL  b4a
        BEGIN
1:      GENERATE
        js      2f
        lfence
        testq   %rdi, %rdi
        jz      2f
        nop
2:      lfence
        LOOP
        END     b4a

/* b4 with a branch that is always taken under the random one. */
        KERNEL  b4b
        BEGIN
1:      GENERATE
        js      2f
        lfence
        testq   %rdi, %rdi
        jnz     2f
        nop
2:      lfence
        LOOP
        END     b4b

/* Random; a wrong path executes the branch of the loop. */
        KERNEL  b5
        BEGIN
1:      lfence
        GENERATE
        js      2f
        nop
2:      LOOP
        END     b5

/* b5 with a branch that is never taken under the random one: a wrong path executes that or the one of the loop. */
        KERNEL  b5a
        BEGIN
1:      lfence
        GENERATE
        js      3f
        testq   %rdi, %rdi
        jz      2f
        nop
2:      lfence
3:      LOOP
        END     b5a

/* b5a with a branch that is always taken. */
        KERNEL  b5b
        BEGIN
1:      lfence
        GENERATE
        js      3f
        testq   %rdi, %rdi
        jnz     2f
        nop
2:      lfence
3:      LOOP
        END     b5b

/* b2 and an unconditional jump. */
        KERNEL  b6
        BEGIN
1:      lfence
        GENERATE
        testq   %rdi, %rdi
        jz      2f
        jmp     3f
2:      nop
3:      LOOP
        END     b6

/* The bare loop. */
        KERNEL  b7
        BEGIN
1:      lfence
        GENERATE
        LOOP
        END     b7

        .section .note.GNU-stack, "", @progbits
