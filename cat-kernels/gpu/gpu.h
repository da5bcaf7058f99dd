/* GPU kernels, described once for all GPUs; ptx.c and amdgpu.c make code from the description.
 *
 * A kernel is a loop. Before it, each thread loads its accumulators and constants; after it, it stores the
 * accumulators. Both are the same for all kernels, so that runs differ only in their loops. Threads that a kernel's
 * mask names skip the loop, by a branch on NVIDIA's GPUs: a compiler must keep a branch around a loop, but may turn an
 * instruction under a predicate into one of all threads and a selection. One turn executes the pieces in their order,
 * and then counts down: an addition of integers, a comparison, a branch. Piece i of a type works on accumulator i mod
 * CM_GPU_CHAINS of that type, counted within a turn. Each result depends on the one before it in its chain, and is
 * stored in the end, so that no compiler can drop, hoist or merge an instruction of a chain:
 *
 *   add a = a + c; sub a = a - c; mul a = a * m; fma a = fma(a, m, c); sqrt a = sqrt(a);
 *   special a = 1 / a (estimate); convert t = (int)a, and the next conversion a = (float)t, of the same accumulator;
 *   integers: add x[i] = x[i] + x[i+1]; mul x[i] = x[i] * x[i+1]; logic x[i] = (x[i] & x[i+1]) ^ x[i+2];
 *   shift x[i] = low half of (x[i+1]:x[i]) >> (x[i+2] mod 32), i+1 and i+2 modulo CM_GPU_INTEGERS;
 *   matrix D = A B + D, with A and B constant; D is accumulator i mod 2, in the parts that a lane holds. Of a sparse A,
 *   the first two of each four numbers in a row are stored. A fragment's D (wmma) is a whole matrix in the slots of a
 *   warp's threads, a row each: the lower half of the warp has accumulator 0 (of 8 rows a quarter), the next one 1.
 *
 * c and m are loaded, so that no compiler knows them.
 *
 * Accesses to memory are classes, too: access.c has the instructions of each. */
#ifndef CM_KERNELS_GPU_GPU_H
#define CM_KERNELS_GPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <catmint/error.h>

#include "cat-kernels/gpu/classes.h"
#include "gpu/gpu.h"

typedef enum cm_gpu_class {
#define ROW(id, name, type, vendors, words) CM_GPU_##id,
    CM_GPU_CLASS_ROWS(ROW)
#undef ROW
        CM_GPU_COMPUTING, /* the classes above have facts of their own; accesses to memory have facts in common */
    CM_GPU_BEFORE_ACCESSES = CM_GPU_COMPUTING - 1,
#define ROW(id, name, kind, bytes, stride, place, words) CM_GPU_##id,
    CM_GPU_ACCESS_ROWS(ROW)
#undef ROW
        CM_GPU_SECTIONS, /* as those of accesses: facts in common */
    CM_GPU_BEFORE_SECTIONS = CM_GPU_SECTIONS - 1,
#define ROW(id, name, vendors, way, mask, words) CM_GPU_##id,
    CM_GPU_SECTION_ROWS(ROW)
#undef ROW
        CM_GPU_CLASSES
} cm_gpu_class;

typedef enum cm_gpu_type {
#define ROW(id) CM_GPU_TYPE_##id,
    CM_GPU_TYPE_ROWS(ROW)
#undef ROW
        CM_GPU_TYPES
} cm_gpu_type;

typedef struct cm_gpu_class_row {
    const char *name, *words;
    cm_gpu_type type;
    unsigned vendors; /* bits of cm_gpu_vendor */
} cm_gpu_class_row;

extern const cm_gpu_class_row cm_gpu_class_table[CM_GPU_CLASSES];

enum {
    CM_GPU_CHAINS = 4,   /* accumulators of each type, */
    CM_GPU_INTEGERS = 5, /* of integers, so that an instruction of three inputs does not have all of them */
    CM_GPU_MOST_PIECES = 512,
};

#define CM_GPU_NOBODY (1u << 31)

