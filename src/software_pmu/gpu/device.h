/* The device of the software GPU: its memory hierarchy, and what executes kernels on it: PTX, or wavefronts by their
 * description. */
#ifndef CM_SOFTWARE_PMU_GPU_DEVICE_H
#define CM_SOFTWARE_PMU_GPU_DEVICE_H

#include "software_pmu/machine/facts.h"

/* ---- hierarchy.c ---- */

/* The memory hierarchy of a software GPU's device: a first cache for each block, a second one for all, both of lines
 * with sectors, least recently used; and shared memory in 32 banks of 4 bytes. Loads go through both caches, or past
 * the first; stores and atomic additions go to the second. A sector that misses comes from the next level alone. Both
 * caches are empty when a launch begins, as a profiler leaves them that flushes caches before each kernel. */

enum { CM_HIERARCHY_LANES = 64 };

typedef enum cm_hierarchy_way {
    CM_WAY_LOAD,
    CM_WAY_LOAD_FAR, /* past the first cache */
    CM_WAY_STORE,
    CM_WAY_REDUCE,
    CM_WAY_SHARED_LOAD,
    CM_WAY_SHARED_STORE,
} cm_hierarchy_way;

typedef struct cm_hierarchy cm_hierarchy;

/* A machine without line_size gets caches that the kernels' regions fit into. NULL if memory runs out. Free with
 * cm_hierarchy_free. */
cm_hierarchy *cm_hierarchy_create(const cm_pmu_machine *machine);
void cm_hierarchy_free(cm_hierarchy *hierarchy); /* accepts NULL */

/* A launch empties both caches, a block the first one alone. */
void cm_hierarchy_begin_launch(cm_hierarchy *hierarchy);
void cm_hierarchy_begin_block(cm_hierarchy *hierarchy);

/* An access of `bytes` at each of `count` addresses, of a warp's active lanes; `lanes` says which of its lanes each is
 * of. Adds to the facts; none if count is 0. */
void cm_hierarchy_access(cm_hierarchy *hierarchy, cm_hierarchy_way way, unsigned bytes, const uint64_t *addresses,
                         const unsigned *lanes, unsigned count, uint64_t *facts);

/* ---- entry points that the software GPU adds to the driver's: its facts, in cm_fact's order, of one build ---- */

/* Sets the devices; call it before the driver's entry points. */
typedef void cm_software_gpu_configure_function(const cm_pmu_machine *machine);
/* CM_FACT_COUNT values that grow from 0 as the device executes; NULL past the last device. The pointer stays valid. */
typedef const uint64_t *cm_software_gpu_facts_function(unsigned device);

#define CM_SOFTWARE_GPU_CONFIGURE "cm_software_gpu_configure"
#define CM_SOFTWARE_GPU_FACTS "cm_software_gpu_facts"

/* Shared by the library's parts. */
cm_software_gpu_configure_function cm_software_gpu_configure;
cm_software_gpu_facts_function cm_software_gpu_facts;

enum { CM_SOFTWARE_GPU_DEVICES = 8 };

/* The machine as configured. */
const cm_pmu_machine *cm_software_gpu_machine(void);
/* The counts of a device, and its memory hierarchy, for the code that executes; NULL if memory runs out. */
uint64_t *cm_software_gpu_counts(unsigned device);
cm_hierarchy *cm_software_gpu_hierarchy(unsigned device);

/* ---- device_memory.c: pages of the process's own memory, and whether an address belongs to one ---- */

void *cm_device_memory_create(size_t size);   /* zeros; NULL if there is no memory */
bool cm_device_memory_free(uint64_t address); /* false if there is no such piece */
/* Whether all these bytes belong to a device. */
bool cm_device_memory_reaches(uint64_t address, size_t size);

/* ---- ptx*.c ---- */

/* Reads and executes the subset of PTX that catmint's kernels need. The lanes of a warp, 32, execute each instruction
 * together, those whose predicate is true. */

enum {
    CM_PTX_WARP = 32,
    CM_PTX_OPERANDS = 8,
    CM_PTX_PARTS = 8,
    CM_PTX_NAME = 64,
    CM_PTX_PENDING = 64,
    CM_PTX_MOST_THREADS = 1024,
    CM_PTX_MOST_SHARED = 48 << 10
};

/* ---- instructions ---- */

