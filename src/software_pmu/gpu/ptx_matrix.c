/* Products of matrices by a warp. Source of the elements' lanes: NVIDIA, "Parallel Thread Execution ISA", matrix
 * fragments of mma: in all shapes a lane has, of each 8 rows of A and each columns of B, those of its number by four.
 */
#include <math.h>

#include "software_pmu/gpu/device.h"

enum { ROWS = 16, COLUMNS = 16, INNER = 64 };

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

static double read_e4m3(uint64_t bits)
{
    return cm_narrow_byte_value(CM_NARROW_E4M3, (uint8_t)bits);
}

static double read_e5m2(uint64_t bits)
{
    return cm_narrow_byte_value(CM_NARROW_E5M2, (uint8_t)bits);
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
                             e4m3 = {8, read_e4m3, NULL}, e5m2 = {8, read_e5m2, NULL},
                             integer = {32, read_integer, write_integer};

static const struct shape {
    unsigned m, n, k;
    const struct elements *factors, *sums;
    cm_fact operations;
    bool sparse;        /* half of A is stored */
    unsigned fragments; /* of A and B, how many times the warp has each number; 0: no fragments (wmma) */
} shapes[CM_GPU_COMPUTING] = {
    [CM_GPU_MATRIX_H] = {16, 8, 16, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false, 0},
    [CM_GPU_MMA_H_K8] = {16, 8, 8, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false, 0},
    [CM_GPU_MMA_HH] = {16, 8, 16, &half, &half, CM_FACT_GPU_MATRIX_F16_F16_OPS, false, 0},
    [CM_GPU_MMA_HH_K8] = {16, 8, 8, &half, &half, CM_FACT_GPU_MATRIX_F16_F16_OPS, false, 0},
    [CM_GPU_MATRIX_B] = {16, 8, 16, &bfloat16, &single, CM_FACT_GPU_MATRIX_BF16_OPS, false, 0},
    [CM_GPU_MMA_B_K8] = {16, 8, 8, &bfloat16, &single, CM_FACT_GPU_MATRIX_BF16_OPS, false, 0},
    [CM_GPU_MMA_T_K4] = {16, 8, 4, &tf32, &single, CM_FACT_GPU_MATRIX_TF32_OPS, false, 0},
    [CM_GPU_MMA_T_K8] = {16, 8, 8, &tf32, &single, CM_FACT_GPU_MATRIX_TF32_OPS, false, 0},
    [CM_GPU_MATRIX_D] = {8, 8, 4, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false, 0},
    [CM_GPU_MMA_D_K4] = {16, 8, 4, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false, 0},
    [CM_GPU_MMA_D_K8] = {16, 8, 8, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false, 0},
    [CM_GPU_MMA_D_K16] = {16, 8, 16, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false, 0},
    [CM_GPU_MMA_I_M8] = {8, 8, 16, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false, 0},
    [CM_GPU_MMA_I_K16] = {16, 8, 16, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false, 0},
    [CM_GPU_MMA_I_K32] = {16, 8, 32, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false, 0},
    [CM_GPU_MMA_SPARSE] = {16, 8, 32, &half, &single, CM_FACT_COUNT, true, 0},
    [CM_GPU_MMA_SP_B] = {16, 8, 32, &bfloat16, &single, CM_FACT_COUNT, true, 0},
    [CM_GPU_MMA_SP_T] = {16, 8, 16, &tf32, &single, CM_FACT_COUNT, true, 0},
    [CM_GPU_MMA_SP_E4] = {16, 8, 64, &e4m3, &single, CM_FACT_COUNT, true, 0},
    [CM_GPU_MMA_SP_I] = {16, 8, 64, &byte, &integer, CM_FACT_COUNT, true, 0},
    [CM_GPU_WMMA_H] = {16, 16, 16, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false, 2},
    [CM_GPU_WMMA_HH] = {16, 16, 16, &half, &half, CM_FACT_GPU_MATRIX_F16_F16_OPS, false, 2},
    [CM_GPU_WMMA_B] = {16, 16, 16, &bfloat16, &single, CM_FACT_GPU_MATRIX_BF16_OPS, false, 1},
    [CM_GPU_WMMA_T] = {16, 16, 8, &tf32, &single, CM_FACT_GPU_MATRIX_TF32_OPS, false, 1},
    [CM_GPU_WMMA_D] = {8, 8, 4, &real, &real, CM_FACT_GPU_MATRIX_F64_OPS, false, 1},
    [CM_GPU_WMMA_I] = {16, 16, 16, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false, 1},
    [CM_GPU_MMA_E4] = {16, 8, 32, &e4m3, &single, CM_FACT_COUNT, false, 0},
    [CM_GPU_MMA_E5] = {16, 8, 32, &e5m2, &single, CM_FACT_COUNT, false, 0},
    /* of a group of warps: one warp's rows */
    [CM_GPU_WGMMA_H] = {16, 8, 16, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false, 0},
    [CM_GPU_WGMMA_H_N16] = {16, 16, 16, &half, &single, CM_FACT_GPU_MATRIX_F16_OPS, false, 0},
    [CM_GPU_WGMMA_HH] = {16, 8, 16, &half, &half, CM_FACT_GPU_MATRIX_F16_F16_OPS, false, 0},
    [CM_GPU_WGMMA_B] = {16, 8, 16, &bfloat16, &single, CM_FACT_GPU_MATRIX_BF16_OPS, false, 0},
    [CM_GPU_WGMMA_T] = {16, 8, 8, &tf32, &single, CM_FACT_GPU_MATRIX_TF32_OPS, false, 0},
    [CM_GPU_WGMMA_I] = {16, 8, 32, &byte, &integer, CM_FACT_GPU_MATRIX_I8_OPS, false, 0},
    [CM_GPU_WGMMA_E4] = {16, 8, 32, &e4m3, &single, CM_FACT_GPU_MATRIX_F8_OPS, false, 0},
    [CM_GPU_WGMMA_E4_N16] = {16, 16, 32, &e4m3, &single, CM_FACT_GPU_MATRIX_F8_OPS, false, 0},
    [CM_GPU_WGMMA_E5] = {16, 8, 32, &e5m2, &single, CM_FACT_GPU_MATRIX_F8_OPS, false, 0},
};

static const struct shape *find_shape(cm_gpu_class class)
{
    return &shapes[class];
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

/* ---- fragments ---- */

/* How many times a warp has each number of A and B. */
static unsigned times_of(const struct shape *shape)
{
    return shape->fragments != 0 ? shape->fragments : 1;
}

/* Rows and columns of a matrix as its numbers follow one another in the lanes. */
static unsigned lines_of(const struct shape *shape, cm_ptx_matrix matrix, unsigned *length)
{
    *length = matrix == CM_PTX_D ? shape->n : shape->k;
    return matrix == CM_PTX_B ? shape->n : shape->m;
}

cm_ptx_fragment cm_ptx_fragment_of(cm_gpu_class class, cm_ptx_matrix matrix)
{
    const struct shape *shape = find_shape(class);
    const struct elements *elements = matrix == CM_PTX_D ? shape->sums : shape->factors;
    unsigned length, in_one = per_register(elements), lines = lines_of(shape, matrix, &length);
    unsigned times = matrix == CM_PTX_D ? 1 : times_of(shape);
    return (cm_ptx_fragment){lines * length * times / CM_PTX_WARP / in_one, in_one, elements->bits / 8};
}

/* The line that an element of a lane is in, and its place there. */
static unsigned line_of(const struct shape *shape, cm_ptx_matrix matrix, unsigned lane, unsigned i, unsigned *place)
{
    unsigned length, lines = lines_of(shape, matrix, &length), times = matrix == CM_PTX_D ? 1 : times_of(shape);
    unsigned at = (lane * (lines * length * times / CM_PTX_WARP) + i) % (lines * length);
    *place = at % length;
    return at / length;
}

size_t cm_ptx_fragment_at(cm_gpu_class class, cm_ptx_matrix matrix, unsigned lane, unsigned at, size_t stride)
{
    const struct shape *shape = find_shape(class);
    unsigned place, line = line_of(shape, matrix, lane, at * cm_ptx_fragment_of(class, matrix).in_one, &place);
    return line * stride + place;
}

/* ---- the matrices of a whole warp ---- */

/* Gathers A from the registers of all lanes. */
static void collect_left(const struct shape *shape, uint64_t a[][CM_PTX_PARTS], double left[ROWS][INNER])
{
    unsigned in_one = per_register(shape->factors), groups = shape->m / 8;
    unsigned stored = shape->sparse ? shape->k / 2 : shape->k;
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < times_of(shape) * shape->m * stored / CM_PTX_WARP; i++) {
            unsigned at = i / in_one, row = lane / 4 + 8 * (at % groups);
            unsigned column = in_one * (lane % 4 + 4 * (at / groups)) + i % in_one;
            if (shape->fragments != 0)
                row = line_of(shape, CM_PTX_A, lane, i, &column);
            left[row][column] = element(shape->factors, a[lane], i);
        }
}

/* Gathers B from the registers of all lanes. */
static void collect_right(const struct shape *shape, uint64_t b[][CM_PTX_PARTS], double right[INNER][COLUMNS])
{
    unsigned in_one = per_register(shape->factors);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < times_of(shape) * shape->k * shape->n / CM_PTX_WARP; i++) {
            unsigned row = in_one * (lane % 4 + 4 * (i / in_one)) + i % in_one, column = lane / 4;
            if (shape->fragments != 0)
                column = line_of(shape, CM_PTX_B, lane, i, &row);
            right[row][column] = element(shape->factors, b[lane], i);
        }
}

