/* Products of matrices by a warp. Source of the elements' lanes: NVIDIA, "Parallel Thread Execution ISA", matrix
 * fragments of mma: in all shapes a lane has, of each 8 rows of A and each columns of B, those of its number by four.
 */
#include <math.h>
#include <string.h>

#include "software_pmu/gpu/bits.h"
#include "software_pmu/gpu/narrow.h"
#include "software_pmu/gpu/ptx.h"

enum { ROWS = 16, COLUMNS = 8, INNER = 32 };

typedef double read_function(uint64_t bits);
typedef uint64_t write_function(double value);

struct elements {
    unsigned bits;
    read_function *read;
    write_function *write; /* NULL: never of D */
};

static double read_half(uint64_t bits)
{
    return cm_narrow_value(&cm_narrow_half, (uint16_t)bits);
}

static uint64_t write_half(double value)
{
    return cm_narrow_round(&cm_narrow_half, value);
}

static double read_bfloat16(uint64_t bits)
{
    return cm_narrow_value(&cm_narrow_bfloat16, (uint16_t)bits);
}

/* The low 13 bits of the register are ignored. */
static double read_tf32(uint64_t bits)
{
    return (double)cm_single_of(bits & ~UINT64_C(0x1fff));
}

static double read_single(uint64_t bits)
{
    return (double)cm_single_of(bits);
}

static uint64_t write_single(double value)
{
    return cm_bits_of_single((float)value);
}

static double read_byte(uint64_t bits)
{
    return (double)(int8_t)(uint8_t)bits;
}

static double read_integer(uint64_t bits)
{
    return (double)(int32_t)(uint32_t)bits;
}

/* Sums wrap around: the instruction without .satfinite. */
static uint64_t write_integer(double value)
{
    return (uint32_t)(int64_t)value;
}

static const struct elements half = {16, read_half, write_half}, bfloat16 = {16, read_bfloat16, NULL},
                             tf32 = {32, read_tf32, NULL}, single = {32, read_single, write_single},
                             real = {64, cm_double_of, cm_bits_of_double}, byte = {8, read_byte, NULL},
                             integer = {32, read_integer, write_integer};

static const struct shape {
    cm_gpu_class class;
    unsigned m, n, k;
    const struct elements *factors, *sums;
    cm_fact operations;
    bool sparse; /* half of A is stored */
} shapes[] = {
    {CM_GPU_MATRIX_H, 16, 8, 16, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false},
    {CM_GPU_MMA_H_K8, 16, 8, 8, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false},
    {CM_GPU_MMA_HH, 16, 8, 16, &half, &half, CM_FACT_GPU_MATRIX_F16_F16_OPS, false},
    {CM_GPU_MMA_HH_K8, 16, 8, 8, &half, &half, CM_FACT_GPU_MATRIX_F16_F16_OPS, false},
    {CM_GPU_MATRIX_B, 16, 8, 16, &bfloat16, &single, CM_FACT_GPU_MATRIX_BF16_OPS, false},
    {CM_GPU_MMA_B_K8, 16, 8, 8, &bfloat16, &single, CM_FACT_GPU_MATRIX_BF16_OPS, false},
    {CM_GPU_MMA_T_K4, 16, 8, 4, &tf32, &single, CM_FACT_GPU_MATRIX_TF32_OPS, false},
    {CM_GPU_MMA_T_K8, 16, 8, 8, &tf32, &single, CM_FACT_GPU_MATRIX_TF32_OPS, false},
    {CM_GPU_MATRIX_D, 8, 8, 4, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false},
    {CM_GPU_MMA_D_K4, 16, 8, 4, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false},
    {CM_GPU_MMA_D_K8, 16, 8, 8, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false},
    {CM_GPU_MMA_D_K16, 16, 8, 16, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false},
    {CM_GPU_MMA_I_M8, 8, 8, 16, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false},
    {CM_GPU_MMA_I_K16, 16, 8, 16, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false},
    {CM_GPU_MMA_I_K32, 16, 8, 32, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false},
    {CM_GPU_MMA_SPARSE, 16, 8, 32, &half, &single, CM_FACT_COUNT, true},
};

static const struct shape *find_shape(cm_gpu_class class)
{
    size_t i = 0;
    while (shapes[i].class != class)
        i++;
    return &shapes[i];
}

static unsigned per_register(const struct elements *elements)
{
    return elements->bits < 32 ? 32 / elements->bits : 1;
}

static double element(const struct elements *elements, const uint64_t *registers, unsigned index)
{
    unsigned in_one = per_register(elements);
    return elements->read(registers[index / in_one] >> (index % in_one * elements->bits));
}

/* ---- the matrices of a whole warp ---- */

static void collect_left(const struct shape *shape, uint64_t a[][CM_PTX_PARTS], double left[ROWS][INNER])
{
    unsigned in_one = per_register(shape->factors), groups = shape->m / 8;
    unsigned stored = shape->sparse ? shape->k / 2 : shape->k;
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < shape->m * stored / CM_PTX_WARP; i++) {
            unsigned at = i / in_one, row = lane / 4 + 8 * (at % groups);
            left[row][in_one * (lane % 4 + 4 * (at / groups)) + i % in_one] = element(shape->factors, a[lane], i);
        }
}

static void collect_right(const struct shape *shape, uint64_t b[][CM_PTX_PARTS], double right[INNER][COLUMNS])
{
    unsigned in_one = per_register(shape->factors);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < shape->k * shape->n / CM_PTX_WARP; i++)
            right[in_one * (lane % 4 + 4 * (i / in_one)) + i % in_one][lane / 4] = element(shape->factors, b[lane], i);
}

/* The row of B that an element of a row of A is multiplied with. `stored`: of each four the places of two. */
static unsigned row_of(const struct shape *shape, unsigned index, uint32_t stored)
{
    return shape->sparse ? index / 2 * 4 + (stored >> index % 2 * 2 & 3) : index;
}

/* NVIDIA does not publish how a sum is rounded inside; here those of narrow numbers are rounded once, at the end, which
 * is exact for bytes, and those in double precision after each product. */
void cm_ptx_multiply_matrices(cm_gpu_class class, uint64_t d[][CM_PTX_PARTS], uint64_t a[][CM_PTX_PARTS],
                              uint64_t b[][CM_PTX_PARTS], uint32_t stored)
{
    const struct shape *shape = find_shape(class);
    double left[ROWS][INNER], right[INNER][COLUMNS];
    unsigned in_one = per_register(shape->sums), inner = shape->sparse ? shape->k / 2 : shape->k;
    collect_left(shape, a, left);
    collect_right(shape, b, right);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < shape->m * shape->n / CM_PTX_WARP; i++) {
            unsigned row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
            unsigned shift = i % in_one * shape->sums->bits;
            uint64_t *to = &d[lane][i / in_one], mask = (in_one > 1 ? UINT64_C(0xffff) : UINT64_MAX) << shift;
            double sum = element(shape->sums, d[lane], i);
            for (unsigned k = 0; k < inner; k++)
                sum = fma(left[row][k], right[row_of(shape, k, stored)][column], sum);
            *to = (*to & ~mask) | shape->sums->write(sum) << shift;
        }
}

void cm_ptx_count_operations(cm_gpu_class class, uint64_t *facts)
{
    const struct shape *shape = find_shape(class);
    if (shape->operations != CM_FACT_COUNT)
        facts[shape->operations] += 2 * (uint64_t)shape->m * shape->n * shape->k;
}
