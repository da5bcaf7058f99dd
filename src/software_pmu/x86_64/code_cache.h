/* Code caches: executable memory that holds single instructions, each followed by a jump to the switch's exit.
 *
 * A cache lies near the code it serves, since an operand relative to RIP must be reached from the copy, too. Memory is
 * writable or executable, never both at a time. */
#ifndef CM_SOFTWARE_PMU_X86_64_CODE_CACHE_H
#define CM_SOFTWARE_PMU_X86_64_CODE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#include "software_pmu/x86_64/context.h"

enum { CM_INSTRUCTION_SIZE = 15 };

typedef struct cm_code_cache cm_code_cache;

/* A copy that can be executed: slot.enter(context, slot.code) runs the one instruction. */
typedef struct cm_slot {
    void (*enter)(cm_context *context, const void *code);
    const void *code; /* NULL: not placed yet */
} cm_slot;

typedef struct cm_code_caches {
    cm_code_cache *first;
} cm_code_caches;

/* Copies an instruction of `length` bytes from `address`. `displacement_offset`: where its 32-bit displacement relative
 * to RIP lies, 0 if it has none; `target` is what it points to. CM_UNSUPPORTED where no executable memory is to be had
 * (within reach). */
cm_status cm_code_caches_place(cm_code_caches *caches, uint64_t address, const unsigned char *instruction,
                               size_t length, size_t displacement_offset, uint64_t target, cm_slot *slot,
                               cm_error *error);

/* Makes sure that there is one, near `address`. */
cm_status cm_code_caches_prepare(cm_code_caches *caches, uint64_t address, cm_error *error);

void cm_code_caches_clear(cm_code_caches *caches);

#endif
