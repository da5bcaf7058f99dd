/* instructions: loops of one kind of instruction each, on general and on vector registers, as in cat-kernels/x86_64/instructions.S.
 *
 * Besides its payload a turn executes a subtraction and a branch. Accesses go to a line below the stack, to which nobody else writes. Divisions are of
 * divided is 1 by 1.
 *
 * r3: turns; r5, r6: 1; r7, r8: operands; r9: memory, aligned to 64. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  ins_\name
        addi    9, 1, -192
        clrrdi  9, 9, 6
        li      5, 1
        li      6, 1
        li      7, 1
        .p2align 5
        .endm

        .macro  AGAIN
        addic.  3, 3, -1
        bne     1b
        .endm

        .macro  FINISH name, after
        blr
        END     ins_\name
        .endm

#include "cat-kernels/instruction_loops.inc"

/* ---- on general registers ---- */

        .macro  MOVES
        mr      7, 5
        isel    7, 5, 6, 2
        .endm
        TWICE   add, 1, , add 7, 7, 5
        TWICE   multiply, 1, , mulld 7, 7, 5
        LOOP    divide, 4, 1, , divdu 7, 6, 5
        LOOP    divide, 12, 1, , divdu 7, 6, 5
        TWICE   logic, 2, , PAIR and, or, 7, 7, 5
        TWICE   shift, 2, , PAIR sldi, srdi, 7, 7, 1
        TWICE   compare, 2, , PAIR cmpd, cmpld, 1, 7, 5
        TWICE   move, 2, , MOVES
        TWICE   address, 1, , addpcis 7, 0
        TWICE   flags, 1, , mcrf 1, 2

        .macro  INCREMENT
        addi    7, 7, 1
        neg     7, 7
        .endm
        .macro  BITS
        xor     7, 7, 5
        popcntd 7, 7
        .endm
        .macro  ROTATE
        rotldi  7, 7, 1
        srad    7, 7, 5
        .endm
        .macro  EXCHANGE
        cntlzd  7, 7
        not     7, 7
        .endm
        .macro  CONDITION
        extsw   7, 7
        isel    7, 5, 6, 2
        .endm
        .macro  MIXED
        add     7, 7, 5
        addi    7, 7, 3
        addpcis 8, 0
        xor     8, 8, 5
        sldi    8, 8, 2
        cmpd    1, 8, 5
        mr      7, 8
        mulld   7, 7, 5
        .endm
        LOOP    subtract, 24, 2, , PAIR subf, subfe, 7, 7, 5
        LOOP    increment, 24, 2, , INCREMENT
        LOOP    multiply_wide, 12, 1, , mulhdu 7, 7, 5
        LOOP    divide_signed, 12, 1, , divw 7, 6, 5
        LOOP    bits, 24, 2, , BITS
        LOOP    rotate, 24, 2, , ROTATE
        LOOP    exchange, 24, 2, , EXCHANGE
        LOOP    condition, 24, 2, , CONDITION
        LOOP    mixed, 24, 8, , MIXED

/* ---- on vector registers ---- */

        .macro  TWO name, one, other
        TWICE   \name\()_128, 2, , PAIR \one, \other, 0, 0, 1
        .endm
        TWO     add, vadduwm, vaddudm
        TWO     subtract, vsubuwm, vsubudm
        TWO     multiply, vmuluwm, vmulouw
        TWO     logic, vand, vxor
        TWO     shift, vslw, vsrd
        TWO     compare, vcmpequw, vcmpgtsd
        TWO     shuffle, vmrghw, vmrglb
        TWICE   aes, 2, , PAIR vcipher, vncipher, 0, 0, 1

        .macro  VECTOR_MOVE
        vmr     0, 1
        fmr     2, 3
        .endm
        .macro  ORDERS
        vperm   0, 0, 1, 2
        xxpermdi 0, 0, 1, 1
        .endm
        .macro  MIXED_128
        vadduwm 0, 0, 1
        vand    2, 2, 1
        vadduwm 3, 3, 1
        vcmpequw 4, 4, 1
        vsubuwm 5, 5, 1
        vslw    6, 6, 1
        vmuluwm 7, 7, 1
        vsldoi  2, 1, 3, 4
        .endm
        TWICE   vector_move, 2, , VECTOR_MOVE
        TWICE   float, 1, , fadd 0, 0, 1
        LOOP    saturate_128, 24, 2, , PAIR vaddshs, vsubuhs, 0, 0, 1
        LOOP    high_128, 24, 2, , PAIR vmulesh, vmulouh, 0, 0, 1
        LOOP    by_register_128, 24, 2, , PAIR vrlw, vsraw, 0, 0, 1
        LOOP    orders_128, 24, 2, , ORDERS
        LOOP    mixed_128, 24, 8, , MIXED_128

/* ---- neither: pauses, barriers, loads, stores and atomics ---- */

        TWICE   nop, 1, , nop
        LOOP    pause, 2, 1, , or 27, 27, 27
        LOOP    pause, 6, 1, , or 27, 27, 27
        LOOP    sfence, 4, 1, , lwsync
        LOOP    sfence, 12, 1, , lwsync
        LOOP    mfence, 4, 1, , sync

        TWICE   load, 1, , ld 7, 0(9)
        TWICE   store, 1, , std 7, 0(9)

/* Instructions are counted here, so those that set registers up must not show. */
        BEGIN   empty
        FINISH  empty

        .section .note.GNU-stack, "", @progbits
