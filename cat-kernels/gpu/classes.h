/* The instructions of a GPU, by class: one instruction of the program each, of a thread on NVIDIA's GPUs, of a
 * wavefront on AMD's. X(ENUM, name, type, vendors, words): the fact is "gpu_" name, the type gives the registers.
 * Vendors are those that have an instruction for the class: NVIDIA's GPUs compose square roots in half and double
 * precision of others, AMD's gfx90a has arithmetic on bfloat16 only in matrix instructions, and only AMD has packed
 * single precision. */
#ifndef CM_KERNELS_GPU_CLASSES_H
#define CM_KERNELS_GPU_CLASSES_H

#define CM_GPU_BOTH (CM_GPU_NVIDIA | CM_GPU_AMD)

#define CM_GPU_CLASS_ROWS(X)                                                                                           \
    X(H_ADD, "h_add", H, CM_GPU_BOTH, "additions in half precision")                                                   \
    X(S_ADD, "s_add", S, CM_GPU_BOTH, "additions in single precision")                                                 \
    X(D_ADD, "d_add", D, CM_GPU_BOTH, "additions in double precision")                                                 \
    X(H_SUB, "h_sub", H, CM_GPU_BOTH, "subtractions in half precision")                                                \
    X(S_SUB, "s_sub", S, CM_GPU_BOTH, "subtractions in single precision")                                              \
    X(D_SUB, "d_sub", D, CM_GPU_BOTH, "subtractions in double precision")                                              \
    X(H_MUL, "h_mul", H, CM_GPU_BOTH, "multiplications in half precision")                                             \
    X(S_MUL, "s_mul", S, CM_GPU_BOTH, "multiplications in single precision")                                           \
    X(D_MUL, "d_mul", D, CM_GPU_BOTH, "multiplications in double precision")                                           \
    X(H_SQRT, "h_sqrt", H, CM_GPU_AMD, "square roots in half precision")                                               \
    X(S_SQRT, "s_sqrt", S, CM_GPU_BOTH, "square roots in single precision")                                            \
    X(D_SQRT, "d_sqrt", D, CM_GPU_AMD, "square roots in double precision")                                             \
    X(H_FMA, "h_fma", H, CM_GPU_BOTH, "fused multiply-adds in half precision")                                         \
    X(S_FMA, "s_fma", S, CM_GPU_BOTH, "fused multiply-adds in single precision")                                       \
    X(D_FMA, "d_fma", D, CM_GPU_BOTH, "fused multiply-adds in double precision")                                       \
    X(H2_ADD, "h2_add", H2, CM_GPU_BOTH, "additions of pairs in half precision")                                       \
    X(H2_SUB, "h2_sub", H2, CM_GPU_NVIDIA, "subtractions of pairs in half precision")                                  \
    X(H2_MUL, "h2_mul", H2, CM_GPU_BOTH, "multiplications of pairs in half precision")                                 \
    X(H2_FMA, "h2_fma", H2, CM_GPU_BOTH, "fused multiply-adds of pairs in half precision")                             \
    X(S2_ADD, "s2_add", S2, CM_GPU_AMD, "additions of pairs in single precision")                                      \
    X(S2_MUL, "s2_mul", S2, CM_GPU_AMD, "multiplications of pairs in single precision")                                \
    X(S2_FMA, "s2_fma", S2, CM_GPU_AMD, "fused multiply-adds of pairs in single precision")                            \
    X(B_ADD, "b_add", B, CM_GPU_NVIDIA, "additions in bfloat16")                                                       \
    X(B_SUB, "b_sub", B, CM_GPU_NVIDIA, "subtractions in bfloat16")                                                    \
    X(B_MUL, "b_mul", B, CM_GPU_NVIDIA, "multiplications in bfloat16")                                                 \
    X(B_FMA, "b_fma", B, CM_GPU_NVIDIA, "fused multiply-adds in bfloat16")                                             \
    X(B2_ADD, "b2_add", B2, CM_GPU_NVIDIA, "additions of pairs in bfloat16")                                           \
    X(B2_MUL, "b2_mul", B2, CM_GPU_NVIDIA, "multiplications of pairs in bfloat16")                                     \
    X(B2_FMA, "b2_fma", B2, CM_GPU_NVIDIA, "fused multiply-adds of pairs in bfloat16")                                 \
    X(MATRIX_H, "matrix_h", MH, CM_GPU_BOTH, "products of matrices in half precision")                                 \
    X(MATRIX_B, "matrix_b", MB, CM_GPU_BOTH, "products of matrices in bfloat16")                                       \
    X(MATRIX_S, "matrix_s", MS, CM_GPU_AMD, "products of matrices in single precision")                                \
    X(MATRIX_D, "matrix_d", MD, CM_GPU_BOTH, "products of matrices in double precision")                               \
    X(INT_ADD, "int_add", I, CM_GPU_BOTH, "additions and subtractions of integers")                                    \
    X(INT_MUL, "int_mul", I, CM_GPU_BOTH, "multiplications of integers")                                               \
    X(INT_LOGIC, "int_logic", I, CM_GPU_BOTH, "logic operations on integers")                                          \
    X(INT_SHIFT, "int_shift", I, CM_GPU_BOTH, "shifts of integers")                                                    \
    X(CONVERT, "convert", S, CM_GPU_BOTH, "conversions between single precision and integers")                         \
    X(SPECIAL, "special", S, CM_GPU_BOTH, "estimates of reciprocals in single precision")                              \
    X(COMPARE, "compare", NONE, CM_GPU_BOTH, "comparisons that set a predicate")                                       \
    X(BRANCH, "branch", NONE, CM_GPU_BOTH, "branches")                                                                 \
    X(MMA_H_K8, "mma_h_k8", MH, CM_GPU_NVIDIA, "products of matrices in half precision, 16 x 8 x 8")                   \
    X(MMA_HH, "mma_hh", MHH, CM_GPU_NVIDIA, "products of matrices in half precision, sums too, 16 x 8 x 16")           \
    X(MMA_HH_K8, "mma_hh_k8", MHH, CM_GPU_NVIDIA, "products of matrices in half precision, sums too, 16 x 8 x 8")      \
    X(MMA_B_K8, "mma_b_k8", MB, CM_GPU_NVIDIA, "products of matrices in bfloat16, 16 x 8 x 8")                         \
    X(MMA_T_K4, "mma_t_k4", MT, CM_GPU_NVIDIA, "products of matrices in TF32, 16 x 8 x 4")                             \
    X(MMA_T_K8, "mma_t_k8", MT, CM_GPU_NVIDIA, "products of matrices in TF32, 16 x 8 x 8")                             \
    X(MMA_D_K4, "mma_d_k4", MDW, CM_GPU_NVIDIA, "products of matrices in double precision, 16 x 8 x 4")                \
    X(MMA_D_K8, "mma_d_k8", MDW, CM_GPU_NVIDIA, "products of matrices in double precision, 16 x 8 x 8")                \
    X(MMA_D_K16, "mma_d_k16", MDW, CM_GPU_NVIDIA, "products of matrices in double precision, 16 x 8 x 16")             \
    X(MMA_I_M8, "mma_i_m8", MI, CM_GPU_NVIDIA, "products of matrices of bytes, 8 x 8 x 16")                            \
    X(MMA_I_K16, "mma_i_k16", MI, CM_GPU_NVIDIA, "products of matrices of bytes, 16 x 8 x 16")                         \
    X(MMA_I_K32, "mma_i_k32", MI, CM_GPU_NVIDIA, "products of matrices of bytes, 16 x 8 x 32")                         \
    X(MMA_SPARSE, "matrix_sparse", MH, CM_GPU_NVIDIA, "products of sparse matrices in half precision")                 \
    X(MFMA_H_4, "mfma_h_4", MH, CM_GPU_AMD, "products of matrices in half precision, 4 x 4 x 4")                       \
    X(MFMA_B_4, "mfma_b_4", MB, CM_GPU_AMD, "products of matrices in bfloat16, 4 x 4 x 4")                             \
    X(MFMA_S_4, "mfma_s_4", MS, CM_GPU_AMD, "products of matrices in single precision, 4 x 4 x 1")                     \
    X(MFMA_D_4, "mfma_d_4", MD4, CM_GPU_AMD, "products of matrices in double precision, 4 x 4 x 4")                    \
    X(MFMA_I, "mfma_i", MI, CM_GPU_AMD, "products of matrices of bytes, 16 x 16 x 16")                                 \
    X(MFMA_I_4, "mfma_i_4", MI, CM_GPU_AMD, "products of matrices of bytes, 4 x 4 x 4")                                \
    X(MFMA_I_K32, "mfma_i_k32", MI2, CM_GPU_AMD, "products of matrices of bytes, 16 x 16 x 32")                        \
    X(MFMA_T, "mfma_t", MT, CM_GPU_AMD, "products of matrices in TF32, 16 x 16 x 8")                                   \
    X(WMMA_H, "wmma_h", WH, CM_GPU_NVIDIA, "products of fragments in half precision, 16 x 16 x 16")                    \
    X(WMMA_HH, "wmma_hh", WHH, CM_GPU_NVIDIA, "products of fragments in half precision, sums too, 16 x 16 x 16")       \
    X(WMMA_B, "wmma_b", WB, CM_GPU_NVIDIA, "products of fragments in bfloat16, 16 x 16 x 16")                          \
    X(WMMA_T, "wmma_t", WT, CM_GPU_NVIDIA, "products of fragments in TF32, 16 x 16 x 8")                               \
    X(WMMA_D, "wmma_d", WD, CM_GPU_NVIDIA, "products of fragments in double precision, 8 x 8 x 4")                     \
    X(WMMA_I, "wmma_i", WI, CM_GPU_NVIDIA, "products of fragments of bytes, 16 x 16 x 16")                             \
    X(MMA_E4, "mma_e4", ME4, CM_GPU_NVIDIA, "products of matrices in FP8 (e4m3), 16 x 8 x 32")                         \
    X(MMA_E5, "mma_e5", ME5, CM_GPU_NVIDIA, "products of matrices in FP8 (e5m2), 16 x 8 x 32")                         \
    X(MFMA_F8, "mfma_f8", MF8, CM_GPU_AMD, "products of matrices in FP8, 16 x 16 x 32")                                \
    X(MFMA_BF8, "mfma_bf8", MG8, CM_GPU_AMD, "products of matrices in BF8, 16 x 16 x 32")                              \
    X(MMA_SP_B, "matrix_sparse_b", MB, CM_GPU_NVIDIA, "products of sparse matrices in bfloat16")                       \
    X(MMA_SP_T, "matrix_sparse_t", MT, CM_GPU_NVIDIA, "products of sparse matrices in TF32")                           \
    X(MMA_SP_I, "matrix_sparse_i", MI, CM_GPU_NVIDIA, "products of sparse matrices of bytes")                          \
    X(MMA_SP_E4, "matrix_sparse_e4", ME4, CM_GPU_NVIDIA, "products of sparse matrices in FP8 (e4m3)")                  \
    X(SMFMAC_H, "smfmac_h", MH, CM_GPU_AMD, "products of sparse matrices in half precision, 16 x 16 x 32")             \
    X(SMFMAC_B, "smfmac_b", MB, CM_GPU_AMD, "products of sparse matrices in bfloat16, 16 x 16 x 32")                   \
    X(SMFMAC_F8, "smfmac_f8", MF8, CM_GPU_AMD, "products of sparse matrices in FP8, 16 x 16 x 64")                     \
    X(SMFMAC_I, "smfmac_i", MSI, CM_GPU_AMD, "products of sparse matrices of bytes, 16 x 16 x 64")                     \
    X(WGMMA_H, "wgmma_h", MH, CM_GPU_NVIDIA, "products of groups of warps in half precision, 64 x 8 x 16")             \
    X(WGMMA_H_N16, "wgmma_h_n16", MH, CM_GPU_NVIDIA, "products of groups of warps in half precision, 64 x 16 x 16")    \
    X(WGMMA_HH, "wgmma_hh", MHH, CM_GPU_NVIDIA,                                                                        \
      "products of groups of warps in half precision, sums too, 64 x 8 x 16")                                          \
    X(WGMMA_B, "wgmma_b", MB, CM_GPU_NVIDIA, "products of groups of warps in bfloat16, 64 x 8 x 16")                   \
    X(WGMMA_T, "wgmma_t", MT, CM_GPU_NVIDIA, "products of groups of warps in TF32, 64 x 8 x 8")                        \
    X(WGMMA_I, "wgmma_i", MI, CM_GPU_NVIDIA, "products of groups of warps of bytes, 64 x 8 x 32")                      \
    X(WGMMA_E4, "wgmma_e4", ME4, CM_GPU_NVIDIA, "products of groups of warps in FP8 (e4m3), 64 x 8 x 32")              \
    X(WGMMA_E4_N16, "wgmma_e4_n16", ME4, CM_GPU_NVIDIA, "products of groups of warps in FP8 (e4m3), 64 x 16 x 32")     \
    X(WGMMA_E5, "wgmma_e5", ME5, CM_GPU_NVIDIA, "products of groups of warps in FP8 (e5m2), 64 x 8 x 32")              \
    X(SYNC, "sync", NONE, CM_GPU_NVIDIA, "fences and waits around products of groups of warps")

