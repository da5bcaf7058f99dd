/* The first processor begins here; others wait. Traps: a kernel's ecall and ebreak return behind it, in ten instructions; other instructions that trap are
 * noted and skipped. Kernels leave s10 and s11 alone, and their instructions that trap have four bytes. */
        .option norvc
        .section .text.start, "ax", @progbits
        .globl  _start
_start: la      t0, cm_trap
        csrw    mtvec, t0
        csrr    t0, mhartid
        bnez    t0, 3f
        la      sp, cm_stack_end
        la      t0, cm_bss_start
        la      t1, cm_bss_end
1:      bgeu    t0, t1, 2f
        sw      zero, 0(t0)
        addi    t0, t0, 4
        j       1b
2:      li      t0, 3 << 13             # floating point on, if there is any
        csrs    mstatus, t0
        csrw    0x320, zero             # mcountinhibit: all count
        call    main
3:      wfi
        j       3b

        .p2align 8
cm_trap:
        csrr    s10, mcause
        li      s11, 0xf08              # breakpoint; environment calls
        srl     s11, s11, s10
        andi    s11, s11, 1
        beqz    s11, 2f
1:      csrr    s10, mepc
        addi    s10, s10, 4
        csrw    mepc, s10
        mret
2:      csrr    s10, mcause
        addi    s10, s10, 1
        la      s11, cm_trapped
#if __riscv_xlen == 64
        sd      s10, 0(s11)
#else
        sw      s10, 0(s11)
#endif
        j       1b

        .bss
        .globl  cm_trapped
        .p2align 3
cm_trapped:
        .zero   8
