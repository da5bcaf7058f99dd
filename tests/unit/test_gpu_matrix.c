/* Products of matrices on the software GPU, with random numbers in all places: held against whole matrices, whose
 * elements are put into lanes by the tables of NVIDIA's "Parallel Thread Execution ISA", shape by shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/system.h"
#include "software_pmu/gpu/device.h"

enum { MOST = 64, ROUNDS = 200 };

/* HALVES: two numbers a register; SINGLES: one, in 32 or 64 bits; BYTES: four. */
typedef enum layout { HALVES, SINGLES, BYTES } layout;

static const struct row {
    const char *name;
    cm_gpu_class class;
    unsigned m, n, k;
    layout layout;
    double step;      /* smallest difference of the elements' numbers */
    double tolerance; /* how far a sum may be off, relative to the sum of the sizes; 0: exact */
} rows[] = {
    {"f16 k16", CM_GPU_MATRIX_H, 16, 8, 16, HALVES, 0x1p-9, 0x1p-24},
    {"f16 k8", CM_GPU_MMA_H_K8, 16, 8, 8, HALVES, 0x1p-9, 0x1p-24},
    {"f16 sums k16", CM_GPU_MMA_HH, 16, 8, 16, HALVES, 0x1p-9, 0x1p-11},
    {"f16 sums k8", CM_GPU_MMA_HH_K8, 16, 8, 8, HALVES, 0x1p-9, 0x1p-11},
    {"bf16 k16", CM_GPU_MATRIX_B, 16, 8, 16, HALVES, 0x1p-6, 0x1p-24},
    {"bf16 k8", CM_GPU_MMA_B_K8, 16, 8, 8, HALVES, 0x1p-6, 0x1p-24},
    {"tf32 k4", CM_GPU_MMA_T_K4, 16, 8, 4, SINGLES, 0x1p-9, 0x1p-24},
    {"tf32 k8", CM_GPU_MMA_T_K8, 16, 8, 8, SINGLES, 0x1p-9, 0x1p-24},
    {"f64 m8", CM_GPU_MATRIX_D, 8, 8, 4, SINGLES, 0x1p-40, 0x1p-50},
    {"f64 k4", CM_GPU_MMA_D_K4, 16, 8, 4, SINGLES, 0x1p-40, 0x1p-50},
    {"f64 k8", CM_GPU_MMA_D_K8, 16, 8, 8, SINGLES, 0x1p-40, 0x1p-50},
    {"f64 k16", CM_GPU_MMA_D_K16, 16, 8, 16, SINGLES, 0x1p-40, 0x1p-50},
    {"s8 m8", CM_GPU_MMA_I_M8, 8, 8, 16, BYTES, 1, 0},
    {"s8 k16", CM_GPU_MMA_I_K16, 16, 8, 16, BYTES, 1, 0},
    {"s8 k32", CM_GPU_MMA_I_K32, 16, 8, 32, BYTES, 1, 0},
    {"e4m3 k32", CM_GPU_MMA_E4, 16, 8, 32, BYTES, 0, 0x1p-24},
    {"e5m2 k32", CM_GPU_MMA_E5, 16, 8, 32, BYTES, 0, 0x1p-24},
};

/* ---- the tables: row and column of element i of a lane ---- */

static void place_a(const struct row *row, unsigned lane, unsigned i, unsigned *r, unsigned *c)
{
    unsigned group = lane / 4, in_group = lane % 4;
    bool upper = row->m == 8; /* whether the element is of the first 8 rows */
    switch (row->layout) {
    case HALVES:
        upper = i < 2 || (i >= 4 && i < 6);
        *c = 2 * in_group + i % 2 + (i < 4 ? 0 : 8);
        break;
    case BYTES:
        upper |= i < 4 || (i >= 8 && i < 12);
        *c = 4 * in_group + i % 4 + (i < 8 ? 0 : 16);
        break;
    default:
        upper |= i % 2 == 0;
        *c = in_group + 4 * (i / 2);
        break;
    }
    *r = upper ? group : group + 8;
}

