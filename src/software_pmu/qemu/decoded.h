/* A decoded instruction, as far as it is counted, and the functions that a processor gives to the plugin. */
#ifndef CM_SOFTWARE_PMU_QEMU_DECODED_H
#define CM_SOFTWARE_PMU_QEMU_DECODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "software_pmu/machine/facts.h"
#include "software_pmu/machine/flow.h"
#include "software_pmu/qemu/registers.h"

enum {
    CM_DECODED_FACTS = 6,
    CM_DECODED_ACCESSES = 4,
    CM_CODE_LONGEST = 16, /* most bytes of an instruction */
    CM_VECTOR_MASKS = 8,
};

typedef enum cm_decoded_kind {
    CM_DECODED_PLAIN,
    CM_DECODED_CONDITIONAL, /* one whose target is in a register has no target */
    CM_DECODED_JUMP,
    CM_DECODED_JUMP_INDIRECT,
    CM_DECODED_CALL,
    CM_DECODED_CALL_INDIRECT,
    CM_DECODED_RETURN,
    CM_DECODED_WALL, /* barriers and system calls: no path goes beyond them */
} cm_decoded_kind;

/* An access to one place in memory, even if QEMU splits it: a pair, a structure and a whole vector are one. */
typedef struct cm_decoded_access {
    uint16_t bytes;
    bool load, store;
    bool locked; /* an atomic operation, which loads and stores */
    bool non_temporal;
    bool scattered; /* elements at separate places: each is an access */
} cm_decoded_access;

/* The state of scalable vectors after the code so far, as far as the code alone determines it; 0 means unknown, and
 * each decoder defines the other numbers. */
typedef struct cm_vectors {
    uint16_t bits;                   /* their length; 0: there are none */
    uint16_t type;                   /* of their elements, and the number of registers of one vector */
    uint16_t active;                 /* lanes of the next instruction */
    uint16_t masks[CM_VECTOR_MASKS]; /* lanes of each mask */
} cm_vectors;

/* Loads or stores whose address QEMU does not report: `count` of as many bytes each. */
typedef struct cm_decoded_unplaced {
    uint16_t count, bytes;
    bool store;
} cm_decoded_unplaced;

/* The members that counting reads stand in front, in one line of a cache. */
enum { CM_DECODED_LINE = 64 };

typedef struct cm_decoded {
    cm_decoded_access accesses[CM_DECODED_ACCESSES];
    uint16_t place; /* in its block; set by the plugin */
    uint8_t access_count;
    uint8_t length; /* in bytes */
    cm_decoded_kind kind;
    uint64_t address;
    uint64_t target; /* of a direct branch; 0: none */
    uint16_t facts[CM_DECODED_FACTS];
    uint8_t fact_count;
    cm_fusible fusible;
    cm_operations operations;
    bool repeated;                /* while it is repeated it is its own next instruction, and counts once */
    bool scalable;                /* its counts depend on `vectors`, or it changes them */
    uint16_t lanes_fact, lanes;   /* active lanes, and their fact; 0 lanes if they are unknown */
    uint8_t predicate, mask_lane; /* that decides about them, and the bytes of a lane */
    cm_decoded_unplaced unplaced;
    cm_vectors vectors; /* state of scalable vectors after it */
} cm_decoded;

/* ---- functions of a processor's directory ---- */

/* `code`: CM_CODE_LONGEST bytes; unknown ones at the end are zeros. */
void cm_decode(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded);
/* The same by name, in the program. */
void cm_decode_aarch64(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded);
void cm_decode_riscv64(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded);
void cm_decode_flow(const void *code, cm_flow *flow);
/* False: the decoder knows neither the new values of registers nor prefetches. `vector_bits`: of scalable vectors. */
bool cm_decode_effect(uint64_t address, const void *code, unsigned vector_bits, cm_effect *effect);

/* ---- for decoders ---- */

static inline uint32_t cm_code_bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static inline void cm_decoded_add(cm_decoded *decoded, size_t fact)
{
    decoded->facts[decoded->fact_count++] = (uint16_t)fact;
}

/* Words of instructions that add one fact. */
typedef struct cm_decoded_row {
    uint32_t mask, value;
    uint16_t fact;
} cm_decoded_row;

/* Adds the fact of the first row that fits; false: none fits. */
bool cm_decoded_find(uint32_t word, const cm_decoded_row *rows, size_t count, cm_decoded *decoded);

/* For decoders whose instructions have at most one access; 0 bytes: none. */
void cm_decoded_load(cm_decoded *decoded, unsigned bytes);
void cm_decoded_store(cm_decoded *decoded, unsigned bytes);

/* Adds the facts of a branch of this kind, except those of its outcome. */
void cm_decoded_branch(cm_decoded *decoded, cm_decoded_kind kind);

/* Operations on floating point; 0: none that counts. */
typedef enum cm_decoded_operation {
    CM_DECODED_ADD = CM_FP_ADD,
    CM_DECODED_SUB = CM_FP_SUB,
    CM_DECODED_MUL = CM_FP_MUL,
    CM_DECODED_DIV = CM_FP_DIV,
    CM_DECODED_SQRT = CM_FP_SQRT,
    CM_DECODED_FMA = CM_FP_FMA,
    CM_DECODED_OTHER = CM_FP_OTHER,
    CM_DECODED_MINMAX,
    CM_DECODED_ESTIMATE,
    CM_DECODED_COMPARE,
    CM_DECODED_CONVERT,
} cm_decoded_operation;

/* Comparisons and conversions have one fact each, for any precision and width. */
void cm_decoded_fp(cm_decoded *decoded, cm_decoded_operation operation, cm_fp_precision precision, cm_fp_width width);

/* The width of arithmetic on scalable vectors of so many bits. */
cm_fp_width cm_scalable_width(unsigned bits);
/* The active lanes of arithmetic on scalable vectors; CM_LANES_UNKNOWN if the code alone does not determine them. */
enum { CM_LANES_UNKNOWN = UINT16_MAX };
void cm_decoded_lanes(cm_decoded *decoded, cm_decoded_operation operation, cm_fp_precision precision, unsigned lanes);

/* Loads or stores of vectors at unknown addresses; none if `bytes` is 0. */
void cm_decoded_unplace(cm_decoded *decoded, bool store, unsigned count, unsigned bytes);

#endif
