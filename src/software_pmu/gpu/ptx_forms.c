/* The computation of each instruction in a lane, and its fact. Written independently of the generator of PTX. */
#include <math.h>

#include "software_pmu/gpu/device.h"

#define COMPUTE(name, result)                                                                                          \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)                                                           \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        (void)c;                                                                                                       \
        return result;                                                                                                 \
    }
/* For both halves of a register. */
#define PAIR(name, one)                                                                                                \
    COMPUTE(name, one(a & 0xffff, b & 0xffff, c & 0xffff) | one(a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff)  \
                                                                << 16)
#define NARROW(prefix, format)                                                                                         \
    COMPUTE(prefix##_add, cm_narrow_add(&format, (uint16_t)a, (uint16_t)b))                                            \
    COMPUTE(prefix##_sub, cm_narrow_subtract(&format, (uint16_t)a, (uint16_t)b))                                       \
    COMPUTE(prefix##_mul, cm_narrow_multiply(&format, (uint16_t)a, (uint16_t)b))                                       \
    COMPUTE(prefix##_fma, cm_narrow_fma(&format, (uint16_t)a, (uint16_t)b, (uint16_t)c))                               \
    PAIR(prefix##2_add, prefix##_add)                                                                                  \
    PAIR(prefix##2_mul, prefix##_mul)                                                                                  \
    PAIR(prefix##2_fma, prefix##_fma)

NARROW(h, cm_narrow_half)
PAIR(h2_sub, h_sub)
NARROW(b, cm_narrow_bfloat16)
COMPUTE(s_add, cm_bits_of_single(cm_single_of(a) + cm_single_of(b)))
COMPUTE(s_sub, cm_bits_of_single(cm_single_of(a) - cm_single_of(b)))
COMPUTE(s_mul, cm_bits_of_single(cm_single_of(a) * cm_single_of(b)))
COMPUTE(s_fma, cm_bits_of_single(fmaf(cm_single_of(a), cm_single_of(b), cm_single_of(c))))
COMPUTE(s_sqrt, cm_bits_of_single(sqrtf(cm_single_of(a))))
COMPUTE(s_reciprocal, cm_bits_of_single(1.0f / cm_single_of(a)))
COMPUTE(d_add, cm_bits_of_double(cm_double_of(a) + cm_double_of(b)))
COMPUTE(d_sub, cm_bits_of_double(cm_double_of(a) - cm_double_of(b)))
COMPUTE(d_mul, cm_bits_of_double(cm_double_of(a) * cm_double_of(b)))
COMPUTE(d_fma, cm_bits_of_double(fma(cm_double_of(a), cm_double_of(b), cm_double_of(c))))
COMPUTE(i_add, (uint32_t)(a + b))
COMPUTE(i_mul, (uint32_t)(a *b))
COMPUTE(i_and, (uint32_t)(a &b))
COMPUTE(i_xor, (uint32_t)(a ^ b))
COMPUTE(i_right, (uint32_t)a >> (b & 31))
COMPUTE(w_multiply_add, (a & UINT32_MAX) * (b & UINT32_MAX) + c)
COMPUTE(i_multiply_add, (uint32_t)(a *b + c))
COMPUTE(i_shift, (uint32_t)((b << 32 | (a & UINT32_MAX)) >> (c & 31)))
COMPUTE(i_equal, (uint32_t)a == (uint32_t)b)
COMPUTE(i_differs, (uint32_t)a != (uint32_t)b)
COMPUTE(w_add, a + b)
COMPUTE(w_multiply, (a & UINT32_MAX) * (b & UINT32_MAX))
COMPUTE(copy, a)
COMPUTE(to_single, cm_bits_of_single((float)(int32_t)(uint32_t)a))

/* Saturates; NaN becomes 0. */
static uint64_t to_integer(uint64_t a, uint64_t b, uint64_t c)
{
    double value = trunc((double)cm_single_of(a));
    (void)b;
    (void)c;
    return isnan(value) ? 0 : (uint32_t)(int32_t)fmin(fmax(value, INT32_MIN), INT32_MAX);
}

/* The last operand, the table, is in bits 32 to 39 of c. */
static uint64_t i_logic(uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t table = (uint32_t)(c >> 32), result = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t x = (i & 4) != 0 ? (uint32_t)a : ~(uint32_t)a, y = (i & 2) != 0 ? (uint32_t)b : ~(uint32_t)b;
        uint32_t z = (i & 1) != 0 ? (uint32_t)c : ~(uint32_t)c;
        result |= (table >> i & 1) != 0 ? x & y & z : 0;
    }
    return result;
}

#define CLASS(id) CM_PTX_OF_CLASS, CM_GPU_##id
#define OTHER(id) CM_PTX_##id, CM_GPU_COMPUTING
#define NARROW_FORMS(name, prefix, id, first, second)                                                                  \
    {"add.rn." name, CM_PTX_COMPUTE, CLASS(id##_ADD), 3, 0, first, prefix##_add},                                      \
        {"sub.rn." name, CM_PTX_COMPUTE, CLASS(id##_SUB), 3, 0, first, prefix##_sub},                                  \
        {"mul.rn." name, CM_PTX_COMPUTE, CLASS(id##_MUL), 3, 0, first, prefix##_mul},                                  \
    {                                                                                                                  \
        "fma.rn." name, CM_PTX_COMPUTE, CLASS(id##_FMA), 4, 0, second, prefix##_fma                                    \
    }

#define FRAGMENT_LOAD(matrix, name, id, part, first)                                                                   \
    {                                                                                                                  \
        "wmma.load." matrix "." name, CM_PTX_FRAGMENT_LOAD, CM_PTX_LOADS, CM_GPU_##id, 3, part, first, NULL            \
    }
#define FRAGMENT_FORMS(shape, type, id, first)                                                                         \
    FRAGMENT_LOAD("a.sync.aligned.row", shape ".global." type, id, CM_PTX_A, first),                                   \
        FRAGMENT_LOAD("b.sync.aligned.col", shape ".global." type, id, CM_PTX_B, first)
#define SUM_FORMS(name, id, first)                                                                                     \
    FRAGMENT_LOAD("c.sync.aligned.row", name, id, CM_PTX_D, first),                                                    \
    {                                                                                                                  \
        "wmma.store.d.sync.aligned.row." name, CM_PTX_FRAGMENT_STORE, CM_PTX_STORES, CM_GPU_##id, 3, CM_PTX_D, first,  \
            NULL                                                                                                       \
    }

static const cm_ptx_form forms[] = {
    NARROW_FORMS("f16", h, H, 53, 53),
    NARROW_FORMS("f16x2", h2, H2, 53, 53),
    NARROW_FORMS("f32", s, S, 20, 20),
    NARROW_FORMS("f64", d, D, 20, 20),
    NARROW_FORMS("bf16", b, B, 90, 80),
    {"add.rn.bf16x2", CM_PTX_COMPUTE, CLASS(B2_ADD), 3, 0, 90, b2_add},
    {"mul.rn.bf16x2", CM_PTX_COMPUTE, CLASS(B2_MUL), 3, 0, 90, b2_mul},
    {"fma.rn.bf16x2", CM_PTX_COMPUTE, CLASS(B2_FMA), 4, 0, 80, b2_fma},
    {"sqrt.approx.ftz.f32", CM_PTX_COMPUTE, CLASS(S_SQRT), 2, 0, 20, s_sqrt},
    {"rcp.approx.ftz.f32", CM_PTX_COMPUTE, CLASS(SPECIAL), 2, 0, 20, s_reciprocal},
    {"cvt.rzi.s32.f32", CM_PTX_COMPUTE, CLASS(CONVERT), 2, 0, 20, to_integer},
    {"cvt.rn.f32.s32", CM_PTX_COMPUTE, CLASS(CONVERT), 2, 0, 20, to_single},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", CM_PTX_MATRIX, CLASS(MATRIX_H), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", CM_PTX_MATRIX, CLASS(MATRIX_B), 4, 0, 80, NULL},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", CM_PTX_MATRIX, CLASS(MATRIX_D), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", CM_PTX_MATRIX, CLASS(MMA_H_K8), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", CM_PTX_MATRIX, CLASS(MMA_HH), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", CM_PTX_MATRIX, CLASS(MMA_HH_K8), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", CM_PTX_MATRIX, CLASS(MMA_B_K8), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", CM_PTX_MATRIX, CLASS(MMA_T_K4), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", CM_PTX_MATRIX, CLASS(MMA_T_K8), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", CM_PTX_MATRIX, CLASS(MMA_D_K4), 4, 0, 90, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", CM_PTX_MATRIX, CLASS(MMA_D_K8), 4, 0, 90, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", CM_PTX_MATRIX, CLASS(MMA_D_K16), 4, 0, 90, NULL},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", CM_PTX_MATRIX, CLASS(MMA_I_M8), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", CM_PTX_MATRIX, CLASS(MMA_I_K16), 4, 0, 80, NULL},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", CM_PTX_MATRIX, CLASS(MMA_I_K32), 4, 0, 80, NULL},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", CM_PTX_MATRIX, CLASS(MMA_SPARSE), 6, 0, 80, NULL},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", CM_PTX_MATRIX, CLASS(MMA_SP_B), 6, 0, 80, NULL},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", CM_PTX_MATRIX, CLASS(MMA_SP_T), 6, 0, 80, NULL},
    {"mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", CM_PTX_MATRIX, CLASS(MMA_SP_E4), 6, 0, 89, NULL},
    {"mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", CM_PTX_MATRIX, CLASS(MMA_SP_I), 6, 0, 80, NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", CM_PTX_MATRIX, CLASS(WMMA_H), 4, 0, 70, NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16", CM_PTX_MATRIX, CLASS(WMMA_HH), 4, 0, 70, NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32", CM_PTX_MATRIX, CLASS(WMMA_B), 4, 0, 80, NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", CM_PTX_MATRIX, CLASS(WMMA_T), 4, 0, 80, NULL},
    {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64", CM_PTX_MATRIX, CLASS(WMMA_D), 4, 0, 80, NULL},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", CM_PTX_MATRIX, CLASS(WMMA_I), 4, 0, 72, NULL},
    FRAGMENT_FORMS("m16n16k16", "f16", WMMA_H, 70),
    FRAGMENT_FORMS("m16n16k16", "bf16", WMMA_B, 80),
    FRAGMENT_FORMS("m16n16k8", "tf32", WMMA_T, 80),
    FRAGMENT_FORMS("m8n8k4", "f64", WMMA_D, 80),
    FRAGMENT_FORMS("m16n16k16", "s8", WMMA_I, 72),
    SUM_FORMS("m16n16k16.global.f32", WMMA_H, 70),
    SUM_FORMS("m16n16k16.global.f16", WMMA_HH, 70),
    SUM_FORMS("m16n16k8.global.f32", WMMA_T, 80),
    SUM_FORMS("m8n8k4.global.f64", WMMA_D, 80),
    SUM_FORMS("m16n16k16.global.s32", WMMA_I, 72),
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", CM_PTX_MATRIX, CLASS(MMA_E4), 4, 0, 89, NULL},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", CM_PTX_MATRIX, CLASS(MMA_E5), 4, 0, 89, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_H), 8, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_H_N16), 8, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_HH), 8, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_B), 8, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_T), 6, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_I), 4, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_E4), 6, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_E4_N16), 6, 0, 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2", CM_PTX_GROUP_PRODUCT, CLASS(WGMMA_E5), 6, 0, 90, NULL},
    {"wgmma.fence.sync.aligned", CM_PTX_GROUP_FENCE, CLASS(SYNC), 0, 0, 90, NULL},
    {"wgmma.commit_group.sync.aligned", CM_PTX_GROUP_COMMIT, CLASS(SYNC), 0, 0, 90, NULL},
    {"wgmma.wait_group.sync.aligned", CM_PTX_GROUP_WAIT, CLASS(SYNC), 1, 0, 90, NULL},
    {"fence.proxy.async", CM_PTX_PROXY_FENCE, CLASS(SYNC), 0, 0, 90, NULL},
    {"add.s32", CM_PTX_COMPUTE, CLASS(INT_ADD), 3, 0, 20, i_add},
    {"mul.lo.s32", CM_PTX_COMPUTE, CLASS(INT_MUL), 3, 0, 20, i_mul},
    {"and.b32", CM_PTX_COMPUTE, CLASS(INT_LOGIC), 3, 0, 20, i_and},
    {"xor.b32", CM_PTX_COMPUTE, CLASS(INT_LOGIC), 3, 0, 20, i_xor},
    {"mad.wide.u32", CM_PTX_COMPUTE, CLASS(INT_MUL), 4, 0, 20, w_multiply_add},
    {"shr.u32", CM_PTX_COMPUTE, OTHER(REST), 3, 0, 20, i_right},
    {"lop3.b32", CM_PTX_COMPUTE, CLASS(INT_LOGIC), 5, 0, 50, i_logic},
    {"shf.r.wrap.b32", CM_PTX_COMPUTE, CLASS(INT_SHIFT), 4, 0, 32, i_shift},
    {"setp.eq.u32", CM_PTX_COMPUTE, CLASS(COMPARE), 3, 0, 20, i_equal},
    {"setp.ne.s32", CM_PTX_COMPUTE, CLASS(COMPARE), 3, 0, 20, i_differs},
    {"bra", CM_PTX_BRANCH, CLASS(BRANCH), 1, 0, 20, NULL},
    {"ret", CM_PTX_RETURN, OTHER(REST), 0, 0, 20, NULL},
    {"mad.lo.s32", CM_PTX_COMPUTE, OTHER(REST), 4, 0, 20, i_multiply_add},
    {"mul.wide.u32", CM_PTX_COMPUTE, OTHER(REST), 3, 0, 20, w_multiply},
    {"add.s64", CM_PTX_COMPUTE, OTHER(REST), 3, 0, 20, w_add},
    {"cvta.to.global.u64", CM_PTX_COMPUTE, OTHER(MOVES), 2, 0, 20, copy},
    {"mov.u32", CM_PTX_COMPUTE, OTHER(MOVES), 2, 0, 20, copy},
    {"mov.s32", CM_PTX_COMPUTE, OTHER(MOVES), 2, 0, 20, copy},
    {"ld.param.u64", CM_PTX_LOAD_PARAMETER, OTHER(MOVES), 2, 8, 20, NULL},
    {"ld.param.u32", CM_PTX_LOAD_PARAMETER, OTHER(MOVES), 2, 4, 20, NULL},
    {"ld.global.b16", CM_PTX_LOAD, OTHER(LOADS), 2, 2, 20, NULL},
    {"ld.global.b32", CM_PTX_LOAD, OTHER(LOADS), 2, 4, 20, NULL},
    {"ld.global.f32", CM_PTX_LOAD, OTHER(LOADS), 2, 4, 20, NULL},
    {"ld.global.f64", CM_PTX_LOAD, OTHER(LOADS), 2, 8, 20, NULL},
    {"ld.global.v2.b32", CM_PTX_LOAD, OTHER(LOADS), 2, 8, 20, NULL},
    {"ld.global.v4.b32", CM_PTX_LOAD, OTHER(LOADS), 2, 16, 20, NULL},
    {"ld.global.cg.b32", CM_PTX_LOAD_FAR, OTHER(LOADS), 2, 4, 20, NULL},
    {"ld.global.cg.b16", CM_PTX_LOAD_FAR, OTHER(LOADS), 2, 2, 20, NULL},
    {"ld.global.cg.f32", CM_PTX_LOAD_FAR, OTHER(LOADS), 2, 4, 20, NULL},
    {"ld.global.cg.f64", CM_PTX_LOAD_FAR, OTHER(LOADS), 2, 8, 20, NULL},
    {"ld.global.cg.v2.b32", CM_PTX_LOAD_FAR, OTHER(LOADS), 2, 8, 20, NULL},
    {"ld.global.cg.v4.b32", CM_PTX_LOAD_FAR, OTHER(LOADS), 2, 16, 20, NULL},
    {"ld.shared.b32", CM_PTX_SHARED_LOAD, OTHER(SHARED_LOADS), 2, 4, 20, NULL},
    {"ld.shared.v2.b32", CM_PTX_SHARED_LOAD, OTHER(SHARED_LOADS), 2, 8, 20, NULL},
    {"ld.shared.v4.b32", CM_PTX_SHARED_LOAD, OTHER(SHARED_LOADS), 2, 16, 20, NULL},
    {"st.shared.b32", CM_PTX_SHARED_STORE, OTHER(SHARED_STORES), 2, 4, 20, NULL},
    {"st.shared.v2.b32", CM_PTX_SHARED_STORE, OTHER(SHARED_STORES), 2, 8, 20, NULL},
    {"st.shared.v4.b32", CM_PTX_SHARED_STORE, OTHER(SHARED_STORES), 2, 16, 20, NULL},
    {"st.global.v2.b32", CM_PTX_STORE, OTHER(STORES), 2, 8, 20, NULL},
    {"st.global.v4.b32", CM_PTX_STORE, OTHER(STORES), 2, 16, 20, NULL},
    {"red.global.add.u32", CM_PTX_REDUCE, OTHER(STORES), 2, 4, 20, NULL},
    {"st.global.b16", CM_PTX_STORE, OTHER(STORES), 2, 2, 20, NULL},
    {"st.global.b32", CM_PTX_STORE, OTHER(STORES), 2, 4, 20, NULL},
    {"st.global.f32", CM_PTX_STORE, OTHER(STORES), 2, 4, 20, NULL},
    {"st.global.f64", CM_PTX_STORE, OTHER(STORES), 2, 8, 20, NULL},
};

const cm_ptx_form *cm_ptx_form_find(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}