/* Whether a thread of a block executes the loop. */
static inline bool cm_gpu_enters(unsigned mask, unsigned thread)
{
    return mask != CM_GPU_NOBODY && (thread & mask) == 0;
}

/* An instruction, `count` times. */
typedef struct cm_gpu_piece {
    cm_gpu_class class;
    unsigned count;
} cm_gpu_piece;

/* The benchmarks; a family's kernels load and store the accumulators of its types, all of them. */
typedef enum cm_gpu_family {
    CM_GPU_FLOPS,
    CM_GPU_MATRIX,
    CM_GPU_MEMORY,
    CM_GPU_INSTRUCTIONS,
    CM_GPU_FAMILIES
} cm_gpu_family;

extern const char *const cm_gpu_benchmarks[CM_GPU_FAMILIES]; /* "gpu-flops", "gpu-matrix" ... */

typedef struct cm_gpu_kernel {
    const char *name; /* "A_H.24": the row of the basis */
    const cm_gpu_piece *pieces;
    size_t piece_count;
    unsigned vendors; /* vendors that these facts are for; 0: all that have its instructions */
    unsigned mask;    /* threads of a block whose number has one of these bits skip the loop; below 64. 0: no thread
                       * does; CM_GPU_NOBODY: all do. Whole warps work on matrices: then it has no bit below 32 */
    cm_gpu_family family;
} cm_gpu_kernel;

/* All kernels, benchmark by benchmark in the order of its basis, followed by controls, the last of them "nothing",
 * whose loop no thread enters (on NVIDIA's GPUs it has none), and "empty", whose loop has no piece. */
extern const cm_gpu_kernel cm_gpu_kernel_table[];
extern const size_t cm_gpu_kernel_table_size;
/* The first of that name; NULL if there is none. */
const cm_gpu_kernel *cm_gpu_kernel_find(const char *name);
/* The vendors that have all its instructions. */
unsigned cm_gpu_kernel_vendors(const cm_gpu_kernel *kernel);

/* ---- products of matrices ---- */

/* The types of the elements of A and B; the second is that of D, if one type of A has several. */
typedef enum cm_gpu_elements {
    CM_GPU_F16,
    CM_GPU_F16_F16,
    CM_GPU_BF16,
    CM_GPU_TF32,
    CM_GPU_F32,
    CM_GPU_F64,
    CM_GPU_I8,
    CM_GPU_F8,
    CM_GPU_ELEMENTS
} cm_gpu_elements;

/* The operations of one instruction of a warp or wavefront, multiplications and additions, 2 m n k; 0: it is no product
 * of matrices, or of sparse ones, of which documents do not say how many they are, or a GPU executes it as products of
 * another type, as Hopper mma.sync in FP8. */
unsigned cm_gpu_matrix_operations(cm_gpu_vendor vendor, cm_gpu_class class, cm_gpu_elements *elements);
/* How many products each of its sums has; of sparse ones those that are not zero. 0: it is no product of matrices. */
unsigned cm_gpu_matrix_depth(cm_gpu_vendor vendor, cm_gpu_class class);
/* Rows of a matrix whose fragments a warp loads and stores together (wmma), and the slots of a row; 0: of no such type.
 */
typedef struct cm_gpu_fragment {
    unsigned rows, slots;
} cm_gpu_fragment;
cm_gpu_fragment cm_gpu_fragment_of(cm_gpu_type type);
/* The first family whose kernels have the class. */
cm_gpu_family cm_gpu_family_of(cm_gpu_class class);
/* Whether all lanes of a warp work on it together. */
bool cm_gpu_is_matrix(cm_gpu_class class);
/* Whether four warps work on it together (wgmma), A and B are in shared memory, and such pieces stand between fences
 * and waits, CM_GPU_SYNCS of them. */
bool cm_gpu_is_of_groups(cm_gpu_class class);
/* Whether D is both accumulators of the type. */
bool cm_gpu_is_wide(cm_gpu_class class);
enum { CM_GPU_SYNCS = 4, CM_GPU_GROUP = 128 /* threads */ };