/* Accesses to memory. X(ENUM, name, kind, bytes, stride, place, words): each lane has `bytes` at `stride` bytes behind
 * the lane before it, 0: all lanes at the same address. NEAR lives in L1, FAR in L2, which these loads go to without
 * asking L1, as stores and reductions do; STREAM loads lines untouched for so long that memory answers; SHARED is the
 * block's own memory. A CHASE's address follows from what the chase before it loaded. */
#define CM_GPU_ACCESS_ROWS(X)                                                                                          \
    X(LOAD_4, "load_4", LOAD, 4, 4, NEAR, "loads of 4 bytes a thread, from L1")                                        \
    X(LOAD_8, "load_8", LOAD, 8, 8, NEAR, "loads of 8 bytes a thread, from L1")                                        \
    X(LOAD_16, "load_16", LOAD, 16, 16, NEAR, "loads of 16 bytes a thread, from L1")                                   \
    X(LOAD_4_BY_8, "load_4_by_8", LOAD, 4, 8, NEAR, "loads of every other 4 bytes, from L1")                           \
    X(LOAD_4_BY_32, "load_4_by_32", LOAD, 4, 32, NEAR, "loads of 4 of each 32 bytes, from L1")                         \
    X(LOAD_4_BY_128, "load_4_by_128", LOAD, 4, 128, NEAR, "loads of 4 of each 128 bytes, from L1")                     \
    X(LOAD_SAME, "load_same", LOAD, 4, 0, NEAR, "loads of the same 4 bytes, from L1")                                  \
    X(CHASE, "chase", CHASE, 4, 4, NEAR, "loads that wait for one another, from L1")                                   \
    X(FAR_4, "far_4", LOAD, 4, 4, FAR, "loads of 4 bytes a thread, from L2")                                           \
    X(FAR_16, "far_16", LOAD, 16, 16, FAR, "loads of 16 bytes a thread, from L2")                                      \
    X(FAR_4_BY_128, "far_4_by_128", LOAD, 4, 128, FAR, "loads of 4 of each 128 bytes, from L2")                        \
    X(FAR_CHASE, "far_chase", CHASE, 4, 4, FAR, "loads that wait for one another, from L2")                            \
    X(STREAM_4, "stream_4", LOAD, 4, 4, STREAM, "loads of 4 bytes a thread, from memory")                              \
    X(STREAM_16, "stream_16", LOAD, 16, 16, STREAM, "loads of 16 bytes a thread, from memory")                         \
    X(STREAM_CHASE, "stream_chase", CHASE, 4, 4, STREAM, "loads that wait for one another, from memory")               \
    X(STORE_4, "store_4", STORE, 4, 4, FAR, "stores of 4 bytes a thread")                                              \
    X(STORE_8, "store_8", STORE, 8, 8, FAR, "stores of 8 bytes a thread")                                              \
    X(STORE_16, "store_16", STORE, 16, 16, FAR, "stores of 16 bytes a thread")                                         \
    X(STORE_4_BY_32, "store_4_by_32", STORE, 4, 32, FAR, "stores to 4 of each 32 bytes")                               \
    X(STORE_4_BY_128, "store_4_by_128", STORE, 4, 128, FAR, "stores to 4 of each 128 bytes")                           \
    X(STREAM_STORE_4, "stream_store_4", STORE, 4, 4, STREAM, "stores of 4 bytes a thread, to lines no cache has")      \
    X(STREAM_STORE_16, "stream_store_16", STORE, 16, 16, STREAM, "stores of 16 bytes a thread, to lines no cache has") \
    X(REDUCE, "reduce", REDUCE, 4, 4, FAR, "atomic additions, each thread to its own number")                          \
    X(REDUCE_BY_128, "reduce_by_128", REDUCE, 4, 128, FAR, "atomic additions to 4 of each 128 bytes")                  \
    X(REDUCE_SAME, "reduce_same", REDUCE, 4, 0, FAR, "atomic additions of all threads to the same number")             \
    X(SHARED_LOAD_4, "shared_load_4", LOAD, 4, 4, SHARED, "loads of 4 bytes a thread of shared memory")                \
    X(SHARED_LOAD_8, "shared_load_8", LOAD, 8, 8, SHARED, "loads of 8 bytes a thread of shared memory")                \
    X(SHARED_LOAD_16, "shared_load_16", LOAD, 16, 16, SHARED, "loads of 16 bytes a thread of shared memory")           \
    X(SHARED_LOAD_BY_8, "shared_load_by_8", LOAD, 4, 8, SHARED, "loads of shared memory, two threads a bank")          \
    X(SHARED_LOAD_BY_16, "shared_load_by_16", LOAD, 4, 16, SHARED, "loads of shared memory, four threads a bank")      \
    X(SHARED_LOAD_BY_128, "shared_load_by_128", LOAD, 4, 128, SHARED, "loads of shared memory, all of one bank")       \
    X(SHARED_LOAD_SAME, "shared_load_same", LOAD, 4, 0, SHARED, "loads of the same number of shared memory")           \
    X(SHARED_STORE_4, "shared_store_4", STORE, 4, 4, SHARED, "stores of 4 bytes a thread to shared memory")            \
    X(SHARED_STORE_16, "shared_store_16", STORE, 16, 16, SHARED, "stores of 16 bytes a thread to shared memory")       \
    X(SHARED_STORE_BY_8, "shared_store_by_8", STORE, 4, 8, SHARED, "stores to shared memory, two threads a bank")      \
    X(SHARED_STORE_BY_128, "shared_store_by_128", STORE, 4, 128, SHARED, "stores to shared memory, all of one bank")

