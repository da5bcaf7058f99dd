/* Plain instructions joined to blocks that are executed at once. */
#include "software_pmu/x86_64/pmu.h"

#include "core/base.h"

enum { CHUNK_SIZE = 1 << 18, ALIGNMENT = 16 };

struct cm_block_chunk {
    cm_block_chunk *next;
    size_t used;
    _Alignas(ALIGNMENT) unsigned char bytes[CHUNK_SIZE];
};

/* A block under construction. */
typedef struct block_draft {
    size_t length, fact_count;
    cm_block_fact facts[CM_BLOCK_FACTS];
    unsigned char bytes[CM_BLOCK_SIZE];
    bool is_integer;
    cm_fusible last;
    cm_code_part parts[CM_CODE_PARTS];
    size_t part_count;
} block_draft;

/* Whether the facts of one more instruction certainly fit. */
static bool has_space(const block_draft *draft, const cm_step *step)
{
    return draft->length + step->length <= CM_BLOCK_SIZE && draft->fact_count + step->fact_count <= CM_BLOCK_FACTS;
}

static void add_block_fact(block_draft *draft, uint16_t fact)
{
    for (size_t i = 0; i < draft->fact_count; i++)
        if (draft->facts[i].fact == fact) {
            draft->facts[i].times++;
            return;
        }
    draft->facts[draft->fact_count++] = (cm_block_fact){fact, 1};
}

/* Adds an instruction to a block: its bytes and its facts. */
static void add_step(block_draft *draft, const cm_step *step)
{
    memcpy(draft->bytes + draft->length, step->bytes, step->length);
    draft->length += step->length;
    draft->is_integer = draft->is_integer && step->is_integer;
    draft->last = step->fusible;
    draft->part_count = cm_code_add(draft->parts, draft->part_count, step->address, &step->operations);
    add_block_fact(draft, CM_FACT_INSTRUCTIONS);
    for (size_t i = 0; i < step->fact_count; i++)
        add_block_fact(draft, step->facts[i]);
}

static bool has_store(const cm_step *step)
{
    for (size_t i = 0; i < step->access_count; i++)
        if (step->accesses[i].store)
            return true;
    return false;
}

/* The addresses of a block's accesses and prefetches, and masks of arithmetic, are read before it runs, so only its
 * first instruction has any. An instruction that stores is a block of its own: it may change the code behind it. One
 * relative to RIP must lie near its target, so it begins a block. */
static bool may_follow(const block_draft *draft, const cm_step *step)
{
    return step->kind == CM_STEP_PLAIN && step->access_count == 0 && step->hint == CM_NO_HINT && step->lanes == 0 &&
           step->displacement_offset == 0 && has_space(draft, step);
}

/* Collects the instructions of a block, from `first` up to one that must end it. */
static void collect_steps(cm_step_table *steps, cm_step *first, block_draft *draft)
{
    draft->is_integer = first->is_integer;
    draft->length = draft->fact_count = draft->part_count = 0;
    add_step(draft, first);
    for (cm_step *step = first; !has_store(first);) {
        if (cm_step_table_find(steps, step->address + step->length, &step, NULL) != CM_OK)
            return;
        cm_step_table_refresh(steps, step);
        if (!may_follow(draft, step))
            return;
        add_step(draft, step);
    }
}

/* Memory of a block; NULL if it runs out. */
static void *allocate_bytes(cm_blocks *blocks, size_t size)
{
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (blocks->chunks == NULL || blocks->chunks->used + size > CHUNK_SIZE) {
        cm_block_chunk *chunk = cm_pages_map(sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        chunk->next = blocks->chunks;
        blocks->chunks = chunk;
    }
    void *allocated = blocks->chunks->bytes + blocks->chunks->used;
    blocks->chunks->used += size;
    return allocated;
}

/* Makes the block that begins with `first`. */
static cm_status make_block(cm_blocks *blocks, cm_step_table *steps, cm_code_caches *caches, cm_step *first,
                            cm_error *error)
{
    block_draft draft;
    cm_slot slot;
    collect_steps(steps, first, &draft);
    cm_code code = {.address = first->address,
                    .bytes = draft.bytes,
                    .length = draft.length,
                    .displacement_offset = first->displacement_offset,
                    .displacement_end = first->length,
                    .target = first->displacement_target,
                    .is_integer = draft.is_integer};
    cm_status status = cm_code_caches_place(caches, &code, &slot, error);
    if (status != CM_OK)
        return status;
    const size_t parts_size = draft.part_count * sizeof draft.parts[0];
    cm_code_part *parts = allocate_bytes(blocks, parts_size);
    cm_block *block = allocate_bytes(blocks, sizeof *block + draft.length);
    if (block == NULL || parts == NULL)
        return cm_error_no_memory(error);
    *block = (cm_block){.slot = slot,
                        .length = (uint16_t)draft.length,
                        .fact_count = (uint16_t)draft.fact_count,
                        .last = draft.last,
                        .parts = parts,
                        .part_count = draft.part_count};
    memcpy(block->facts, draft.facts, draft.fact_count * sizeof draft.facts[0]);
    memcpy(block->bytes, draft.bytes, draft.length);
    memcpy(parts, draft.parts, parts_size);
    first->block = block;
    return CM_OK;
}

cm_status cm_blocks_make(cm_blocks *blocks, cm_step_table *steps, cm_code_caches *caches, cm_step *first,
                         cm_error *error)
{
    int stepped_errno = errno;
    cm_status status = make_block(blocks, steps, caches, first, error);
    errno = stepped_errno;
    return status;
}

void cm_blocks_clear(cm_blocks *blocks)
{
    while (blocks->chunks != NULL) {
        cm_block_chunk *chunk = blocks->chunks;
        blocks->chunks = chunk->next;
        cm_pages_unmap(chunk, sizeof *chunk);
    }
}