/* ---- accesses to memory ---- */

typedef enum cm_gpu_kind { CM_GPU_KIND_LOAD, CM_GPU_KIND_CHASE, CM_GPU_KIND_STORE, CM_GPU_KIND_REDUCE } cm_gpu_kind;
/* The first three in the order of the facts of loads from L1, L2 and memory. */
typedef enum cm_gpu_place {
    CM_GPU_PLACE_NEAR,
    CM_GPU_PLACE_FAR,
    CM_GPU_PLACE_STREAM,
    CM_GPU_PLACE_SHARED
} cm_gpu_place;

typedef struct cm_gpu_access {
    cm_gpu_kind kind;
    cm_gpu_place place;
    unsigned bytes, stride; /* of a lane; from a lane to the next */
} cm_gpu_access;

/* Each warp has regions of its own: for near and far loads, stores and reductions, one after another; and a stream.
 * Blocks have a region of shared memory. */
enum {
    CM_GPU_REGION = 8 << 10,
    CM_GPU_REGIONS_AT = 1 << 20, /* in the kernel's memory, */
    CM_GPU_REGIONS = 64 << 10,   /* and bytes from a warp's to the next one's */
    CM_GPU_STREAMS_AT = 16 << 20,
    CM_GPU_STREAM = 32 << 20,
    CM_GPU_STREAM_STEP = 1024, /* a stream moves on so far before each access; where it is, a thread loads before the */
    CM_GPU_CURSOR_AT = 512,    /* loop and stores after it, in its first slot, which no type has */
};

/* NULL: the class computes. */
const cm_gpu_access *cm_gpu_access_of(cm_gpu_class class);
/* Bytes that the address of access number `turn` of its class in a turn of the loop is behind the region's begin. */
unsigned cm_gpu_access_shift(const cm_gpu_access *access, unsigned turn);
/* The begin of the region, in bytes behind the first; 0 for streams and shared memory, too. */
unsigned cm_gpu_access_region(const cm_gpu_access *access);

/* Instructions on integers that come with an access. */
typedef struct cm_gpu_beside {
    unsigned add, logic, multiply;
} cm_gpu_beside;

cm_gpu_beside cm_gpu_access_beside(const cm_gpu_access *access, cm_gpu_vendor vendor);

/* The bytes that caches load and store at a time. */
typedef struct cm_gpu_sectors {
    unsigned loaded, stored;
} cm_gpu_sectors;

cm_gpu_sectors cm_gpu_sectors_of(cm_gpu_vendor vendor, unsigned target);

/* Facts of accesses, in cm_fact's order from CM_FACT_GPU_LOAD_REQUESTS on: requests are instructions of a warp, bytes
 * are those that threads ask for and those that a level moves. */
typedef enum cm_gpu_access_fact {
    CM_GPU_LOAD_REQUESTS,
    CM_GPU_STORE_REQUESTS,
    CM_GPU_ATOMIC_REQUESTS,
    CM_GPU_ASKED_LOAD_BYTES,
    CM_GPU_ASKED_STORE_BYTES,
    CM_GPU_L1_LOAD_HIT_BYTES,
    CM_GPU_L2_LOAD_HIT_BYTES,
    CM_GPU_L2_LOAD_MISS_BYTES,
    CM_GPU_L2_STORE_HIT_BYTES,
    CM_GPU_L2_STORE_MISS_BYTES,
    CM_GPU_L2_ATOMIC_BYTES,
    CM_GPU_SHARED_LOAD_REQUESTS,
    CM_GPU_SHARED_STORE_REQUESTS,
    CM_GPU_SHARED_LOAD_TRANSACTIONS,
    CM_GPU_SHARED_STORE_TRANSACTIONS,
    CM_GPU_SHARED_LOAD_CONFLICTS,
    CM_GPU_SHARED_STORE_CONFLICTS,
    CM_GPU_ACCESS_FACTS
} cm_gpu_access_fact;

