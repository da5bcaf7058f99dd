/* A decoded instruction, as far as it is counted, and the functions that a processor gives to the plugin. */
#ifndef CM_SOFTWARE_PMU_QEMU_DECODED_H
#define CM_SOFTWARE_PMU_QEMU_DECODED_H

#include "software_pmu/machine/flow.h"

/* ---- Values of general registers, as far as the code and the addresses that QEMU reports tell them: QEMU reports
 * neither registers nor the addresses of prefetches and of scalable vectors. An access tells a register of its address
 * and the value that it loads, and moves, sums and the like carry values on ---- */

enum {
    CM_EFFECT_REGISTERS = 32,
    CM_EFFECT_PREDICATES = 16,
    CM_EFFECT_STACK = 4,  /* x86-64's stack pointer */
    CM_EFFECT_ANSWER = 0, /* rax or x0, in which the kernel answers */
    CM_EFFECT_NONE = 0xFF
};

/* base + part of index * part of factor * scale + displacement; a register may be CM_EFFECT_NONE. */
typedef struct cm_effect_sum {
    uint8_t base, index;
    int64_t scale, displacement;
    uint8_t from, width; /* bits of the part; width 0: all */
    bool is_signed;      /* the part's highest bit is its sign */
    bool multiplies;     /* else there is no factor */
    uint8_t factor;
} cm_effect_sum;

/* Registers that the instruction's access loads, from one place behind the other in memory. */
typedef struct cm_effect_load {
    uint8_t count, registers[2]; /* CM_EFFECT_NONE: thrown away */
    uint8_t bytes;               /* of each */
    bool is_signed;
    uint64_t mask; /* of the registers' new values */
} cm_effect_load;

/* The predicate of scalable vectors that an instruction sets: its first lanes are active, and no others. */
typedef enum cm_predicate_kind {
    CM_PREDICATE_NONE,
    CM_PREDICATE_LANES, /* so many */
    CM_PREDICATE_COPY,
    CM_PREDICATE_WHILE, /* as long as a counter is below a limit */
} cm_predicate_kind;

typedef struct cm_effect_predicate {
    uint8_t kind, sets;
    uint8_t size;           /* bytes of a lane */
    uint16_t lanes;         /* COPY: the copied predicate; WHILE: all lanes */
    uint8_t counter, limit; /* registers */
    bool is_signed, is_word, includes_limit;
} cm_effect_predicate;

/* The effect of an instruction on the lanes of scalable vectors. */
typedef enum cm_scalable_kind {
    CM_SCALABLE_NONE,
    CM_SCALABLE_ARITHMETIC, /* in active lanes, which `fact` counts */
    CM_SCALABLE_CONTIGUOUS, /* an access at `address` */
    CM_SCALABLE_GATHERED,   /* an access each active lane, at `address` plus its index */
} cm_scalable_kind;

typedef struct cm_effect_scalable {
    uint8_t kind, predicate; /* CM_EFFECT_NONE: all lanes are active */
    uint8_t lane, bytes;     /* of a lane, and of its element in memory */
    uint8_t vectors;         /* of an access: registers that it loads or stores */
    uint8_t indices, shift;  /* a register of vectors; the bits by which its elements are shifted */
    uint8_t index_bits;      /* of an index, which has a sign or not */
    bool index_signed, stores;
    uint16_t fact, all; /* all lanes, or bytes of an access without lanes of its own */
} cm_effect_scalable;

/* An instruction's effect on registers. */
typedef struct cm_effect {
    uint32_t forgets; /* registers that it writes, a bit each */
    uint8_t sets;     /* the one that becomes `value` & `mask`, CM_EFFECT_NONE: none */
    bool has_address; /* `address` is that of its only access, or of a prefetch */
    uint8_t hint;     /* cm_hint */
    cm_effect_sum value, address;
    uint64_t mask;       /* of `value` */
    cm_effect_load load; /* count 0: it loads nothing that becomes a general register */
    uint32_t forgets_vectors, forgets_predicates;
    cm_effect_predicate predicate;
    cm_effect_scalable scalable;
    uint8_t fills;  /* the vector whose lanes a contiguous access loads, CM_EFFECT_NONE: none */
    bool is_signed; /* these elements have signs */
} cm_effect;

/* Elements in memory that a vector has been loaded from. */
typedef struct cm_vector_source {
    uint64_t address;
    uint8_t bytes;
    bool is_signed;
} cm_vector_source;

/* A thread's registers, in the block that runs. */
typedef struct cm_registers {
    uint32_t known; /* a bit each */
    uint64_t values[CM_EFFECT_REGISTERS];
    const cm_effect *effects; /* of the block; NULL: none runs */
    size_t at, count;         /* the next effect, and the end */
    size_t loaded_at;         /* the place that `loaded` is of; `count`: of none */
    uint64_t loaded[2];
    uint32_t known_vectors, known_predicates;
    cm_vector_source vectors[CM_EFFECT_REGISTERS];
    uint16_t active[CM_EFFECT_PREDICATES]; /* bytes of the active lanes */
    uint8_t sizes[CM_EFFECT_PREDICATES];   /* bytes of a lane */
} cm_registers;

static inline void cm_registers_forget(cm_registers *registers)
{
    registers->known = registers->known_vectors = registers->known_predicates = 0;
    registers->effects = NULL;
}

/* Counting begins with this stack pointer, and nothing else is known. */
void cm_registers_start(cm_registers *registers, uint64_t stack);
/* A block begins, with these effects. */
void cm_registers_begin(cm_registers *registers, const cm_effect *effects, size_t count);
/* The kernel has answered the system call that ended the block. */
void cm_registers_answer(cm_registers *registers, uint64_t result);
/* The instruction at this place of the block accesses memory at the address, which holds these bytes. */
void cm_registers_learn(cm_registers *registers, size_t place, uint64_t address, const void *bytes);
/* The address of the access or prefetch at this place; false: it is unknown. */
bool cm_registers_address(cm_registers *registers, size_t place, uint64_t *address);
/* The active lanes of the scalable vectors that it works on; false: they are unknown, or not the first ones. */
bool cm_registers_lanes(cm_registers *registers, size_t place, unsigned *lanes);
/* The address of an active lane of a gather or scatter; false: it is unknown. */
bool cm_registers_element(cm_registers *registers, size_t place, unsigned lane, const char *memory, uint64_t *address);

/* ---- shared ---- */

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

/* ---- the functions that a processor's directory gives to the part of catmint that runs under QEMU ---- */

/* Its name in scripts/foreign and QEMU. */
extern const char *const cm_guest_architecture;

/* Bits of a scalable vector, 0: there are none. */
unsigned cm_guest_vector_bits(void);

/* Ticks of the processor's timer. */
uint64_t cm_guest_timer(void);

/* counted_call.S: starts counting, calls, stops. The plugin does not count its own instructions. */
void cm_counted_call(void (*function)(void *), void *argument, uint64_t number, uint64_t *facts);
extern const char cm_counted_call_return[], cm_counted_call_end[];

#endif
