/* instructions: loops of one kind of instruction each, on general and on vector registers, as in cat-kernels/x86_64/instructions.S.
 *
 * Besides its payload a turn executes a subtraction and a branch. Accesses go to a line of the stack. Divisions are of 1 by 1.
 *
 * x0: turns; x3, x4: 1; x5, x6: operands; x8: memory, aligned to 64; x12: the stack pointer as it was. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  ins_\name
        mov     x12, sp
        sub     x8, x12, #256
        and     x8, x8, #-64
        mov     sp, x8
        mov     x3, #1
        mov     x4, #1
        mov     x5, #1
        .p2align 5
        .endm

        .macro  AGAIN
        subs    x0, x0, #1
        b.ne    1b
        .endm

        .macro  FINISH name, after
        mov     sp, x12
        ret
        END     ins_\name
        .endm

#include "cat-kernels/instruction_loops.inc"

/* ---- on general registers ---- */

        .macro  MOVES
        mov     x5, x3
        csel    x5, x3, x4, eq
        .endm
        TWICE   add, 1, , add x5, x5, x3
        TWICE   multiply, 1, , mul x5, x5, x3
        LOOP    divide, 4, 1, , udiv x5, x4, x3
        LOOP    divide, 12, 1, , udiv x5, x4, x3
        TWICE   logic, 2, , PAIR and, orr, x5, x5, x3
        TWICE   shift, 2, , PAIR lsl, lsr, x5, x5, #1
        TWICE   compare, 2, , PAIR cmp, tst, x5, x3
        TWICE   move, 2, , MOVES
        TWICE   address, 1, , adr x5, 1b
#ifdef HAS_CRC
        TWICE   crc, 1, , crc32x w5, w5, x3
#endif
        TWICE   flags, 1, , msr nzcv, x3

        .macro  INCREMENT
        add     x5, x5, #1
        neg     x5, x5
        .endm
        .macro  BITS
        eor     x5, x5, x3
        bfi     x5, x3, #3, #5
        .endm
        .macro  ROTATE
        ror     x5, x5, #1
        asr     x5, x5, x3
        .endm
        .macro  CONDITION
        cset    x5, eq
        csinc   x5, x3, x4, ne
        .endm
        .macro  MIXED
        add     x5, x5, x3
        add     x5, x5, #3
        adr     x6, 1b
        eor     x6, x6, x3
        lsl     x6, x6, #2
        cmp     x6, x3
        mov     x5, x6
        mul     x5, x5, x3
        .endm
        LOOP    subtract, 24, 2, , PAIR sub, sbc, x5, x5, x3
        LOOP    increment, 24, 2, , INCREMENT
        LOOP    multiply_wide, 12, 1, , umulh x5, x5, x3
        LOOP    divide_signed, 12, 1, , sdiv w5, w4, w3
        LOOP    bits, 24, 2, , BITS
        LOOP    rotate, 24, 2, , ROTATE
        LOOP    exchange, 24, 2, , PAIR rev, mvn, x5, x5
        LOOP    condition, 24, 2, , CONDITION
        LOOP    mixed, 24, 8, , MIXED

/* ---- on vector registers ---- */

        .macro  TWO name, one, other
        TWICE   \name\()_128, 2, , PAIR \one, \other, v0.4s, v0.4s, v1.4s
        .endm
        .macro  AND_OR
        and     v0.16b, v0.16b, v1.16b
        eor     v0.16b, v0.16b, v1.16b
        .endm
        .macro  SUBTRACT
        sub     v0.4s, v0.4s, v1.4s
        sub     v0.2d, v0.2d, v1.2d
        .endm
        .macro  ADDITIONS
        add     v0.4s, v0.4s, v1.4s
        add     v0.2d, v0.2d, v1.2d
        .endm
        .macro  MULTIPLY
        mul     v0.8h, v0.8h, v1.8h
        umull   v0.2d, v0.2s, v1.2s
        .endm
        .macro  VECTOR_MOVE
        mov     v0.16b, v1.16b
        fmov    d2, d3
        .endm
        .macro  ORDERS
        rev64   v0.4s, v1.4s
        tbl     v0.16b, {v2.16b}, v1.16b
        .endm
        .macro  MIXED_128
        add     v0.4s, v0.4s, v1.4s
        and     v2.16b, v2.16b, v1.16b
        add     v3.4s, v3.4s, v1.4s
        cmeq    v4.4s, v4.4s, v1.4s
        sub     v5.4s, v5.4s, v1.4s
        shl     v6.4s, v6.4s, #1
        mul     v7.8h, v7.8h, v1.8h
        ext     v2.16b, v1.16b, v3.16b, #4
        .endm
        TWICE   add_128, 2, , ADDITIONS
        TWICE   subtract_128, 2, , SUBTRACT
        TWICE   multiply_128, 2, , MULTIPLY
        TWICE   logic_128, 2, , AND_OR
        TWICE   shift_128, 2, , PAIR shl, ushr, v0.4s, v0.4s, #1
        TWO     compare, cmeq, cmgt
        TWO     shuffle, zip1, trn2
#ifdef HAS_AES
        TWICE   aes, 2, , PAIR aese, aesd, v0.16b, v1.16b
#endif
        TWICE   vector_move, 2, , VECTOR_MOVE
        TWICE   float, 1, , fadd d0, d0, d1
#ifdef HAS_SVE
        .irp    bits, 128, 256, 512
        TWICE   float_V\bits, 1, , fadd z0.d, z0.d, z1.d
        .endr
#endif
        LOOP    saturate_128, 24, 2, , PAIR sqadd, uqsub, v0.8h, v0.8h, v1.8h
        LOOP    high_128, 24, 2, , PAIR sqdmulh, sqrdmulh, v0.8h, v0.8h, v1.8h
        LOOP    by_register_128, 24, 2, , PAIR sshl, ushl, v0.4s, v0.4s, v1.4s
        LOOP    orders_128, 24, 2, , ORDERS
        LOOP    mixed_128, 24, 8, , MIXED_128

/* ---- neither: pauses, barriers, loads, stores and atomics ---- */

        TWICE   nop, 1, , nop
        LOOP    pause, 2, 1, , yield
        LOOP    pause, 6, 1, , yield
        LOOP    lfence, 4, 1, , dmb ishld
        LOOP    lfence, 12, 1, , dmb ishld
        LOOP    sfence, 4, 1, , dmb ishst
        LOOP    sfence, 12, 1, , dmb ishst
        LOOP    mfence, 4, 1, , dmb ish

        TWICE   load, 1, , ldr x5, [x8]
        TWICE   store, 1, , str x5, [x8]
#ifdef HAS_LSE
        TWICE   lock_add, 1, , ldadd x3, x5, [x8]
        LOOP    lock_exchange, 8, 1, , cas x5, x3, [x8]
        LOOP    lock_xadd, 8, 1, , ldaddal x3, x5, [x8]
        LOOP    swap, 8, 1, , swp x5, x5, [x8]
#endif

/* Instructions are counted here, so those that set registers up must not show. */
        BEGIN   empty
        FINISH  empty

        .section .note.GNU-stack, "", @progbits