typedef enum cm_ptx_kind {
    CM_PTX_COMPUTE, /* a register from up to three others, in each lane */
    CM_PTX_LOAD_PARAMETER,
    CM_PTX_LOAD,
    CM_PTX_LOAD_FAR, /* past L1 */
    CM_PTX_STORE,
    CM_PTX_REDUCE, /* an atomic addition */
    CM_PTX_SHARED_LOAD,
    CM_PTX_SHARED_STORE,
    CM_PTX_BRANCH,
    CM_PTX_RETURN,
    CM_PTX_MATRIX,        /* all lanes together, as */
    CM_PTX_FRAGMENT_LOAD, /* these */
    CM_PTX_FRAGMENT_STORE,
    CM_PTX_GROUP_PRODUCT,
    CM_PTX_GROUP_FENCE,
    CM_PTX_GROUP_COMMIT,
    CM_PTX_GROUP_WAIT,
    CM_PTX_PROXY_FENCE /* of shared memory, for products of groups of warps */
} cm_ptx_kind;

/* The fact of an instruction that has no class of cm_gpu_class. */
typedef enum cm_ptx_other {
    CM_PTX_OF_CLASS,
    CM_PTX_LOADS,
    CM_PTX_STORES,
    CM_PTX_SHARED_LOADS,
    CM_PTX_SHARED_STORES,
    CM_PTX_MOVES,
    CM_PTX_REST
} cm_ptx_other;

typedef enum cm_ptx_matrix { CM_PTX_A, CM_PTX_B, CM_PTX_D } cm_ptx_matrix;

typedef struct cm_ptx_form {
    const char *name; /* "add.rn.f32" */
    cm_ptx_kind kind;
    cm_ptx_other other;
    cm_gpu_class class;
    unsigned operands;
    unsigned bytes;  /* of a load or store; of a fragment the cm_ptx_matrix */
    unsigned target; /* the oldest target that has it */
    uint64_t (*compute)(uint64_t a, uint64_t b, uint64_t c);
} cm_ptx_form;

const cm_ptx_form *cm_ptx_form_find(const char *name); /* NULL if there is none */

/* D = A B + D by one warp. `d`, `a`, `b`: CM_PTX_PARTS registers of each lane, in PTX's layout of matrices. `stored`:
 * of a sparse A, which two of each four numbers in a row are stored, two bits each. */
void cm_ptx_multiply_matrices(cm_gpu_class class, uint64_t d[][CM_PTX_PARTS], uint64_t a[][CM_PTX_PARTS],
                              uint64_t b[][CM_PTX_PARTS], uint32_t stored);
/* The same of a group of four warps (wgmma), by warp `warp` of it, which has 16 of D's 64 rows. A and B are in shared
 * memory, at the places that 64 bits each describe. False: outside of it, or swizzled. */
typedef struct cm_ptx_shared {
    const unsigned char *memory;
    size_t size;
    uint64_t a, b;
    unsigned warp;
} cm_ptx_shared;
bool cm_ptx_multiply_shared(cm_gpu_class class, uint64_t d[][CM_PTX_PARTS], const cm_ptx_shared *shared);
/* Fragments (wmma): which elements a lane has, NVIDIA does not say; here as many as follow one another, row by row, of
 * B column by column, and, if registers have room for two of each, all of them twice. */
typedef struct cm_ptx_fragment {
    unsigned registers, in_one, bytes; /* of a lane; numbers in a register; bytes of a number */
} cm_ptx_fragment;
cm_ptx_fragment cm_ptx_fragment_of(cm_gpu_class class, cm_ptx_matrix matrix);
/* The place in memory of a lane's register's first number, in numbers; `stride`: from a row or column to the next. */
size_t cm_ptx_fragment_at(cm_gpu_class class, cm_ptx_matrix matrix, unsigned lane, unsigned at, size_t stride);
/* Adds the operations of such an instruction to the facts. */
void cm_ptx_count_operations(cm_gpu_class class, uint64_t *facts);

/* ---- programs ---- */

typedef enum cm_ptx_operand_kind {
    CM_PTX_NOTHING,
    CM_PTX_REGISTER,
    CM_PTX_VALUE,
    CM_PTX_ADDRESS, /* registers[0] + value */
    CM_PTX_PARAMETER,
    CM_PTX_VECTOR,  /* registers */
    CM_PTX_SPECIAL, /* a cm_ptx_special */
    CM_PTX_LABEL,
} cm_ptx_operand_kind;

typedef enum cm_ptx_special { CM_PTX_TID, CM_PTX_CTAID, CM_PTX_NTID } cm_ptx_special;