/* Adds the facts of one access by the active lanes of a warp. */
void cm_gpu_access_facts(const cm_gpu_access *access, uint64_t active, const cm_gpu_sectors *sectors, uint64_t *facts);

/* ---- sections: parts that some threads of a warp execute, or a wavefront once ---- */

typedef enum cm_gpu_way {
    CM_GPU_WAY_TAKEN,
    CM_GPU_WAY_NOT_TAKEN,
    CM_GPU_WAY_TESTED,
    CM_GPU_WAY_PART,
    CM_GPU_WAY_SCALAR,
    CM_GPU_WAY_SCALAR_LOAD
} cm_gpu_way;

typedef struct cm_gpu_section {
    cm_gpu_way way;
    unsigned mask; /* of threads that are left out */
} cm_gpu_section;

enum { CM_GPU_INSIDE = 4, CM_GPU_SECTION_LANES = 1 | 3 | 16 /* the bits of all masks */ };

/* NULL: the class is no section. */
const cm_gpu_section *cm_gpu_section_of(cm_gpu_class class);

/* Facts of warps and their lanes, in cm_fact's order from CM_FACT_GPU_LANES on. In threads, as NVIDIA's program: a
 * branch counts for all lanes of its warp, active or not; threads whose predicate is false; lanes of a warp that leave
 * an instruction out. In warps: branches whose threads go different ways. In lanes of AMD's wavefronts: those that a
 * vector instruction leaves out. In wavefronts: scalar instructions beside the loop's, scalar loads, vector
 * instructions. */
typedef enum cm_gpu_lane_fact {
    CM_GPU_BRANCH_SLOTS,
    CM_GPU_OFF_THREADS,
    CM_GPU_IDLE_THREADS,
    CM_GPU_DIVERGENT_BRANCHES,
    CM_GPU_IDLE_LANES,
    CM_GPU_SCALARS,
    CM_GPU_SCALAR_LOADS,
    CM_GPU_VECTORS,
    CM_GPU_LANE_FACTS
} cm_gpu_lane_fact;

/* Adds these facts of a whole launch; on NVIDIA's GPUs with those of the branches around the loop. */
void cm_gpu_lane_facts(const cm_gpu_kernel *kernel, const cm_gpu_launch *launch, cm_gpu_vendor vendor, uint64_t *facts);

/* ---- facts ---- */

/* The unit whose executions are counted. */
typedef enum cm_gpu_unit {
    CM_GPU_THREADS, /* each active thread, a lane */
    CM_GPU_WARPS,   /* each warp or wavefront, if any of its lanes is active */
} cm_gpu_unit;

/* The unit of the vendor's program: PTX is a thread's, AMDGPU assembly a wavefront's. Facts like "gpu_h_add" are in it.
 */
cm_gpu_unit cm_gpu_program_unit(cm_gpu_vendor vendor);

/* Adds the facts of one turn of thread `thread` of a block, none if it skips the loop; `counts`: CM_GPU_CLASSES. They
 * include the turn's own addition, comparison and branch, and the instructions beside accesses to memory. */
void cm_gpu_thread_facts(const cm_gpu_kernel *kernel, unsigned thread, uint64_t *counts);
/* Adds the facts of one turn of one warp of `warp` lanes that begins with thread `first`, in that unit. */
void cm_gpu_warp_facts(const cm_gpu_kernel *kernel, unsigned first, unsigned warp, cm_gpu_unit unit, uint64_t *counts);
/* Adds the facts of the loops of a whole launch. In the unit of threads, NVIDIA's, branches are those taken: past the
 * loop or behind it, and none in a thread's last turn; in that of NVIDIA's warps with the one behind the loop. */
void cm_gpu_launch_facts(const cm_gpu_kernel *kernel, const cm_gpu_launch *launch, unsigned warp, cm_gpu_unit unit,
                         uint64_t *counts);

