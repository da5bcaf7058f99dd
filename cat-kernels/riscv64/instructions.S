/* instructions: loops of one kind of instruction each, as in cat-kernels/x86_64/instructions.S.
 *
 * Besides its payload a turn executes a subtraction and a branch. Accesses go to a line of the stack. Divisions are of 1 by 1.
 *
 * a0: turns; t0, t1: 1; t2, t3: operands; t4: memory, aligned to 64; t5: the stack pointer as it was. */
#include "body.inc"

        .set    of_vectors, 0

        .macro  BEGIN name
        KERNEL  ins_\name
        mv      t5, sp
        addi    t4, sp, -256
        andi    t4, t4, -64
        mv      sp, t4
        li      t0, 1
        li      t1, 1
        li      t2, 1
#ifdef HAS_V
        .if     of_vectors
        vsetvli t6, zero, e64, m1, ta, ma
        .endif
#endif
        .endm

        .macro  AGAIN
        addi    a0, a0, -1
        bnez    a0, 1b
        .endm

        .macro  FINISH name, after
        mv      sp, t5
        ret
        END     ins_\name
        .endm

#include "cat-kernels/instruction_loops.inc"

        .macro  MOVES
        mv      t2, t0
        li      t2, 5
        .endm
        TWICE   add, 1, , add t2, t2, t0
        TWICE   multiply, 1, , mul t2, t2, t0
        LOOP    divide, 4, 1, , divu t2, t1, t0
        LOOP    divide, 12, 1, , divu t2, t1, t0
        TWICE   logic, 2, , PAIR and, or, t2, t2, t0
        TWICE   shift, 2, , PAIR slli, srli, t2, t2, 1
        TWICE   compare, 2, , PAIR slt, sltu, t2, t2, t0
        TWICE   move, 2, , MOVES
        TWICE   address, 1, , auipc t2, 0
/* Of no kind: a read of a control register, of the floating-point flags if there are any. */
#ifdef HAS_F
        TWICE   flags, 1, , frflags t2
#else
        TWICE   flags, 1, , csrr t2, mscratch
#endif

/* Instructions that RV32 lacks. */
#if XLEN == 64
#define SHIFT_WORD srliw
#define MOVE_WORD sext.w
#define SUBTRACT_WORD subw
#define REMAINDER_WORD remw
#else
#define SHIFT_WORD srli
#define MOVE_WORD mv
#define SUBTRACT_WORD sub
#define REMAINDER_WORD rem
#endif
        .macro  INCREMENT
        addi    t2, t2, 1
        neg     t2, t2
        .endm
        .macro  BITS
        xor     t2, t2, t0
        andi    t2, t2, 12
        .endm
        .macro  ROTATE
        sra     t2, t2, t0
        SHIFT_WORD t2, t2, 1
        .endm
        .macro  EXCHANGE
        not     t2, t2
        ori     t2, t2, 3
        .endm
        .macro  CONSTANTS
        lui     t2, 5
        MOVE_WORD t2, t2
        .endm
        .macro  MIXED
        add     t2, t2, t0
        addi    t2, t2, 3
        auipc   t3, 0
        xor     t3, t3, t0
        slli    t3, t3, 2
        slt     t3, t3, t0
        mv      t2, t3
        mul     t2, t2, t0
        .endm
        LOOP    subtract, 24, 2, , PAIR sub, SUBTRACT_WORD, t2, t2, t0
        LOOP    increment, 24, 2, , INCREMENT
        LOOP    multiply_wide, 12, 1, , mulhu t2, t2, t0
        LOOP    divide_signed, 12, 1, , REMAINDER_WORD t2, t1, t0
        LOOP    bits, 24, 2, , BITS
        LOOP    rotate, 24, 2, , ROTATE
        LOOP    exchange, 24, 2, , EXCHANGE
        LOOP    constants, 24, 2, , CONSTANTS
        LOOP    mixed, 24, 8, , MIXED

#ifdef HAS_V
        .set    of_vectors, 1
        .irp    bits, 128, 256, 512
        TWICE   float_V\bits, 1, , vfadd.vv v8, v8, v9
        .endr
        .set    of_vectors, 0
#endif

/* ---- pauses, barriers, loads, stores and atomics. A pause is a fence of nothing, which older assemblers do not call so ---- */

        TWICE   nop, 1, , nop
        LOOP    pause, 2, 1, , .4byte 0x0100000f
        LOOP    pause, 6, 1, , .4byte 0x0100000f
        LOOP    lfence, 4, 1, , fence r, rw
        LOOP    lfence, 12, 1, , fence r, rw
        LOOP    sfence, 4, 1, , fence w, w
        LOOP    sfence, 12, 1, , fence w, w
        LOOP    mfence, 4, 1, , fence rw, rw

        TWICE   load, 1, , LX t2, (t4)
        TWICE   store, 1, , SX t2, (t4)
#ifdef HAS_A
        TWICE   lock_add, 1, , AMO_X(amoadd) t2, t0, (t4)
        LOOP    lock_or, 8, 1, , AMO_X(amoor) t2, t0, (t4)
        LOOP    swap, 8, 1, , AMO_X(amoswap) t2, t2, (t4)
#endif

/* Instructions are counted here, so those that set registers up must not show. */
        BEGIN   empty
        FINISH  empty

        .section .note.GNU-stack, "", @progbits
