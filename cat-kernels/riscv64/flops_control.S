/* cpu-flops: controls. Mixtures of additions and multiplications, three to one and one to three, and loops without floating-point
 * arithmetic. Each metric's value on them is known, though none was fitted there. */
#include "flops.inc"

/* Both take the same source, 0: the accumulators are 0 from the first multiplication on. */
        .macro  MIXTURES p, w, kind, lane, move, ones, r
        LOOP_OF \p\()_ADD3_MUL1_\w, 48, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 31, fadd, fmul, 3
        LOOP_OF \p\()_ADD1_MUL3_\w, 48, SETUP_\kind, \lane, \move, \ones, THREE_\kind, \r, 31, fmul, fadd, 3
        .endm

#ifdef HAS_F
        MIXTURES S, SCAL, SCALAR, s, w, 0x3f800000, s
#endif
#ifdef HAS_D
        MIXTURES D, SCAL, SCALAR, d, d, 0x3ff0000000000000, d
#endif

#ifdef HAS_V
        MIXTURES S, V, VECTOR, e32, , 0x3f800000, vv
        MIXTURES D, V, VECTOR, e64, , 0x3ff0000000000000, vv

        .macro  MOVE operation, r, source, n
        v\operation v\n, v\source
        .endm
        .macro  SLIDE operation, r, source, n
        v\operation v\n, v\source, 1
        .endm

        LOOP_OF vector_move, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, MOVE, , 30, mv.v.v, mv1r.v, 2
        LOOP_OF vector_logic, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, THREE_VECTOR, vv, 30, and, or, 2
        LOOP_OF vector_integer, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, THREE_VECTOR, vv, 31, add, sub, 2
        LOOP_OF vector_shuffle, 48, SETUP_VECTOR, e64, , 0x3ff0000000000000, SLIDE, , 30, slidedown.vi, slideup.vi, 2

/* Of one lane alone: an event that counts all lanes counts as much as if all were active. */
        .macro  PART p, lane, ones
        LOOP_OF \p\()_PART_ADD_V, 48, SETUP_PART, \lane, , \ones, THREE_VECTOR, vv, 31, fadd
        LOOP_OF \p\()_PART_FMA_V, 48, SETUP_PART, \lane, , \ones, FUSED_VECTOR, vv, , fmadd
        .endm

        PART    S, e32, 0x3f800000
        PART    D, e64, 0x3ff0000000000000
        PART    H, e16, 0x3c00
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

        LOOP_PLAIN integer, 48, addi a3, a3, 1
        LOOP_PLAIN nop, 48, nop
        LOOP_PLAIN fence, 4, fence.i
        LOOP_PLAIN store_fence, 4, fence w, w

/* An empty loop: starting and stopping add its count to every other. */
        KERNEL  empty
        ret
        END     empty

        .section .note.GNU-stack, "", @progbits
