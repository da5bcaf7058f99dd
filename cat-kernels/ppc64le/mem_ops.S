/* mem-ops: loops of loads, of stores and of instructions that do both, of one width each, on the stack, as in cat-kernels/x86_64/mem_ops.S.
 *
 * Besides its accesses a turn executes \fillers additions to an integer, a subtraction and a branch. Aligned accesses go round 128 bytes;
 * those that cross a line do so in turn at two ends of lines of 64, 128 or 256 bytes. Loads write no register that addresses come from.
 *
 * r6: memory, aligned to 256; r7: between the two ends; r8: 8 bytes before that, since offsets of 16 bytes are multiples of 16; r9: the value loaded and
 * stored; r12: the stack pointer as it was. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  \name
        mr      12, 1
        addi    5, 1, -1280
        clrrdi  1, 5, 8
        addi    6, 1, 256
        addi    7, 6, 384
        addi    8, 7, -8
        .p2align 5
1:
        .endm

        .macro  FINISH name, fillers
        .rept   \fillers
        addi    10, 10, 1
        .endr
        addic.  3, 3, -1
        bne     1b
        mr      1, 12
        blr
        END     \name
        .endm

#define AT_START 6
#define AT_ENDS 7
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

        WIDTH   1, lbz, stb, 9
        WIDTH   2, lhz, sth, 9
        WIDTH   4, lwz, stw, 9
        WIDTH   8, ld, std, 9
        WIDTH   ALIGNED, lxv, stxv, 0
        WIDTH   32, lxvp, stxvp, 0
        WIDTH   VECTOR_4, lfs, stfs, 0
        WIDTH   VECTOR_8, lfd, stfd, 0

        .macro  SIXTEEN one, from, at
        .if     (\at) & 15
        \one    8, (\at + 8)
        .else
        \one    \from, \at
        .endif
        .endm
        .macro  LOAD_16 from, at
        SIXTEEN LOAD_ALIGNED, \from, \at
        .endm
        .macro  STORE_16 from, at
        SIXTEEN STORE_ALIGNED, \from, \at
        .endm

        .irp    width, 1, 2, 4, 8, 16, 32
        BOTH    \width
        .endr

/* ---- controls ---- */

        .macro  COPY from, at
        ld      9, \at(\from)
        std     9, (64 + \at)(\from)
        .endm
        LOOP    load_vector, LOAD_VECTOR_4, 4, 8
        LOOP    load_vector, LOAD_VECTOR_8, 8, 8
        LOOP    store_vector, STORE_VECTOR_4, 4, 8
        LOOP    store_vector, STORE_VECTOR_8, 8, 8
        LOOP    copy, COPY, 8, 8

        .section .note.GNU-stack, "", @progbits
