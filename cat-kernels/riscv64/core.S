/* core: loops of instructions that need no operating system: of machine mode, traps, hazards. Only emitted programs have them: in a process most of
 * them end in the operating system.
 *
 * Besides its payload a turn executes a subtraction and a branch. Accesses go to lines of the stack. A trap runs the ten instructions of the
 * handler (freestanding/riscv/start.S), which uses s10 and s11.
 *
 * a0: turns; t0, t1: 1; t2: the value that is worked with; t3, t6, a3: places to jump to; a4: the return address; a5: mstatus with which mret stays in
 * machine mode; t4: memory, aligned to 64, which begins with 1 and these places; t5: the stack pointer as it was. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  core_\name
        .set    place, 0
        mv      t5, sp
        mv      a4, ra
        addi    t4, sp, -1088
        andi    t4, t4, -64
        mv      sp, t4
        li      t0, 3 << 11
        csrr    a5, mstatus
        or      a5, a5, t0
        li      t0, 1
        li      t1, 1
        li      t2, 1
        lla     t3, 7f
        lla     t6, 8f
        lla     a3, 9f
        SX      t0, (t4)
        SX      t3, XBYTES(t4)
        SX      t6, 2 * XBYTES(t4)
        SX      a3, 3 * XBYTES(t4)
        .p2align 4
        .endm

/* Without a payload, the places to jump to are a function here. */
        .macro  FINISH name
        addi    a0, a0, -1
        bnez    a0, 1b
        mv      sp, t5
        mv      ra, a4
7:
8:
9:      ret
        END     core_\name
        .endm

        .macro  LOOP name, count, one:vararg
        BEGIN   \name\()_\count
1:      .rept   \count
        \one
        .endr
        FINISH  \name\()_\count
        .endm

/* ---- one kind each ---- */

        .irp    count, 8, 24
        LOOP    add, \count, add t2, t2, t0
        LOOP    multiply, \count, mul t2, t2, t0
        LOOP    logic, \count, xor t2, t2, t0
        LOOP    shift, \count, slli t2, t2, 1
        LOOP    compare, \count, slt t2, t2, t0
        LOOP    move, \count, mv t2, t0
        LOOP    address, \count, auipc t2, 0
        LOOP    nop, \count, nop
        LOOP    load, \count, lw t2, (t4)
        LOOP    store, \count, sw t2, (t4)
        LOOP    load_off, \count, lw t2, 33(t4)
        LOOP    store_off, \count, sw t2, 33(t4)
        .endr
        .irp    count, 4, 12
        LOOP    divide, \count, divu t2, t1, t0
        LOOP    fence, \count, fence
        LOOP    csr_read, \count, csrr t2, mscratch
        LOOP    csr_write, \count, csrw mscratch, t0
        LOOP    csr_swap, \count, csrrw t2, mscratch, t0
        .endr

#ifdef HAS_A
        .macro  PAIR
        lr.w    t2, (t4)
        sc.w    t2, t0, (t4)
        .endm
        .irp    count, 4, 12
        LOOP    lr, \count, lr.w t2, (t4)
        LOOP    lr_sc, \count, PAIR
        .endr
        .irp    count, 8, 24
        LOOP    amo, \count, amoswap.w t2, t0, (t4)
        .endr
#endif

        .macro  RETURN
        auipc   t2, 0
        addi    t2, t2, 20
        csrw    mstatus, a5
        csrw    mepc, t2
        mret
        .endm
        .irp    count, 1, 3
        LOOP    fence_i, \count, fence.i
        LOOP    ecall, \count, ecall
        LOOP    ebreak, \count, ebreak
        LOOP    mret, \count, RETURN
        .endr

/* Instructions that a branch or a jump skips are never executed. */
        .macro  NOT_TAKEN register
        beqz    \register, 2f
2:
        .endm
        .macro  TAKEN
        bnez    t0, 2f
        nop
2:
        .endm
        .macro  JUMP
        j       2f
        nop
2:
        .endm
        .macro  CALL
        jal     ra, 2f
        nop
