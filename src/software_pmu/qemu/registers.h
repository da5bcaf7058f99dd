/* Values of general registers, as far as the code and the addresses that QEMU reports tell them: QEMU reports neither
 * registers nor the addresses of prefetches and of scalable vectors. An access tells a register of its address and the
 * value that it loads, and moves, sums and the like carry values on. */
#ifndef CM_SOFTWARE_PMU_QEMU_REGISTERS_H
#define CM_SOFTWARE_PMU_QEMU_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    bool index_signed;
    bool stores;
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

#endif