/* The row of B that an element of a row of A is multiplied with. `stored`: of each four the places of two; in
 * TF32 of each two which, in four bits. */
static unsigned row_of(const struct shape *shape, unsigned index, uint32_t stored)
{
    enum { FIRST_OF_TWO = 4 };
    if (shape->sparse && shape->factors == &tf32)
        return 2 * index + ((stored & 15) != FIRST_OF_TWO);
    return shape->sparse ? index / 2 * 4 + (stored >> index % 2 * 2 & 3) : index;
}

/* Adds the product of both to D. NVIDIA does not publish how a sum is rounded inside; here those of narrow numbers are
 * rounded once, at the end, which is exact for bytes, and those in double precision after each product. */
static void add_product(const struct shape *shape, uint64_t d[][CM_PTX_PARTS], double left[ROWS][INNER],
                        double right[INNER][COLUMNS], uint32_t stored)
{
    unsigned in_one = per_register(shape->sums), inner = shape->sparse ? shape->k / 2 : shape->k, rows[INNER];
    const bool exact = shape->factors != &real; /* products of narrow numbers are: then fma yields the same */
    for (unsigned k = 0; k < inner; k++)
        rows[k] = row_of(shape, k, stored);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < shape->m * shape->n / CM_PTX_WARP; i++) {
            unsigned row = lane / 4 + 8 * (i / 2 % 2), column = 2 * (lane % 4) + i % 2 + 8 * (i / 4);
            unsigned shift = i % in_one * shape->sums->bits;
            if (shape->fragments != 0)
                row = line_of(shape, CM_PTX_D, lane, i, &column);
            uint64_t *to = &d[lane][i / in_one], mask = (in_one > 1 ? UINT64_C(0xffff) : UINT64_MAX) << shift;
            double sum = element(shape->sums, d[lane], i);
            for (unsigned k = 0; !exact && k < inner; k++)
                sum = fma(left[row][k], right[rows[k]][column], sum);
            for (unsigned k = 0; exact && k < inner; k++)
                sum += left[row][k] * right[rows[k]][column];
            *to = (*to & ~mask) | shape->sums->write(sum) << shift;
        }
}

