/* cpu-flops: controls. Mixtures of additions and multiplications, three to one and one to three, and loops without floating-point
 * arithmetic. Each metric's value on them is known, though none was fitted there. */
#include "flops.inc"

/* Both take the same source, 0: the accumulators are 0 from the first multiplication on. */
        .macro  MIXTURES p, w, kind, lane, gpr, ones, r
        LOOP_OF \p\()_ADD3_MUL1_\w, 48, SETUP_NEON, \lane, \gpr, \ones, THREE_\kind, \r, 31, fadd, fmul, 3
        LOOP_OF \p\()_ADD1_MUL3_\w, 48, SETUP_NEON, \lane, \gpr, \ones, THREE_\kind, \r, 31, fmul, fadd, 3
        .endm

        MIXTURES S, SCAL, SCALAR, s, w, 0x3f800000, s
        MIXTURES S, 128, NEON, s, w, 0x3f800000, 4s
        MIXTURES D, SCAL, SCALAR, d, x, 0x3ff0000000000000, d
        MIXTURES D, 128, NEON, d, x, 0x3ff0000000000000, 2d

        .macro  MOVE operation, r, source, n
        \operation v\n\().\r, v\source\().\r
        .endm

        LOOP_OF vector_move, 48, SETUP_NEON, d, x, 0x3ff0000000000000, MOVE, 16b, 30, mov, mvn, 2
        LOOP_OF vector_logic, 48, SETUP_NEON, d, x, 0x3ff0000000000000, THREE_NEON, 16b, 30, and, orr, 2
        LOOP_OF vector_integer, 48, SETUP_NEON, d, x, 0x3ff0000000000000, THREE_NEON, 2d, 31, add, sub, 2
        LOOP_OF vector_shuffle, 48, SETUP_NEON, d, x, 0x3ff0000000000000, THREE_NEON, 2d, 30, zip1, trn2, 2

#ifdef HAS_BF16
/* Dot products of bfloat16, which no fact has. */
        .macro  DOT operation, r, source, n
        \operation v\n\().4s, v30.8h, v\source\().8h
        .endm

        LOOP_OF B_DOT_128, 48, SETUP_NEON, d, x, 0x3ff0000000000000, DOT, , 31, bfdot
#endif

#ifdef HAS_SVE
/* Of one lane alone: an event that counts all lanes counts as much as if all were active. */
        .macro  PART p, lane, gpr, ones
        LOOP_OF \p\()_PART_ADD_V, 48, SETUP_SVE_PART, \lane, \gpr, \ones, THREE_SVE_PART, \lane, 31, fadd
        LOOP_OF \p\()_PART_FMA_V, 48, SETUP_SVE_PART, \lane, \gpr, \ones, FUSED_SVE_PART, \lane, , fmla
        .endm

        PART    S, s, w, 0x3f800000
        PART    D, d, x, 0x3ff0000000000000
        PART    H, h, w, 0x3c00
#endif

        .macro  LOOP_PLAIN name, count, instruction:vararg
        KERNEL  \name\()_\count
        .p2align 5
1:      .rept   \count
        \instruction
        .endr
        TURN
        ret
        END     \name\()_\count
        .endm

        LOOP_PLAIN integer, 48, add x3, x3, #1
        LOOP_PLAIN nop, 48, nop
        LOOP_PLAIN fence, 4, isb
        LOOP_PLAIN store_fence, 4, dmb ishst

/* An empty loop: starting and stopping add its count to every other. */
        KERNEL  empty
        ret
        END     empty

        .section .note.GNU-stack, "", @progbits
