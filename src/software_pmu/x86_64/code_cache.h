/* Code caches: executable memory that holds copies of instructions, each run of them followed by a jump to the switch's
 * exit.
 *
 * A cache is near its code, since an operand relative to RIP must also be within reach of the copy. Memory is writable
 * or executable, never both at a time. */
#ifndef CM_SOFTWARE_PMU_X86_64_CODE_CACHE_H
#define CM_SOFTWARE_PMU_X86_64_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#include "software_pmu/x86_64/context.h"

/* ---- pages ---- */

/* Memory straight from the system.
 *
 * Between two steps the stepped code may be inside malloc, fopen or any other function of the C library, with its locks
 * taken and its lists half linked. So the code that runs there calls none of them: it gets memory from here, reads
 * files with system calls, and restores errno. */

/* Zeroed; NULL if there is none. */
void *cm_pages_map(size_t size);
/* NULL: no operation. */
void cm_pages_unmap(void *pages, size_t size);

/* ---- code_cache ---- */

enum { CM_INSTRUCTION_SIZE = 15 };

typedef struct cm_code_cache cm_code_cache;

/* A copy that can be executed: slot.enter(context, slot.code) runs it. */
typedef struct cm_slot {
    void (*enter)(cm_context *context, const void *code);
    const void *code; /* NULL: not placed yet */
} cm_slot;

enum { CM_KNOWN_SLOTS = 256 };

/* Placed code, which also runs for equal code at other addresses. */
typedef struct cm_known_slot {
    cm_slot slot;
    size_t length; /* 0: none */
    bool is_integer;
} cm_known_slot;

typedef struct cm_code_caches {
    cm_code_cache *first;
    cm_known_slot known[CM_KNOWN_SLOTS]; /* by a hash of the code; none relative to RIP */
} cm_code_caches;

/* Instructions to copy. */
typedef struct cm_code {
    uint64_t address; /* their address in the program */
    const unsigned char *bytes;
    size_t length;              /* at most CM_CODE_SIZE */
    size_t displacement_offset; /* offset of the first one's 32-bit displacement relative to RIP, 0 if it has none */
    size_t displacement_end;    /* end of that instruction */
    uint64_t target;            /* the address that it points to */
    bool is_integer;            /* they do not touch vector, x87 and MMX state, which then needs no switch */
} cm_code;

enum { CM_CODE_SIZE = 1024 };

/* CM_UNSUPPORTED if no executable memory can be mapped (within reach). */
cm_status cm_code_caches_place(cm_code_caches *caches, const cm_code *code, cm_slot *slot, cm_error *error);

/* Makes sure that there is a cache near `address`. */
cm_status cm_code_caches_prepare(cm_code_caches *caches, uint64_t address, cm_error *error);

void cm_code_caches_clear(cm_code_caches *caches);

#endif
