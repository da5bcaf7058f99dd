/* cm_kernel_code_chain(iterations, data): as many pieces of a chain of code (code_chain.c), one iteration a piece.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chain goes on), buffer at 8. */
#include "branch.inc"

        KERNEL  code_chain
        movq    (%rsi), %rax
        addq    8(%rsi), %rax
        jmp     *%rax                   # the chain returns
        END     code_chain

/* With random branches in a routine: the generator's factor, increment and state are in r8, r9 and r10. It is that of branch.inc with all of
 * its period, and its seed depends on the length of the run and the start in the chain: runs of one chain follow each other, and a predictor would
 * learn a sequence that repeats. */
        KERNEL  code_chain_random
        movabsq $RANDOM_FACTOR, %r8
        movabsq $RANDOM_INCREMENT, %r9
        leaq    random_branch(%rip), %r11
        movq    (%rsi), %rax
        leaq    (%rdi,%rax), %r10
        addq    8(%rsi), %rax
        jmp     *%rax
        END     code_chain_random

random_branch:
        RANDOM_BRANCH
        ret

        .section .note.GNU-stack, "", @progbits