/* Instructions that only some threads of a warp execute, and those that a wavefront executes once. X(ENUM, name,
 * vendors, way, mask, words): threads whose number has a bit of the mask are left out. TAKEN: a branch that all threads
 * take, past an addition of integers; NOT_TAKEN: one that no thread takes; TESTED: the same behind a comparison, a
 * scalar one on AMD's GPUs; PART: CM_GPU_INSIDE additions that the others leave out, by a branch on NVIDIA's GPUs and
 * by lanes that are off on AMD's. None is an instruction under a predicate: NVIDIA's compiler makes a selection or a
 * branch of it. */
#define CM_GPU_SECTION_ROWS(X)                                                                                         \
    X(TAKEN, "branch_taken", CM_GPU_BOTH, TAKEN, 0, "branches that all threads take")                                  \
    X(NOT_TAKEN, "branch_not_taken", CM_GPU_BOTH, NOT_TAKEN, 0, "branches that no thread takes")                       \
    X(TESTED, "tested", CM_GPU_BOTH, TESTED, 0, "comparisons with branches that no thread takes")                      \
    X(PART_2, "part_2", CM_GPU_BOTH, PART, 1, "additions by every other thread")                                       \
    X(PART_4, "part_4", CM_GPU_BOTH, PART, 3, "additions by one of four threads")                                      \
    X(PART_HALF, "part_half", CM_GPU_BOTH, PART, 16, "additions by every other 16 threads")                            \
    X(SCALAR, "scalar", CM_GPU_AMD, SCALAR, 0, "scalar additions")                                                     \
    X(SCALAR_LOAD, "scalar_load", CM_GPU_AMD, SCALAR_LOAD, 0, "scalar loads")

