/* Instructions of PTX by class, and the targets that have them. */
#include "cat-kernels/gpu/ptx.h"

const cm_gpu_ptx_instruction cm_gpu_ptx_instructions[CM_GPU_COMPUTING] = {
    [CM_GPU_H_ADD] = {53, "add.rn.f16 $a, $a, $c", NULL},
    [CM_GPU_S_ADD] = {20, "add.rn.f32 $a, $a, $c", NULL},
    [CM_GPU_D_ADD] = {20, "add.rn.f64 $a, $a, $c", NULL},
    [CM_GPU_H_SUB] = {53, "sub.rn.f16 $a, $a, $c", NULL},
    [CM_GPU_S_SUB] = {20, "sub.rn.f32 $a, $a, $c", NULL},
    [CM_GPU_D_SUB] = {20, "sub.rn.f64 $a, $a, $c", NULL},
    [CM_GPU_H_MUL] = {53, "mul.rn.f16 $a, $a, $m", NULL},
    [CM_GPU_S_MUL] = {20, "mul.rn.f32 $a, $a, $m", NULL},
    [CM_GPU_D_MUL] = {20, "mul.rn.f64 $a, $a, $m", NULL},
    [CM_GPU_S_SQRT] = {20, "sqrt.approx.ftz.f32 $a, $a", NULL},
    [CM_GPU_H_FMA] = {53, "fma.rn.f16 $a, $a, $m, $c", NULL},
    [CM_GPU_S_FMA] = {20, "fma.rn.f32 $a, $a, $m, $c", NULL},
    [CM_GPU_D_FMA] = {20, "fma.rn.f64 $a, $a, $m, $c", NULL},
    [CM_GPU_H2_ADD] = {53, "add.rn.f16x2 $a, $a, $c", NULL},
    [CM_GPU_H2_SUB] = {53, "sub.rn.f16x2 $a, $a, $c", NULL},
    [CM_GPU_H2_MUL] = {53, "mul.rn.f16x2 $a, $a, $m", NULL},
    [CM_GPU_H2_FMA] = {53, "fma.rn.f16x2 $a, $a, $m, $c", NULL},
    [CM_GPU_B_ADD] = {90, "add.rn.bf16 $a, $a, $c", NULL},
    [CM_GPU_B_SUB] = {90, "sub.rn.bf16 $a, $a, $c", NULL},
    [CM_GPU_B_MUL] = {90, "mul.rn.bf16 $a, $a, $m", NULL},
    [CM_GPU_B_FMA] = {80, "fma.rn.bf16 $a, $a, $m, $c", NULL},
    [CM_GPU_B2_ADD] = {90, "add.rn.bf16x2 $a, $a, $c", NULL},
    [CM_GPU_B2_MUL] = {90, "mul.rn.bf16x2 $a, $a, $m", NULL},
    [CM_GPU_B2_FMA] = {80, "fma.rn.bf16x2 $a, $a, $m, $c", NULL},
    [CM_GPU_MATRIX_H] = {80,
                         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$a0, $a1, $a2, $a3}, {$c, $c, $c, $c}, "
                         "{$m, $m}, {$a0, $a1, $a2, $a3}",
                         NULL},
    [CM_GPU_MATRIX_B] = {80,
                         "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$a0, $a1, $a2, $a3}, {$c, $c, $c, $c}, "
                         "{$m, $m}, {$a0, $a1, $a2, $a3}",
                         NULL},
    [CM_GPU_MATRIX_D] = {80, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$a0, $a1}, {$c}, {$m}, {$a0, $a1}",
                         NULL},
