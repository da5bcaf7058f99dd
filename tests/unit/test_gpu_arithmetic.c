/* What GPU kernels compute, held against this processor: the software GPU's memory after a run, bit by bit, and the
 * narrow formats against exact numbers. Nothing here is the software GPU's but what is judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cat-kernels/gpu/run.h"
#include "core/system.h"
#include "software_pmu/gpu/engine.h"
#include "software_pmu/gpu/device.h"

static const cm_pmu_machine hopper = {
    .line_size = 128, .page_size = 4096, .predictor = "none", .gpu = "nvidia", .gpu_target = 90};

/* ---- the oracle: numbers as whole multiples of 2^-`fraction`, exact ---- */

typedef __int128 whole;

/* Of half precision: in units of 2^-24. */
static whole units_of(uint16_t bits)
{
    int exponent = bits >> 10 & 31, significand = bits & 1023;
    whole value = exponent == 0 ? significand : (whole)(significand | 1024) << (exponent - 1);
    return (bits & 0x8000) != 0 ? -value : value;
}

/* The number of units of 2^-48 in half precision, to nearest even; too large ones are infinite. */
static uint16_t half_of(whole units)
{
    uint16_t sign = units < 0 ? 0x8000 : 0;
    whole size = units < 0 ? -units : units, unit = (whole)1 << 24; /* the smallest step of the format */
    int exponent = 1;
    while (size >= unit << 11 && exponent < 31) {
        unit <<= 1;
        exponent++;
    }
    whole steps = size / unit, rest = size % unit;
    if (2 * rest > unit || (2 * rest == unit && (steps & 1) != 0))
        steps++;
    if (steps == 2048) {
        steps = 1024;
        exponent++;
    }
    if (exponent >= 31)
        return (uint16_t)(sign | 0x7c00);
    return (uint16_t)(sign | (steps < 1024 ? 0 : exponent << 10) | (steps & 1023));
}

static uint16_t expected_half(uint16_t a, uint16_t b, uint16_t c)
{
    return half_of(units_of(a) * units_of(b) + units_of(c) * (1 << 24));
}

static bool is_finite(uint16_t bits)
{
    return (bits & 0x7c00) != 0x7c00;
}

static void half_precision_is_rounded_once(void **state)
{
    (void)state;
    const uint16_t one = 0x3c00;
    uint64_t random = 1;
    for (size_t i = 0; i < 200000; i++) {
        uint64_t bits = cm_random_next(&random);
        uint16_t a = (uint16_t)bits, b = (uint16_t)(bits >> 16), c = (uint16_t)(bits >> 32);
        if ((bits >> 48 & 1) != 0) /* near each other: ties, and what cancels */
            c = (uint16_t)(cm_narrow_multiply(&cm_narrow_half, a, b) ^ 0x8000 ^ (bits >> 60));
        if (!is_finite(a) || !is_finite(b) || !is_finite(c))
            continue;
        uint16_t fma_bits = cm_narrow_fma(&cm_narrow_half, a, b, c), sum = cm_narrow_add(&cm_narrow_half, a, c);
        if ((fma_bits & 0x7fff) != 0) /* zeros have the sign of their addends */
            assert_int_equal(fma_bits, expected_half(a, b, c));
        if ((sum & 0x7fff) != 0)
            assert_int_equal(sum, expected_half(a, one, c));
        assert_int_equal(cm_narrow_multiply(&cm_narrow_half, a, b) & 0x7fff, expected_half(a, b, 0) & 0x7fff);
        assert_int_equal(cm_narrow_subtract(&cm_narrow_half, a, c), cm_narrow_add(&cm_narrow_half, a, c ^ 0x8000));
    }
}

static float of_bfloat16(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* The upper half of a float, to nearest even. */
static uint16_t to_bfloat16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void bfloat16_is_rounded_once(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (size_t i = 0; i < 200000; i++) {
        uint64_t bits = cm_random_next(&random);
        uint16_t a = (uint16_t)(bits & 0x83ff) + 0x3c00, b = (uint16_t)(bits >> 16 & 0x83ff) + 0x3c00;
        uint16_t c = (uint16_t)(bits >> 32 & 0x83ff) + 0x3c00;
        float x = of_bfloat16(a), y = of_bfloat16(b), z = of_bfloat16(c);
        assert_int_equal(cm_narrow_multiply(&cm_narrow_bfloat16, a, b), to_bfloat16(x * y));
        if (x + z != 0.0f)
            assert_int_equal(cm_narrow_add(&cm_narrow_bfloat16, a, c), to_bfloat16(x + z));
        double exact = (double)x * (double)y + (double)z; /* these exponents are near each other */
        if ((double)(float)exact == exact && exact != 0.0)
            assert_int_equal(cm_narrow_fma(&cm_narrow_bfloat16, a, b, c), to_bfloat16((float)exact));
    }
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        double value = cm_narrow_value(&cm_narrow_half, (uint16_t)bits);
        if (!isnan(value))
            assert_int_equal(cm_narrow_round(&cm_narrow_half, value), bits);
        value = cm_narrow_value(&cm_narrow_bfloat16, (uint16_t)bits);
        if (!isnan(value))
            assert_int_equal(cm_narrow_round(&cm_narrow_bfloat16, value), bits);
    }
}

