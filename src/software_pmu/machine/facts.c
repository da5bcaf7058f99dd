#include "software_pmu/machine/facts.h"

#include <string.h>

#define FP_OPERATIONS(prefix)                                                                                          \
    prefix, prefix "_add", prefix "_sub", prefix "_mul", prefix "_div", prefix "_sqrt", prefix "_fma", prefix "_other"
#define FP_WIDTHS(prefix)                                                                                              \
    FP_OPERATIONS(prefix "_scalar"), FP_OPERATIONS(prefix "_128"), FP_OPERATIONS(prefix "_256"),                       \
        FP_OPERATIONS(prefix "_512"), FP_OPERATIONS(prefix "_v128"), FP_OPERATIONS(prefix "_v256"),                    \
        FP_OPERATIONS(prefix "_v512")

#define INT_OPERATIONS(prefix)                                                                                         \
    prefix "_add", prefix "_sub", prefix "_mul", prefix "_logic", prefix "_shift", prefix "_compare", prefix "_shuffle"
#define ACCESS_WIDTHS(prefix)                                                                                          \
    prefix "_1", prefix "_2", prefix "_4", prefix "_8", prefix "_16", prefix "_32", prefix "_64"

/* In the order of cm_fact. */
static const char *const names[] = {
    "instructions",
    "loads",
    "stores",
    "load_bytes",
    "store_bytes",
    "branches_cond",
    "branches_cond_taken",
    "branches_uncond",
    "branches_indirect",
    "calls",
    "returns",
    "mispredicted_cond",
    "cond_executed",
    "l1d_load_hit",
    "l1d_load_miss",
    "l1d_store_hit",
    "l1d_store_miss",
    "l2_load_hit",
    "l2_load_miss",
    "l2_store_hit",
    "l2_store_miss",
    "l3_load_hit",
    "l3_load_miss",
    "l3_store_hit",
    "l3_store_miss",
    "dtlb_load_miss",
    "dtlb_store_miss",
    "tsc_cycles",
    FP_WIDTHS("fp_h"),
    FP_WIDTHS("fp_s"),
    FP_WIDTHS("fp_d"),
    "fp_s_128_dpp",
    "fp_s_256_dpp",
    "fp_d_128_dpp",
    "calls_indirect",
    "mispredicted_cond_taken",
    "mispredicted_cond_ntaken",
    "mispredicted_indirect",
    "mispredicted_returns",
    "cond_executed_taken",
    "wrong_path_cond_ntaken",
    "uncond_executed",
    "locked_loads",
    "split_loads",
    "split_stores",
    "x87_instructions",
    "mmx_instructions",
    "simd_instructions",
    "fences",
    "nops",
    "fp_min_max",
    "fp_reciprocals",
    "fp_compares",
    "fp_conversions",
    "fp_h_scalar_complex",
    ACCESS_WIDTHS("loads"),
    ACCESS_WIDTHS("stores"),
    "updates",
    "nt_stores",
    "prefetches_nta",
    "prefetches_t0",
    "prefetches_t1_t2",
    "prefetches_w",
    "l1d_written_back",
    "l2_written_back",
    "l3_written_back",
    "int_scalar_add",
    "int_scalar_mul",
    "int_scalar_div",
    "int_scalar_logic",
    "int_scalar_shift",
    "int_scalar_compare",
    "int_scalar_move",
    "int_scalar_address",
    INT_OPERATIONS("int_128"),
    INT_OPERATIONS("int_256"),
    INT_OPERATIONS("int_512"),
    "aes_instructions",
    "crc_instructions",
    "string_instructions",
    "load_fences",
    "pauses",
    "l1i_fetch_hit",
    "l1i_fetch_miss",
    "l2_fetch_hit",
    "l2_fetch_miss",
    "l3_fetch_hit",
    "l3_fetch_miss",
    "itlb_miss",
    "load_walks",
    "store_walks",
    "fetch_walks",
    "fp_lanes_h",
    "fp_lanes_h_fma",
    "fp_lanes_s",
    "fp_lanes_s_fma",
    "fp_lanes_d",
    "fp_lanes_d_fma",
    "fp_lanes_unknown",
    "dtlb_load_miss_huge",
    "dtlb_store_miss_huge",
    "load_walks_huge",
    "store_walks_huge",
#define ROW(id, name, type, vendors, words) "gpu_" name,
    CM_GPU_CLASS_ROWS(ROW)
#undef ROW
#define ROW(id, name, type, vendors, words) "gpu_warp_" name,
        CM_GPU_CLASS_ROWS(ROW)
#undef ROW
            "gpu_instructions",
    "gpu_warp_instructions",
    "gpu_loads",
    "gpu_stores",
    "gpu_shared_loads",
    "gpu_shared_stores",
    "gpu_moves",
    "gpu_launches",
    "gpu_blocks",
    "gpu_launched_warps",
    "gpu_threads",
    "fp_longer_h",
    "fp_longer_h_fma",
    "fp_longer_s",
    "fp_longer_s_fma",
    "fp_longer_d",
    "fp_longer_d_fma",
    "csr_reads",
    "csr_writes",
    "csr_swaps",
    "environment_calls",
    "breakpoints",
    "trap_returns",
    "instruction_fences",
    "short_instructions",
    "misaligned_loads",
    "misaligned_stores",
    "reserved_loads",
    "conditional_stores",
    "load_uses",
    "jump_uses",
    "l1d_prefetch_miss",
    "l2_prefetch_hit",
    "l2_prefetch_miss",
    "l3_prefetch_hit",
    "l3_prefetch_miss",
    "l1d_prefetch_used",
    "l2_prefetch_used",
    "l1d_load_fill_hit",
    "in_core_cycles",
    "cycles",
    "slots",
    "slots_retired",
    "slots_bad_speculation",
    "slots_frontend",
    "slots_backend",
    "slots_wrong_path",
    "slots_backend_memory",
    "stall_cycles",
    "stall_bad_speculation",
    "stall_frontend",
    "stall_memory",
    "stall_core",
    "commits_0",
    "commits_1",
    "commits_2",
    "commits_3",
    "commits_4",
    "commits_of_parts",
    "waits_empty",
    "waits_branch",
    "waits_access",
    "waits_execution",
    "waits_access_general",
    "waits_l1_miss",
    "waits_l1_miss_general",
    "waits_l2_miss",
    "waits_l2_miss_general",
    "waits_execution_vector",
    "l1d_hint_hit",
    "l1d_hint_miss",
    "l2_hint_hit",
    "l2_hint_miss",
    "l3_hint_hit",
    "l3_hint_miss",
    "dtlb_hint_miss",
    "hint_walks",
    "wrong_path_instructions",
    "wrong_path_loads",
    "wrong_path_stores",
    "l1d_wrong_load_hit",
    "l1d_wrong_load_miss",
    "l2_wrong_load_hit",
    "l2_wrong_load_miss",
    "l3_wrong_load_hit",
    "l3_wrong_load_miss",
    "dtlb_wrong_load_miss",
    "wrong_load_walks",
    "dtlb_wrong_store_miss",
    "wrong_store_walks",
    "l1i_wrong_fetch_hit",
    "l1i_wrong_fetch_miss",
    "l2_wrong_fetch_hit",
    "l2_wrong_fetch_miss",
    "l3_wrong_fetch_hit",
    "l3_wrong_fetch_miss",
    "itlb_wrong_fetch_miss",
    "wrong_fetch_walks",
    "loads_forwarded",
    "loads_blocked",
    "loads_aliased",
    "fused_pairs",
    "operations",
    "microcode_operations",
    "opcache_operations",
    "decoder_operations",
    "opcache_hit",
    "opcache_miss",
    "microcode_wrong_operations",
    "opcache_wrong_operations",
    "decoder_wrong_operations",
    "opcache_wrong_hit",
    "opcache_wrong_miss",
    "nt_lines_whole",
    "nt_lines_partial",
    "load_walk_steps",
    "store_walk_steps",
    "fetch_walk_steps",
    "load_walk_misses",
    "store_walk_misses",
    "fetch_walk_misses",
    "hint_walk_steps",
    "wrong_load_walk_steps",
    "wrong_store_walk_steps",
    "wrong_fetch_walk_steps",
    "gpu_matrix_f16_ops",
    "gpu_matrix_f16_f16_ops",
    "gpu_matrix_bf16_ops",
    "gpu_matrix_tf32_ops",
    "gpu_matrix_f32_ops",
    "gpu_matrix_f64_ops",
    "gpu_matrix_i8_ops",
    "gpu_matrix_f8_ops",
    "gpu_load_requests",
    "gpu_store_requests",
    "gpu_atomic_requests",
    "gpu_asked_load_bytes",
    "gpu_asked_store_bytes",
    "gpu_l1_load_hit_bytes",
    "gpu_l2_load_hit_bytes",
    "gpu_l2_load_miss_bytes",
    "gpu_l2_store_hit_bytes",
    "gpu_l2_store_miss_bytes",
    "gpu_l2_atomic_bytes",
    "gpu_shared_load_requests",
    "gpu_shared_store_requests",
    "gpu_shared_load_transactions",
    "gpu_shared_store_transactions",
    "gpu_shared_load_conflicts",
    "gpu_shared_store_conflicts",
    "gpu_branch_slots",
    "gpu_off_threads",
    "gpu_idle_threads",
    "gpu_divergent_branches",
    "gpu_idle_lanes",
    "gpu_scalars",
    "gpu_scalar_loads",
    "gpu_vectors",
};
_Static_assert(sizeof names / sizeof names[0] == CM_FACT_COUNT, "every fact has a name");

