/* The first processor begins here, at exception level 1; others wait. Memory is mapped to its own addresses, from 1 GiB on as ordinary memory, below as
 * devices. An instruction that traps is noted and skipped. */
        .section .text.start, "ax", @progbits
        .globl  _start
_start: mrs     x0, mpidr_el1
        and     x0, x0, #0xffff
        cbnz    x0, 3f
        adrp    x0, cm_stack_end
        add     x0, x0, :lo12:cm_stack_end
        mov     sp, x0
        adrp    x0, cm_bss_start
        add     x0, x0, :lo12:cm_bss_start
        adrp    x1, cm_bss_end
        add     x1, x1, :lo12:cm_bss_end
1:      cmp     x0, x1
        b.hs    2f
        str     xzr, [x0], #8
        b       1b
2:      mov     x0, #(3 << 20)          // floating point on
        msr     cpacr_el1, x0
        adrp    x0, cm_vectors
        add     x0, x0, :lo12:cm_vectors
        msr     vbar_el1, x0
        mov     x0, #0xff               // attribute 0: memory that is cached; 1: devices
        msr     mair_el1, x0
        movz    x0, #0x3519             // 39 bits, pages of 4 KiB, shared, cached; nothing above
        movk    x0, #0x80, lsl #16
        msr     tcr_el1, x0
        adrp    x0, cm_table
        msr     ttbr0_el1, x0
        isb
        mrs     x0, sctlr_el1
        mov     x1, #0x1005             // mapped, caches on
        orr     x0, x0, x1
        msr     sctlr_el1, x0
        isb
        mov     x0, #0x47               // counters on and 0, cycles in 64 bits
        msr     pmcr_el0, x0
        msr     pmccfiltr_el0, xzr
        mov     x0, #0xffffffff
        msr     pmcntenset_el0, x0
        isb
        bl      main
3:      wfi
        b       3b

        .macro  VECTOR to
        .p2align 7
        b       \to
        .endm

        .section .text.vectors, "ax", @progbits
        .p2align 11
cm_vectors:
        .rept   4
        VECTOR  3f
        .endr
        VECTOR  1f
        .rept   11
        VECTOR  3f
        .endr
/* Kernels and their callers keep nothing in x16 and x17. A system call returns behind it by itself. */
1:      mrs     x16, esr_el1
        lsr     x16, x16, #26
        cmp     x16, #0x15
        b.eq    2f
        mrs     x17, elr_el1
        add     x17, x17, #4
        msr     elr_el1, x17
        cmp     x16, #0x3c              // a breakpoint
        b.eq    2f
        add     x16, x16, #1
        adrp    x17, cm_trapped
        str     x16, [x17, :lo12:cm_trapped]
2:      eret
3:      b       3b

        .data
        .p2align 12
cm_table:
        .quad   0x60000000000405        // a device: not executed
        .quad   0x40000701, 0x80000701, 0xc0000701
        .zero   4096 - 32

        .bss
        .globl  cm_trapped
        .p2align 3
cm_trapped:
        .zero   8