/* ---- whole kernels ---- */

enum { COUNT = 5, TRIPS = 2 }; /* of a piece; CM_GPU_ITERATIONS are two turns of each thread */

/* ---- one instruction on an accumulator, by what gpu.h says ---- */

static float next_single(cm_gpu_class class, float a, float c, float m)
{
    switch (class) {
    case CM_GPU_S_ADD: return a + c;
    case CM_GPU_S_SUB: return a - c;
    case CM_GPU_S_MUL: return a * m;
    case CM_GPU_S_FMA: return fmaf(a, m, c);
    case CM_GPU_S_SQRT: return sqrtf(a);
    case CM_GPU_SPECIAL: return 1.0f / a;
    case CM_GPU_MMA_T_K4: return a + 0.25f;
    case CM_GPU_MMA_H_K8:
    case CM_GPU_MMA_B_K8:
    case CM_GPU_MMA_SP_T:
    case CM_GPU_WMMA_T:
    case CM_GPU_WGMMA_T:
    case CM_GPU_MMA_T_K8: return a + 0.5f;
    case CM_GPU_MMA_E4:
    case CM_GPU_MMA_SP_E4:
    case CM_GPU_WGMMA_E4:
    case CM_GPU_WGMMA_E4_N16:
    case CM_GPU_WGMMA_E5:
    case CM_GPU_MMA_E5: return a + 2.0f;
    default: return a + 1.0f; /* of matrices: 16 products of a quarter and a quarter */
    }
}

static double next_double(cm_gpu_class class, double a, double c, double m)
{
    switch (class) {
    case CM_GPU_D_ADD: return a + c;
    case CM_GPU_D_SUB: return a - c;
    case CM_GPU_D_MUL: return a * m;
    case CM_GPU_D_FMA: return fma(a, m, c);
    case CM_GPU_MMA_D_K8: return a + 0.5;
    case CM_GPU_MMA_D_K16: return a + 1.0;
    default: return a + 0.25; /* of matrices: four of them */
    }
}

static uint16_t next_half(cm_gpu_class class, uint16_t a, uint16_t c, uint16_t m)
{
    switch (class) {
    case CM_GPU_H_ADD:
    case CM_GPU_H2_ADD: return expected_half(a, 0x3c00, c);
    case CM_GPU_H_SUB:
    case CM_GPU_H2_SUB: return expected_half(a, 0x3c00, c ^ 0x8000);
    case CM_GPU_H_MUL:
    case CM_GPU_H2_MUL: return expected_half(a, m, 0);
    case CM_GPU_WMMA_HH:
    case CM_GPU_WGMMA_HH:
    case CM_GPU_MMA_HH: return expected_half(a, 0x3c00, 0x3c00);
    case CM_GPU_MMA_HH_K8: return expected_half(a, 0x3c00, 0x3800);
    default: return expected_half(a, m, c);
    }
}

/* Sums of products of bytes, four in a number. */
static uint32_t next_integer(cm_gpu_class class, uint32_t a, uint32_t c, uint32_t m)
{
    int sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += (int8_t)(c >> 8 * i) *
               (int8_t)(m >> 8 * (class == CM_GPU_MMA_SP_I ? i % 2 : i)); /* of a sparse A the first two of each four */
    return a +
           (uint32_t)(sum * (class == CM_GPU_MMA_I_K32 || class == CM_GPU_MMA_SP_I || class == CM_GPU_WGMMA_I ? 8 : 4));
}

static uint16_t next_bfloat16(cm_gpu_class class, uint16_t bits, uint16_t c_bits, uint16_t m_bits)
{
    float a = of_bfloat16(bits), c = of_bfloat16(c_bits), m = of_bfloat16(m_bits);
    switch (class) {
    case CM_GPU_B_ADD:
    case CM_GPU_B2_ADD: return to_bfloat16(a + c);
    case CM_GPU_B_SUB: return to_bfloat16(a - c);
    case CM_GPU_B_MUL:
    case CM_GPU_B2_MUL: return to_bfloat16(a * m);
    default: return to_bfloat16(fmaf(a, m, c));
    }
}