/* The launch of a run of so many iterations. An iteration is a turn of one thread on NVIDIA's GPUs, of one wavefront on
 * AMD's: so one iteration has the facts of bases/gpu/facts.csv on both. `iterations` is a multiple of
 * CM_GPU_ITERATIONS. A block of NVIDIA's has four warps but in gpu-flops, so that groups of warps are whole. */
enum { CM_GPU_ITERATIONS = 256 };
cm_gpu_launch cm_gpu_launch_of(cm_gpu_vendor vendor, cm_gpu_family family, uint64_t iterations);

/* ---- memory: parameters are its address (64 bits) and the turns (32 bits, at least 1) ---- */

/* It begins with the input of all threads: from CM_GPU_INPUT_AT(type) on the type's c and m, 8 bytes each; for matrices
 * A and B, which all lanes fill with the same number. Then each thread, by its number in the launch, has its
 * bytes: accumulator i of a type in 8 bytes at CM_GPU_SLOT(type, i), which it loads before the loop and stores after
 * it. */
#define CM_GPU_INPUT_AT(type) (16 * (size_t)(type))
#define CM_GPU_SLOT(type, i) (64 * (size_t)(type) + 8 * (size_t)(i))
enum { CM_GPU_INPUT = 256, CM_GPU_OUTPUT = 1024, CM_GPU_SLOTS = 8 };

/* The memory of a family's kernels: its types, the first of all, and the bytes of the input and of a thread, which are
 * CM_GPU_INPUT and CM_GPU_OUTPUT for gpu-flops. */
typedef struct cm_gpu_layout {
    size_t types, input, output;
} cm_gpu_layout;

const cm_gpu_layout *cm_gpu_layout_of(cm_gpu_family family);

/* Bytes for so many threads, and their contents before a launch. */
size_t cm_gpu_memory_size(cm_gpu_family family, const cm_gpu_launch *launch);
/* The same, with the regions and streams of accesses behind it, whose contents are of no matter. */
size_t cm_gpu_memory_capacity(cm_gpu_family family, const cm_gpu_launch *launch);
void cm_gpu_memory_fill(cm_gpu_family family, const cm_gpu_launch *launch, void *memory);

/* ---- code ---- */

enum { CM_GPU_ENTRY_SIZE = 64 };
/* The kernel's name in code, which profilers show: "catmint_A_H_24". */
void cm_gpu_entry(const cm_gpu_kernel *kernel, char *entry, size_t size);

/* The parts of PTX for accesses: before the loop, in it, and after it. Each kernel of the family loads its near and far
 * regions before the loop, so that they are in L1 and L2. */
void cm_gpu_ptx_before_accesses(FILE *to);
void cm_gpu_ptx_access(FILE *to, const cm_gpu_access *access, unsigned turn);
void cm_gpu_ptx_after_accesses(FILE *to);

/* Of products of groups of warps: before the loop, each warp stores A and B of the types in shared memory behind the
 * region of accesses, and finds the descriptions of both in %<type>_A and %<type>_B; and the instructions around a
 * piece. */
enum { CM_GPU_GROUP_AREA = 2560, CM_GPU_GROUP_TYPES = 7 };
void cm_gpu_ptx_before_groups(FILE *to, const char *const types[CM_GPU_GROUP_TYPES]);
void cm_gpu_ptx_begin_group(FILE *to);
void cm_gpu_ptx_end_group(FILE *to);

/* PTX for the target, to be freed. CM_UNSUPPORTED if the target lacks an instruction. */
cm_status cm_gpu_ptx(const cm_gpu_kernel *kernel, unsigned target, char **text, cm_error *error);
/* Whether the target has the class: newer targets have all classes of older ones, but for products of groups. */
bool cm_gpu_ptx_has(cm_gpu_class class, unsigned target);
/* Assembly for LLVM, to be freed, with the same error; `target` is "gfx90a" or "gfx942". */
cm_status cm_gpu_amdgpu(const cm_gpu_kernel *kernel, const char *target, char **text, cm_error *error);

#endif
