/* mem-ops: loops of loads, of stores and of instructions that do both, of one width each, on the stack, as in cat-kernels/x86_64/mem_ops.S.
 *
 * Besides its accesses a turn executes \fillers additions to an integer, a subtraction and a branch. Aligned accesses go round 128 bytes; those that
 * cross a line do so in turn at two ends of lines of 64, 128 or 256 bytes. Loads write no register that addresses come from. Vectors load and store as
 * much as they hold, and have no kernel here.
 *
 * a2: memory, aligned to 256; a3: between the two ends; t6: the stack pointer as it was. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  \name
        mv      t6, sp
        addi    a2, sp, -1024
        andi    a2, a2, -256
        mv      sp, a2
        addi    a3, a2, 384
1:
        .endm

        .macro  FINISH name, fillers
        .rept   \fillers
        addi    t1, t1, 1
        .endr
        addi    a0, a0, -1
        bnez    a0, 1b
        mv      sp, t6
        ret
        END     \name
        .endm

#define AT_START a2
#define AT_ENDS a3
#include "cat-kernels/mem_ops_loops.inc"

/* A load of each width and the store of it. */
        .macro  WIDTH name, load, store, register
        .macro  LOAD_\name from, at
        \load   \register, \at(\from)
        .endm
        .macro  STORE_\name from, at
        \store  \register, \at(\from)
        .endm
        .endm

        WIDTH   1, lbu, sb, t0
        WIDTH   2, lhu, sh, t0
        WIDTH   4, lw, sw, t0

        .irp    width, 1, 2, 4
        BOTH    \width
        .endr

#if XLEN == 64
        WIDTH   8, ld, sd, t0
        BOTH    8
#endif

/* ---- controls ---- */

        .macro  COPY from, at
        LX      t0, \at(\from)
        SX      t0, (64 + \at)(\from)
        .endm
        LOOP    copy, COPY, XBYTES, 8

#ifdef HAS_F
        WIDTH   VECTOR_4, flw, fsw, ft0
        LOOP    load_vector, LOAD_VECTOR_4, 4, 8
        LOOP    store_vector, STORE_VECTOR_4, 4, 8
#endif
#ifdef HAS_D
        WIDTH   VECTOR_8, fld, fsd, ft0
        LOOP    load_vector, LOAD_VECTOR_8, 8, 8
        LOOP    store_vector, STORE_VECTOR_8, 8, 8
#endif

#ifdef HAS_A
/* Loads and stores the same place at once. Additions add 0, and exchanges store the value that is there. */
        .macro  ATOMIC_4 from, at
        amoadd.w t0, zero, (a2)
        .endm
        .macro  SWAP from, at
        AMO_X(amoswap) t0, t0, (a2)
        .endm

        LOOP    atomic, ATOMIC_4, 4, 8
        LOOP    swap, SWAP, XBYTES, 8

#if XLEN == 64
        .macro  ATOMIC_8 from, at
        amoadd.d t0, zero, (a2)
        .endm
        LOOP    atomic, ATOMIC_8, 8, 8
#endif
#endif

        .section .note.GNU-stack, "", @progbits