size_t cm_fact_count(void)
{
    return CM_FACT_COUNT;
}

const char *cm_fact_name(size_t fact)
{
    return fact < CM_FACT_COUNT ? names[fact] : NULL;
}

ptrdiff_t cm_fact_find(const char *name)
{
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++)
        if (names[fact][0] == name[0] && strcmp(names[fact], name) == 0)
            return (ptrdiff_t)fact;
    return -1;
}

bool cm_fact_is_modelled(size_t fact)
{
    static const struct {
        cm_fact first, last;
    } modelled[] = {{CM_FACT_MISPREDICTED_COND, CM_FACT_DTLB_STORE_MISS},
                    {CM_FACT_MISPREDICTED_COND_TAKEN, CM_FACT_UNCOND_EXECUTED},
                    {CM_FACT_L1D_WRITTEN_BACK, CM_FACT_L3_WRITTEN_BACK},
                    {CM_FACT_L1I_FETCH_HIT, CM_FACT_FETCH_WALKS},
                    {CM_FACT_DTLB_LOAD_MISS_HUGE, CM_FACT_STORE_WALKS_HUGE},
                    {CM_FACT_L1D_PREFETCH_MISS, CM_FACT_L1D_LOAD_FILL_HIT},
                    {CM_FACT_CYCLES, CM_FACT_LOADS_ALIASED},
                    {CM_FACT_OPERATIONS, CM_FACT_WRONG_FETCH_WALK_STEPS}};
    for (size_t i = 0; i < sizeof modelled / sizeof modelled[0]; i++)
        if (fact >= modelled[i].first && fact <= modelled[i].last)
            return true;
    return false;
}