/* Reads the accumulator, its c and its m, and writes what comes of them, `copies` times. */
#define APPLY(type, next, copies)                                                                                      \
    {                                                                                                                  \
        type a, c, m;                                                                                                  \
        memcpy(&a, at, sizeof a);                                                                                      \
        memcpy(&c, constants, sizeof c);                                                                               \
        memcpy(&m, constants + 8, sizeof m);                                                                           \
        a = next(class, a, c, m);                                                                                      \
        for (size_t i = 0; i < (copies); i++)                                                                          \
            memcpy(at + i * sizeof a, &a, sizeof a);                                                                   \
    }

static void apply(cm_gpu_class class, unsigned char *at, const unsigned char *input)
{
    cm_gpu_type type = cm_gpu_class_table[class].type;
    const unsigned char *constants = input + CM_GPU_INPUT_AT(type);
    switch (type) {
    case CM_GPU_TYPE_D:
    case CM_GPU_TYPE_MDW:
    case CM_GPU_TYPE_MD: APPLY(double, next_double, 1) break;
    case CM_GPU_TYPE_H: APPLY(uint16_t, next_half, 1) break;
    case CM_GPU_TYPE_WD: APPLY(double, next_double, 1) break;
    case CM_GPU_TYPE_MI: APPLY(uint32_t, next_integer, 1) break;
    case CM_GPU_TYPE_WI: APPLY(uint32_t, next_integer, 2) break;
    case CM_GPU_TYPE_WH:
    case CM_GPU_TYPE_WB:
    case CM_GPU_TYPE_WT: APPLY(float, next_single, 2) break;
    case CM_GPU_TYPE_WHH: APPLY(uint16_t, next_half, 4) break;
    case CM_GPU_TYPE_MHH:
    case CM_GPU_TYPE_H2: APPLY(uint16_t, next_half, 2) break;
    case CM_GPU_TYPE_B: APPLY(uint16_t, next_bfloat16, 1) break;
    case CM_GPU_TYPE_B2: APPLY(uint16_t, next_bfloat16, 2) break;
    default: APPLY(float, next_single, 1) break;
    }
}

static void apply_integer(cm_gpu_class class, unsigned char *slots, unsigned turn)
{
    uint32_t a, b, c;
    memcpy(&a, slots + CM_GPU_SLOT(CM_GPU_TYPE_I, turn % 5), sizeof a);
    memcpy(&b, slots + CM_GPU_SLOT(CM_GPU_TYPE_I, (turn + 1) % 5), sizeof b);
    memcpy(&c, slots + CM_GPU_SLOT(CM_GPU_TYPE_I, (turn + 2) % 5), sizeof c);
    switch (class) {
    case CM_GPU_INT_ADD: a += b; break;
    case CM_GPU_INT_MUL: a *= b; break;
    case CM_GPU_INT_LOGIC: a = (a & b) ^ c; break;
    default: a = (c & 31) == 0 ? a : a >> (c & 31) | b << (32 - (c & 31)); break;
    }
    memcpy(slots + CM_GPU_SLOT(CM_GPU_TYPE_I, turn % 5), &a, sizeof a);
}

/* Of conversions the second of two: (float)(int)a. An odd last one leaves its accumulator as it is. */
static void convert(unsigned char *slots, unsigned accumulator)
{
    float value;
    memcpy(&value, slots + CM_GPU_SLOT(CM_GPU_TYPE_S, accumulator), sizeof value);
    value = (float)(int)value;
    memcpy(slots + CM_GPU_SLOT(CM_GPU_TYPE_S, accumulator), &value, sizeof value);
}

/* Fragments: a row of the first or the second matrix, or of none, as the thread's place in its warp says. */
static void compute_row(cm_gpu_class class, size_t lane, unsigned char *slots, const unsigned char *input)
{
    cm_gpu_type type = cm_gpu_class_table[class].type;
    size_t matrix = lane / (type == CM_GPU_TYPE_WD ? 8 : 16), row_slots = type == CM_GPU_TYPE_WHH ? 4 : 8;
    for (unsigned i = 0; i < TRIPS * COUNT; i++)
        for (size_t slot = 0; matrix == i % COUNT % 2 && slot < row_slots; slot++)
            apply(class, slots + CM_GPU_SLOT(type, slot), input);
}