/* Register files; a kernel has CM_GPU_CHAINS accumulators of each. */
#define CM_GPU_TYPE_ROWS(X)                                                                                            \
    X(NONE)                                                                                                            \
    X(H)                                                                                                               \
    X(S)                                                                                                               \
    X(D)                                                                                                               \
    X(H2)                                                                                                              \
    X(S2)                                                                                                              \
    X(B)                                                                                                               \
    X(B2)                                                                                                              \
    X(MH)                                                                                                              \
    X(MB)                                                                                                              \
    X(MS)                                                                                                              \
    X(MD)                                                                                                              \
    X(I)                                                                                                               \
    X(MHH)                                                                                                             \
    X(MT)                                                                                                              \
    X(MDW)                                                                                                             \
    X(MI)                                                                                                              \
    X(MI2)                                                                                                             \
    X(MD4)                                                                                                             \
    X(WH)                                                                                                              \
    X(WHH)                                                                                                             \
    X(WB)                                                                                                              \
    X(WT)                                                                                                              \
    X(WD)                                                                                                              \
    X(WI)                                                                                                              \
    X(ME4)                                                                                                             \
    X(ME5)                                                                                                             \
    X(MF8)                                                                                                             \
    X(MG8)                                                                                                             \
    X(MSI)

#endif
