/* The instruction sets of ppc64le that kernels here may need, as bits of cm_kernel.isa. */
#ifndef CM_KERNELS_PPC64LE_ISA_H
#define CM_KERNELS_PPC64LE_ISA_H

enum {
    CM_ISA_VSX = 1 << 0,     /* part of Power ISA 2.07, the oldest of ppc64le */
    CM_ISA_POWER10 = 1 << 1, /* Power ISA 3.1, prefixed instructions included */
    CM_ISA_MMA = 1 << 2,     /* Power ISA 3.1's outer products */
    CM_ISA_POWER9 = 1 << 3,  /* Power ISA 3.0 */
};

#endif