bool cm_fact_is_of_mix(size_t fact)
{
    static const cm_fact others[] = {
        CM_FACT_INSTRUCTIONS, CM_FACT_LOADS,        CM_FACT_STORES,        CM_FACT_LOAD_BYTES, CM_FACT_STORE_BYTES,
        CM_FACT_FP_S_128_DPP, CM_FACT_FP_S_256_DPP, CM_FACT_FP_D_128_DPP,  CM_FACT_NT_STORES,  CM_FACT_FP_LANES_UNKNOWN,
        CM_FACT_SPLIT_LOADS,  CM_FACT_SPLIT_STORES, CM_FACT_IN_CORE_CYCLES};
    if (fact >= CM_FACT_FP && fact < CM_FACT_FP + CM_FP_PRECISIONS * CM_FP_WIDTHS * CM_FP_OPERATIONS) {
        size_t operation = (fact - CM_FACT_FP) % CM_FP_OPERATIONS;
        return operation == CM_FP_ANY || operation == CM_FP_FMA || operation == CM_FP_DIV || operation == CM_FP_SQRT;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] == fact)
            return true;
    return (fact >= CM_FACT_L1D_LOAD_HIT && fact <= CM_FACT_L3_STORE_MISS) ||
           (fact >= CM_FACT_FP_LANES && fact <= CM_FACT_FP_LANES_END) ||
           (fact >= CM_FACT_FP_LONGER && fact <= CM_FACT_FP_LONGER_END);
}
