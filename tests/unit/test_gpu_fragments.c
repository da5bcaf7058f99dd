/* Products of fragments on the software GPU: which numbers a lane has, NVIDIA does not say, but all together are the
 * matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/system.h"
#include "software_pmu/gpu/device.h"

enum { MOST = 16, ROUNDS = 200, STRIDE = 20 };

static const struct fragment_row {
    const char *name;
    cm_gpu_class class;
    unsigned m, n, k, registers[3];
} fragment_rows[] = {
    {"wmma f16", CM_GPU_WMMA_H, 16, 16, 16, {8, 8, 8}},  {"wmma f16 sums", CM_GPU_WMMA_HH, 16, 16, 16, {8, 8, 4}},
    {"wmma bf16", CM_GPU_WMMA_B, 16, 16, 16, {4, 4, 8}}, {"wmma tf32", CM_GPU_WMMA_T, 16, 16, 8, {4, 4, 8}},
    {"wmma f64", CM_GPU_WMMA_D, 8, 8, 4, {1, 1, 2}},     {"wmma s8", CM_GPU_WMMA_I, 16, 16, 16, {2, 2, 8}},
};

/* A small whole number in the type's bits, and back. */
static uint64_t small_bits(const struct fragment_row *row, bool sum, int value)
{
    uint64_t bits = 0;
    double real = value;
    float single = (float)value;
    if (row->class == CM_GPU_WMMA_I)
        return sum ? (uint32_t)value : (uint8_t)value;
    if (row->class == CM_GPU_WMMA_HH || (row->class == CM_GPU_WMMA_H && !sum))
        return cm_narrow_round(&cm_narrow_half, value);
    if (row->class == CM_GPU_WMMA_D)
        memcpy(&bits, &real, sizeof real);
    else
        memcpy(&bits, &single, sizeof single);
    return row->class == CM_GPU_WMMA_B && !sum ? bits >> 16 : bits;
}

/* Puts numbers in memory, a line STRIDE behind the one before it, into the lanes' registers. */
static void load_fragment(const struct fragment_row *row, cm_ptx_matrix matrix, int memory[][STRIDE],
                          uint64_t registers[][CM_PTX_PARTS])
{
    const cm_ptx_fragment fragment = cm_ptx_fragment_of(row->class, matrix);
    assert_int_equal(fragment.registers, row->registers[matrix]);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned at = 0; at < fragment.registers; at++) {
            size_t first = cm_ptx_fragment_at(row->class, matrix, lane, at, STRIDE);
            registers[lane][at] = 0;
            for (size_t i = 0; i < fragment.in_one; i++)
                registers[lane][at] |=
                    small_bits(row, matrix == CM_PTX_D, memory[(first + i) / STRIDE][(first + i) % STRIDE])
                    << 8 * fragment.bytes * i;
        }
}

static void products_of_fragments_are_those_of_matrices(void **state)
{
    (void)state;
    static int a[MOST][STRIDE], b[MOST][STRIDE], d[MOST][STRIDE]; /* B column by column */
    uint64_t random = 5, in_a[CM_PTX_WARP][CM_PTX_PARTS], in_b[CM_PTX_WARP][CM_PTX_PARTS],
             found[CM_PTX_WARP][CM_PTX_PARTS], expected[CM_PTX_WARP][CM_PTX_PARTS];
    for (size_t i = 0; i < ROUNDS * sizeof fragment_rows / sizeof fragment_rows[0]; i++) {
        const struct fragment_row *row = &fragment_rows[i / ROUNDS];
        for (size_t at = 0; at < (size_t)MOST * STRIDE; at++) {
            a[at / STRIDE][at % STRIDE] = (int)cm_random_below(&random, 17) - 8;
            b[at / STRIDE][at % STRIDE] = (int)cm_random_below(&random, 17) - 8;
            d[at / STRIDE][at % STRIDE] = (int)cm_random_below(&random, 17) - 8;
        }
        memset(found, 0, sizeof found);
        memset(expected, 0, sizeof expected);
        load_fragment(row, CM_PTX_A, a, in_a);
        load_fragment(row, CM_PTX_B, b, in_b);
        load_fragment(row, CM_PTX_D, d, found);
        cm_ptx_multiply_matrices(row->class, found, in_a, in_b, 0);
        for (unsigned r = 0; r < row->m; r++)
            for (unsigned c = 0; c < row->n; c++)
                for (unsigned k = 0; k < row->k; k++)
                    d[r][c] += a[r][k] * b[c][k];
        load_fragment(row, CM_PTX_D, d, expected);
        if (memcmp(found, expected, sizeof found) != 0)
            fail_msg("%s: the product of fragments is not that of the matrices", row->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_fragments_are_those_of_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