typedef struct cm_ptx_operand {
    cm_ptx_operand_kind kind;
    unsigned registers[CM_PTX_PARTS], count;
    uint64_t value; /* or the number of a parameter, special register or label */
} cm_ptx_operand;

typedef struct cm_ptx_instruction {
    const cm_ptx_form *form;
    bool predicated, negated;
    unsigned predicate;
    cm_ptx_operand operands[CM_PTX_OPERANDS];
    size_t line;
} cm_ptx_instruction;

typedef struct cm_ptx_label {
    char name[CM_PTX_NAME];
    size_t at; /* the instruction after it; SIZE_MAX: used but not yet defined */
} cm_ptx_label;

typedef struct cm_ptx_program {
    char entry[CM_PTX_NAME];
    unsigned target;
    size_t parameter_count, register_count, label_count, count;
    char parameters[4][CM_PTX_NAME];
    char shared[CM_PTX_NAME]; /* name of the variable in shared memory, at address 0 there; "": there is none */
    size_t shared_size;
    char (*registers)[CM_PTX_NAME];
    cm_ptx_label *labels;
    cm_ptx_instruction *instructions;
} cm_ptx_program;

/* `target`: of the device. NULL with the error in `log`: the text is not in the subset, or for a newer target. */
cm_ptx_program *cm_ptx_read(const char *text, unsigned target, char *log, size_t size);
void cm_ptx_free(cm_ptx_program *program); /* accepts NULL */

/* ---- execution ---- */

typedef struct cm_ptx_run {
    const cm_ptx_program *program;
    const uint64_t *parameters;
    unsigned blocks, threads;
    bool (*reaches)(uint64_t address, size_t size); /* whether these bytes are the device's memory */
    cm_hierarchy *hierarchy;
    uint64_t *facts;
} cm_ptx_run;

typedef enum cm_ptx_outcome { CM_PTX_DONE, CM_PTX_NO_MEMORY, CM_PTX_BAD_ADDRESS, CM_PTX_DIVERGED } cm_ptx_outcome;

/* A product of a group of warps that has begun. */
typedef struct cm_ptx_product {
    const cm_ptx_instruction *instruction;
    uint64_t a, b;
    bool adds;
    unsigned commit;
} cm_ptx_product;

typedef struct cm_ptx_group {
    bool written, fenced; /* shared memory since the last fence; the warp's registers */
    unsigned commits, count;
    cm_ptx_product pending[CM_PTX_PENDING];
} cm_ptx_group;

typedef struct cm_ptx_warp {
    const cm_ptx_run *run;
    unsigned block, first; /* thread of the block in lane 0 */
    uint32_t present;      /* lanes that exist, */
    uint32_t here;         /* and those at `at` */
    uint64_t (*registers)[CM_PTX_WARP];
    size_t at, places[CM_PTX_WARP], other; /* the next instruction of each of the other lanes, and the first of these */
    unsigned char *shared;                 /* the block's */
    cm_ptx_group group;
} cm_ptx_warp;

/* The operand's value in a lane. */
uint64_t cm_ptx_value_of(const cm_ptx_warp *warp, const cm_ptx_operand *operand, unsigned lane);
/* The memory that an address is in; NULL outside of the device's, or the block's, or if it is not aligned. */
unsigned char *cm_ptx_find_memory(const cm_ptx_warp *warp, bool shared, uint64_t at, size_t size);
/* Executes an instruction of all lanes of a warp together. */
cm_ptx_outcome cm_ptx_step_matrices(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active);

/* Executes all threads of all blocks, and adds to the facts. */
cm_ptx_outcome cm_ptx_execute(const cm_ptx_run *run);

/* ---- numbers as the bits of a register, and back ---- */

/* Single precision in the lower 32 bits; the others are ignored, and become 0. */
static inline float cm_single_of(uint64_t bits)
{
    float value;
    memcpy(&value, &(uint32_t){(uint32_t)bits}, sizeof value);
    return value;
}

