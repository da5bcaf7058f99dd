/* Reads and executes the subset of PTX that catmint's kernels need. The lanes of a warp, 32, execute each instruction
 * together, those whose predicate is true. */
#ifndef CM_SOFTWARE_PMU_GPU_PTX_H
#define CM_SOFTWARE_PMU_GPU_PTX_H

#include "software_pmu/gpu/hierarchy.h"

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

#endif