static void compute(cm_gpu_class class, size_t thread, unsigned char *slots, const unsigned char *input)
{
    cm_gpu_type type = cm_gpu_class_table[class].type;
    if (type >= CM_GPU_TYPE_WH && type <= CM_GPU_TYPE_WI) {
        compute_row(class, thread % 32, slots, input);
        return;
    }
    bool matrix = cm_gpu_is_matrix(class);
    unsigned own = type == CM_GPU_TYPE_MD || type == CM_GPU_TYPE_MHH ? 2 : matrix ? 4 : 1; /* parts of an accumulator */
    for (unsigned i = 0; i < TRIPS * COUNT; i++) {
        unsigned turn = i % COUNT, parts = class == CM_GPU_MMA_I_M8 ? 2 : cm_gpu_is_wide(class) ? 8 : own;
        unsigned chains = cm_gpu_is_wide(class) ? 1 : matrix ? 2 : CM_GPU_CHAINS;
        if (type == CM_GPU_TYPE_I)
            apply_integer(class, slots, turn);
        else if (class == CM_GPU_CONVERT && turn % 2 == 1)
            convert(slots, turn / 2 % CM_GPU_CHAINS);
        for (unsigned part = 0; type != CM_GPU_TYPE_I && class != CM_GPU_CONVERT && part < parts; part++)
            apply(class, slots + CM_GPU_SLOT(type, turn % chains * own + part), input);
    }
}

static void check_class(const cm_gpu_session *session, cm_gpu_class class, unsigned mask)
{
    const cm_gpu_piece piece = {class, COUNT};
    const cm_gpu_kernel kernel = {"tried", &piece, 1, 0, mask, cm_gpu_family_of(class)};
    const cm_gpu_launch launch = cm_gpu_launch_of(CM_GPU_NVIDIA, kernel.family, CM_GPU_ITERATIONS);
    const cm_gpu_layout *layout = cm_gpu_layout_of(kernel.family);
    size_t size = cm_gpu_memory_size(kernel.family, &launch);
    unsigned char *expected = malloc(size), *found = malloc(size);
    cm_gpu_run run;
    assert_true(expected != NULL && found != NULL);
    assert_int_equal(launch.trips, TRIPS);
    assert_int_equal(cm_gpu_run_open(&run, session, &kernel, NULL), CM_OK);
    cm_kernel_data data = {.buffer = &run};
    cm_gpu_run_body(CM_GPU_ITERATIONS, &data);
    assert_int_equal(run.status, CM_OK);
    assert_int_equal(session->backend->read(run.loaded[0], found, NULL), CM_OK);
    cm_gpu_memory_fill(kernel.family, &launch, expected);
    for (size_t thread = 0; thread < (size_t)launch.blocks * launch.threads; thread++)
        if ((thread % launch.threads & mask) == 0)
            compute(class, thread, expected + layout->input + layout->output * thread, expected);
    if (memcmp(expected, found, size) != 0)
        fail_msg("%s, mask %u: results differ", cm_gpu_class_table[class].name, mask);
    cm_gpu_run_close(&run);
    free(expected);
    free(found);
}

static void kernels_compute_what_the_processor_does(void **state)
{
    (void)state;
    cm_software_pmu *pmu = NULL;
    cm_gpu_session *session = NULL;
    static const unsigned masks[] = {1, 3, 16, 63};
    size_t checked = 0;
    assert_int_equal(cm_software_pmu_create(&hopper, &pmu, NULL), CM_OK);
    assert_int_equal(cm_software_gpu_open(&hopper, &session, NULL), CM_OK);
    for (size_t class = 0; class < CM_GPU_COMPUTING; class ++) {
        bool matrix = cm_gpu_is_matrix((cm_gpu_class) class);
        if (!cm_gpu_ptx_has((cm_gpu_class) class, 90))
            continue;
        check_class(session, (cm_gpu_class) class, 0);
        if (!cm_gpu_is_of_groups((cm_gpu_class) class))
            check_class(session, (cm_gpu_class) class, 32);
        for (size_t i = 0; !matrix && i < sizeof masks / sizeof masks[0]; i++)
            check_class(session, (cm_gpu_class) class, masks[i]);
        checked++;
    }
    assert_int_equal(checked, 67);
    cm_gpu_session_close(session);
    cm_software_pmu_free(pmu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_precision_is_rounded_once),
        cmocka_unit_test(bfloat16_is_rounded_once),
        cmocka_unit_test(kernels_compute_what_the_processor_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
