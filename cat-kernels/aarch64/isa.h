/* The instruction sets of aarch64 that kernels here may need, as bits of cm_kernel.isa. */
#ifndef CM_KERNELS_AARCH64_ISA_H
#define CM_KERNELS_AARCH64_ISA_H

enum {
    CM_ISA_ASIMD = 1 << 0, /* includes scalar floating point */
    CM_ISA_FP16 = 1 << 1,
    CM_ISA_SVE = 1 << 2,
    CM_ISA_SVE_128 = 1 << 3, /* lengths of scalable vectors: one of them is set */
    CM_ISA_SVE_256 = 1 << 4,
    CM_ISA_SVE_512 = 1 << 5,
    CM_ISA_BF16 = 1 << 6,
    CM_ISA_LSE = 1 << 7, /* atomic operations of one instruction */
    CM_ISA_CRC32 = 1 << 8,
    CM_ISA_AES = 1 << 9,
};

#endif