static void place_b(const struct row *row, unsigned lane, unsigned i, unsigned *r, unsigned *c)
{
    unsigned in_group = lane % 4;
    *c = lane / 4;
    switch (row->layout) {
    case HALVES: *r = 2 * in_group + i % 2 + (i < 2 ? 0 : 8); break;
    case BYTES: *r = 4 * in_group + i % 4 + (i < 4 ? 0 : 16); break;
    default: *r = in_group + 4 * i; break;
    }
}

static void place_d(unsigned lane, unsigned i, unsigned *r, unsigned *c)
{
    *r = lane / 4 + (i < 2 ? 0 : 8);
    *c = lane % 4 * 2 + i % 2;
}

/* ---- numbers in registers ---- */

static bool is_fp8(const struct row *row)
{
    return row->class == CM_GPU_MMA_E4 || row->class == CM_GPU_MMA_E5 || row->class == CM_GPU_MMA_SP_E4;
}

/* By the formula of the formats; e4m3 has no infinity. NAN: it is no finite number. */
static double value_of_byte(cm_gpu_class class, unsigned bits)
{
    const int digits = class == CM_GPU_MMA_E5 ? 2 : 3, bias = class == CM_GPU_MMA_E5 ? 15 : 7;
    const int exponent = (int)(bits >> digits & (0x7fU >> digits)), fraction = (int)(bits & ((1U << digits) - 1));
    const double scale = 1 << digits, sign = bits >> 7 != 0 ? -1 : 1;
    if (class == CM_GPU_MMA_E5 ? exponent == 31 : (bits & 0x7f) == 0x7f)
        return NAN;
    return sign *
           (exponent == 0 ? fraction / scale * pow(2, 1 - bias) : (1 + fraction / scale) * pow(2, exponent - bias));
}

static uint8_t byte_of_value(cm_gpu_class class, double value)
{
    unsigned bits = 0;
    while (value_of_byte(class, bits) != value)
        bits++;
    return (uint8_t)bits;
}

static uint64_t bits_of(const struct row *row, bool sum, double value)
{
    bool doubles = row->class == CM_GPU_MATRIX_D || (row->class >= CM_GPU_MMA_D_K4 && row->class <= CM_GPU_MMA_D_K16);
    bool bfloats = row->class == CM_GPU_MATRIX_B || row->class == CM_GPU_MMA_B_K8 || row->class == CM_GPU_MMA_SP_B;
    bool halves = row->layout == HALVES && (!sum || row->class == CM_GPU_MMA_HH || row->class == CM_GPU_MMA_HH_K8);
    uint64_t bits = 0;
    float single = (float)value;
    if (doubles)
        memcpy(&bits, &value, sizeof value);
    else if (halves)
        bits = cm_narrow_round(bfloats ? &cm_narrow_bfloat16 : &cm_narrow_half, value);
    else if (is_fp8(row) && !sum)
        bits = byte_of_value(row->class, value);
    else if (row->layout == BYTES && !is_fp8(row))
        bits = sum ? (uint32_t)(int32_t)value : (uint8_t)(int8_t)value;
    else
        memcpy(&bits, &single, sizeof single);
    return bits;
}

static unsigned put(const struct row *row, bool sum, uint64_t *registers, unsigned i, double value)
{
    bool halves = row->layout == HALVES && (!sum || row->class == CM_GPU_MMA_HH || row->class == CM_GPU_MMA_HH_K8);
    unsigned in_one = halves ? 2 : row->layout == BYTES && !sum ? 4 : 1;
    registers[i / in_one] |= bits_of(row, sum, value) << (i % in_one * (32 / in_one) % 32);
    return in_one;
}

static double draw(uint64_t *random, const struct row *row)
{
    double byte = NAN;
    while (is_fp8(row) && isnan(byte))
        byte = value_of_byte(row->class, (unsigned)cm_random_below(random, 256));
    if (is_fp8(row))
        return byte;
    double units = row->layout == BYTES ? (double)(int8_t)(uint8_t)cm_random_next(random)
                                        : (double)cm_random_below(random, 255) - 127;
    return units * row->step;
}

/* ---- whole products ---- */

struct product {
    double a[MOST][MOST], b[MOST][MOST], d[MOST][MOST];
    uint64_t in_a[CM_PTX_WARP][CM_PTX_PARTS], in_b[CM_PTX_WARP][CM_PTX_PARTS], in_d[CM_PTX_WARP][CM_PTX_PARTS];
};

