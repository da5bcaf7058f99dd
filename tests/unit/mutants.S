/* Kernels that are not what they say: the loop of D_ADD_SCAL.24, once right, and then with one instruction more, less, or of another
 * kind. */
#include "cat-kernels/x86_64/flops.inc"

        .macro  MUTANT name, additions, instruction:vararg
        KERNEL  mutant_\name
        SETUP_SSE ONES_DOUBLE_SSE
        .p2align 5
1:      PAYLOAD TWO, \additions, 4, addsd, , xmm, 9
        \instruction
2:      TURN
        ret
        END     mutant_\name
        .endm

        MUTANT  right, 24
        MUTANT  added, 25
        MUTANT  dropped, 23
        MUTANT  multiplies, 23, mulsd %xmm8, %xmm7
        MUTANT  moves, 23, movaps %xmm8, %xmm7
        MUTANT  jumps, 24, jmp 2f

/* An addition to an integer from memory instead of one from a constant. */
        KERNEL  mutant_loads
        SETUP_SSE ONES_DOUBLE_SSE
        .p2align 5
1:      PAYLOAD TWO, 24, 4, addsd, , xmm, 9
        addq    (%rsp), %rdx
        addq    $2, %rdx
        addq    $3, %rdx
        addq    $4, %rdx
        addq    $5, %rdx
        decq    %rdi
        jnz     1b
        ret
        END     mutant_loads

        .section .note.GNU-stack, "", @progbits
