/* Rows of kernels on scalable vectors, beside rows.h. Kernels of precision p need CM_ISA_SCALABLE_<p>, those of a
 * length in bits CM_ISA_SCALABLE_<bits>. */
#ifndef CM_KERNELS_SCALABLE_H
#define CM_KERNELS_SCALABLE_H

#include "cat-kernels/rows.h"

/* X(precision, operation, count, bits): on scalable vectors of that length; all lengths share the body. */
#define SCALABLE_OF(X, p, bits)                                                                                        \
    X(p, ADD, 24, bits)                                                                                                \
    X(p, ADD, 96, bits)                                                                                                \
    X(p, SUB, 48, bits)                                                                                                \
    X(p, MUL, 24, bits)                                                                                                \
    X(p, MUL, 96, bits)                                                                                                \
    X(p, FMA, 12, bits)                                                                                                \
    X(p, FMA, 48, bits)                                                                                                \
    X(p, DIV, 48, bits)                                                                                                \
    X(p, SQRT, 48, bits)
/* One active lane. */
#define SCALABLE_PART(X, p, bits)                                                                                      \
    X(p, PART_ADD, 48, bits)                                                                                           \
    X(p, PART_FMA, 48, bits)
#define SCALABLE(X, bits)                                                                                              \
    SCALABLE_OF(X, S, bits)                                                                                            \
    SCALABLE_OF(X, D, bits)                                                                                            \
    SCALABLE_OF(X, H, bits)                                                                                            \
    SCALABLE_PART(X, S, bits)                                                                                          \
    SCALABLE_PART(X, D, bits)                                                                                          \
    SCALABLE_PART(X, H, bits)

#define DECLARE_SCALABLE(p, operation, count, bits) DECLARE(p##_##operation##_V_##count)
#define ROW_SCALABLE(p, operation, count, bits)                                                                        \
    {#p "_" #operation "_V" #bits "." #count,                                                                          \
     "cpu-flops",                                                                                                      \
     CM_ISA_SCALABLE_##p | CM_ISA_SCALABLE_##bits,                                                                     \
     FLOPS_ITERATIONS,                                                                                                 \
     FLOPS_SOFTWARE_ITERATIONS,                                                                                        \
     cm_kernel_##p##_##operation##_V_##count,                                                                          \
     0,                                                                                                                \
     0},

#endif
