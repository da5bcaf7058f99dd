/* The computation of an instruction of AMD's GPUs in one lane. */
#include <math.h>

#include "software_pmu/gpu/device.h"

typedef enum operation { ADD, SUB, MUL, FMA, SQRT } operation;

/* The operation's result in half precision. */
static uint64_t compute_half(operation operator, uint64_t a, uint64_t c, uint64_t m)
{
    const cm_narrow *format = &cm_narrow_half;
    switch (operator) {
    case ADD: return cm_narrow_add(format, (uint16_t)a, (uint16_t)c);
    case SUB: return cm_narrow_subtract(format, (uint16_t)a, (uint16_t)c);
    case MUL: return cm_narrow_multiply(format, (uint16_t)a, (uint16_t)m);
    case FMA: return cm_narrow_fma(format, (uint16_t)a, (uint16_t)m, (uint16_t)c);
    case SQRT: break;
    }
    return cm_narrow_round(format, sqrt(cm_narrow_value(format, (uint16_t)a)));
}

/* The result of an operation in single precision. */
static uint64_t of_32(operation operator, uint64_t a, uint64_t c, uint64_t m)
{
    switch (operator) {
    case ADD: return cm_bits_of_single(cm_single_of(a) + cm_single_of(c));
    case SUB: return cm_bits_of_single(cm_single_of(a) - cm_single_of(c));
    case MUL: return cm_bits_of_single(cm_single_of(a) * cm_single_of(m));
    case FMA: return cm_bits_of_single(fmaf(cm_single_of(a), cm_single_of(m), cm_single_of(c)));
    case SQRT: break;
    }
    return cm_bits_of_single(sqrtf(cm_single_of(a)));
}

/* The result of an operation in double precision. */
static uint64_t of_64(operation operator, uint64_t a, uint64_t c, uint64_t m)
{
    switch (operator) {
    case ADD: return cm_bits_of_double(cm_double_of(a) + cm_double_of(c));
    case SUB: return cm_bits_of_double(cm_double_of(a) - cm_double_of(c));
    case MUL: return cm_bits_of_double(cm_double_of(a) * cm_double_of(m));
    case FMA: return cm_bits_of_double(fma(cm_double_of(a), cm_double_of(m), cm_double_of(c)));
    case SQRT: break;
    }
    return cm_bits_of_double(sqrt(cm_double_of(a)));
}

/* Computes both numbers of a register, or of two. */
static uint64_t pair(uint64_t (*compute)(operation, uint64_t, uint64_t, uint64_t), unsigned bits, operation operator,
                     const cm_wavefront_operands * of)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, a = of->parts[0];
    return compute(operator, a & mask, of->c & mask, of->m & mask) |
           compute(operator, a>> bits & mask, of->c >> bits & mask, of->m >> bits & mask) << bits;
}

/* ---- matrices: D = A B + D, with the same numbers of A and B in all lanes ---- */

/* A lane's part of a product: `parts` sums of `inner` products; of sparse matrices only of numbers that are stored. */
static const struct product {
    cm_gpu_class class;
    cm_fact operations; /* of sparse ones those of their type, which do not count */
    unsigned parts, inner;
    bool sparse;
} products[] = {
    {CM_GPU_MATRIX_H, CM_FACT_GPU_MATRIX_F16_OPS, 4, 16, false},
    {CM_GPU_MATRIX_B, CM_FACT_GPU_MATRIX_BF16_OPS, 4, 16, false},
    {CM_GPU_MATRIX_S, CM_FACT_GPU_MATRIX_F32_OPS, 4, 4, false},
    {CM_GPU_MATRIX_D, CM_FACT_GPU_MATRIX_F64_OPS, 4, 4, false},
    {CM_GPU_MFMA_H_4, CM_FACT_GPU_MATRIX_F16_OPS, 4, 4, false},
    {CM_GPU_MFMA_B_4, CM_FACT_GPU_MATRIX_BF16_OPS, 4, 4, false},
    {CM_GPU_MFMA_S_4, CM_FACT_GPU_MATRIX_F32_OPS, 4, 1, false},
    {CM_GPU_MFMA_D_4, CM_FACT_GPU_MATRIX_F64_OPS, 1, 4, false},
    {CM_GPU_MFMA_I, CM_FACT_GPU_MATRIX_I8_OPS, 4, 16, false},
    {CM_GPU_MFMA_I_4, CM_FACT_GPU_MATRIX_I8_OPS, 4, 4, false},
    {CM_GPU_MFMA_I_K32, CM_FACT_GPU_MATRIX_I8_OPS, 4, 32, false},
    {CM_GPU_MFMA_T, CM_FACT_GPU_MATRIX_TF32_OPS, 4, 8, false},
    {CM_GPU_MFMA_F8, CM_FACT_GPU_MATRIX_F8_OPS, 4, 32, false},
    {CM_GPU_MFMA_BF8, CM_FACT_GPU_MATRIX_F8_OPS, 4, 32, false},
    {CM_GPU_SMFMAC_H, CM_FACT_GPU_MATRIX_F16_OPS, 4, 16, true},
    {CM_GPU_SMFMAC_B, CM_FACT_GPU_MATRIX_BF16_OPS, 4, 16, true},
    {CM_GPU_SMFMAC_F8, CM_FACT_GPU_MATRIX_F8_OPS, 4, 32, true},
    {CM_GPU_SMFMAC_I, CM_FACT_GPU_MATRIX_I8_OPS, 4, 32, true},
};