static void fill(const struct row *row, uint64_t *random, struct product *product)
{
    unsigned r, c;
    memset(product, 0, sizeof *product);
    for (r = 0; r < row->m; r++)
        for (c = 0; c < row->k; c++)
            product->a[r][c] = draw(random, row);
    for (r = 0; r < row->k; r++)
        for (c = 0; c < row->n; c++)
            product->b[r][c] = draw(random, row);
    for (r = 0; r < row->m; r++)
        for (c = 0; c < row->n; c++)
            product->d[r][c] = draw(random, row);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        for (unsigned i = 0; i < row->m * row->k / CM_PTX_WARP; i++) {
            place_a(row, lane, i, &r, &c);
            put(row, false, product->in_a[lane], i, product->a[r][c]);
        }
        for (unsigned i = 0; i < row->k * row->n / CM_PTX_WARP; i++) {
            place_b(row, lane, i, &r, &c);
            put(row, false, product->in_b[lane], i, product->b[r][c]);
        }
        for (unsigned i = 0; i < row->m * row->n / CM_PTX_WARP; i++) {
            place_d(lane, i, &r, &c);
            put(row, true, product->in_d[lane], i, product->d[r][c]);
        }
    }
}

/* The number that a lane has of the result. */
static double result_of(const struct row *row, const uint64_t *registers, unsigned i)
{
    float single;
    double real;
    uint64_t bits[1] = {0};
    if (put(row, true, bits, 0, 0.0) == 2)
        return cm_narrow_value(&cm_narrow_half, (uint16_t)(registers[i / 2] >> i % 2 * 16));
    memcpy(&single, &registers[i], sizeof single);
    memcpy(&real, &registers[i], sizeof real);
    if (row->layout == BYTES && !is_fp8(row))
        return (double)(int32_t)(uint32_t)registers[i];
    return row->step > 0 && row->step < 0x1p-30 ? real : (double)single;
}

static void check(const struct row *row, const struct product *product)
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < row->m * row->n / CM_PTX_WARP; i++) {
            unsigned r, c;
            place_d(lane, i, &r, &c);
            long double sum = product->d[r][c], size = fabsl(sum);
            for (unsigned k = 0; k < row->k; k++) {
                sum += (long double)product->a[r][k] * (long double)product->b[k][c];
                size += fabsl((long double)product->a[r][k] * (long double)product->b[k][c]);
            }
            double found = result_of(row, product->in_d[lane], i);
            if (!(fabsl((long double)found - sum) <= (long double)row->tolerance * size))
                fail_msg("%s: lane %u, element %u is %.17g, expected %.17Lg", row->name, lane, i, found, sum);
        }
}

static void products_are_those_of_whole_matrices(void **state)
{
    (void)state;
    uint64_t random = 3;
    struct product product;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t round = 0; round < ROUNDS; round++) {
            fill(&rows[i], &random, &product);
            cm_ptx_multiply_matrices(rows[i].class, product.in_d, product.in_a, product.in_b, 0);
            check(&rows[i], &product);
        }
}

/* One product of a sparse A, whose number c of a row is at place[c % 2] of each four, in TF32 at place[0] of each two.
 */
static void check_sparse(const struct row *stored, const struct row *whole, uint64_t *random, const unsigned place[2],
                         uint32_t metadata)
{
    static struct product product, compressed;
    const unsigned in_one = whole->layout == SINGLES ? 1 : whole->layout == HALVES ? 2 : 4;
    fill(stored, random, &compressed);
    memset(&product, 0, sizeof product);
    memcpy(product.in_a, compressed.in_a, sizeof product.in_a);
    for (unsigned r = 0; r < whole->m; r++)
        for (unsigned c = 0; c < stored->k; c++)
            product.a[r][in_one == 1 ? 2 * c + place[0] : c / 2 * 4 + place[c % 2]] = compressed.a[r][c];
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < whole->k * whole->n / CM_PTX_WARP; i++) {
            unsigned r = in_one * (lane % 4 + i / in_one * 4) + i % in_one;
            product.b[r][lane / 4] = draw(random, whole);
            put(whole, false, product.in_b[lane], i, product.b[r][lane / 4]);
        }
    cm_ptx_multiply_matrices(whole->class, product.in_d, product.in_a, product.in_b, metadata);
    check(whole, &product);
}

