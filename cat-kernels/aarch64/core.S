/* core: loops of instructions that need no operating system, those of cat-kernels/riscv64/core.S that mean the same here: an instruction that traps has
 * no kernel here, since it retires or not by other rules. Only emitted programs have them.
 *
 * Besides its payload a turn executes a subtraction and a branch. Accesses go to lines of the stack.
 *
 * x0: turns; x3, x4: 1; x2: the value that is worked with; x6, x7, x8: places to jump to; x10: the return address; x11: the state to which eret
 * returns, that of now; x5: memory, aligned to 64, which begins with 1 and these places; x9: the stack pointer as it was. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  core_\name
        .set    place, 0
        mov     x9, sp
        mov     x10, x30
        mov     x11, #0x3c5
        sub     x5, x9, #1088
        and     x5, x5, #-64
        mov     sp, x5
        mov     x2, #1
        mov     x3, #1
        mov     x4, #1
        adr     x6, 7f
        adr     x7, 8f
        adr     x8, 9f
        stp     x3, x6, [x5]
        stp     x7, x8, [x5, #16]
        .p2align 4
        .endm

/* Without a payload, the places to jump to are a function here. */
        .macro  FINISH name
        subs    x0, x0, #1
        b.ne    1b
        mov     sp, x9
        mov     x30, x10
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
        LOOP    add, \count, add x2, x2, x3
        LOOP    multiply, \count, mul x2, x2, x3
        LOOP    logic, \count, eor x2, x2, x3
        LOOP    shift, \count, lsl x2, x2, #1
        LOOP    compare, \count, cmp x2, x3
        LOOP    move, \count, mov x2, x3
        LOOP    address, \count, adr x2, .
        LOOP    nop, \count, nop
        LOOP    load, \count, ldr w2, [x5]
        LOOP    store, \count, str w2, [x5]
        LOOP    load_off, \count, ldur w2, [x5, #33]
        LOOP    store_off, \count, stur w2, [x5, #33]
        .endr
        .irp    count, 4, 12
        LOOP    divide, \count, udiv x2, x4, x3
        LOOP    fence, \count, dmb ish
        LOOP    csr_read, \count, mrs x2, tpidr_el1
        LOOP    csr_write, \count, msr tpidr_el1, x3
        .endr

        .macro  PAIR
        ldxr    w2, [x5]
        stxr    w2, w3, [x5]
        .endm
        .irp    count, 4, 12
        LOOP    lr, \count, ldxr w2, [x5]
        LOOP    lr_sc, \count, PAIR
        .endr
#ifdef HAS_LSE
        .irp    count, 8, 24
        LOOP    amo, \count, swp w3, w2, [x5]
        .endr
#endif

        .macro  RETURN
        adr     x2, .
        add     x2, x2, #20
        msr     spsr_el1, x11
        msr     elr_el1, x2
        eret
        .endm
        .irp    count, 1, 3
        LOOP    fence_i, \count, isb
        LOOP    mret, \count, RETURN
        .endr

/* Instructions that a branch or a jump skips are never executed. */
        .macro  NOT_TAKEN register
        cbz     \register, 2f
2:
        .endm
        .macro  TAKEN
        cbnz    x3, 2f
        nop
2:
        .endm
        .macro  JUMP
        b       2f
        nop
2:
        .endm
        .macro  CALL
        bl      2f
        nop
2:
        .endm
        .irp    count, 8, 24
        LOOP    not_taken, \count, NOT_TAKEN x3
        LOOP    taken, \count, TAKEN
        LOOP    jump, \count, JUMP
        .endr
        LOOP    call, 4, CALL
        LOOP    call, 12, CALL
        .irp    count, 2, 6
        LOOP    call_return, \count, bl 9f
        LOOP    call_register, \count, blr x6
        .endr

/* Each jumps behind itself. */
        .macro  JUMPS name, before:vararg
        BEGIN   \name\()_3
1:      \before x6, 1
7:      \before x7, 2
8:      \before x8, 3
9:      FINISH  \name\()_3
        .endm
        .macro  JUMP_TO register, number
        br      \register
        .endm
        BEGIN   indirect_1
1:      JUMP_TO x6
7:      FINISH  indirect_1
        JUMPS   indirect, JUMP_TO

/* ---- controls: hazards, accesses of a line and of many, mixtures ---- */

        .macro  USE between, operation:vararg
        \operation
        .rept   \between
        nop
        .endr
        add     x2, x2, x3
        .endm
        LOOP    load_use, 8, USE 0, ldr w2, [x5]
        LOOP    load_spaced, 8, USE 2, ldr w2, [x5]
        LOOP    csr_use, 4, USE 0, mrs x2, tpidr_el1
#ifdef HAS_LSE
        LOOP    amo_use, 4, USE 0, swp w3, w2, [x5]
#endif

        .macro  DECIDE operation:vararg
        \operation
        NOT_TAKEN x2
        .endm
        .macro  STORE_TAKEN
        str     w2, [x5, #60]
        TAKEN
        .endm
        LOOP    load_branch, 4, DECIDE ldr w2, [x5]
        LOOP    multiply_branch, 4, DECIDE mul x2, x4, x3
        LOOP    divide_branch, 4, DECIDE udiv x2, x4, x3
        LOOP    store_branch, 4, STORE_TAKEN

        .macro  ADD_JUMP register, number
        add     x2, \register, xzr
        br      x2
        .endm
        .macro  SPACED_JUMP register, number
        add     x2, \register, xzr
        nop
        nop
        br      x2
        .endm
        .macro  LOAD_JUMP register, number
        ldr     x2, [x5, #(\number * 8)]
        br      x2
        .endm
        .macro  ADD_CALL
        add     x2, x6, xzr
        blr     x2
        .endm
        JUMPS   add_jump, ADD_JUMP
        JUMPS   spaced_jump, SPACED_JUMP
        JUMPS   load_jump, LOAD_JUMP
        LOOP    add_call, 4, ADD_CALL

        .macro  NEXT operation, step
        \operation w2, [x5, #place]
        .set    place, place + \step
        .endm
        LOOP    store_line, 8, NEXT str, 4
        LOOP    store_stride, 8, NEXT str, 64
        LOOP    load_stride, 8, NEXT ldr, 64

        .macro  MIXED_A
        ldr     w2, [x5]
        mul     x2, x2, x3
        str     w2, [x5, #60]
        mrs     x2, tpidr_el1
        cbz     x3, 2f
        b       2f
2:      eor     x2, x2, x3
        .endm
        LOOP    mixed_a, 3, MIXED_A

        .section .note.GNU-stack, "", @progbits
