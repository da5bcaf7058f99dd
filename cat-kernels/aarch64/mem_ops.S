/* mem-ops: loops of loads, of stores and of instructions that do both, of one width each, on the stack, as in cat-kernels/x86_64/mem_ops.S.
 *
 * Besides its accesses a turn executes \fillers additions to an integer, a subtraction and a branch. Aligned accesses go round 128 bytes;
 * those that cross a line do so in turn at two ends of lines of 64, 128 or 256 bytes. Loads write no register that addresses come from, so
 * that no access waits for another. 32 bytes are a pair, 64 a structure: one access each.
 *
 * x2: memory, aligned to 256; x9, x10, x11: 64, 224 and 480 bytes on; x13: between the two ends. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  \name
        mov     x12, sp
        sub     x2, x12, #1024
        and     x2, x2, #-256
        mov     sp, x2
        add     x9, x2, #64
        add     x10, x2, #224
        add     x11, x2, #480
        add     x13, x2, #384
        .p2align 5
1:
        .endm

        .macro  FINISH name, fillers
        .rept   \fillers
        add     x3, x3, #1
        .endr
        subs    x0, x0, #1
        b.ne    1b
        mov     sp, x12
        ret
        END     \name
        .endm

#define AT_START x2
#define AT_ENDS x13
#include "cat-kernels/mem_ops_loops.inc"

/* Instructions that take no offset: it chooses the register. */
        .macro  PLACED operation, at
        .if     \at == 0
        \operation {v0.16b, v1.16b, v2.16b, v3.16b}, [x2]
        .elseif \at == 64
        \operation {v0.16b, v1.16b, v2.16b, v3.16b}, [x9]
        .elseif \at < 0
        \operation {v0.16b, v1.16b, v2.16b, v3.16b}, [x10]
        .else
        \operation {v0.16b, v1.16b, v2.16b, v3.16b}, [x11]
        .endif
        .endm

        .macro  LOAD_1 from, at
        ldrb    w4, [\from, #\at]
        .endm
        .macro  LOAD_2 from, at
        ldrh    w4, [\from, #\at]
        .endm
        .macro  LOAD_4 from, at
        ldr     w4, [\from, #\at]
        .endm
        .macro  LOAD_8 from, at
        ldr     x4, [\from, #\at]
        .endm
        .macro  LOAD_16 from, at
        ldr     q0, [\from, #\at]
        .endm
        .macro  LOAD_32 from, at
        ldp     q0, q1, [\from, #\at]
        .endm
        .macro  LOAD_64 from, at
        PLACED  ld1, \at
        .endm

        .macro  STORE_1 from, at
        strb    w4, [\from, #\at]
        .endm
        .macro  STORE_2 from, at
        strh    w4, [\from, #\at]
        .endm
        .macro  STORE_4 from, at
        str     w4, [\from, #\at]
        .endm
        .macro  STORE_8 from, at
        str     x4, [\from, #\at]
        .endm
        .macro  STORE_16 from, at
        str     q0, [\from, #\at]
        .endm
        .macro  STORE_32 from, at
        stp     q0, q1, [\from, #\at]
        .endm
        .macro  STORE_64 from, at
        PLACED  st1, \at
        .endm

        .irp    width, 1, 2, 4, 8, 16, 32, 64
        BOTH    \width
        .endr

/* ---- controls ---- */

        .macro  LOAD_VECTOR_4 from, at
        ldr     s0, [\from, #\at]
        .endm
        .macro  LOAD_VECTOR_8 from, at
        ldr     d0, [\from, #\at]
        .endm
        .macro  STORE_VECTOR_4 from, at
        str     s0, [\from, #\at]
        .endm
        .macro  STORE_VECTOR_8 from, at
        str     d0, [\from, #\at]
        .endm
        .macro  LOAD_PAIR from, at
        ldp     x4, x5, [\from, #\at]
        .endm
        .macro  STORE_PAIR from, at
        stp     x4, x5, [\from, #\at]
        .endm
        .macro  COPY from, at
        ldr     x4, [\from, #\at]
        str     x4, [\from, #64 + \at]
        .endm

        LOOP    load_vector, LOAD_VECTOR_4, 4, 8
        LOOP    load_vector, LOAD_VECTOR_8, 8, 8
        LOOP    store_vector, STORE_VECTOR_4, 4, 8
        LOOP    store_vector, STORE_VECTOR_8, 8, 8
        LOOP    load_pair, LOAD_PAIR, 16, 8
        LOOP    store_pair, STORE_PAIR, 16, 8
        LOOP    copy, COPY, 8, 8

#ifdef HAS_LSE
/* Loads and stores the same place at once. Additions add 0, and exchanges store the value that is there. */
        .macro  ATOMIC_4 from, at
        ldadd   wzr, w4, [x2]
        .endm
        .macro  ATOMIC_8 from, at
        ldadd   xzr, x4, [x2]
        .endm
        .macro  SWAP from, at
        swp     x4, x4, [x2]
        .endm

        LOOP    atomic, ATOMIC_4, 4, 8
        LOOP    atomic, ATOMIC_8, 8, 8
        LOOP    swap, SWAP, 8, 8
#endif

        .section .note.GNU-stack, "", @progbits
