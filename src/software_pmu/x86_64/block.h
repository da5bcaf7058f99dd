/* Blocks: runs of plain instructions that are copied, executed and counted as one. Between two switches of all
 * registers a block executes what would else be one instruction, which is what makes stepping affordable. */
#ifndef CM_SOFTWARE_PMU_X86_64_BLOCK_H
#define CM_SOFTWARE_PMU_X86_64_BLOCK_H

#include "software_pmu/x86_64/step_table.h"

enum { CM_BLOCK_SIZE = 1024, CM_BLOCK_FACTS = 24 };

/* How much a fact grows whenever a block runs. */
typedef struct cm_block_fact {
    uint16_t fact;
    uint16_t times;
} cm_block_fact;

struct cm_block {
    cm_slot slot;
    cm_step *next;   /* what follows in memory; NULL: not looked up yet */
    uint16_t length; /* of its code */
    uint16_t fact_count;
    cm_block_fact facts[CM_BLOCK_FACTS];
    unsigned char bytes[]; /* the code, `length` of them */
};

typedef struct cm_block_chunk cm_block_chunk;

/* What the blocks live in: they never move. */
typedef struct cm_blocks {
    cm_block_chunk *chunks;
} cm_blocks;

/* Makes `first->block`: `first`, which is plain, and the plain instructions behind it that touch no memory. */
cm_status cm_blocks_make(cm_blocks *blocks, cm_step_table *steps, cm_code_caches *caches, cm_step *first,
                         cm_error *error);

/* Whether the code at `address` is still that of the block: code may be generated anew. */
bool cm_block_is_current(const cm_block *block, uint64_t address);

void cm_blocks_clear(cm_blocks *blocks);

#endif
