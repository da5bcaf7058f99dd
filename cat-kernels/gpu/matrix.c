/* The operations of products of matrices. Sources: NVIDIA, "Parallel Thread Execution ISA", mma, wmma and wgmma; AMD,
 * "AMD Instinct MI200 Instruction Set Architecture" and "AMD Instinct MI300 Instruction Set Architecture", matrix
 * instructions. */
#include "cat-kernels/gpu/gpu.h"

/* D has m rows and n columns, and is the sum of k products each; some of AMD's do that with several blocks at a time.
 */
static const struct {
    cm_gpu_vendor vendor;
    cm_gpu_class class;
    cm_gpu_elements elements;
    unsigned m, n, k, blocks;
} products[] = {
    {CM_GPU_NVIDIA, CM_GPU_MATRIX_H, CM_GPU_F16, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_H_K8, CM_GPU_F16, 16, 8, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_HH, CM_GPU_F16_F16, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_HH_K8, CM_GPU_F16_F16, 16, 8, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_MATRIX_B, CM_GPU_BF16, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_B_K8, CM_GPU_BF16, 16, 8, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_T_K4, CM_GPU_TF32, 16, 8, 4, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_T_K8, CM_GPU_TF32, 16, 8, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_MATRIX_D, CM_GPU_F64, 8, 8, 4, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_D_K4, CM_GPU_F64, 16, 8, 4, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_D_K8, CM_GPU_F64, 16, 8, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_D_K16, CM_GPU_F64, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_I_M8, CM_GPU_I8, 8, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_I_K16, CM_GPU_I8, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_MMA_I_K32, CM_GPU_I8, 16, 8, 32, 1},
    {CM_GPU_AMD, CM_GPU_MATRIX_H, CM_GPU_F16, 16, 16, 16, 1},
    {CM_GPU_AMD, CM_GPU_MATRIX_B, CM_GPU_BF16, 16, 16, 16, 1},
    {CM_GPU_AMD, CM_GPU_MATRIX_S, CM_GPU_F32, 16, 16, 4, 1},
    {CM_GPU_AMD, CM_GPU_MATRIX_D, CM_GPU_F64, 16, 16, 4, 1},
    {CM_GPU_AMD, CM_GPU_MFMA_H_4, CM_GPU_F16, 4, 4, 4, 16},
    {CM_GPU_AMD, CM_GPU_MFMA_B_4, CM_GPU_BF16, 4, 4, 4, 16},
    {CM_GPU_AMD, CM_GPU_MFMA_S_4, CM_GPU_F32, 4, 4, 1, 16},
    {CM_GPU_AMD, CM_GPU_MFMA_D_4, CM_GPU_F64, 4, 4, 4, 4},
    {CM_GPU_AMD, CM_GPU_MFMA_I, CM_GPU_I8, 16, 16, 16, 1},
    {CM_GPU_AMD, CM_GPU_MFMA_I_4, CM_GPU_I8, 4, 4, 4, 16},
    {CM_GPU_AMD, CM_GPU_MFMA_I_K32, CM_GPU_I8, 16, 16, 32, 1},
    {CM_GPU_AMD, CM_GPU_MFMA_T, CM_GPU_TF32, 16, 16, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_WMMA_H, CM_GPU_F16, 16, 16, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WMMA_HH, CM_GPU_F16_F16, 16, 16, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WMMA_B, CM_GPU_BF16, 16, 16, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WMMA_T, CM_GPU_TF32, 16, 16, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_WMMA_D, CM_GPU_F64, 8, 8, 4, 1},
    {CM_GPU_NVIDIA, CM_GPU_WMMA_I, CM_GPU_I8, 16, 16, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_H, CM_GPU_F16, 16, 8, 16, 1}, /* one of the four warps' rows */
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_H_N16, CM_GPU_F16, 16, 16, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_HH, CM_GPU_F16_F16, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_B, CM_GPU_BF16, 16, 8, 16, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_T, CM_GPU_TF32, 16, 8, 8, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_I, CM_GPU_I8, 16, 8, 32, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_E4, CM_GPU_F8, 16, 8, 32, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_E4_N16, CM_GPU_F8, 16, 16, 32, 1},
    {CM_GPU_NVIDIA, CM_GPU_WGMMA_E5, CM_GPU_F8, 16, 8, 32, 1},
    {CM_GPU_AMD, CM_GPU_MFMA_F8, CM_GPU_F8, 16, 16, 32, 1},
    {CM_GPU_AMD, CM_GPU_MFMA_BF8, CM_GPU_F8, 16, 16, 32, 1},
};

/* Products whose operations are not known: those of sparse matrices, with the numbers that are stored, and NVIDIA's in
 * FP8. */
static const struct {
    cm_gpu_class class;
    unsigned k;
} others[] = {
    {CM_GPU_MMA_SPARSE, 16}, {CM_GPU_MMA_SP_B, 16}, {CM_GPU_MMA_SP_T, 8},  {CM_GPU_MMA_SP_I, 32},
    {CM_GPU_MMA_SP_E4, 32},  {CM_GPU_SMFMAC_I, 32}, {CM_GPU_SMFMAC_H, 16}, {CM_GPU_SMFMAC_B, 16},
    {CM_GPU_SMFMAC_F8, 32},  {CM_GPU_MMA_E4, 32},   {CM_GPU_MMA_E5, 32},
};

unsigned cm_gpu_matrix_operations(cm_gpu_vendor vendor, cm_gpu_class class, cm_gpu_elements *elements)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        if (products[i].vendor == vendor && products[i].class == class) {
            *elements = products[i].elements;
            return 2 * products[i].m * products[i].n * products[i].k * products[i].blocks;
        }
    return 0;
}

unsigned cm_gpu_matrix_depth(cm_gpu_vendor vendor, cm_gpu_class class)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        if (products[i].vendor == vendor && products[i].class == class)
            return products[i].k;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].class == class)
            return others[i].k;
    return 0;
}

cm_gpu_fragment cm_gpu_fragment_of(cm_gpu_type type)
{
    switch (type) {
    case CM_GPU_TYPE_WH:
    case CM_GPU_TYPE_WB:
    case CM_GPU_TYPE_WT:
    case CM_GPU_TYPE_WI: return (cm_gpu_fragment){16, 8};
    case CM_GPU_TYPE_WHH: return (cm_gpu_fragment){16, 4};
    case CM_GPU_TYPE_WD: return (cm_gpu_fragment){8, 8};
    default: return (cm_gpu_fragment){0, 0};
    }
}

cm_gpu_family cm_gpu_family_of(cm_gpu_class class)
{
    if (class >= CM_GPU_SECTIONS)
        return CM_GPU_INSTRUCTIONS;
    return class <= CM_GPU_BRANCH ? CM_GPU_FLOPS : class < CM_GPU_COMPUTING ? CM_GPU_MATRIX : CM_GPU_MEMORY;
}

bool cm_gpu_is_matrix(cm_gpu_class class)
{
    cm_gpu_type type = cm_gpu_class_table[class].type;
    return (type >= CM_GPU_TYPE_MH && type <= CM_GPU_TYPE_MD) || type > CM_GPU_TYPE_I;
}

bool cm_gpu_is_of_groups(cm_gpu_class class)
{
    return class >= CM_GPU_WGMMA_H && class < CM_GPU_SYNC;
}

bool cm_gpu_is_wide(cm_gpu_class class)
{
    return class == CM_GPU_WGMMA_H_N16 || class == CM_GPU_WGMMA_E4_N16;
}
