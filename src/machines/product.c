#include "machines/timed.h"

#include <cblas.h>

/* Runs in a process that was forked for this kernel. */
static void multiply_matrices(uint64_t turns, const cm_timed_memory *memory)
{
    const int size = CM_PRODUCT_SIZE;
    openblas_set_num_threads(1);
    for (; turns > 0; turns--)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0, memory->arrays[0], size,
                    memory->arrays[1], size, 0.0, memory->arrays[2], size);
}

/* Each element of a row is multiplied with one of a column and added. */
const cm_timed_kernel cm_product_kernel = {.kind = CM_TIMED_RATE,
                                           .operation = "product",
                                           .precision = CM_DOUBLE,
                                           .vectors = "OpenBLAS",
                                           .bytes = 8,
                                           .count = CM_PRODUCT_SIZE * CM_PRODUCT_SIZE * CM_PRODUCT_SIZE,
                                           .body = multiply_matrices};
