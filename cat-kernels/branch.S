/* branch: eleven loops, each with exactly its row of the basis a turn: conditional branches executed (wrong path included), retired,
 * taken, unconditional branches, mispredictions. Body: kernel(uint64_t iterations in rdi, cm_kernel_data *data in rsi).
 *
 * The random branch follows the top bit of a 64-bit linear congruential generator (Knuth's MMIX constants), whose period is 2^64 and
 * whose state goes on from run to run: no predictor has seen the sequence before.
 *
 * lfence is the wall behind which a wrong path reaches no branch: no later instruction executes before all earlier ones, the
 * mispredicted branch among them, are done (Intel SDM vol. 2, LFENCE; AMD APM vol. 3, LFENCE). In b4, b4a and b4b it stands behind the
 * random branch on both sides, so that a wrong path executes no branch. In b5, b5a and b5b it stands before the random number is
 * made: there a wrong path executes one branch, that of the loop or the nested one, and then meets a wall. The loops without a random
 * branch begin with it too, so that the few mispredictions at their ends do not run through them many times. */

        .set    RANDOM_FACTOR, 6364136223846793005
        .set    RANDOM_INCREMENT, 1442695040888963407

        .macro  KERNEL name
        .text
        .globl  cm_kernel_\name
        .hidden cm_kernel_\name
        .type   cm_kernel_\name, @function
        .p2align 6
cm_kernel_\name:
        .endm

        .macro  END name
        .size   cm_kernel_\name, . - cm_kernel_\name
        .endm

        .macro  LOOP
        decq    %rdi
        jnz     1b
        .endm

        .macro  RANDOM_BEGIN
        movq    (%rsi), %rax
        movabsq $RANDOM_FACTOR, %r8
        movabsq $RANDOM_INCREMENT, %r9
        .p2align 5
        .endm

/* The sign of rax is random. */
        .macro  RANDOM
        imulq   %r8, %rax
        addq    %r9, %rax
        testq   %rax, %rax
        .endm

        .macro  RANDOM_END
        movq    %rax, (%rsi)
        ret
        .endm

/* Taken in the first half of the run, not in the second. */
        KERNEL  b1
        movq    %rdi, %r10
        shrq    $1, %r10
        .p2align 5
1:      lfence
        cmpq    %r10, %rdi
        ja      2f
        nop
2:      LOOP
        ret
        END     b1

/* Never taken. */
        KERNEL  b2
        .p2align 5
1:      lfence
        testq   %rdi, %rdi
        jz      2f
        nop
2:      LOOP
        ret
        END     b2

/* Always taken. */
        KERNEL  b3
        .p2align 5
1:      lfence
        testq   %rdi, %rdi
        jnz     2f
        nop
2:      LOOP
        ret
        END     b3

/* Random; a wrong path reaches no branch. */
        KERNEL  b4
        RANDOM_BEGIN
1:      RANDOM
        js      2f
        lfence
2:      lfence
        LOOP
        RANDOM_END
        END     b4

/* b4 with a branch that is never taken under the random one. */
        KERNEL  b4a
        RANDOM_BEGIN
1:      RANDOM
        js      2f
        lfence
        testq   %rdi, %rdi
        jz      2f
        nop
2:      lfence
        LOOP
        RANDOM_END
        END     b4a

/* b4 with a branch that is always taken under the random one. */
        KERNEL  b4b
        RANDOM_BEGIN
1:      RANDOM
        js      2f
        lfence
        testq   %rdi, %rdi
        jnz     2f
        nop
2:      lfence
        LOOP
        RANDOM_END
        END     b4b

/* Random; a wrong path executes the branch of the loop. */
        KERNEL  b5
        RANDOM_BEGIN
1:      lfence
        RANDOM
        js      2f
        nop
2:      LOOP
        RANDOM_END
        END     b5

/* b5 with a branch that is never taken under the random one: a wrong path executes that or the one of the loop. */
        KERNEL  b5a
        RANDOM_BEGIN
1:      lfence
        RANDOM
        js      3f
        testq   %rdi, %rdi
        jz      2f
        nop
2:      lfence
3:      LOOP
        RANDOM_END
        END     b5a

/* b5a with a branch that is always taken. */
        KERNEL  b5b
        RANDOM_BEGIN
1:      lfence
        RANDOM
        js      3f
        testq   %rdi, %rdi
        jnz     2f
        nop
2:      lfence
3:      LOOP
        RANDOM_END
        END     b5b

/* b2 and an unconditional jump. */
        KERNEL  b6
        .p2align 5
1:      lfence
        testq   %rdi, %rdi
        jz      2f
        jmp     3f
2:      nop
3:      LOOP
        ret
        END     b6

/* The bare loop. */
        KERNEL  b7
        .p2align 5
1:      lfence
        LOOP
        ret
        END     b7

        .section .note.GNU-stack, "", @progbits
