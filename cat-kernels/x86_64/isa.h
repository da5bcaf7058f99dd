/* The instruction sets of x86-64 that kernels here may need, as bits of cm_kernel.isa. */
#ifndef CM_KERNELS_X86_64_ISA_H
#define CM_KERNELS_X86_64_ISA_H

enum {
    CM_ISA_SSE2 = 1 << 0,
    CM_ISA_AVX = 1 << 1,
    CM_ISA_FMA = 1 << 2,
    CM_ISA_AVX512F = 1 << 3,
    CM_ISA_AVX512VL = 1 << 4,
    CM_ISA_AVX512_FP16 = 1 << 5,
    CM_ISA_AVX2 = 1 << 6,
    CM_ISA_AES = 1 << 7,
    CM_ISA_SSE4_2 = 1 << 8,
};

#endif
