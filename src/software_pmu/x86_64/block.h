/* Blocks: runs of plain instructions that are copied, executed and counted as one. Each switch of all registers then
 * executes many instructions instead of one, which makes stepping affordable. */
#ifndef CM_SOFTWARE_PMU_X86_64_BLOCK_H
#define CM_SOFTWARE_PMU_X86_64_BLOCK_H

#include "software_pmu/machine/modelled.h"
#include "software_pmu/x86_64/step.h"

enum { CM_BLOCK_SIZE = 1024, CM_BLOCK_FACTS = 24 };

/* The growth of a fact in each run of the block. */
typedef struct cm_block_fact {
    uint16_t fact;
    uint16_t times;
} cm_block_fact;

struct cm_block {
    cm_slot slot;
    cm_step *next;   /* the next step in memory; NULL: not looked up yet */
    uint16_t length; /* bytes of its code */
    uint16_t fact_count;
    cm_fusible last; /* its last instruction */
    cm_code_part *parts;
    size_t part_count;
    cm_block_fact facts[CM_BLOCK_FACTS];
    unsigned char bytes[]; /* the code, `length` bytes */
};

typedef struct cm_block_chunk cm_block_chunk;

/* The memory of the blocks, which never move. */
typedef struct cm_blocks {
    cm_block_chunk *chunks;
} cm_blocks;

/* Makes `first->block`: `first`, which is plain, and the plain instructions after it that touch no memory. */
cm_status cm_blocks_make(cm_blocks *blocks, cm_step_table *steps, cm_code_caches *caches, cm_step *first,
                         cm_error *error);

/* Whether the code at `address` is still the block's: programs may generate code anew. */
CM_CODE_READER bool cm_block_is_current(const cm_block *block, uint64_t address)
{
    return cm_same_code((const unsigned char *)(uintptr_t)address, block->bytes, block->length);
}

void cm_blocks_clear(cm_blocks *blocks);

#endif