/* NULL: it is no product of matrices. */
static const struct product *find_product(cm_gpu_class class)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        if (products[i].class == class)
            return &products[i];
    return NULL;
}

/* Multiplies packed halves and adds the products in single precision. */
static void narrow_matrix(const struct product *product, const cm_narrow *format, const cm_wavefront_operands *of)
{
    enum { PACKED = 2 };
    float a[PACKED], b[PACKED];
    for (unsigned k = 0; k < PACKED; k++) {
        a[k] = (float)cm_narrow_value(format, (uint16_t)(of->c >> 16 * k));
        b[k] = (float)cm_narrow_value(format, (uint16_t)(of->m >> 16 * k));
    }
    for (unsigned part = 0; part < product->parts; part++)
        for (unsigned k = 0; k < product->inner; k++)
            of->parts[part] = cm_bits_of_single(fmaf(a[k % PACKED], b[k % PACKED], cm_single_of(of->parts[part])));
}

/* Multiplies in single precision, or in double precision; TF32 drops 13 bits of each factor. */
static void wide_matrix(const struct product *product, bool doubled, const cm_wavefront_operands *of)
{
    uint64_t kept = product->class == CM_GPU_MFMA_T ? ~UINT64_C(0x1fff) : UINT64_MAX;
    float a = cm_single_of(of->c & kept), b = cm_single_of(of->m & kept);
    for (unsigned part = 0; part < product->parts; part++)
        for (unsigned k = 0; k < product->inner; k++)
            of->parts[part] =
                doubled
                    ? cm_bits_of_double(fma(cm_double_of(of->c), cm_double_of(of->m), cm_double_of(of->parts[part])))
                    : cm_bits_of_single(fmaf(a, b, cm_single_of(of->parts[part])));
}

/* Multiplies packed bytes and adds the products; sums wrap around. */
static void byte_matrix(const struct product *product, const cm_wavefront_operands *of)
{
    enum { PACKED = 4 };
    for (unsigned part = 0; part < product->parts; part++)
        for (unsigned k = 0; k < product->inner; k++) {
            int a = (int8_t)(of->c >> k % PACKED * 8), b = (int8_t)(of->m >> k % PACKED * 8);
            of->parts[part] = (uint32_t)of->parts[part] + (uint32_t)(a * b);
            of->parts[part] &= UINT32_MAX;
        }
}

/* Multiplies packed numbers of 8 bits and adds the products in single precision. */
static void byte_float_matrix(const struct product *product, cm_narrow_byte format, const cm_wavefront_operands *of)
{
    enum { PACKED = 4 };
    for (unsigned part = 0; part < product->parts; part++)
        for (unsigned k = 0; k < product->inner; k++) {
            float a = (float)cm_narrow_byte_value(format, (uint8_t)(of->c >> k % PACKED * 8));
            float b = (float)cm_narrow_byte_value(format, (uint8_t)(of->m >> k % PACKED * 8));
            of->parts[part] = cm_bits_of_single(fmaf(a, b, cm_single_of(of->parts[part])));
        }
}

