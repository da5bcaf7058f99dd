/* Streams through arrays, all of them again in each turn: loads and stores, in vectors of one width. Eight vectors stand in a loop's body, and each
 * array has a pointer of its own, since some cores are slower if two registers make an address.
 *
 * r8 to r11 are the arrays: the first is stored to (of `load` it is loaded), the others are loaded; rcx is the end of the first. */
#include "timed.inc"

        .section .rodata
        .p2align 6
factors:
        .rept   8
        .double 0.4231087751
        .endr

/* A vector at an offset, in register \n; 8 is the factor. */
        .macro  LOAD t, r, move, nt, at, n
        \move   \at(%r8), %\r\n
        .endm
        .macro  STORE t, r, move, nt, at, n
        \move   %\r\()8, \at(%r8)
        .endm
        .macro  STORE_NT t, r, move, nt, at, n
        \nt     %\r\()8, \at(%r8)
        .endm
        .macro  COPY t, r, move, nt, at, n
        \move   \at(%r9), %\r\n
        \move   %\r\n, \at(%r8)
        .endm
        .macro  COPY_NT t, r, move, nt, at, n
        \move   \at(%r9), %\r\n
        \nt     %\r\n, \at(%r8)
        .endm
        .macro  SUM_SSE t, r, move, at, n
        \move   \at(%r10), %\r\n
        mul\t   %\r\()8, %\r\n
        add\t   \at(%r9), %\r\n
        .endm
        .macro  SUM_AVX t, r, move, at, n
        vmul\t  \at(%r10), %\r\()8, %\r\n
        vadd\t  \at(%r9), %\r\n, %\r\n
        .endm
        .macro  SUM_FMA t, r, move, at, n
        \move   \at(%r10), %\r\n
        vfmadd213\t \at(%r9), %\r\()8, %\r\n
        .endm
        .macro  PRODUCT_SSE t, r, move, at, n
        \move   \at(%r10), %\r\n
        mul\t   \at(%r11), %\r\n
        add\t   \at(%r9), %\r\n
        .endm
        .macro  PRODUCT_AVX t, r, move, at, n
        \move   \at(%r10), %\r\n
        vmul\t  \at(%r11), %\r\n, %\r\n
        vadd\t  \at(%r9), %\r\n, %\r\n
        .endm
        .macro  PRODUCT_FMA t, r, move, at, n
        \move   \at(%r10), %\r\n
        \move   \at(%r11), %\r\()15
        vfmadd213\t \at(%r9), %\r\()15, %\r\n
        .endm
        .irp    kind, SSE, AVX, FMA
        .macro  TRIAD_\kind t, r, move, nt, at, n
        SUM_\kind \t, \r, \move, \at, \n
        \move   %\r\n, \at(%r8)
        .endm
        .macro  TRIAD_NT_\kind t, r, move, nt, at, n
        SUM_\kind \t, \r, \move, \at, \n
        \nt     %\r\n, \at(%r8)
        .endm
        .macro  SCHOENAUER_\kind t, r, move, nt, at, n
        PRODUCT_\kind \t, \r, \move, \at, \n
        \move   %\r\n, \at(%r8)
        .endm
        .endr

        .macro  STREAM name, set, width, one, t, r, move, nt, after, arrays
        TIMED   \name\()_\set
        \move   factors(%rip), %\r\()8
        .p2align 5
1:      movq    (%rsi), %r8
        movq    8(%rsi), %r9
        movq    16(%rsi), %r10
        movq    24(%rsi), %r11
        movq    32(%rsi), %rcx
        addq    %r8, %rcx
        .p2align 5
2:
        .altmacro
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7
        \one    \t, \r, \move, \nt, %(k * \width), k
        .endr
        .noaltmacro
        .irp    array, \arrays
        addq    $8 * \width, %\array
        .endr
        cmpq    %rcx, %r8
        jb      2b
        FINISH  \name\()_\set, "\after"
        .endm

        .macro  FAMILY set, width, kind, t, r, move, nt, after
        STREAM  load, \set, \width, LOAD, \t, \r, \move, \nt, "\after", r8
        STREAM  store, \set, \width, STORE, \t, \r, \move, \nt, "\after", r8
        STREAM  copy, \set, \width, COPY, \t, \r, \move, \nt, "\after", "r8, r9"
        STREAM  triad, \set, \width, TRIAD_\kind, \t, \r, \move, \nt, "\after", "r8, r9, r10"
        STREAM  schoenauer, \set, \width, SCHOENAUER_\kind, \t, \r, \move, \nt, "\after", "r8, r9, r10, r11"
        .endm
        .macro  FAMILY_NT set, width, kind, t, r, move, nt, after
        STREAM  store_nt, \set, \width, STORE_NT, \t, \r, \move, \nt, "\after", r8
        STREAM  copy_nt, \set, \width, COPY_NT, \t, \r, \move, \nt, "\after", "r8, r9"
        STREAM  triad_nt, \set, \width, TRIAD_NT_\kind, \t, \r, \move, \nt, "\after", "r8, r9, r10"
        .endm

        FAMILY  SCALAR, 8, SSE, sd, xmm, movsd, , ""
        FAMILY  SSE, 16, SSE, pd, xmm, movaps, , ""
        FAMILY  AVX, 32, AVX, pd, ymm, vmovaps, , vzeroupper
        FAMILY  AVX512, 64, FMA, pd, zmm, vmovaps, , vzeroupper
        FAMILY_NT SSE, 16, SSE, pd, xmm, movaps, movntps, sfence
        FAMILY_NT AVX, 32, AVX, pd, ymm, vmovaps, vmovntps, "sfence; vzeroupper"
        FAMILY_NT AVX512, 64, FMA, pd, zmm, vmovaps, vmovntps, "sfence; vzeroupper"

        .section .note.GNU-stack, "", @progbits
