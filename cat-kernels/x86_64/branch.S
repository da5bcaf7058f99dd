/* branch: eleven loops, each with exactly its row of the basis a turn: conditional branches executed (wrong path included), retired,
 * taken, unconditional branches, mispredictions.
 *
 * The random branch follows the top bit of a 64-bit linear congruential generator (Knuth's MMIX constants), whose period is 2^64 and
 * whose state goes on from run to run: no predictor has seen the sequence before.
 *
 * Every loop runs the generator, also those without a random branch. Else an event that counts multiplications, or arithmetic
 * instructions, would be a combination of the symbols (half of the multiplications: M) and pass for one that counts mispredictions. As
 * it is, instructions have a relative residual of 0.079; without nops or fences, with each fence counted up to eight times, with each
 * compare and its branch fused into one, or any of this together, it is 0.072 or more; tolerated is 0.01.
 *
 * lfence is the wall behind which a wrong path reaches no branch: no later instruction executes before all earlier ones, the
 * mispredicted branch among them, are done (Intel SDM vol. 2, LFENCE; AMD APM vol. 3, LFENCE). In b4, b4a and b4b it stands behind the
 * random branch on both sides, so that a wrong path executes no branch. In b5, b5a and b5b it stands before the random number is
 * made: there a wrong path executes one branch, that of the loop or the nested one, and then meets a wall. The loops without a random
 * branch begin with it too, so that the few mispredictions at their ends do not run through them many times. */
#include "body.inc"

        .set    RANDOM_FACTOR, 6364136223846793005
        .set    RANDOM_INCREMENT, 1442695040888963407

        .macro  BEGIN
        movq    (%rsi), %rax
        movabsq $RANDOM_FACTOR, %r8
        movabsq $RANDOM_INCREMENT, %r9
        .p2align 5
        .endm

/* The sign of rax is random, and the flags tell it. */
        .macro  GENERATE
        imulq   %r8, %rax
        addq    %r9, %rax
        testq   %rax, %rax
        .endm

        .macro  LOOP
        decq    %rdi
        jnz     1b
        movq    %rax, (%rsi)
        ret
        .endm

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