#define SUMS "{$a0, $a1, $a2, $a3}"
#define MMA(shape, types, a, b) "mma.sync.aligned." shape ".row.col." types " " SUMS ", " a ", " b ", " SUMS
    [CM_GPU_MMA_H_K8] = {80, MMA("m16n8k8", "f32.f16.f16.f32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_HH] = {80,
                       "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$a0, $a1}, {$c, $c, $c, $c}, {$m, $m}, "
                       "{$a0, $a1}",
                       NULL},
    [CM_GPU_MMA_HH_K8] = {80, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$a0, $a1}, {$c, $c}, {$m}, {$a0, $a1}",
                          NULL},
    [CM_GPU_MMA_B_K8] = {80, MMA("m16n8k8", "f32.bf16.bf16.f32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_T_K4] = {80, MMA("m16n8k4", "f32.tf32.tf32.f32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_T_K8] = {80, MMA("m16n8k8", "f32.tf32.tf32.f32", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
    [CM_GPU_MMA_D_K4] = {90, MMA("m16n8k4", "f64.f64.f64.f64", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_D_K8] = {90, MMA("m16n8k8", "f64.f64.f64.f64", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
    [CM_GPU_MMA_D_K16] = {90,
                          MMA("m16n8k16", "f64.f64.f64.f64", "{$c, $c, $c, $c, $c, $c, $c, $c}", "{$m, $m, $m, $m}"),
                          NULL},
    [CM_GPU_MMA_I_M8] = {80, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$a0, $a1}, {$c}, {$m}, {$a0, $a1}", NULL},
    [CM_GPU_MMA_I_K16] = {80, MMA("m16n8k16", "s32.s8.s8.s32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_I_K32] = {80, MMA("m16n8k32", "s32.s8.s8.s32", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
#define SPARSE(shape, types)                                                                                           \
    "mma.sp.sync.aligned." shape ".row.col." types " " SUMS ", {$c, $c, $c, $c}, {$m, $m, $m, $m}, " SUMS              \
    ", %stored, 0x0"
    [CM_GPU_MMA_SPARSE] = {90, SPARSE("m16n8k32", "f32.f16.f16.f32"), NULL},
    [CM_GPU_MMA_SP_B] = {90, SPARSE("m16n8k32", "f32.bf16.bf16.f32"), NULL},
    [CM_GPU_MMA_SP_T] = {90, SPARSE("m16n8k16", "f32.tf32.tf32.f32"), NULL},
    [CM_GPU_MMA_SP_E4] = {90, SPARSE("m16n8k64", "f32.e4m3.e4m3.f32"), NULL},
    [CM_GPU_MMA_SP_I] = {90, SPARSE("m16n8k64", "s32.s8.s8.s32"), NULL},
#define FOUR(x) x ", " x ", " x ", " x
#define EIGHT_SUMS "{$a0, $a1, $a2, $a3, $a4, $a5, $a6, $a7}"
#define WMMA(shape, types, sums, a, b)                                                                                 \
    "wmma.mma.sync.aligned.row.col." shape "." types " " sums ", {" a "}, {" b "}, " sums
    [CM_GPU_WMMA_H] = {70, WMMA("m16n16k16", "f32.f32", EIGHT_SUMS, FOUR("$c, $c"), FOUR("$m, $m")), NULL},
    [CM_GPU_WMMA_HH] = {70, WMMA("m16n16k16", "f16.f16", SUMS, FOUR("$c, $c"), FOUR("$m, $m")), NULL},
    [CM_GPU_WMMA_B] = {80, WMMA("m16n16k16", "f32.bf16.bf16.f32", EIGHT_SUMS, FOUR("$c"), FOUR("$m")), NULL},
    [CM_GPU_WMMA_T] = {80, WMMA("m16n16k8", "f32.tf32.tf32.f32", EIGHT_SUMS, FOUR("$c"), FOUR("$m")), NULL},
    [CM_GPU_WMMA_D] = {80, WMMA("m8n8k4", "f64.f64.f64.f64", "{$a0, $a1}", "$c", "$m"), NULL},
    [CM_GPU_WMMA_I] = {80, WMMA("m16n16k16", "s32.s8.s8.s32", EIGHT_SUMS, "$c, $c", "$m, $m"), NULL},
    [CM_GPU_MMA_E4] = {89, MMA("m16n8k32", "f32.e4m3.e4m3.f32", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
    [CM_GPU_MMA_E5] = {89, MMA("m16n8k32", "f32.e5m2.e5m2.f32", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
#define WGMMA(shape, types, sums, rest) "wgmma.mma_async.sync.aligned." shape "." types " " sums ", $A, $B, 1" rest
    [CM_GPU_WGMMA_H] = {90, WGMMA("m64n8k16", "f32.f16.f16", SUMS, ", 1, 1, 0, 0"), NULL},
    [CM_GPU_WGMMA_H_N16] = {90, WGMMA("m64n16k16", "f32.f16.f16", EIGHT_SUMS, ", 1, 1, 0, 0"), NULL},
    [CM_GPU_WGMMA_HH] = {90, WGMMA("m64n8k16", "f16.f16.f16", "{$a0, $a1}", ", 1, 1, 0, 0"), NULL},
    [CM_GPU_WGMMA_B] = {90, WGMMA("m64n8k16", "f32.bf16.bf16", SUMS, ", 1, 1, 0, 0"), NULL},
    [CM_GPU_WGMMA_T] = {90, WGMMA("m64n8k8", "f32.tf32.tf32", SUMS, ", 1, 1"), NULL},
    [CM_GPU_WGMMA_I] = {90, WGMMA("m64n8k32", "s32.s8.s8", SUMS, ""), NULL},
    [CM_GPU_WGMMA_E4] = {90, WGMMA("m64n8k32", "f32.e4m3.e4m3", SUMS, ", 1, 1"), NULL},
    [CM_GPU_WGMMA_E4_N16] = {90, WGMMA("m64n16k32", "f32.e4m3.e4m3", EIGHT_SUMS, ", 1, 1"), NULL},
    [CM_GPU_WGMMA_E5] = {90, WGMMA("m64n8k32", "f32.e5m2.e5m2", SUMS, ", 1, 1"), NULL},
    [CM_GPU_INT_ADD] = {20, "add.s32 $a, $a, $x", NULL},
    [CM_GPU_INT_MUL] = {20, "mul.lo.s32 $a, $a, $x", NULL},
    [CM_GPU_INT_LOGIC] = {50, "lop3.b32 $a, $a, $x, $y, 0x6a", NULL},
    [CM_GPU_INT_SHIFT] = {32, "shf.r.wrap.b32 $a, $a, $x, $y", NULL},
    [CM_GPU_CONVERT] = {20, "cvt.rzi.s32.f32 $t, $a", "cvt.rn.f32.s32 $a, $t"},
    [CM_GPU_SPECIAL] = {20, "rcp.approx.ftz.f32 $a, $a", NULL},
};

bool cm_gpu_ptx_has(cm_gpu_class class, unsigned target)
{
    if (class >= CM_GPU_COMPUTING)
        return (cm_gpu_class_table[class].vendors & CM_GPU_NVIDIA) != 0;
    const cm_gpu_ptx_instruction *instruction = &cm_gpu_ptx_instructions[class];
    if (cm_gpu_is_of_groups(class))
        return target == instruction->target;
    return instruction->text != NULL && target >= instruction->target;
}