/* Executes a product of matrices, by the type of its elements. */
static void execute_product(const struct product *product, const cm_wavefront_operands *of)
{
    switch (product->operations) {
    case CM_FACT_GPU_MATRIX_F16_OPS: narrow_matrix(product, &cm_narrow_half, of); break;
    case CM_FACT_GPU_MATRIX_BF16_OPS: narrow_matrix(product, &cm_narrow_bfloat16, of); break;
    case CM_FACT_GPU_MATRIX_I8_OPS: byte_matrix(product, of); break;
    case CM_FACT_GPU_MATRIX_F8_OPS:
        byte_float_matrix(product, product->class == CM_GPU_MFMA_BF8 ? CM_NARROW_BF8 : CM_NARROW_FP8, of);
        break;
    default: wide_matrix(product, product->operations == CM_FACT_GPU_MATRIX_F64_OPS, of); break;
    }
}

/* Each product within a sum is a multiplication and an addition. */
void cm_wavefront_count_operations(cm_gpu_class class, uint64_t times, uint64_t *facts)
{
    const struct product *product = find_product(class);
    if (product != NULL && !product->sparse)
        facts[product->operations] += 2 * (uint64_t)CM_WAVEFRONT * product->parts * product->inner * times;
}

/* ---- integers and conversions ---- */

static uint64_t compute_integer(cm_gpu_class class, uint32_t x, uint32_t y, uint32_t z)
{
    switch (class) {
    case CM_GPU_INT_ADD: return x + y;
    case CM_GPU_INT_MUL: return (uint32_t)((uint64_t)x * y);
    case CM_GPU_INT_LOGIC: return (x & y) | (~x & z);
    default: return (uint32_t)(((uint64_t)y << 32 | x) >> (z & 31));
    }
}

static uint64_t saturate_integer(float value)
{
    if (isnan(value))
        return 0;
    return (uint32_t)(value >= 0x1p31f ? INT32_MAX : value < -0x1p31f ? INT32_MIN : (int32_t)value);
}

static void convert_number(const cm_wavefront_operands *of)
{
    if (of->back)
        of->parts[0] = cm_bits_of_single((float)(int32_t)(uint32_t)*of->t);
    else
        *of->t = saturate_integer(cm_single_of(of->parts[0]));
}

/* ---- all ---- */

static const struct floating {
    uint64_t (*compute)(operation, uint64_t, uint64_t, uint64_t);
    unsigned bits; /* bits of each number of a pair; 0: no pair */
    operation operator;
} floatings[CM_GPU_COMPUTING] = {
#define PRECISION(id, compute, bits)                                                                                   \
    [CM_GPU_##id##_ADD] = {compute, bits, ADD}, [CM_GPU_##id##_MUL] = {compute, bits, MUL},                            \
    [CM_GPU_##id##_FMA] = {compute, bits, FMA}
#define SCALAR(id, compute)                                                                                            \
    PRECISION(id, compute, 0), [CM_GPU_##id##_SUB] = {compute, 0, SUB}, [CM_GPU_##id##_SQRT] = {compute, 0, SQRT}
    SCALAR(H, compute_half), SCALAR(S, of_32), SCALAR(D, of_64), PRECISION(H2, compute_half, 16),
    PRECISION(S2, of_32, 32)};

void cm_wavefront_compute(cm_gpu_class class, const cm_wavefront_operands *of)
{
    const struct floating *floating = &floatings[class];
    if (floating->compute != NULL) {
        of->parts[0] = floating->bits != 0 ? pair(floating->compute, floating->bits, floating->operator, of)
                                           : floating->compute(floating->operator, of->parts[0], of->c, of->m);
        return;
    }
    const struct product *product = find_product(class);
    if (product != NULL) {
        execute_product(product, of);
        return;
    }
    switch (class) {
    case CM_GPU_CONVERT: convert_number(of); break;
    case CM_GPU_SPECIAL: of->parts[0] = cm_bits_of_single(1.0f / cm_single_of(of->parts[0])); break;
    default: of->parts[0] = compute_integer(class, (uint32_t)of->parts[0], (uint32_t)of->y, (uint32_t)of->z); break;
    }
}