2:
        .endm
        .irp    count, 8, 24
        LOOP    not_taken, \count, NOT_TAKEN t0
        LOOP    taken, \count, TAKEN
        LOOP    jump, \count, JUMP
        .endr
        LOOP    call, 4, CALL
        LOOP    call, 12, CALL
        .irp    count, 2, 6
        LOOP    call_return, \count, jal ra, 9f
        LOOP    call_register, \count, jalr ra, 0(t3)
        .endr

/* Each jumps behind itself. */
        .macro  JUMPS name, before:vararg
        BEGIN   \name\()_3
1:      \before t3, 1
7:      \before t6, 2
8:      \before a3, 3
9:      FINISH  \name\()_3
        .endm
        .macro  JUMP_TO register, number
        jr      \register
        .endm
        BEGIN   indirect_1
1:      JUMP_TO t3
7:      FINISH  indirect_1
        JUMPS   indirect, JUMP_TO

#ifdef __riscv_compressed
        .macro  SHORT
        .option push
        .option rvc
        c.addi  t2, 1
        .option pop
        .endm
        .macro  STRADDLE
        SHORT
        addi    t2, t2, 1
        .endm
        LOOP    compressed, 8, SHORT
        LOOP    compressed, 24, SHORT
        LOOP    straddle, 8, STRADDLE
#endif

/* ---- controls: hazards, accesses of a line and of many, mixtures ---- */

        .macro  USE between, operation:vararg
        \operation
        .rept   \between
        nop
        .endr
        add     t2, t2, t0
        .endm
        LOOP    load_use, 8, USE 0, lw t2, (t4)
        LOOP    load_spaced, 8, USE 2, lw t2, (t4)
        LOOP    csr_use, 4, USE 0, csrr t2, mscratch
#ifdef HAS_A
        LOOP    amo_use, 4, USE 0, amoswap.w t2, t0, (t4)
#endif

        .macro  DECIDE operation:vararg
        \operation
        NOT_TAKEN t2
        .endm
        .macro  STORE_TAKEN
        sw      t2, 60(t4)
        TAKEN
        .endm
        LOOP    load_branch, 4, DECIDE lw t2, (t4)
        LOOP    multiply_branch, 4, DECIDE mul t2, t1, t0
        LOOP    divide_branch, 4, DECIDE divu t2, t1, t0
        LOOP    store_branch, 4, STORE_TAKEN

        .macro  ADD_JUMP register, number
        add     t2, \register, zero
        jr      t2
        .endm
        .macro  SPACED_JUMP register, number
        add     t2, \register, zero
        nop
        nop
        jr      t2
        .endm
        .macro  LOAD_JUMP register, number
        LX      t2, \number * XBYTES(t4)
        jr      t2
        .endm
        .macro  ADD_CALL
        add     t2, t3, zero
        jalr    ra, 0(t2)
        .endm
        JUMPS   add_jump, ADD_JUMP
        JUMPS   spaced_jump, SPACED_JUMP
        JUMPS   load_jump, LOAD_JUMP
        LOOP    add_call, 4, ADD_CALL

        .macro  NEXT operation, step
        \operation t2, place(t4)
        .set    place, place + \step
        .endm
        LOOP    store_line, 8, NEXT sw, 4
        LOOP    store_stride, 8, NEXT sw, 64
        LOOP    load_stride, 8, NEXT lw, 64

        .macro  MIXED_A
        lw      t2, (t4)
        mul     t2, t2, t0
        sw      t2, 60(t4)
        csrr    t2, mscratch
        beqz    t0, 2f
        j       2f
2:      xor     t2, t2, t0
        .endm
        .macro  MIXED_B
        ecall
        divu    t2, t1, t0
        fence
        csrw    mscratch, t0
        TAKEN
        sw      t2, 60(t4)
        csrrw   t2, mscratch, t0
        .endm
        LOOP    mixed_a, 3, MIXED_A
        LOOP    mixed_b, 2, MIXED_B

        .section .note.GNU-stack, "", @progbits
