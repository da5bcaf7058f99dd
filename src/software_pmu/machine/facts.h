/* The facts of the software PMU: their names and exact meanings. docs/reference/pmu-models.md describes most of them.
 *
 * Every instruction counts once in `instructions`, a repeated string instruction too. Branches are disjoint: cond (jcc,
 * jrcxz, loop), uncond (direct jmp), indirect (jmp through register or memory), calls (near, of any kind), returns
 * (near). calls_indirect is a part of calls; mispredicted_cond_taken (taken, predicted otherwise) and
 * mispredicted_cond_ntaken make up mispredicted_cond; mispredicted_indirect is of jumps and calls, not returns.
 * cond_executed, cond_executed_taken and uncond_executed are the retired branches and those on wrong paths.
 *
 * A load (store) is one read (write) of memory by an instruction, including implicit ones of the stack; a gather or
 * scatter counts one an active element, a repeated string instruction one a repetition; lea, prefetches, cache control
 * and nops count none; a masked move counts as its whole width. Each load counts once a cache level: as a hit or a miss
 * of the first level, and after a miss, of the next one; if it crosses a line, as the slower of the two. A level that
 * the machine lacks counts nothing. A non-temporal store bypasses the caches: it counts at no level.
 *
 * Integer instructions are distinguished by their operation, with operands in memory or without: scalar ones on general
 * registers, others on vector registers, by the width of these. The scalar add includes subtractions.
 *
 * Hardware prefetchers are in none of these: a line that one brought in is a hit when the code asks for it.
 *
 * A fetch is of a line of code that is not among those that a processor keeps decoded (modelled.h): a loop is fetched
 * once. The first-level caches of code and data are separate, the others hold both.
 *
 * Floating-point instructions are those that Intel's FP_ARITH_INST_RETIRED counts ("SSE/AVX computational": not moves,
 * conversions, comparisons, logic), each once; `other` is min max rcp rsqrt addsub hadd hsub dp. On scalable vectors an
 * instruction counts by their length, with all lanes, and in fp_lanes_* once an active lane, an FMA once; if the code
 * alone does not determine the active lanes, it counts in fp_lanes_unknown instead.
 *
 * Facts gpu_* are instructions of a GPU kernel's program. PTX is a thread's program, so on NVIDIA's GPUs each thread
 * counts whose predicate is true; AMDGPU assembly is a wavefront's, so a wavefront counts once, for any active lanes.
 * gpu_warp_* count once a warp or wavefront on both. gpu_matrix_*_ops are multiplications and additions of products of
 * matrices, 2 m n k a warp or wavefront, on both. gpu_*_requests are accesses of a warp or wavefront; gpu_*_bytes are
 * those that threads ask for, or whole sectors that caches load or store; a transaction is as much as shared memory
 * does at a time, a conflict one that equal banks add. */
#ifndef CM_SOFTWARE_PMU_MACHINE_FACTS_H
#define CM_SOFTWARE_PMU_MACHINE_FACTS_H

#include <catmint/software_pmu.h>

#include "cat-kernels/gpu/gpu.h"

enum { CM_FP_PRECISIONS = 3, CM_FP_WIDTHS = 7, CM_FP_OPERATIONS = 8, CM_ACCESS_WIDTHS = 7, CM_INT_WIDTHS = 3 };
enum { CM_KERNEL_FACTS = 31 };

typedef enum cm_fp_precision { CM_FP_HALF, CM_FP_SINGLE, CM_FP_DOUBLE } cm_fp_precision;
/* V: scalable vectors, by their length. */
typedef enum cm_fp_width {
    CM_FP_SCALAR,
    CM_FP_128,
    CM_FP_256,
    CM_FP_512,
    CM_FP_V128,
    CM_FP_V256,
    CM_FP_V512,
    CM_FP_LONGER, /* scalable vectors of more than 512 bits, which facts distinguish only by precision: cm_fact_longer
                   */
} cm_fp_width;

/* CM_FP_ANY is the fact without an operation: all of them except fma. */
typedef enum cm_fp_operation {
    CM_FP_ANY,
    CM_FP_ADD,
    CM_FP_SUB,
    CM_FP_MUL,
    CM_FP_DIV,
    CM_FP_SQRT,
    CM_FP_FMA,
    CM_FP_OTHER,
} cm_fp_operation;

