/* cpu-flops: loops of 24, 48 or 96 multiplications and additions in turn (12, 24 or 48 fused multiply-adds), in registers only.
 *
 * Eight accumulators, so that no addition waits for the one before it: an accumulator is multiplied by 1 and gets 0 added, or
 * 1 * 1 + 0; all values are 0 and 1 for ever. They are set up by integer moves and broadcasts: no floating-point arithmetic runs
 * but the payload.
 *
 * Besides the payload a turn of the loop executes seven instructions: five additions to an integer, a decrement and a branch. They are
 * there so that an event which counts all instructions is no combination of the symbols: over the kernels in single and double
 * precision its relative residual is 0.059, and 0.051 where the CPU fuses decrement and branch into one. With those two instructions
 * alone it would be 0.018 and 0.009, too near to the benchmark's tolerance of 0.01. The additions form one chain of five cycles, less
 * than the shortest payload takes.
 *
 * Scalars and 128 bits of multiplications and additions have SSE encodings, so that they run everywhere; what is fused or of 256 bits
 * has VEX ones, 512 bits and half precision EVEX. */
#include "body.inc"

        .macro  TURN
        addq    $1, %rdx
        addq    $2, %rdx
        addq    $3, %rdx
        addq    $4, %rdx
        addq    $5, %rdx
        decq    %rdi
        jnz     1b
        .endm

/* Registers: 0 to 7 accumulators, 8 the factor 1, 9 the addend 0. \r is xmm, ymm or zmm. */

/* All lanes of \r8 and of the accumulators become the 16, 32 or 64 bits in eax; \r9 becomes 0. */
        .macro  SETUP_SSE broadcast
        \broadcast
        movaps  %xmm8, %xmm0
        movaps  %xmm8, %xmm1
        movaps  %xmm8, %xmm2
        movaps  %xmm8, %xmm3
        movaps  %xmm8, %xmm4
        movaps  %xmm8, %xmm5
        movaps  %xmm8, %xmm6
        movaps  %xmm8, %xmm7
        pxor    %xmm9, %xmm9
        .endm

        .macro  ONES_SINGLE_SSE
        movl    $0x3f800000, %eax
        movd    %eax, %xmm8
        pshufd  $0, %xmm8, %xmm8
        .endm

        .macro  ONES_DOUBLE_SSE
        movabsq $0x3ff0000000000000, %rax
        movq    %rax, %xmm8
        punpcklqdq %xmm8, %xmm8
        .endm

        .macro  COPY_VEX r, move
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        \move   %\r\()8, %\r\()\n
        .endr
        .endm

        .macro  ONES_SINGLE_AVX r
        movl    $0x3f800000, %eax
        vmovd   %eax, %xmm8
        vpshufd $0, %xmm8, %xmm8
        .ifc    \r, ymm
        vinsertf128 $1, %xmm8, %ymm8, %ymm8
        .endif
        .endm

        .macro  ONES_DOUBLE_AVX r
        movabsq $0x3ff0000000000000, %rax
        vmovq   %rax, %xmm8
        vpunpcklqdq %xmm8, %xmm8, %xmm8
        .ifc    \r, ymm
        vinsertf128 $1, %xmm8, %ymm8, %ymm8
        .endif
        .endm

        .macro  ONES_SINGLE_EVEX
        movl    $0x3f800000, %eax
        vpbroadcastd %eax, %zmm8
        .endm

        .macro  ONES_DOUBLE_EVEX
        movabsq $0x3ff0000000000000, %rax
        vpbroadcastq %rax, %zmm8
        .endm

        .macro  ONES_HALF r
        movl    $0x3c003c00, %eax
        vpbroadcastd %eax, %\r\()8
        .endm

/* A multiplication and an addition on each accumulator in turn. */
        .macro  PAIRS_SSE mul, add, pairs
        .set    turn, 0
        .rept   \pairs
        .altmacro
        PAIR_SSE \mul, \add, %(turn & 7)
        .noaltmacro
        .set    turn, turn + 1
        .endr
        .endm
        .macro  PAIR_SSE mul, add, n
        \mul    %xmm8, %xmm\n
        \add    %xmm9, %xmm\n
        .endm

        .macro  PAIRS_VEX mul, add, r, pairs
        .set    turn, 0
        .rept   \pairs
        .altmacro
        PAIR_VEX \mul, \add, \r, %(turn & 7)
        .noaltmacro
        .set    turn, turn + 1
        .endr
        .endm
        .macro  PAIR_VEX mul, add, r, n
        \mul    %\r\()8, %\r\()\n, %\r\()\n
        \add    %\r\()9, %\r\()\n, %\r\()\n
        .endm

