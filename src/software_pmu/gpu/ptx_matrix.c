/* Products of matrices by a warp. Source of the elements' lanes: NVIDIA, "Parallel Thread Execution ISA", matrix
 * fragments of mma.m16n8k16 and mma.m8n8k4. */
#include <math.h>
#include <string.h>

#include "software_pmu/gpu/narrow.h"
#include "software_pmu/gpu/ptx.h"

enum { ROWS = 16, COLUMNS = 8, INNER = 16, WIDE_ROWS = 8, WIDE_INNER = 4 };

struct matrices {
    double a[ROWS][INNER], b[INNER][COLUMNS];
};

static double element(const cm_narrow *format, const uint64_t *parts, unsigned part, unsigned half)
{
    return cm_narrow_value(format, (uint16_t)(parts[part] >> (16 * half)));
}

/* Puts both matrices together from the registers of all lanes. */
static void collect_parts(const cm_narrow *format, uint64_t a[][CM_PTX_PARTS], uint64_t b[][CM_PTX_PARTS],
                          struct matrices *matrices)
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        unsigned group = lane / 4, pair = 2 * (lane % 4);
        for (unsigned part = 0; part < 4; part++)
            for (unsigned half = 0; half < 2; half++)
                matrices->a[group + 8 * (part % 2)][pair + half + 8 * (part / 2)] =
                    element(format, a[lane], part, half);
        for (unsigned part = 0; part < 2; part++)
            for (unsigned half = 0; half < 2; half++)
                matrices->b[pair + half + 8 * part][group] = element(format, b[lane], part, half);
    }
}

/* NVIDIA does not publish how a product is rounded inside; here it is rounded once, to single precision, at the end. */
static void multiply_narrow(const cm_narrow *format, uint64_t d[][CM_PTX_PARTS], uint64_t a[][CM_PTX_PARTS],
                            uint64_t b[][CM_PTX_PARTS])
{
    struct matrices matrices;
    collect_parts(format, a, b, &matrices);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned part = 0; part < 4; part++) {
            unsigned row = lane / 4 + 8 * (part / 2), column = 2 * (lane % 4) + part % 2;
            float value;
            memcpy(&value, &d[lane][part], sizeof value);
            double sum = (double)value;
            for (unsigned k = 0; k < INNER; k++)
                sum += matrices.a[row][k] * matrices.b[k][column];
            value = (float)sum;
            memcpy(&d[lane][part], &value, sizeof value);
        }
}

/* D = A B + D in double precision. */
static void multiply_wide(uint64_t d[][CM_PTX_PARTS], uint64_t a[][CM_PTX_PARTS], uint64_t b[][CM_PTX_PARTS])
{
    double left[WIDE_ROWS][WIDE_INNER], right[WIDE_INNER][COLUMNS];
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        memcpy(&left[lane / 4][lane % 4], &a[lane][0], sizeof(double));
        memcpy(&right[lane % 4][lane / 4], &b[lane][0], sizeof(double));
    }
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned part = 0; part < 2; part++) {
            double sum;
            memcpy(&sum, &d[lane][part], sizeof sum);
            for (unsigned k = 0; k < WIDE_INNER; k++)
                sum = fma(left[lane / 4][k], right[k][2 * (lane % 4) + part], sum);
            memcpy(&d[lane][part], &sum, sizeof sum);
        }
}

void cm_ptx_multiply_matrices(cm_gpu_class class, uint64_t d[][CM_PTX_PARTS], uint64_t a[][CM_PTX_PARTS],
                              uint64_t b[][CM_PTX_PARTS])
{
    if (class == CM_GPU_MATRIX_D)
        multiply_wide(d, a, b);
    else
        multiply_narrow(class == CM_GPU_MATRIX_H ? &cm_narrow_half : &cm_narrow_bfloat16, d, a, b);
}
