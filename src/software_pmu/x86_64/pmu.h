/* The inside of the stepping machine. */
#ifndef CM_SOFTWARE_PMU_X86_64_PMU_H
#define CM_SOFTWARE_PMU_X86_64_PMU_H

#include "software_pmu/engine.h"
#include "software_pmu/machine/modelled.h"
#include "software_pmu/x86_64/step.h"

/* ---- Blocks: runs of plain instructions that are copied, executed and counted as one. Each switch of all registers
 * then executes many instructions instead of one, which makes stepping affordable ---- */

enum { CM_BLOCK_SIZE = 1024, CM_BLOCK_FACTS = 24 };

/* The growth of a fact in each run of the block. */
typedef struct cm_block_fact {
    uint16_t fact, times;
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

/* ---- shared ---- */

/* software_pmu.c */
extern const cm_engine cm_stepper_engine;

typedef struct cm_stepper cm_stepper;

struct cm_stepper {
    cm_modelled modelled;
    cm_context context;
    cm_vector_layout vector_layout;
    cm_step_table steps;
    cm_code_caches caches;
    cm_blocks blocks;
    uint64_t fs_base, gs_base;
    unsigned char *stack; /* of the stepped code, a guard page below */
    uint64_t end;         /* return address of the stepped function, at which there is no code */
    bool running;
    cm_fusible before; /* the instruction before the one that runs, if that follows it in memory */
    void (*passes)(cm_stepper *pmu, cm_step *step,
                   size_t length); /* told of `length` bytes that run; NULL: nobody is */
    /* Executes a system call by `run`, and takes care of processes that it begins; NULL: none may begin here. */
    void (*calls)(cm_stepper *pmu, const cm_step *step, void (*run)(cm_stepper *pmu, const cm_step *step));
};

/* ---- observe.c: an instruction's accesses to memory ---- */

/* Counts the accesses of an instruction that is about to run. */
void cm_observe_accesses(cm_stepper *pmu, const cm_step *step);

/* Counts the accesses of a repeated string instruction that has run: `before` are the registers with which it began. */
void cm_observe_string(cm_stepper *pmu, const cm_step *step, const uint64_t *before);

/* The address of an access that has one, with the present registers. */
uint64_t cm_access_address(const cm_stepper *pmu, const cm_access *access);

/* ---- branch.c: branches are evaluated, not executed ---- */

/* Whether a conditional branch is taken; loop counts rcx down. */
bool cm_branch_taken(cm_context *context, const cm_step *step);

/* The target of an unconditional branch; calls and returns move the stack. */
uint64_t cm_branch_follow(cm_stepper *pmu, const cm_step *step);

/* ---- path.c ---- */

/* Counts the outcome of a conditional branch, and the wrong path of a mispredicted one. */
void cm_path_resolve(cm_stepper *pmu, cm_step *step, bool taken);

/* ---- stepper.c ---- */

/* Steps from `address` until the end. */
cm_status cm_stepper_run(cm_stepper *pmu, uint64_t address, cm_error *error);

#endif
