/* All GPU kernels, in the order of their basis, followed by controls. A kernel is a row here and a row of
 * bases/gpu/facts.csv. */
#include "cat-kernels/gpu/gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cat-kernels/gpu/run.h"
#include "cat-kernels/registry.h"

enum { HARDWARE_ITERATIONS = 1 << 20, SOFTWARE_ITERATIONS = CM_GPU_ITERATIONS };

/* X(vendors, mask, "name", pieces ...). On NVIDIA's GPUs a thread that skips the loop executes nothing; on AMD's its
 * wavefront still executes, so that a kernel with a mask has other facts there. */
#define PIECE(class, count)                                                                                            \
    {                                                                                                                  \
        CM_GPU_##class, count                                                                                          \
    }
#define SIZES(X, symbol, class, small, middle, large)                                                                  \
    X(0, 0, #symbol "." #small, PIECE(class, small))                                                                   \
    X(0, 0, #symbol "." #middle, PIECE(class, middle))                                                                 \
    X(0, 0, #symbol "." #large, PIECE(class, large))
#define PRECISIONS(X, symbol, class, small, middle, large)                                                             \
    SIZES(X, symbol##_H, H_##class, small, middle, large)                                                              \
    SIZES(X, symbol##_S, S_##class, small, middle, large)                                                              \
    SIZES(X, symbol##_D, D_##class, small, middle, large)
#define MIXTURES(X, type)                                                                                              \
    X(0, 0, #type "_ADD3_MUL1.48", PIECE(type##_ADD, 36), PIECE(type##_MUL, 12))                                       \
    X(0, 0, #type "_ADD1_MUL3.48", PIECE(type##_ADD, 12), PIECE(type##_MUL, 36))                                       \
    X(0, 0, #type "_SUB1_FMA1.48", PIECE(type##_SUB, 24), PIECE(type##_FMA, 24))
#define KERNELS(X)                                                                                                     \
    PRECISIONS(X, A, ADD, 24, 48, 96)                                                                                  \
    PRECISIONS(X, S, SUB, 24, 48, 96)                                                                                  \
    PRECISIONS(X, M, MUL, 24, 48, 96)                                                                                  \
    PRECISIONS(X, SQ, SQRT, 24, 48, 96)                                                                                \
    PRECISIONS(X, F, FMA, 12, 24, 48)                                                                                  \
    MIXTURES(X, H)                                                                                                     \
    MIXTURES(X, S)                                                                                                     \
    MIXTURES(X, D)                                                                                                     \
    X(CM_GPU_NVIDIA, 1, "masked_H.72", PIECE(H_ADD, 24), PIECE(H_MUL, 24), PIECE(H_FMA, 24))                           \
    X(CM_GPU_NVIDIA, 1, "masked_S.96", PIECE(S_ADD, 24), PIECE(S_MUL, 24), PIECE(S_FMA, 24), PIECE(S_SQRT, 24))        \
    X(CM_GPU_NVIDIA, 1, "masked_D.72", PIECE(D_ADD, 24), PIECE(D_MUL, 24), PIECE(D_FMA, 24))                           \
    X(0, 0, "int_add.48", PIECE(INT_ADD, 48))                                                                          \
    X(0, 0, "int_mul.48", PIECE(INT_MUL, 48))                                                                          \
    X(0, 0, "int_logic.48", PIECE(INT_LOGIC, 48))                                                                      \
    X(0, 0, "int_shift.48", PIECE(INT_SHIFT, 48))                                                                      \
    X(CM_GPU_NVIDIA, 0, "matrix_h.16", PIECE(MATRIX_H, 16))                                                            \
    X(CM_GPU_AMD, 0, "mfma_h.16", PIECE(MATRIX_H, 16))                                                                 \
    X(CM_GPU_NVIDIA, 0, "matrix_b.16", PIECE(MATRIX_B, 16))                                                            \
    X(CM_GPU_AMD, 0, "mfma_b.16", PIECE(MATRIX_B, 16))                                                                 \
    X(0, 0, "matrix_s.16", PIECE(MATRIX_S, 16))                                                                        \
    X(CM_GPU_NVIDIA, 0, "matrix_d.16", PIECE(MATRIX_D, 16))                                                            \
    X(CM_GPU_AMD, 0, "mfma_d.16", PIECE(MATRIX_D, 16))                                                                 \
    X(0, 0, "convert.24", PIECE(CONVERT, 24))                                                                          \
    X(0, 0, "special.24", PIECE(SPECIAL, 24))                                                                          \
    X(0, 0, "h2_add.48", PIECE(H2_ADD, 48))                                                                            \
    X(0, 0, "h2_sub.48", PIECE(H2_SUB, 48))                                                                            \
    X(0, 0, "h2_mul.48", PIECE(H2_MUL, 48))                                                                            \
    X(0, 0, "h2_fma.24", PIECE(H2_FMA, 24))                                                                            \
    X(0, 0, "s2_add.48", PIECE(S2_ADD, 48))                                                                            \
    X(0, 0, "s2_mul.48", PIECE(S2_MUL, 48))                                                                            \
    X(0, 0, "s2_fma.24", PIECE(S2_FMA, 24))                                                                            \
    X(0, 0, "b_add.48", PIECE(B_ADD, 48))                                                                              \
    X(0, 0, "b_sub.48", PIECE(B_SUB, 48))                                                                              \
    X(0, 0, "b_mul.48", PIECE(B_MUL, 48))                                                                              \
    X(0, 0, "b_fma.24", PIECE(B_FMA, 24))                                                                              \
    X(0, 0, "b2_add.48", PIECE(B2_ADD, 48))                                                                            \
    X(0, 0, "b2_mul.48", PIECE(B2_MUL, 48))                                                                            \
    X(0, 0, "b2_fma.24", PIECE(B2_FMA, 24))                                                                            \
    X(0, CM_GPU_NOBODY, "nothing", PIECE(INT_ADD, 1))

/* A name gives the formats of A and B (hh: half precision, in which D sums, too) and m x n x k; wmma: of fragments. */
#define MATRICES(X)                                                                                                    \
    ON_NVIDIA(X, MATRIX_H, "h_16x8x16", 8)                                                                             \
    ON_NVIDIA(X, MATRIX_H, "h_16x8x16", 16)                                                                            \
    ON_NVIDIA(X, MATRIX_H, "h_16x8x16", 32)                                                                            \
    ON_NVIDIA(X, MMA_H_K8, "h_16x8x8", 16)                                                                             \
    ON_NVIDIA(X, MMA_H_K8, "h_16x8x8", 32)                                                                             \
    ON_NVIDIA(X, MMA_HH, "hh_16x8x16", 16)                                                                             \
    ON_NVIDIA(X, MMA_HH, "hh_16x8x16", 32)                                                                             \
    ON_NVIDIA(X, MMA_HH_K8, "hh_16x8x8", 16)                                                                           \
    ON_NVIDIA(X, MATRIX_B, "b_16x8x16", 16)                                                                            \
    ON_NVIDIA(X, MATRIX_B, "b_16x8x16", 32)                                                                            \
    ON_NVIDIA(X, MMA_B_K8, "b_16x8x8", 16)                                                                             \
    ON_NVIDIA(X, MMA_T_K4, "t_16x8x4", 16)                                                                             \
    ON_NVIDIA(X, MMA_T_K4, "t_16x8x4", 32)                                                                             \
    ON_NVIDIA(X, MMA_T_K8, "t_16x8x8", 16)                                                                             \
    ON_NVIDIA(X, MATRIX_D, "d_8x8x4", 16)                                                                              \
    ON_NVIDIA(X, MMA_D_K4, "d_16x8x4", 16)                                                                             \
    ON_NVIDIA(X, MMA_D_K8, "d_16x8x8", 16)                                                                             \
    ON_NVIDIA(X, MMA_D_K16, "d_16x8x16", 16)                                                                           \
    ON_NVIDIA(X, MMA_I_M8, "i_8x8x16", 16)                                                                             \
    ON_NVIDIA(X, MMA_I_K16, "i_16x8x16", 16)                                                                           \
    ON_NVIDIA(X, MMA_I_K32, "i_16x8x32", 16)                                                                           \
    ON_NVIDIA(X, MMA_I_K32, "i_16x8x32", 32)                                                                           \
    ON_NVIDIA(X, WMMA_H, "wmma_h_16x16x16", 8)                                                                         \
    ON_NVIDIA(X, WMMA_H, "wmma_h_16x16x16", 16)                                                                        \
    ON_NVIDIA(X, WMMA_HH, "wmma_hh_16x16x16", 16)                                                                      \
    ON_NVIDIA(X, WMMA_B, "wmma_b_16x16x16", 16)                                                                        \
    ON_NVIDIA(X, WMMA_T, "wmma_t_16x16x8", 16)                                                                         \
    ON_NVIDIA(X, WMMA_D, "wmma_d_8x8x4", 16)                                                                           \
    ON_NVIDIA(X, WMMA_I, "wmma_i_16x16x16", 16)                                                                        \
    ON_NVIDIA(X, WGMMA_H, "wgmma_h_64x8x16", 8)                                                                        \
    ON_NVIDIA(X, WGMMA_H, "wgmma_h_64x8x16", 16)                                                                       \
    ON_NVIDIA(X, WGMMA_H_N16, "wgmma_h_64x16x16", 16)                                                                  \
    ON_NVIDIA(X, WGMMA_HH, "wgmma_hh_64x8x16", 16)                                                                     \
    ON_NVIDIA(X, WGMMA_B, "wgmma_b_64x8x16", 16)                                                                       \
    ON_NVIDIA(X, WGMMA_T, "wgmma_t_64x8x8", 16)                                                                        \
    ON_NVIDIA(X, WGMMA_I, "wgmma_i_64x8x32", 16)                                                                       \
    ON_NVIDIA(X, WGMMA_E4, "wgmma_e4_64x8x32", 8)                                                                      \
    ON_NVIDIA(X, WGMMA_E4, "wgmma_e4_64x8x32", 16)                                                                     \
    ON_NVIDIA(X, WGMMA_E4_N16, "wgmma_e4_64x16x32", 16)                                                                \
    ON_NVIDIA(X, WGMMA_E5, "wgmma_e5_64x8x32", 16)                                                                     \
    ON_AMD(X, MATRIX_H, "h_16x16x16", 8)                                                                               \
    ON_AMD(X, MATRIX_H, "h_16x16x16", 16)                                                                              \
    ON_AMD(X, MATRIX_H, "h_16x16x16", 32)                                                                              \
    ON_AMD(X, MFMA_H_4, "h_4x4x4", 16)                                                                                 \
    ON_AMD(X, MATRIX_B, "b_16x16x16", 16)                                                                              \
    ON_AMD(X, MATRIX_B, "b_16x16x16", 32)                                                                              \
    ON_AMD(X, MFMA_B_4, "b_4x4x4", 16)                                                                                 \
    ON_AMD(X, MATRIX_S, "s_16x16x4", 8)                                                                                \
    ON_AMD(X, MATRIX_S, "s_16x16x4", 16)                                                                               \
    ON_AMD(X, MATRIX_S, "s_16x16x4", 32)                                                                               \
    ON_AMD(X, MFMA_S_4, "s_4x4x1", 16)                                                                                 \
    ON_AMD(X, MATRIX_D, "d_16x16x4", 16)                                                                               \
    ON_AMD(X, MATRIX_D, "d_16x16x4", 32)                                                                               \
    ON_AMD(X, MFMA_D_4, "d_4x4x4", 16)                                                                                 \
    ON_AMD(X, MFMA_I, "i_16x16x16", 16)                                                                                \
    ON_AMD(X, MFMA_I, "i_16x16x16", 32)                                                                                \
    ON_AMD(X, MFMA_I_4, "i_4x4x4", 16)                                                                                 \
    ON_AMD(X, MFMA_I_K32, "i_16x16x32", 16)                                                                            \
    ON_AMD(X, MFMA_I_K32, "i_16x16x32", 32)                                                                            \
    ON_AMD(X, MFMA_T, "t_16x16x8", 16)                                                                                 \
    ON_AMD(X, MFMA_T, "t_16x16x8", 32)                                                                                 \
    ON_AMD(X, MFMA_F8, "f8_16x16x32", 16)                                                                              \
    ON_AMD(X, MFMA_F8, "f8_16x16x32", 32)                                                                              \
    ON_AMD(X, MFMA_BF8, "bf8_16x16x32", 16)                                                                            \
    X(CM_GPU_NVIDIA, 0, "h_with_halves", PIECE(MATRIX_H, 8), PIECE(H_FMA, 24), PIECE(MMA_H_K8, 4), PIECE(H_ADD, 12))   \
    X(CM_GPU_NVIDIA, 0, "b_with_singles", PIECE(MATRIX_B, 8), PIECE(S_FMA, 24), PIECE(S_MUL, 12))                      \
    X(CM_GPU_NVIDIA, 0, "d_with_doubles", PIECE(MMA_D_K8, 8), PIECE(D_FMA, 24), PIECE(D_ADD, 12))                      \
    X(CM_GPU_NVIDIA, 0, "i_with_integers", PIECE(MMA_I_K16, 8), PIECE(INT_ADD, 24), PIECE(INT_MUL, 12))                \
    X(CM_GPU_NVIDIA, 0, "types_together", PIECE(MATRIX_H, 4), PIECE(MMA_HH, 4), PIECE(MATRIX_B, 4),                    \
      PIECE(MMA_T_K8, 4), PIECE(MMA_D_K16, 4), PIECE(MMA_I_K32, 4))                                                    \
    X(CM_GPU_NVIDIA, 32, "half_the_warps", PIECE(MATRIX_H, 8), PIECE(MMA_T_K8, 8), PIECE(MMA_I_M8, 8))                 \
    X(CM_GPU_NVIDIA, 0, "wmma_mixed", PIECE(WMMA_H, 4), PIECE(MATRIX_H, 4), PIECE(WMMA_I, 2), PIECE(WMMA_D, 4),        \
      PIECE(S_FMA, 12))                                                                                                \
    X(CM_GPU_NVIDIA, 0, "wgmma_types", PIECE(WGMMA_H, 4), PIECE(WGMMA_E4, 8), PIECE(WGMMA_E5, 4), PIECE(WGMMA_I, 2),   \
      PIECE(S_FMA, 12), PIECE(MATRIX_H, 4))                                                                            \
    X(CM_GPU_AMD, 0, "h_with_singles", PIECE(MATRIX_H, 8), PIECE(MFMA_H_4, 4), PIECE(H_FMA, 12), PIECE(S_FMA, 24))     \
    X(CM_GPU_AMD, 0, "d_with_fmas", PIECE(MATRIX_D, 8), PIECE(D_FMA, 24), PIECE(D_ADD, 12))                            \
    X(CM_GPU_AMD, 0, "types_mixed", PIECE(MATRIX_H, 4), PIECE(MATRIX_B, 4), PIECE(MATRIX_S, 4), PIECE(MATRIX_D, 4),    \
      PIECE(MFMA_I_4, 4))                                                                                              \
    X(CM_GPU_AMD, 0, "f8_with_singles", PIECE(MFMA_F8, 4), PIECE(MFMA_BF8, 4), PIECE(S_FMA, 12))                       \
    ON_NVIDIA(X, MMA_SPARSE, "h_sparse", 16)                                                                           \
    ON_NVIDIA(X, MMA_SP_B, "b_sparse", 16)                                                                             \
    ON_NVIDIA(X, MMA_SP_T, "t_sparse", 16)                                                                             \
    ON_NVIDIA(X, MMA_SP_I, "i_sparse", 16)                                                                             \
    ON_NVIDIA(X, MMA_SP_E4, "e4_sparse", 16)                                                                           \
    ON_AMD(X, SMFMAC_H, "h_smfmac", 16)                                                                                \
    ON_AMD(X, SMFMAC_B, "b_smfmac", 16)                                                                                \
    ON_AMD(X, SMFMAC_F8, "f8_smfmac", 16)                                                                              \
    ON_AMD(X, SMFMAC_I, "i_smfmac", 16)                                                                                \
    ON_NVIDIA(X, MMA_E4, "e4_16x8x32", 16)                                                                             \
    ON_NVIDIA(X, MMA_E5, "e5_16x8x32", 16)                                                                             \
    X(0, CM_GPU_NOBODY, "nothing", PIECE(INT_ADD, 1))

/* The names are bytes of a thread x threads of a warp, and how far its threads are apart if they are not side by side.
 */
#define ACCESSES_ON(ON, X, lanes)                                                                                      \
    ON(X, LOAD_4, "load_4x" lanes, 8)                                                                                  \
    ON(X, LOAD_4, "load_4x" lanes, 16)                                                                                 \
    ON(X, LOAD_8, "load_8x" lanes, 8)                                                                                  \
    ON(X, LOAD_16, "load_16x" lanes, 8)                                                                                \
    ON(X, LOAD_4_BY_8, "load_4x" lanes "_by_8", 8)                                                                     \
    ON(X, LOAD_4_BY_32, "load_4x" lanes "_by_32", 8)                                                                   \
    ON(X, CHASE, "chase_4x" lanes, 8)                                                                                  \
    ON(X, FAR_4, "far_4x" lanes, 8)                                                                                    \
    ON(X, FAR_4, "far_4x" lanes, 16)                                                                                   \
    ON(X, FAR_16, "far_16x" lanes, 8)                                                                                  \
    ON(X, FAR_CHASE, "far_chase_4x" lanes, 8)                                                                          \
    ON(X, STREAM_4, "stream_4x" lanes, 8)                                                                              \
    ON(X, STREAM_4, "stream_4x" lanes, 16)                                                                             \
    ON(X, STREAM_16, "stream_16x" lanes, 8)                                                                            \
    ON(X, STREAM_CHASE, "stream_chase_4x" lanes, 8)                                                                    \
    ON(X, STORE_4, "store_4x" lanes, 8)                                                                                \
    ON(X, STORE_4, "store_4x" lanes, 16)                                                                               \
    ON(X, STORE_8, "store_8x" lanes, 8)                                                                                \
    ON(X, STORE_16, "store_16x" lanes, 8)                                                                              \
    ON(X, STORE_4_BY_32, "store_4x" lanes "_by_32", 8)                                                                 \
    ON(X, STORE_4_BY_128, "store_4x" lanes "_by_128", 8)                                                               \
    ON(X, STREAM_STORE_4, "stream_store_4x" lanes, 8)                                                                  \
    ON(X, STREAM_STORE_16, "stream_store_16x" lanes, 8)                                                                \
    ON(X, REDUCE, "reduce_4x" lanes, 8)                                                                                \
    ON(X, REDUCE, "reduce_4x" lanes, 16)                                                                               \
    ON(X, REDUCE_BY_128, "reduce_4x" lanes "_by_128", 8)                                                               \
    ON(X, REDUCE_SAME, "reduce_same_x" lanes, 8)                                                                       \
    ON(X, SHARED_LOAD_4, "shared_load_4x" lanes, 8)                                                                    \
    ON(X, SHARED_LOAD_4, "shared_load_4x" lanes, 16)                                                                   \
    ON(X, SHARED_LOAD_8, "shared_load_8x" lanes, 8)                                                                    \
    ON(X, SHARED_LOAD_16, "shared_load_16x" lanes, 8)                                                                  \
    ON(X, SHARED_LOAD_BY_8, "shared_load_4x" lanes "_by_8", 8)                                                         \
    ON(X, SHARED_LOAD_BY_16, "shared_load_4x" lanes "_by_16", 8)                                                       \
    ON(X, SHARED_LOAD_BY_128, "shared_load_4x" lanes "_by_128", 8)                                                     \
    ON(X, SHARED_LOAD_SAME, "shared_load_same_x" lanes, 8)                                                             \
    ON(X, SHARED_STORE_4, "shared_store_4x" lanes, 8)                                                                  \
    ON(X, SHARED_STORE_4, "shared_store_4x" lanes, 16)                                                                 \
    ON(X, SHARED_STORE_16, "shared_store_16x" lanes, 8)                                                                \
    ON(X, SHARED_STORE_BY_8, "shared_store_4x" lanes "_by_8", 8)                                                       \
    ON(X, SHARED_STORE_BY_128, "shared_store_4x" lanes "_by_128", 8)
#define CONTROLS_ON(X, vendor, lanes)                                                                                  \
    X(vendor, 0, "copy_x" lanes, PIECE(STREAM_4, 8), PIECE(STREAM_STORE_4, 8))                                         \
    X(vendor, 0, "triad_x" lanes, PIECE(STREAM_16, 4), PIECE(FAR_16, 4), PIECE(S_FMA, 16), PIECE(STORE_16, 4))         \
    X(vendor, 0, "levels_x" lanes, PIECE(LOAD_4, 12), PIECE(FAR_4, 6), PIECE(STREAM_4, 3), PIECE(LOAD_16, 2))          \
    X(vendor, 0, "tile_x" lanes, PIECE(FAR_4, 2), PIECE(SHARED_STORE_4, 2), PIECE(SHARED_LOAD_BY_16, 4),               \
      PIECE(SHARED_LOAD_4, 8), PIECE(S_FMA, 12), PIECE(STORE_4, 2))                                                    \
    X(vendor, 0, "transpose_x" lanes, PIECE(SHARED_STORE_BY_128, 4), PIECE(SHARED_STORE_16, 2),                        \
      PIECE(SHARED_LOAD_BY_128, 4), PIECE(SHARED_LOAD_16, 2))                                                          \
    X(vendor, 0, "histogram_x" lanes, PIECE(LOAD_4, 4), PIECE(INT_ADD, 4), PIECE(REDUCE_SAME, 2), PIECE(REDUCE, 2))    \
    X(vendor, 0, "computing_x" lanes, PIECE(S_FMA, 24), PIECE(INT_LOGIC, 12), PIECE(D_ADD, 12))
#define MEMORIES(X)                                                                                                    \
    ACCESSES_ON(ON_NVIDIA, X, "32")                                                                                    \
    ON_NVIDIA(X, LOAD_4_BY_128, "load_4x32_by_128", 8)                                                                 \
    ON_NVIDIA(X, FAR_4_BY_128, "far_4x32_by_128", 8)                                                                   \
    ON_NVIDIA(X, LOAD_SAME, "load_same_x32", 8)                                                                        \
    ACCESSES_ON(ON_AMD, X, "64")                                                                                       \
    CONTROLS_ON(X, CM_GPU_NVIDIA, "32")                                                                                \
    X(CM_GPU_NVIDIA, 1, "every_other_x32", PIECE(LOAD_4, 8), PIECE(FAR_16, 4), PIECE(STORE_4_BY_32, 4),                \
      PIECE(SHARED_LOAD_BY_8, 4))                                                                                      \
    X(CM_GPU_NVIDIA, 16, "half_a_warp_x32", PIECE(LOAD_4, 8), PIECE(STREAM_4, 4), PIECE(REDUCE, 4),                    \
      PIECE(SHARED_STORE_BY_128, 4))                                                                                   \
    CONTROLS_ON(X, CM_GPU_AMD, "64")                                                                                   \
    X(0, CM_GPU_NOBODY, "nothing", PIECE(INT_ADD, 1))

/* Instructions by class and by the threads that execute them. */
#define MIXES_ON(ON, X, lanes)                                                                                         \
    ON(X, H_ADD, "add_h_x" lanes, 24)                                                                                  \
    ON(X, H_MUL, "mul_h_x" lanes, 24)                                                                                  \
    ON(X, H_FMA, "fma_h_x" lanes, 24)                                                                                  \
    ON(X, S_ADD, "add_s_x" lanes, 24)                                                                                  \
    ON(X, S_MUL, "mul_s_x" lanes, 24)                                                                                  \
    ON(X, S_FMA, "fma_s_x" lanes, 24)                                                                                  \
    ON(X, D_ADD, "add_d_x" lanes, 24)                                                                                  \
    ON(X, D_MUL, "mul_d_x" lanes, 24)                                                                                  \
    ON(X, D_FMA, "fma_d_x" lanes, 24)                                                                                  \
    ON(X, S_SQRT, "sqrt_s_x" lanes, 24)                                                                                \
    ON(X, MATRIX_H, "matrix_h_x" lanes, 8)                                                                             \
    ON(X, MATRIX_D, "matrix_d_x" lanes, 8)                                                                             \
    ON(X, INT_ADD, "int_add_x" lanes, 24)                                                                              \
    ON(X, INT_LOGIC, "int_logic_x" lanes, 24)                                                                          \
    ON(X, TAKEN, "taken_x" lanes, 8)                                                                                   \
    ON(X, TAKEN, "taken_x" lanes, 16)                                                                                  \
    ON(X, NOT_TAKEN, "not_taken_x" lanes, 8)                                                                           \
    ON(X, NOT_TAKEN, "not_taken_x" lanes, 16)                                                                          \
    ON(X, TESTED, "tested_x" lanes, 8)                                                                                 \
    ON(X, TESTED, "tested_x" lanes, 16)                                                                                \
    ON(X, PART_2, "part_2_x" lanes, 4)                                                                                 \
    ON(X, PART_2, "part_2_x" lanes, 8)                                                                                 \
    ON(X, PART_4, "part_4_x" lanes, 4)                                                                                 \
    ON(X, PART_4, "part_4_x" lanes, 8)                                                                                 \
    ON(X, PART_HALF, "part_half_x" lanes, 8)
#define INSTRUCTIONS(X)                                                                                                \
    MIXES_ON(ON_NVIDIA, X, "32")                                                                                       \
    MIXES_ON(ON_AMD, X, "64")                                                                                          \
    ON_AMD(X, SCALAR, "scalar_x64", 16)                                                                                \
    ON_AMD(X, SCALAR, "scalar_x64", 32)                                                                                \
    ON_AMD(X, SCALAR_LOAD, "scalar_load_x64", 8)                                                                       \
    ON_AMD(X, SCALAR_LOAD, "scalar_load_x64", 16)                                                                      \
    X(CM_GPU_NVIDIA, 0, "branches_mixed_x32", PIECE(TAKEN, 6), PIECE(NOT_TAKEN, 10), PIECE(INT_ADD, 12))               \
    X(CM_GPU_NVIDIA, 0, "divergent_mixed_x32", PIECE(PART_2, 3), PIECE(S_FMA, 20), PIECE(PART_HALF, 2),                \
      PIECE(PART_4, 1), PIECE(TAKEN, 4))                                                                               \
    X(CM_GPU_NVIDIA, 0, "branches_apart_x32", PIECE(TESTED, 6), PIECE(D_FMA, 8), PIECE(PART_4, 4),                     \
      PIECE(INT_LOGIC, 8), PIECE(PART_2, 2))                                                                           \
    X(CM_GPU_NVIDIA, 1, "every_other_mixed_x32", PIECE(H_FMA, 8), PIECE(S_FMA, 8), PIECE(D_FMA, 8),                    \
      PIECE(INT_LOGIC, 8), PIECE(TESTED, 2))                                                                           \
    X(CM_GPU_NVIDIA, 16, "half_a_warp_mixed_x32", PIECE(H_ADD, 8), PIECE(S_MUL, 8), PIECE(D_ADD, 8), PIECE(S_SQRT, 8), \
      PIECE(NOT_TAKEN, 4))                                                                                             \
    X(CM_GPU_AMD, 0, "branches_mixed_x64", PIECE(TAKEN, 6), PIECE(NOT_TAKEN, 10), PIECE(INT_ADD, 12),                  \
      PIECE(SCALAR, 6))                                                                                                \
    X(CM_GPU_AMD, 0, "parts_mixed_x64", PIECE(PART_2, 3), PIECE(S_FMA, 20), PIECE(PART_HALF, 2), PIECE(PART_4, 1),     \
      PIECE(TAKEN, 4))                                                                                                 \
    X(CM_GPU_AMD, 0, "scalar_mixed_x64", PIECE(SCALAR, 12), PIECE(D_FMA, 8), PIECE(SCALAR_LOAD, 3),                    \
      PIECE(INT_LOGIC, 8), PIECE(PART_4, 2))                                                                           \
    X(0, CM_GPU_NOBODY, "nothing", PIECE(INT_ADD, 1))
#define ON_NVIDIA(X, class, name, count) X(CM_GPU_NVIDIA, 0, name "." #count, PIECE(class, count))
#define ON_AMD(X, class, name, count) X(CM_GPU_AMD, 0, name "." #count, PIECE(class, count))

#define PIECES(...)                                                                                                    \
    (const cm_gpu_piece[])                                                                                             \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define DESCRIBED(vendors, mask, name, ...)                                                                            \
    {name, PIECES(__VA_ARGS__), sizeof PIECES(__VA_ARGS__) / sizeof(cm_gpu_piece), vendors, mask, CM_GPU_FLOPS},
#define OF_MATRICES(vendors, mask, name, ...)                                                                          \
    {name, PIECES(__VA_ARGS__), sizeof PIECES(__VA_ARGS__) / sizeof(cm_gpu_piece), vendors, mask, CM_GPU_MATRIX},
#define OF_MEMORY(vendors, mask, name, ...)                                                                            \
    {name, PIECES(__VA_ARGS__), sizeof PIECES(__VA_ARGS__) / sizeof(cm_gpu_piece), vendors, mask, CM_GPU_MEMORY},
#define OF_INSTRUCTIONS(vendors, mask, name, ...)                                                                      \
    {name, PIECES(__VA_ARGS__), sizeof PIECES(__VA_ARGS__) / sizeof(cm_gpu_piece), vendors, mask, CM_GPU_INSTRUCTIONS},

const cm_gpu_kernel cm_gpu_kernel_table[] = {
    KERNELS(DESCRIBED){"empty", NULL, 0, 0, 0, CM_GPU_FLOPS},
    MATRICES(OF_MATRICES){"empty", NULL, 0, 0, 0, CM_GPU_MATRIX},
    MEMORIES(OF_MEMORY){"empty", NULL, 0, 0, 0, CM_GPU_MEMORY},
    INSTRUCTIONS(OF_INSTRUCTIONS){"empty", NULL, 0, 0, 0, CM_GPU_INSTRUCTIONS},
};
const size_t cm_gpu_kernel_table_size = sizeof cm_gpu_kernel_table / sizeof cm_gpu_kernel_table[0];

#define REGISTERED(vendors, mask, name, ...)                                                                           \
    {name, "gpu-flops", 0, HARDWARE_ITERATIONS, SOFTWARE_ITERATIONS, cm_gpu_run_body, 0, 0},
#define REGISTERED_MATRICES(vendors, mask, name, ...)                                                                  \
    {name, "gpu-matrix", 0, HARDWARE_ITERATIONS, SOFTWARE_ITERATIONS, cm_gpu_run_body, 0, 0},
#define REGISTERED_MEMORIES(vendors, mask, name, ...)                                                                  \
    {name, "gpu-memory", 0, HARDWARE_ITERATIONS, SOFTWARE_ITERATIONS, cm_gpu_run_body, 0, 0},
#define REGISTERED_INSTRUCTIONS(vendors, mask, name, ...)                                                              \
    {name, "gpu-instructions", 0, HARDWARE_ITERATIONS, SOFTWARE_ITERATIONS, cm_gpu_run_body, 0, 0},

const char *const cm_gpu_benchmarks[CM_GPU_FAMILIES] = {"gpu-flops", "gpu-matrix", "gpu-memory", "gpu-instructions"};

static const cm_kernel registered[] = {
    KERNELS(REGISTERED) REGISTERED(0, 0, "empty", ) MATRICES(REGISTERED_MATRICES) REGISTERED_MATRICES(0, 0, "empty", )
        MEMORIES(REGISTERED_MEMORIES) REGISTERED_MEMORIES(0, 0, "empty", ) INSTRUCTIONS(REGISTERED_INSTRUCTIONS)
            REGISTERED_INSTRUCTIONS(0, 0, "empty", )};
_Static_assert(sizeof registered / sizeof registered[0] == sizeof cm_gpu_kernel_table / sizeof cm_gpu_kernel_table[0],
               "each kernel is in both tables");

const cm_kernel *const cm_gpu_registered = registered;
const size_t cm_gpu_registered_size = sizeof registered / sizeof registered[0];

const cm_gpu_kernel *cm_gpu_kernel_find(const char *name)
{
    for (size_t i = 0; i < cm_gpu_kernel_table_size; i++)
        if (strcmp(cm_gpu_kernel_table[i].name, name) == 0)
            return &cm_gpu_kernel_table[i];
    return NULL;
}

void *cm_gpu_description(const cm_kernel *kernel)
{
    for (size_t i = 0; cm_kernel_is_of_gpu(kernel) && i < cm_gpu_kernel_table_size; i++)
        if (strcmp(cm_gpu_kernel_table[i].name, kernel->name) == 0 &&
            strcmp(cm_gpu_benchmarks[cm_gpu_kernel_table[i].family], kernel->benchmark) == 0)
            return (void *)(uintptr_t)&cm_gpu_kernel_table[i];
    return NULL;
}

void cm_gpu_entry(const cm_gpu_kernel *kernel, char *entry, size_t size)
{
    static const char *const of[CM_GPU_FAMILIES] = {"", "_of_matrices", "_of_memory", "_of_instructions"};
    bool shared = kernel->piece_count == 0 || kernel->mask == CM_GPU_NOBODY;
    snprintf(entry, size, "catmint_%s%s", kernel->name, shared ? of[kernel->family] : "");
    for (char *c = entry; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}
