/* cpu-flops: controls. Mixtures of additions and multiplications, three to one and one to three, and loops without floating-point
 * arithmetic. Each metric's value on them is known, though none was fitted there. Mixtures of scalars are written in VSX. */
#include "flops.inc"

/* Both take the same source, 0: the accumulators are 0 from the first multiplication on. */
        .macro  MIXTURES p, w, ones, add, mul
        LOOP_OF \p\()_ADD3_MUL1_\w, 48, \ones, THREE, 9, \add, \mul, 3
        LOOP_OF \p\()_ADD1_MUL3_\w, 48, \ones, THREE, 9, \mul, \add, 3
        .endm

        MIXTURES S, SCAL, ONES_D, xsaddsp, xsmulsp
        MIXTURES S, 128, ONES_S, xvaddsp, xvmulsp
        MIXTURES D, SCAL, ONES_D, xsadddp, xsmuldp
        MIXTURES D, 128, ONES_D, xvadddp, xvmuldp

        .macro  MOVE operation, r, source, n
        \operation \n, \source, \source
        .endm
        .macro  SHUFFLE operation, r, source, n
        \operation \n, \n, \source, 0
        .endm

        LOOP_OF vector_move, 48, ONES_D, MOVE, 8, xxlor, xxlnor, 2
        LOOP_OF vector_logic, 48, ONES_D, THREE, 8, xxland, xxlor, 2
        LOOP_OF vector_integer, 48, ONES_D, THREE, 9, vaddudm, vsubudm, 2
        LOOP_OF vector_shuffle, 48, ONES_D, SHUFFLE, 8, xxpermdi, xxsldwi, 2

        .macro  LOOP_PLAIN name, count, instruction:vararg
        KERNEL  \name\()_\count
        .p2align 5
1:      .rept   \count
        \instruction
        .endr
        TURN
        blr
        END     \name\()_\count
        .endm

        LOOP_PLAIN integer, 48, addi 6, 6, 1
        LOOP_PLAIN integer_prefixed, 48, paddi 6, 6, 100000
        LOOP_PLAIN nop, 48, nop
        LOOP_PLAIN fence, 4, isync
        LOOP_PLAIN store_fence, 4, lwsync

/* An empty loop: starting and stopping add its count to every other. */
        KERNEL  empty
        blr
        END     empty

        .section .note.GNU-stack, "", @progbits