/* accumulator = accumulator * 1 + 0 */
        .macro  FUSED fma, r, count
        .set    turn, 0
        .rept   \count
        .altmacro
        FUSED_ONE \fma, \r, %(turn & 7)
        .noaltmacro
        .set    turn, turn + 1
        .endr
        .endm
        .macro  FUSED_ONE fma, r, n
        \fma    %\r\()9, %\r\()8, %\r\()\n
        .endm

/* ---- one macro a family ---- */

        .macro  FAMILY_SSE symbol, ones, mul, add
        .irp    count, 24, 48, 96
        KERNEL  \symbol\()_\count
        SETUP_SSE \ones
        .p2align 5
1:      PAIRS_SSE \mul, \add, \count / 2
        TURN
        ret
        END     \symbol\()_\count
        .endr
        .endm

        .macro  FAMILY_VEX symbol, ones, arguments, move, zero, mul, add, r
        .irp    count, 24, 48, 96
        KERNEL  \symbol\()_\count
        \ones   \arguments
        COPY_VEX \r, \move
        \zero   %xmm9, %xmm9, %xmm9
        .p2align 5
1:      PAIRS_VEX \mul, \add, \r, \count / 2
        TURN
        vzeroupper
        ret
        END     \symbol\()_\count
        .endr
        .endm

        .macro  FAMILY_FMA symbol, ones, arguments, move, fma, r
        .irp    count, 12, 24, 48
        KERNEL  \symbol\()_\count
        \ones   \arguments
        COPY_VEX \r, \move
        vpxor   %xmm9, %xmm9, %xmm9
        .p2align 5
1:      FUSED   \fma, \r, \count
        TURN
        vzeroupper
        ret
        END     \symbol\()_\count
        .endr
        .endm

        FAMILY_SSE S_SCAL, ONES_SINGLE_SSE, mulss, addss
        FAMILY_SSE S_128, ONES_SINGLE_SSE, mulps, addps
        FAMILY_VEX S_256, ONES_SINGLE_AVX, ymm, vmovaps, vpxor, vmulps, vaddps, ymm
        FAMILY_VEX S_512, ONES_SINGLE_EVEX, , vmovaps, vpxor, vmulps, vaddps, zmm
        FAMILY_SSE D_SCAL, ONES_DOUBLE_SSE, mulsd, addsd
        FAMILY_SSE D_128, ONES_DOUBLE_SSE, mulpd, addpd
        FAMILY_VEX D_256, ONES_DOUBLE_AVX, ymm, vmovaps, vpxor, vmulpd, vaddpd, ymm
        FAMILY_VEX D_512, ONES_DOUBLE_EVEX, , vmovaps, vpxor, vmulpd, vaddpd, zmm
        FAMILY_FMA S_FMA_SCAL, ONES_SINGLE_AVX, xmm, vmovaps, vfmadd213ss, xmm
        FAMILY_FMA S_FMA_128, ONES_SINGLE_AVX, xmm, vmovaps, vfmadd213ps, xmm
        FAMILY_FMA S_FMA_256, ONES_SINGLE_AVX, ymm, vmovaps, vfmadd213ps, ymm
        FAMILY_FMA S_FMA_512, ONES_SINGLE_EVEX, , vmovaps, vfmadd213ps, zmm
        FAMILY_FMA D_FMA_SCAL, ONES_DOUBLE_AVX, xmm, vmovaps, vfmadd213sd, xmm
        FAMILY_FMA D_FMA_128, ONES_DOUBLE_AVX, xmm, vmovaps, vfmadd213pd, xmm
        FAMILY_FMA D_FMA_256, ONES_DOUBLE_AVX, ymm, vmovaps, vfmadd213pd, ymm
        FAMILY_FMA D_FMA_512, ONES_DOUBLE_EVEX, , vmovaps, vfmadd213pd, zmm
        FAMILY_VEX H_SCAL, ONES_HALF, xmm, vmovaps, vpxor, vmulsh, vaddsh, xmm
        FAMILY_VEX H_128, ONES_HALF, xmm, vmovaps, vpxor, vmulph, vaddph, xmm
        FAMILY_VEX H_256, ONES_HALF, ymm, vmovaps, vpxor, vmulph, vaddph, ymm
        FAMILY_VEX H_512, ONES_HALF, zmm, vmovaps, vpxor, vmulph, vaddph, zmm
        FAMILY_FMA H_FMA_SCAL, ONES_HALF, xmm, vmovaps, vfmadd213sh, xmm
        FAMILY_FMA H_FMA_128, ONES_HALF, xmm, vmovaps, vfmadd213ph, xmm
        FAMILY_FMA H_FMA_256, ONES_HALF, ymm, vmovaps, vfmadd213ph, ymm
        FAMILY_FMA H_FMA_512, ONES_HALF, zmm, vmovaps, vfmadd213ph, zmm

        .section .note.GNU-stack, "", @progbits
