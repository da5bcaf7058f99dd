/* cm_riscv64_half(void) executes one instruction on half precision, scalar, and cm_riscv64_half_vector(void) one on vectors; each is a
 * return if the processor lacks it. cm_riscv64_vector_bytes(void): those of a vector register. */
#include "body.inc"

        .macro  TRY name
        .text
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 2
\name:
        .endm

        TRY     cm_riscv64_half
        fmv.h.x fa0, zero
        ret
        .size   cm_riscv64_half, . - cm_riscv64_half

        TRY     cm_riscv64_half_vector
        vsetvli t0, zero, e16, m1, ta, ma
        vfadd.vv v0, v0, v0
        ret
        .size   cm_riscv64_half_vector, . - cm_riscv64_half_vector

        TRY     cm_riscv64_vector_bytes
        csrr    a0, vlenb
        ret
        .size   cm_riscv64_vector_bytes, . - cm_riscv64_vector_bytes

        .section .note.GNU-stack, "", @progbits