static inline uint64_t cm_bits_of_single(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double cm_double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t cm_bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- Arithmetic in half precision and in bfloat16, correctly rounded to nearest even, without hardware for it ---- */

typedef struct cm_narrow {
    int digits;        /* of the significand, including the hidden one */
    int least;         /* exponent of the smallest normal number, 2^least */
    int most;          /* exponent of the largest */
    unsigned exponent; /* bits of the exponent */
} cm_narrow;

extern const cm_narrow cm_narrow_half, cm_narrow_bfloat16;

/* Formats of 8 bits: NVIDIA's are e4m3 and e5m2 of the "OCP 8-bit Floating Point Specification", AMD's FP8 and BF8 of
 * gfx942 have exponents larger by one, no infinity, and one NaN, which is -0 in others. */
typedef enum cm_narrow_byte { CM_NARROW_E4M3, CM_NARROW_E5M2, CM_NARROW_FP8, CM_NARROW_BF8 } cm_narrow_byte;

double cm_narrow_byte_value(cm_narrow_byte format, uint8_t bits);
double cm_narrow_value(const cm_narrow *format, uint16_t bits);
/* Rounds to the format. A sum that is no double must have been rounded to odd before. */
uint16_t cm_narrow_round(const cm_narrow *format, double value);
/* a * b + c with one rounding. */
uint16_t cm_narrow_fma(const cm_narrow *format, uint16_t a, uint16_t b, uint16_t c);
uint16_t cm_narrow_add(const cm_narrow *format, uint16_t a, uint16_t b);
uint16_t cm_narrow_subtract(const cm_narrow *format, uint16_t a, uint16_t b);
uint16_t cm_narrow_multiply(const cm_narrow *format, uint16_t a, uint16_t b);

/* ---- wavefront*.c ---- */

/* Executes kernels for AMD's GPUs by their description: wavefronts of 64 lanes. The assembly itself is not executed; a
 * test with LLVM's disassembler proves that its loop matches the description. */

enum { CM_WAVEFRONT = 64, CM_WAVEFRONT_NAME = 128, CM_WAVEFRONT_MOST_THREADS = 1024 };

/* Instructions that a wavefront executes before and after its loop, counted in the assembly. */
typedef struct cm_wavefront_around {
    uint64_t instructions, loads, stores, moves, vectors, scalars;
} cm_wavefront_around;

typedef struct cm_wavefront_program {
    char entry[CM_WAVEFRONT_NAME];
    size_t piece_count;
    unsigned mask; /* of threads that skip the loop */
    cm_gpu_family family;
    cm_gpu_piece pieces[CM_GPU_MOST_PIECES];
    cm_wavefront_around around;
} cm_wavefront_program;

/* NULL if it is not catmint's assembly, or memory runs out. Free with free(). */
cm_wavefront_program *cm_wavefront_read(const char *assembly);

typedef struct cm_wavefront_run {
    const cm_wavefront_program *program;
    uint64_t memory; /* the kernel's parameters */
    uint32_t trips;
    unsigned blocks, threads;
    cm_hierarchy *hierarchy;
    uint64_t *facts;
} cm_wavefront_run;

/* The bytes from `memory` on that the threads of such a launch reach. */
size_t cm_wavefront_reach(const cm_wavefront_run *run);
/* Executes all wavefronts, and adds to the facts. */
void cm_wavefront_execute(const cm_wavefront_run *run);

/* ---- wavefront_compute.c ---- */

/* The operands of one instruction in one lane, in the bits of its type. */
typedef struct cm_wavefront_operands {
    uint64_t *parts; /* parts of the accumulator */
    uint64_t *t;     /* result of a conversion */
    uint64_t c, m;   /* constants */
    uint64_t y, z;   /* the integers after the accumulator */
    bool back;       /* of a conversion: it converts to single precision */
} cm_wavefront_operands;

void cm_wavefront_compute(cm_gpu_class class, const cm_wavefront_operands *operands);
/* Adds the operations of so many products of matrices to the facts; none of other classes. */
void cm_wavefront_count_operations(cm_gpu_class class, uint64_t times, uint64_t *facts);

/* ---- wavefront_access.c ---- */

typedef struct cm_wavefront_access {
    const cm_wavefront_run *run;
    unsigned wave; /* number in the launch */
    unsigned lanes;
    uint64_t active; /* a bit a lane */
} cm_wavefront_access;

/* Adds vector instructions of such lanes to the facts. */
void cm_wavefront_count_vectors(const cm_wavefront_run *run, uint64_t times, uint64_t active);
/* Performs the loads of all kernels of the family before their loop. */
void cm_wavefront_warm_up(const cm_wavefront_access *place);
/* Executes and counts access number `turn` of its class in a turn. `cursors`: the place of each lane's stream. */
void cm_wavefront_execute_access(const cm_wavefront_access *place, const cm_gpu_access *access, unsigned turn,
                                 uint32_t *cursors);

#endif