/* Operations on integers in vector registers. */
typedef enum cm_int_operation {
    CM_INT_ADD,
    CM_INT_SUB,
    CM_INT_MUL,
    CM_INT_LOGIC,
    CM_INT_SHIFT,
    CM_INT_COMPARE,
    CM_INT_SHUFFLE,
    CM_INT_OPERATIONS,
} cm_int_operation;

typedef enum cm_fact {
    CM_FACT_INSTRUCTIONS,
    CM_FACT_LOADS,
    CM_FACT_STORES,
    CM_FACT_LOAD_BYTES,
    CM_FACT_STORE_BYTES,
    CM_FACT_BRANCHES_COND,
    CM_FACT_BRANCHES_COND_TAKEN,
    CM_FACT_BRANCHES_UNCOND,
    CM_FACT_BRANCHES_INDIRECT,
    CM_FACT_CALLS,
    CM_FACT_RETURNS,
    CM_FACT_MISPREDICTED_COND,
    CM_FACT_COND_EXECUTED,
    CM_FACT_L1D_LOAD_HIT, /* from here: level by level load hit, load miss, store hit, store miss */
    CM_FACT_L1D_LOAD_MISS,
    CM_FACT_L1D_STORE_HIT,
    CM_FACT_L1D_STORE_MISS,
    CM_FACT_L2_LOAD_HIT,
    CM_FACT_L2_LOAD_MISS,
    CM_FACT_L2_STORE_HIT,
    CM_FACT_L2_STORE_MISS,
    CM_FACT_L3_LOAD_HIT,
    CM_FACT_L3_LOAD_MISS,
    CM_FACT_L3_STORE_HIT,
    CM_FACT_L3_STORE_MISS,
    CM_FACT_DTLB_LOAD_MISS,
    CM_FACT_DTLB_STORE_MISS,
    CM_FACT_TSC_CYCLES, /* time-stamp counter over the whole run: noisy */
    CM_FACT_FP,         /* first of the floating-point block, see cm_fact_fp */
    CM_FACT_FP_END = CM_FACT_FP + CM_FP_PRECISIONS * CM_FP_WIDTHS * CM_FP_OPERATIONS - 1,
    CM_FACT_FP_S_128_DPP, /* dot products, also part of `other`: Intel counts them twice */
    CM_FACT_FP_S_256_DPP,
    CM_FACT_FP_D_128_DPP,
    CM_FACT_CALLS_INDIRECT,
    CM_FACT_MISPREDICTED_COND_TAKEN, /* from here to returns: mispredictions of one kind each */
    CM_FACT_MISPREDICTED_COND_NTAKEN,
    CM_FACT_MISPREDICTED_INDIRECT,
    CM_FACT_MISPREDICTED_RETURNS,
    CM_FACT_COND_EXECUTED_TAKEN,
    CM_FACT_WRONG_PATH_COND_NTAKEN, /* conditional branches of wrong paths that are not taken */
    CM_FACT_UNCOND_EXECUTED,
    CM_FACT_LOCKED_LOADS, /* loads of lock-prefixed instructions and xchg with memory */
    CM_FACT_SPLIT_LOADS,  /* crossing a cache line */
    CM_FACT_SPLIT_STORES,
    CM_FACT_X87_INSTRUCTIONS,
    CM_FACT_MMX_INSTRUCTIONS,
    CM_FACT_SIMD_INSTRUCTIONS, /* SSE, AVX, AVX-512, and all others on vector registers */
    CM_FACT_FENCES,            /* lfence mfence sfence */
    CM_FACT_NOPS,
    CM_FACT_FP_MIN_MAX,          /* part of `other`: minima and maxima */
    CM_FACT_FP_RECIPROCALS,      /* part of `other`: estimates of reciprocals and of reciprocal square roots */
    CM_FACT_FP_COMPARES,         /* this and the next are not in the facts by operation */
    CM_FACT_FP_CONVERSIONS,      /* from or to floating point */
    CM_FACT_FP_H_SCALAR_COMPLEX, /* part of `other`: complex products of one pair, which Intel counts separately */
    CM_FACT_LOADS_1,             /* loads of 1 byte, then of 2, 4 ... 64; loads of other widths are in none */
    CM_FACT_LOADS_64 = CM_FACT_LOADS_1 + CM_ACCESS_WIDTHS - 1,
    CM_FACT_STORES_1,
    CM_FACT_STORES_64 = CM_FACT_STORES_1 + CM_ACCESS_WIDTHS - 1,
    CM_FACT_UPDATES,   /* instructions that load and store the same place */
    CM_FACT_NT_STORES, /* non-temporal: not among any cache's hits and misses */
    CM_FACT_PREFETCHES_NTA,
    CM_FACT_PREFETCHES_T0,
    CM_FACT_PREFETCHES_T1_T2,
    CM_FACT_PREFETCHES_W,
    CM_FACT_L1D_WRITTEN_BACK, /* dirty lines that the level evicts */
    CM_FACT_L2_WRITTEN_BACK,
    CM_FACT_L3_WRITTEN_BACK,
    CM_FACT_INT_SCALAR_ADD, /* additions and subtractions, including those of 1, and changes of sign */
    CM_FACT_INT_SCALAR_MUL,
    CM_FACT_INT_SCALAR_DIV,
    CM_FACT_INT_SCALAR_LOGIC, /* on bits, including counts, reversal and selection */
    CM_FACT_INT_SCALAR_SHIFT, /* including rotations */
    CM_FACT_INT_SCALAR_COMPARE,
    CM_FACT_INT_SCALAR_MOVE, /* between registers and of constants, also under a condition; not from or to memory */
    CM_FACT_INT_SCALAR_ADDRESS,
    CM_FACT_INT_VECTOR, /* first of integers in vector registers, see cm_fact_int */
    CM_FACT_INT_VECTOR_END = CM_FACT_INT_VECTOR + CM_INT_WIDTHS * CM_INT_OPERATIONS - 1,
    CM_FACT_AES_INSTRUCTIONS,
    CM_FACT_CRC_INSTRUCTIONS,
    CM_FACT_STRING_INSTRUCTIONS, /* a repeated one counts once */
    CM_FACT_LOAD_FENCES,         /* part of the fences */
    CM_FACT_PAUSES,
    CM_FACT_L1I_FETCH_HIT, /* from here: level by level hit and miss of lines of code */
    CM_FACT_L1I_FETCH_MISS,
    CM_FACT_L2_FETCH_HIT,
    CM_FACT_L2_FETCH_MISS,
    CM_FACT_L3_FETCH_HIT,
    CM_FACT_L3_FETCH_MISS,
    CM_FACT_ITLB_MISS,
    CM_FACT_LOAD_WALKS, /* accesses that miss both the first TLB and the second */
    CM_FACT_STORE_WALKS,
    CM_FACT_FETCH_WALKS,
    CM_FACT_FP_LANES, /* first of active lanes, see cm_fact_lanes */
    CM_FACT_FP_LANES_END = CM_FACT_FP_LANES + CM_FP_PRECISIONS * 2 - 1,
    CM_FACT_FP_LANES_UNKNOWN,
    CM_FACT_DTLB_LOAD_MISS_HUGE, /* part of the misses and walks: those of huge pages */
    CM_FACT_DTLB_STORE_MISS_HUGE,
    CM_FACT_LOAD_WALKS_HUGE,
    CM_FACT_STORE_WALKS_HUGE,
    CM_FACT_GPU, /* first of the GPU program's instructions by class, see cm_fact_gpu */
    CM_FACT_GPU_WARPS = CM_FACT_GPU + CM_GPU_COMPUTING,              /* the same, once a warp or wavefront */
    CM_FACT_GPU_INSTRUCTIONS = CM_FACT_GPU_WARPS + CM_GPU_COMPUTING, /* of the program, all classes and others */
    CM_FACT_GPU_WARP_INSTRUCTIONS,                                   /* once a warp or wavefront */
    CM_FACT_GPU_LOADS,  /* part of the others, in the program's unit; these two are of global memory, */
    CM_FACT_GPU_STORES, /* with atomic additions; the next two of shared memory */
    CM_FACT_GPU_SHARED_LOADS,
    CM_FACT_GPU_SHARED_STORES,
    CM_FACT_GPU_MOVES,
    CM_FACT_GPU_LAUNCHES, /* launches of kernels, and their blocks, warps and threads */
    CM_FACT_GPU_BLOCKS,
    CM_FACT_GPU_LAUNCHED_WARPS,
    CM_FACT_GPU_THREADS,
    CM_FACT_FP_LONGER, /* first of arithmetic on longer scalable vectors, see cm_fact_longer */
    CM_FACT_FP_LONGER_END = CM_FACT_FP_LONGER + CM_FP_PRECISIONS * 2 - 1,
    CM_FACT_CSR_READS, /* accesses to control registers: that only read, only write, do both */
    CM_FACT_CSR_WRITES,
    CM_FACT_CSR_SWAPS,
    CM_FACT_ENVIRONMENT_CALLS,
    CM_FACT_BREAKPOINTS,
    CM_FACT_TRAP_RETURNS,
    CM_FACT_INSTRUCTION_FENCES, /* part of the fences */
    CM_FACT_SHORT_INSTRUCTIONS, /* of 16 bits */
    CM_FACT_MISALIGNED_LOADS,   /* not aligned to their size, within a line; only known of kernels */
    CM_FACT_MISALIGNED_STORES,
    CM_FACT_RESERVED_LOADS, /* neither these nor conditional stores are locked */
    CM_FACT_CONDITIONAL_STORES,
    CM_FACT_LOAD_USES,         /* loads whose value the next instruction reads; these two are only told by traces */
    CM_FACT_JUMP_USES,         /* jumps through a register that the instruction before wrote */
    CM_FACT_L1D_PREFETCH_MISS, /* lines that a prefetcher of L1D asks for: it asks for none that L1D has */
    CM_FACT_L2_PREFETCH_HIT,   /* from here: level by level hit and miss of lines that prefetchers ask for */
    CM_FACT_L2_PREFETCH_MISS,
    CM_FACT_L3_PREFETCH_HIT,
    CM_FACT_L3_PREFETCH_MISS,
    CM_FACT_L1D_PREFETCH_USED, /* prefetched lines that were asked for before the level gave them up */
    CM_FACT_L2_PREFETCH_USED,
    CM_FACT_L1D_LOAD_FILL_HIT, /* part of the hits: loads of a line that is on its way */
    CM_FACT_IN_CORE_CYCLES,    /* counted only for whole programs, see flow.h; so is time, see modelled.h */
    CM_FACT_CYCLES,
    CM_FACT_SLOTS,
    CM_FACT_SLOTS_RETIRED, /* these and the next three make up the slots */
    CM_FACT_SLOTS_BAD_SPECULATION,
    CM_FACT_SLOTS_FRONTEND,
    CM_FACT_SLOTS_BACKEND,
    CM_FACT_SLOTS_WRONG_PATH,     /* part of those of bad speculation */
    CM_FACT_SLOTS_BACKEND_MEMORY, /* part of those of the back end */
    CM_FACT_STALL_CYCLES,         /* cycles in which no operation enters; the next four make them up */
    CM_FACT_STALL_BAD_SPECULATION,
    CM_FACT_STALL_FRONTEND,
    CM_FACT_STALL_MEMORY,
    CM_FACT_STALL_CORE,
    CM_FACT_COMMITS_0, /* cycles by the instructions that leave the window: from here none, 1, 2, 3, and 4 or more */
    CM_FACT_COMMITS_1,
    CM_FACT_COMMITS_2,
    CM_FACT_COMMITS_3,
    CM_FACT_COMMITS_4,
    CM_FACT_COMMITS_OF_PARTS, /* only parts of instructions leave; this and the next four make up the cycles of none */
    CM_FACT_WAITS_EMPTY,      /* the window has no operation */
    CM_FACT_WAITS_BRANCH,     /* the oldest one is a branch */
    CM_FACT_WAITS_ACCESS,     /* it loads or stores */
    CM_FACT_WAITS_EXECUTION,
    CM_FACT_WAITS_ACCESS_GENERAL, /* part of those of accesses: of general registers */
    CM_FACT_WAITS_L1_MISS, /* part of those of accesses: L1D lacked the line; of these those of general registers */
    CM_FACT_WAITS_L1_MISS_GENERAL,
    CM_FACT_WAITS_L2_MISS, /* likewise, L2 lacked it too; part of neither of the two before */
    CM_FACT_WAITS_L2_MISS_GENERAL,
    CM_FACT_WAITS_EXECUTION_VECTOR, /* part of those of execution */
    CM_FACT_L1D_HINT_HIT,           /* from here: level by level hit and miss of prefetches by instruction */
    CM_FACT_L1D_HINT_MISS,
    CM_FACT_L2_HINT_HIT,
    CM_FACT_L2_HINT_MISS,
    CM_FACT_L3_HINT_HIT,
    CM_FACT_L3_HINT_MISS,
    CM_FACT_DTLB_HINT_MISS,
    CM_FACT_HINT_WALKS,
    CM_FACT_WRONG_PATH_INSTRUCTIONS, /* these and all behind them, up to its fetches, are on wrong paths */
    CM_FACT_WRONG_PATH_LOADS,
    CM_FACT_WRONG_PATH_STORES,
    CM_FACT_L1D_WRONG_LOAD_HIT, /* from here: level by level hit and miss of loads whose address is known */
    CM_FACT_L1D_WRONG_LOAD_MISS,
    CM_FACT_L2_WRONG_LOAD_HIT,
    CM_FACT_L2_WRONG_LOAD_MISS,
    CM_FACT_L3_WRONG_LOAD_HIT,
    CM_FACT_L3_WRONG_LOAD_MISS,
    CM_FACT_DTLB_WRONG_LOAD_MISS,
    CM_FACT_WRONG_LOAD_WALKS,
    CM_FACT_DTLB_WRONG_STORE_MISS,
    CM_FACT_WRONG_STORE_WALKS,
    CM_FACT_L1I_WRONG_FETCH_HIT, /* from here: level by level hit and miss of lines of code */
    CM_FACT_L1I_WRONG_FETCH_MISS,
    CM_FACT_L2_WRONG_FETCH_HIT,
    CM_FACT_L2_WRONG_FETCH_MISS,
    CM_FACT_L3_WRONG_FETCH_HIT,
    CM_FACT_L3_WRONG_FETCH_MISS,
    CM_FACT_ITLB_WRONG_FETCH_MISS,
    CM_FACT_WRONG_FETCH_WALKS,
    CM_FACT_LOADS_FORWARDED,      /* loads whose value a store has that is still in the store buffer */
    CM_FACT_LOADS_BLOCKED,        /* of which such a store has a part */
    CM_FACT_LOADS_ALIASED,        /* that only share the last 12 bits of the address with such a store */
    CM_FACT_FUSED_PAIRS,          /* comparisons and branches behind them that are one operation */
    CM_FACT_OPERATIONS,           /* that instructions take; these and the rest count under `operations` or opcache_* */
    CM_FACT_MICROCODE_OPERATIONS, /* these three make them up: of microcoded instructions, */
    CM_FACT_OPCACHE_OPERATIONS,   /* from the operation cache, */
    CM_FACT_DECODER_OPERATIONS,   /* and from the decoders */
    CM_FACT_OPCACHE_HIT,          /* entries that execution came to, as hit or miss of the operation cache */
    CM_FACT_OPCACHE_MISS,
    CM_FACT_MICROCODE_WRONG_OPERATIONS, /* the same on wrong paths */
    CM_FACT_OPCACHE_WRONG_OPERATIONS,
    CM_FACT_DECODER_WRONG_OPERATIONS,
    CM_FACT_OPCACHE_WRONG_HIT,
    CM_FACT_OPCACHE_WRONG_MISS,
    CM_FACT_NT_LINES_WHOLE, /* lines that leave a buffer of non-temporal stores, written completely or in part */
    CM_FACT_NT_LINES_PARTIAL,
    CM_FACT_LOAD_WALK_STEPS, /* entries of page tables that walks read, in the order of cm_tlb_use */
    CM_FACT_STORE_WALK_STEPS,
    CM_FACT_FETCH_WALK_STEPS,
    CM_FACT_LOAD_WALK_MISSES, /* walks that read more than the last one */
    CM_FACT_STORE_WALK_MISSES,
    CM_FACT_FETCH_WALK_MISSES,
    CM_FACT_HINT_WALK_STEPS,
    CM_FACT_WRONG_LOAD_WALK_STEPS,
    CM_FACT_WRONG_STORE_WALK_STEPS,
    CM_FACT_WRONG_FETCH_WALK_STEPS,
    CM_FACT_GPU_MATRIX_F16_OPS, /* operations of products of matrices, in the order of cm_gpu_elements */
    CM_FACT_GPU_MATRIX_F16_F16_OPS,
    CM_FACT_GPU_MATRIX_BF16_OPS,
    CM_FACT_GPU_MATRIX_TF32_OPS,
    CM_FACT_GPU_MATRIX_F32_OPS,
    CM_FACT_GPU_MATRIX_F64_OPS,
    CM_FACT_GPU_MATRIX_I8_OPS,
    CM_FACT_GPU_MATRIX_F8_OPS,
    CM_FACT_GPU_ACCESSES, /* first of accesses of a GPU to memory, in the order of cm_gpu_access_fact */
    CM_FACT_GPU_ACCESSES_END = CM_FACT_GPU_ACCESSES + CM_GPU_ACCESS_FACTS - 1,
    CM_FACT_GPU_LANES, /* first of a GPU's warps and their lanes, in the order of cm_gpu_lane_fact */
    CM_FACT_GPU_LANES_END = CM_FACT_GPU_LANES + CM_GPU_LANE_FACTS - 1,
    CM_FACT_INTERRUPTS,
    CM_FACT_INTERRUPT_SKID, /* instructions that ran while one was due */
    CM_FACT_KERNEL,         /* first of what handlers of interrupts do, see cm_fact_of_kernel */
    CM_FACT_KERNEL_END = CM_FACT_KERNEL + CM_KERNEL_FACTS - 1,
    CM_FACT_LOAD_WALKS_MERGED, /* loads that find a walk of their page on its way; stores */
    CM_FACT_STORE_WALKS_MERGED,
    CM_FACT_MICRO_FUSED, /* operations that are two each in the unfused domain */
    CM_FACT_FP_MASKED,   /* first of lanes that a mask turns off, in the order of active lanes */
    CM_FACT_FP_MASKED_END = CM_FACT_FP_MASKED + CM_FP_PRECISIONS * 2 - 1,
    CM_FACT_COUNT
} cm_fact;

