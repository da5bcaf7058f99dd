/* The instruction sets of riscv64 that kernels here may need, as bits of cm_kernel.isa. */
#ifndef CM_KERNELS_RISCV64_ISA_H
#define CM_KERNELS_RISCV64_ISA_H

enum {
    CM_ISA_D = 1 << 0,     /* single and double precision, scalar */
    CM_ISA_ZFH = 1 << 1,   /* half precision, scalar */
    CM_ISA_V = 1 << 2,     /* vectors of single and double precision */
    CM_ISA_ZVFH = 1 << 3,  /* vectors of half precision */
    CM_ISA_V_128 = 1 << 4, /* lengths of a vector register: one of them is set */
    CM_ISA_V_256 = 1 << 5,
    CM_ISA_V_512 = 1 << 6,
};

#endif