void cm_ptx_multiply_matrices(cm_gpu_class class, uint64_t d[][CM_PTX_PARTS], uint64_t a[][CM_PTX_PARTS],
                              uint64_t b[][CM_PTX_PARTS], uint32_t stored)
{
    const struct shape *shape = find_shape(class);
    double left[ROWS][INNER], right[INNER][COLUMNS];
    collect_left(shape, a, left);
    collect_right(shape, b, right);
    add_product(shape, d, left, right, stored);
}

/* ---- matrices in shared memory ---- */

/* Takes a line, a row of A or a column of B, as 64 bits describe the matrix (NVIDIA, "Parallel Thread Execution ISA",
 * matrix descriptor of wgmma): its beginning, the distance from a core of 8 lines of 16 bytes to the next one beside
 * it, and to the one below it, each without its last 4 bits. False: not in shared memory, or swizzled. */
static bool take_line(const struct shape *shape, const cm_ptx_shared *shared, uint64_t description, unsigned line,
                      double *numbers)
{
    enum { FIELD = 0x3fff, BESIDE = 16, BELOW = 32, SWIZZLED = 49, LINE = 16 };
    size_t first = (description & FIELD) << 4, beside = (description >> BESIDE & FIELD) << 4,
           below = (description >> BELOW & FIELD) << 4, bytes = shape->factors->bits / 8;
    if (description >> SWIZZLED != 0)
        return false;
    for (unsigned i = 0; i < shape->k; i++) {
        size_t place = i * bytes,
               at = first + line / 8 * below + line % 8 * LINE + place / LINE * beside + place % LINE;
        uint64_t bits = 0;
        if (at + bytes > shared->size)
            return false;
        memcpy(&bits, shared->memory + at, bytes);
        numbers[i] = shape->factors->read(bits);
    }
    return true;
}

bool cm_ptx_multiply_shared(cm_gpu_class class, uint64_t d[][CM_PTX_PARTS], const cm_ptx_shared *shared)
{
    const struct shape *shape = find_shape(class);
    double left[ROWS][INNER], right[INNER][COLUMNS], column[INNER];
    for (unsigned row = 0; row < ROWS; row++)
        if (!take_line(shape, shared, shared->a, ROWS * shared->warp + row, left[row]))
            return false;
    for (unsigned n = 0; n < shape->n; n++) {
        if (!take_line(shape, shared, shared->b, n, column))
            return false;
        for (unsigned k = 0; k < shape->k; k++)
            right[k][n] = column[k];
    }
    add_product(shape, d, left, right, 0);
    return true;
}

void cm_ptx_count_operations(cm_gpu_class class, uint64_t *facts)
{
    const struct shape *shape = find_shape(class);
    if (shape->operations != CM_FACT_COUNT)
        facts[shape->operations] += 2 * (uint64_t)shape->m * shape->n * shape->k;
}