/* Whether accesses of so many bytes have a fact of their own. */
static inline bool cm_access_has_width(size_t bytes)
{
    return bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes >> CM_ACCESS_WIDTHS == 0;
}

static inline size_t cm_fact_fp(cm_fp_precision precision, cm_fp_width width, cm_fp_operation operation)
{
    return CM_FACT_FP + ((size_t)precision * CM_FP_WIDTHS + (size_t)width) * CM_FP_OPERATIONS + (size_t)operation;
}

/* Without fma, or fma alone. */
static inline size_t cm_fact_lanes(cm_fp_precision precision, bool fma)
{
    return CM_FACT_FP_LANES + (size_t)precision * 2 + (size_t)fma;
}

static inline size_t cm_fact_gpu(cm_gpu_class class)
{
    return CM_FACT_GPU + (size_t) class;
}

static inline size_t cm_fact_gpu_warp(cm_gpu_class class)
{
    return CM_FACT_GPU_WARPS + (size_t) class;
}

/* Without fma, or fma alone. */
static inline size_t cm_fact_longer(cm_fp_precision precision, bool fma)
{
    return CM_FACT_FP_LONGER + (size_t)precision * 2 + (size_t)fma;
}

/* `width` is 0 for 128 bits, 1 for 256 and 2 for 512. */
static inline size_t cm_fact_int(unsigned width, cm_int_operation operation)
{
    return CM_FACT_INT_VECTOR + (size_t)width * CM_INT_OPERATIONS + (size_t)operation;
}