/* Of each four numbers in a row, the places that are stored: 0 and 1, 0 and 2 ... 2 and 3, two bits each; in TF32 of
 * each two the first or the second, 4 or 14. */
static void sparse_products_take_the_stored_numbers(void **state)
{
    (void)state;
    static const struct row kinds[] = {
        {"sparse f16", CM_GPU_MMA_SPARSE, 16, 8, 32, HALVES, 0x1p-9, 0x1p-24},
        {"sparse bf16", CM_GPU_MMA_SP_B, 16, 8, 32, HALVES, 0x1p-6, 0x1p-24},
        {"sparse tf32", CM_GPU_MMA_SP_T, 16, 8, 16, SINGLES, 0x1p-9, 0x1p-24},
        {"sparse e4m3", CM_GPU_MMA_SP_E4, 16, 8, 64, BYTES, 0, 0x1p-24},
        {"sparse s8", CM_GPU_MMA_SP_I, 16, 8, 64, BYTES, 1, 0},
    };
    const uint32_t each = 0x11111111;
    uint64_t random = 4;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        struct row stored = kinds[kind];
        stored.k /= 2;
        for (unsigned first = 0; first < 3; first++)
            for (unsigned second = first + 1; second < 4; second++) {
                unsigned place[2] = {first, second};
                uint32_t metadata = first | second << 2;
                if (stored.layout == SINGLES) {
                    place[0] = second % 2;
                    metadata = place[0] == 0 ? 4 : 14;
                }
                check_sparse(&stored, &kinds[kind], &random, place, metadata * each);
            }
    }
}

/* All 256 numbers of each format of 8 bits, by the formula of formats; AMD's have one NaN, in place of -0. */
static void numbers_of_8_bits_are_those_of_their_formats(void **state)
{
    (void)state;
    static const struct {
        cm_narrow_byte format;
        cm_gpu_class class;
        double larger; /* than NVIDIA's */
    } formats[] = {{CM_NARROW_E4M3, CM_GPU_MMA_E4, 1},
                   {CM_NARROW_E5M2, CM_GPU_MMA_E5, 1},
                   {CM_NARROW_FP8, CM_GPU_MMA_E4, 0.5},
                   {CM_NARROW_BF8, CM_GPU_MMA_E5, 0.5}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (unsigned bits = 0; bits < 256; bits++) {
            double expected = formats[i].larger * value_of_byte(formats[i].class, bits);
            double found = cm_narrow_byte_value(formats[i].format, (uint8_t)bits);
            if (formats[i].larger < 1 && (bits == 0x80 || isnan(expected)))
                assert_int_equal(isnan(found) != 0, bits == 0x80);
            else if (isnan(expected))
                assert_false(isfinite(found));
            else
                assert_true(found == expected);
        }
    assert_true(cm_narrow_byte_value(CM_NARROW_FP8, 0x7f) == 240 && cm_narrow_byte_value(CM_NARROW_BF8, 0x7f) == 57344);
    assert_true(isinf(cm_narrow_byte_value(CM_NARROW_E5M2, 0x7c)) && isnan(cm_narrow_byte_value(CM_NARROW_E4M3, 0xff)));
}

static void sums_of_bytes_wrap_around(void **state)
{
    (void)state;
    uint64_t d[CM_PTX_WARP][CM_PTX_PARTS], a[CM_PTX_WARP][CM_PTX_PARTS], b[CM_PTX_WARP][CM_PTX_PARTS];
    for (size_t lane = 0; lane < CM_PTX_WARP; lane++)
        for (size_t i = 0; i < CM_PTX_PARTS; i++) {
            d[lane][i] = INT32_MAX;
            a[lane][i] = b[lane][i] = 0x7f7f7f7f;
        }
    cm_ptx_multiply_matrices(CM_GPU_MMA_I_K32, d, a, b, 0);
    assert_int_equal(d[5][3], (uint32_t)INT32_MAX + 32 * 127 * 127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_whole_matrices),
        cmocka_unit_test(sparse_products_take_the_stored_numbers),
        cmocka_unit_test(numbers_of_8_bits_are_those_of_their_formats),
        cmocka_unit_test(sums_of_bytes_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
