/* Values of general registers, as far as the code and the addresses that QEMU reports tell them: QEMU reports neither
 * registers nor the addresses of prefetches. An access tells a register of its address, and moves, sums and the like
 * carry values on. */
#ifndef CM_SOFTWARE_PMU_QEMU_REGISTERS_H
#define CM_SOFTWARE_PMU_QEMU_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CM_EFFECT_REGISTERS = 32, CM_EFFECT_STACK = 4 /* x86-64's stack pointer */, CM_EFFECT_NONE = 0xFF };

/* base + index * scale + displacement; a register may be CM_EFFECT_NONE. */
typedef struct cm_effect_sum {
    uint8_t base, index, scale;
    int64_t displacement;
} cm_effect_sum;

/* An instruction's effect on registers. */
typedef struct cm_effect {
    uint32_t forgets; /* registers that it writes, a bit each */
    uint8_t sets;     /* the one that becomes `value` & `mask`, CM_EFFECT_NONE: none */
    bool has_address; /* `address` is that of its only access, or of a prefetch */
    uint8_t hint;     /* cm_hint */
    cm_effect_sum value, address;
    uint64_t mask;
} cm_effect;

/* A thread's registers, in the block that runs. */
typedef struct cm_registers {
    uint32_t known; /* a bit each */
    uint64_t values[CM_EFFECT_REGISTERS];
    const cm_effect *effects; /* of the block; NULL: none runs */
    size_t at, count;         /* the next effect, and the end */
} cm_registers;

static inline void cm_registers_forget(cm_registers *registers)
{
    registers->known = 0;
    registers->effects = NULL;
}

/* Counting begins with this stack pointer, and nothing else is known. */
void cm_registers_start(cm_registers *registers, uint64_t stack);
/* A block begins, with these effects. */
void cm_registers_begin(cm_registers *registers, const cm_effect *effects, size_t count);
/* The instruction at this place of the block accesses memory at the address. */
void cm_registers_learn(cm_registers *registers, size_t place, uint64_t address);
/* The address of the prefetch at this place; false: it is unknown. */
bool cm_registers_address(cm_registers *registers, size_t place, uint64_t *address);

#endif