static inline bool cm_fact_is_of_time(size_t fact)
{
    return fact >= CM_FACT_CYCLES && fact <= CM_FACT_WAITS_EXECUTION_VECTOR;
}

/* Whether it is of prefetches by instruction, of steps of page walks, of wrong paths, of store buffers, of fusion, of
 * operations or of interrupts, which no program is composed of. */
static inline bool cm_fact_is_of_habit(size_t fact)
{
    return (fact >= CM_FACT_L1D_HINT_HIT && fact <= CM_FACT_WRONG_FETCH_WALK_STEPS) ||
           (fact >= CM_FACT_INTERRUPTS && fact <= CM_FACT_MICRO_FUSED);
}

/* The fact of the kernel's mode that corresponds to `fact` of the program; CM_FACT_COUNT: there is none. */
size_t cm_fact_of_kernel(size_t fact);
/* Whether such a fact counts it, or handlers of interrupts never do it. */
bool cm_fact_is_known_of_kernel(size_t fact);

/* Whether the machine has the figures that time needs. */
static inline bool cm_machine_has_time(const cm_pmu_machine *machine)
{
    return machine->dispatch_width != 0 && machine->latency_memory != 0 && machine->misprediction_penalty != 0;
}

/* Whether it is one of caches, TLBs and predictors, or follows from them as time does; code alone tells the others. */
bool cm_fact_is_modelled(size_t fact);

/* Whether it is part of a mix, which `catmint count --mix` counts and `catmint project` reads. */
bool cm_fact_is_of_mix(size_t fact);

#endif
