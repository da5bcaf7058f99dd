/* Arithmetic in registers: as many instructions at once as the core can take (24 accumulators: four pipes of up to six cycles, or two of up to twelve),
 * or one chain of them, each of which waits for the one before.
 *
 * Accumulators 0 to 23; 24 an addend, 25 minus one, 26 a factor below one, 27 a divisor just above one, 28 a factor so small that multiply-adds
 * stay within range. They have full mantissas, since dividers are faster on simple numbers. A multiply-add multiplies and adds to its own
 * accumulator: some cores take the number to add later than the factors, and a chain is that of the factors. */
#include "timed.inc"

        .section .rodata
        .p2align 3
constants_d:
        .double 1.1319272495, 0.0712471331, -1.0, 0.9370563917, 1.0000000001234567, 1.2345678901e-11
constants_s:
        .float  1.1319272495, 0.0712471331, -1.0, 0.9370563917, 1.0000001192, 1.2345678901e-8
constants_h: /* 1.1318, 0.0712, -1, 0.937, 1.001, 0.000123 as bits */
        .short  0x3c87, 0x2c8f, 0xbc00, 0x3b7f, 0x3c01, 0x0808

/* A constant into all lanes of a register. */
        .macro  CONSTANT_SCALAR r, t, n, at
        ldr     \r\n, [x3, #\at]
        .endm
        .macro  CONSTANT_NEON r, t, n, at
        add     x4, x3, #\at
        ld1r    {v\n\t}, [x4]
        .endm
        .macro  CONSTANT_SVE r, t, n, at
        add     x4, x3, #\at
        ld1r\r  {z\n\t}, p0/z, [x4]
        .endm

        .macro  SETUP p, kind, r, t, size
        adrp    x3, constants_\p
        add     x3, x3, :lo12:constants_\p
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
        CONSTANT_\kind \r, \t, \n, 0
        .endr
        .altmacro
        .irp    n, 1, 2, 3, 4, 5
        CONSTANT_\kind \r, \t, %(23 + n), %(n * \size)
        .endr
        .noaltmacro
        .endm

/* Instructions of an accumulator: with a constant, of a constant, of itself. */
        .macro  WITH_SCALAR operation, r, t, n, source
        \operation \r\n, \r\n, \r\source
        .endm
        .macro  WITH_NEON operation, r, t, n, source
        \operation v\n\t, v\n\t, v\source\t
        .endm
        .macro  WITH_SVE operation, r, t, n, source
        \operation z\n\t, z\n\t, z\source\t
        .endm
        .macro  DIVIDE_SCALAR operation, r, t, n, source
        fdiv    \r\n, \r\n, \r\source
        .endm
        .macro  DIVIDE_NEON operation, r, t, n, source
        fdiv    v\n\t, v\n\t, v\source\t
        .endm
        .macro  DIVIDE_SVE operation, r, t, n, source
        fdiv    z\n\t, p0/m, z\n\t, z\source\t
        .endm
        .macro  FUSED_SCALAR operation, r, t, n, source
        fmadd   \r\n, \r\n, \r\source, \r\n
        .endm
        .macro  FUSED_NEON operation, r, t, n, source
        fmla    v\n\t, v\n\t, v\source\t
        .endm
        .macro  FUSED_SVE operation, r, t, n, source
        fmla    z\n\t, p0/m, z\n\t, z\source\t
        .endm
        .macro  ROOT_SCALAR operation, r, t, n, source
        fsqrt   \r\n, \r\source
        .endm
        .macro  ROOT_NEON operation, r, t, n, source
        fsqrt   v\n\t, v\source\t
        .endm
        .macro  ROOT_SVE operation, r, t, n, source
        fsqrt   z\n\t, p0/m, z\source\t
        .endm
        .irp    kind, SCALAR, NEON, SVE
        .macro  OWN_ROOT_\kind operation, r, t, n, source
        ROOT_\kind fsqrt, \r, \t, \n, \n
        .endm
        .endr

/* 48 instructions on \chains accumulators in turn: the first and the second form alternate. */
        .macro  LOOP name, p, set, chains, kind, r, t, size, lanes, form, operation, source, form2, operation2, source2
        TIMED   \name\()_\p\()_\set\()_\chains
        SAVE
        \lanes
        SETUP   \p, \kind, \r, \t, \size
        .p2align 5
1:
        .set    turn, 0
        .rept   24
        .altmacro
        \form\()_\kind \operation, \r, \t, %(turn % \chains), \source
        \form2\()_\kind \operation2, \r, \t, %((turn + 1) % \chains), \source2
        .noaltmacro
        .set    turn, turn + 2
        .endr
        FINISH  \name\()_\p\()_\set\()_\chains, RESTORE
        .endm

/* At once, and in a chain. */
        .macro  BOTH name, p, set, kind, r, t, size, lanes, form, operation, source
        LOOP    \name, \p, \set, 24, \kind, \r, \t, \size, \lanes, \form, \operation, \source, \form, \operation, \source
        LOOP    \name, \p, \set, 1, \kind, \r, \t, \size, \lanes, \form, \operation, \source, \form, \operation, \source
        .endm

        .macro  FAMILY p, set, kind, r, t, size, lanes
        BOTH    add, \p, \set, \kind, \r, \t, \size, \lanes, WITH, fadd, 24
        BOTH    mul, \p, \set, \kind, \r, \t, \size, \lanes, WITH, fmul, 25
        BOTH    div, \p, \set, \kind, \r, \t, \size, \lanes, DIVIDE, fdiv, 27
        BOTH    fma, \p, \set, \kind, \r, \t, \size, \lanes, FUSED, fmla, 28
        LOOP    add_mul, \p, \set, 24, \kind, \r, \t, \size, \lanes, WITH, fadd, 24, WITH, fmul, 25
        LOOP    sqrt, \p, \set, 24, \kind, \r, \t, \size, \lanes, ROOT, fsqrt, 26, ROOT, fsqrt, 26
        LOOP    sqrt_mul, \p, \set, 1, \kind, \r, \t, \size, \lanes, OWN_ROOT, fsqrt, 0, WITH, fmul, 26
        .endm

        FAMILY  d, SCALAR, SCALAR, d, , 8, NOTHING
        FAMILY  d, NEON, NEON, , .2d, 8, NOTHING
        FAMILY  d, SVE, SVE, d, .d, 8, ALL_LANES
        FAMILY  s, SCALAR, SCALAR, s, , 4, NOTHING
        FAMILY  s, NEON, NEON, , .4s, 4, NOTHING
        FAMILY  s, SVE, SVE, w, .s, 4, ALL_LANES
        FAMILY  h, SCALAR, SCALAR, h, , 2, NOTHING
        FAMILY  h, NEON, NEON, , .8h, 2, NOTHING
        FAMILY  h, SVE, SVE, h, .h, 2, ALL_LANES

/* The clock: 48 additions of registers, of which each waits for the one before, a cycle each. */
        TIMED   clock
        mov     x2, #0
        .p2align 5
1:
        .rept   48
        add     x2, x2, x1
        .endr
        FINISH  clock

        .section .note.GNU-stack, "", @progbits
