/* Executes and counts warps, one after the other: each instruction in all active lanes. Lanes that diverged are
 * executed separately, those furthest behind first, until they meet. */
#include <stdlib.h>
#include <string.h>

#include "software_pmu/gpu/ptx.h"

struct warp {
    const cm_ptx_run *run;
    unsigned block, first; /* thread of the block in lane 0 */
    uint32_t present;      /* lanes that exist, */
    uint32_t here;         /* and those at `at` */
    uint64_t (*registers)[CM_PTX_WARP];
    size_t at, places[CM_PTX_WARP], other; /* the next instruction of each of the other lanes, and the first of these */
    unsigned char *shared;                 /* the block's */
};

static bool is_in(uint32_t lanes, unsigned lane)
{
    return (lanes >> lane & 1) != 0;
}

/* The operand's value in a lane. */
static uint64_t value_of(const struct warp *warp, const cm_ptx_operand *operand, unsigned lane)
{
    const uint64_t specials[] = {
        [CM_PTX_TID] = warp->first + lane, [CM_PTX_CTAID] = warp->block, [CM_PTX_NTID] = warp->run->threads};
    switch (operand->kind) {
    case CM_PTX_REGISTER: return warp->registers[operand->registers[0]][lane];
    case CM_PTX_VALUE: return operand->value;
    case CM_PTX_SPECIAL: return specials[operand->value];
    case CM_PTX_ADDRESS: return warp->registers[operand->registers[0]][lane] + operand->value;
    case CM_PTX_PARAMETER: return warp->run->parameters[operand->value];
    default: return 0;
    }
}

static uint32_t active_lanes(const struct warp *warp, const cm_ptx_instruction *instruction)
{
    uint32_t lanes = 0;
    if (!instruction->predicated)
        return warp->here;
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        lanes |= (uint32_t)((warp->registers[instruction->predicate][lane] != 0) != instruction->negated) << lane;
    return lanes & warp->here;
}

/* ---- counting ---- */

/* A thread whose predicate is false does not execute the instruction; its warp does. */
static void count_instruction(const struct warp *warp, const cm_ptx_form *form, uint32_t active)
{
    static const cm_fact others[] = {[CM_PTX_LOADS] = CM_FACT_GPU_LOADS,
                                     [CM_PTX_STORES] = CM_FACT_GPU_STORES,
                                     [CM_PTX_SHARED_LOADS] = CM_FACT_GPU_SHARED_LOADS,
                                     [CM_PTX_SHARED_STORES] = CM_FACT_GPU_SHARED_STORES,
                                     [CM_PTX_MOVES] = CM_FACT_GPU_MOVES};
    uint64_t *facts = warp->run->facts, threads = (uint64_t)__builtin_popcount(active);
    uint64_t *lanes = &facts[CM_FACT_GPU_LANES], here = (uint64_t)__builtin_popcount(warp->here);
    facts[CM_FACT_GPU_INSTRUCTIONS] += threads;
    facts[CM_FACT_GPU_WARP_INSTRUCTIONS]++;
    lanes[CM_GPU_OFF_THREADS] += here - threads;
    lanes[CM_GPU_IDLE_THREADS] += CM_PTX_WARP - here;
    lanes[CM_GPU_BRANCH_SLOTS] += form->kind == CM_PTX_BRANCH ? CM_PTX_WARP : 0;
    lanes[CM_GPU_DIVERGENT_BRANCHES] += form->kind == CM_PTX_BRANCH && threads != 0 && threads != here;
    if (form->other == CM_PTX_OF_CLASS) {
        facts[cm_fact_gpu(form->class)] += threads;
        facts[cm_fact_gpu_warp(form->class)]++;
    } else if (form->other != CM_PTX_REST) {
        facts[others[form->other]] += threads;
    }
}

static void count_launch(const cm_ptx_run *run)
{
    unsigned warps = (run->threads + CM_PTX_WARP - 1) / CM_PTX_WARP;
    run->facts[CM_FACT_GPU_LAUNCHES]++;
    run->facts[CM_FACT_GPU_BLOCKS] += run->blocks;
    run->facts[CM_FACT_GPU_LAUNCHED_WARPS] += (uint64_t)run->blocks * warps;
    run->facts[CM_FACT_GPU_THREADS] += (uint64_t)run->blocks * run->threads;
}

/* ---- instructions ---- */

/* Computes the result register in the active lanes. */
static void compute(struct warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    const cm_ptx_operand *operands = instruction->operands;
    uint64_t *to = warp->registers[operands[0].registers[0]];
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        if (!is_in(active, lane))
            continue;
        uint64_t c = value_of(warp, &operands[3], lane);
        if (instruction->form->operands == 5)
            c = (c & UINT32_MAX) | value_of(warp, &operands[4], lane) << 32;
        to[lane] =
            instruction->form->compute(value_of(warp, &operands[1], lane), value_of(warp, &operands[2], lane), c);
    }
}

/* What moves between the memory at `at` and the lane's registers, one of `size` bytes or several of four. */
static void move_lane(struct warp *warp, const cm_ptx_instruction *instruction, unsigned lane, unsigned char *at)
{
    cm_ptx_kind kind = instruction->form->kind;
    bool stores = kind == CM_PTX_STORE || kind == CM_PTX_SHARED_STORE || kind == CM_PTX_REDUCE;
    const cm_ptx_operand *other = &instruction->operands[stores];
    size_t parts = other->kind == CM_PTX_VECTOR ? other->count : 1, size = instruction->form->bytes / parts;
    for (size_t i = 0; i < parts; i++, at += size) {
        uint64_t value = 0;
        if (stores)
            value = other->kind == CM_PTX_VALUE ? other->value : warp->registers[other->registers[i]][lane];
        if (kind == CM_PTX_REDUCE) {
            uint32_t before;
            memcpy(&before, at, sizeof before);
            value = (uint32_t)(before + value);
        }
        if (stores)
            memcpy(at, &value, size);
        else
            memcpy(&value, at, size);
        if (!stores)
            warp->registers[other->registers[i]][lane] = value;
    }
}

/* The memory that an address is in; NULL outside of the device's, or the block's, or if it is not aligned. */
static unsigned char *find_memory(const struct warp *warp, bool shared, uint64_t at, size_t size)
{
    const cm_ptx_program *program = warp->run->program;
    if (at % size != 0)
        return NULL;
    if (shared)
        return at <= program->shared_size && size <= program->shared_size - at ? warp->shared + at : NULL;
    return warp->run->reaches(at, size) ? (unsigned char *)(uintptr_t)at : NULL;
}

/* Loads or stores in the active lanes; CM_PTX_BAD_ADDRESS outside the memory. */
static cm_ptx_outcome move_data(struct warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    static const cm_hierarchy_way ways[] = {[CM_PTX_LOAD] = CM_WAY_LOAD,
                                            [CM_PTX_LOAD_FAR] = CM_WAY_LOAD_FAR,
                                            [CM_PTX_STORE] = CM_WAY_STORE,
                                            [CM_PTX_REDUCE] = CM_WAY_REDUCE,
                                            [CM_PTX_SHARED_LOAD] = CM_WAY_SHARED_LOAD,
                                            [CM_PTX_SHARED_STORE] = CM_WAY_SHARED_STORE};
    cm_ptx_kind kind = instruction->form->kind;
    bool shared = kind == CM_PTX_SHARED_LOAD || kind == CM_PTX_SHARED_STORE;
    bool loads = kind == CM_PTX_LOAD || kind == CM_PTX_LOAD_FAR || kind == CM_PTX_SHARED_LOAD;
    uint64_t addresses[CM_PTX_WARP];
    unsigned lanes[CM_PTX_WARP], count = 0;
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        if (!is_in(active, lane))
            continue;
        uint64_t at = value_of(warp, &instruction->operands[loads], lane);
        unsigned char *memory = find_memory(warp, shared, at, instruction->form->bytes);
        if (memory == NULL)
            return CM_PTX_BAD_ADDRESS;
        move_lane(warp, instruction, lane, memory);
        lanes[count] = lane;
        addresses[count++] = at;
    }
    cm_hierarchy_access(warp->run->hierarchy, ways[kind], instruction->form->bytes, addresses, lanes, count,
                        warp->run->facts);
    return CM_PTX_DONE;
}

static void load_parameter(struct warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    uint64_t value = 0;
    memcpy(&value, &warp->run->parameters[instruction->operands[1].value], instruction->form->bytes);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        if (is_in(active, lane))
            warp->registers[instruction->operands[0].registers[0]][lane] = value;
}

static void collect_parts(const struct warp *warp, const cm_ptx_operand *operand, uint64_t parts[][CM_PTX_PARTS])
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < operand->count; i++)
            parts[lane][i] = warp->registers[operand->registers[i]][lane];
}

/* Whether all lanes say the same of a sparse matrix, and of each of its groups of four: of these alone is it known how
 * lanes divide them. */
static bool is_uniform(const struct warp *warp, const cm_ptx_operand *operand)
{
    uint32_t first = (uint32_t)value_of(warp, operand, 0);
    bool uniform = first == (first & 15) * UINT32_C(0x11111111);
    for (unsigned lane = 1; lane < CM_PTX_WARP; lane++)
        uniform &= (uint32_t)value_of(warp, operand, lane) == first;
    return uniform;
}

/* Multiplies matrices; CM_PTX_DIVERGED unless all lanes are active, and say the same of a sparse one. */
static cm_ptx_outcome multiply(struct warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    uint64_t d[CM_PTX_WARP][CM_PTX_PARTS], a[CM_PTX_WARP][CM_PTX_PARTS], b[CM_PTX_WARP][CM_PTX_PARTS];
    const cm_ptx_operand *to = &instruction->operands[0];
    const cm_ptx_operand *stored = &instruction->operands[4];
    if (active != UINT32_MAX || !is_uniform(warp, stored))
        return CM_PTX_DIVERGED;
    collect_parts(warp, &instruction->operands[1], a);
    collect_parts(warp, &instruction->operands[2], b);
    collect_parts(warp, &instruction->operands[3], d);
    cm_ptx_multiply_matrices(instruction->form->class, d, a, b, (uint32_t)value_of(warp, stored, 0));
    cm_ptx_count_operations(instruction->form->class, warp->run->facts);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < to->count; i++)
            warp->registers[to->registers[i]][lane] = d[lane][i];
    return CM_PTX_DONE;
}

/* The address of a register of a lane's fragment; the first one in lane 0's operand is the warp's. */
static uint64_t fragment_address(const struct warp *warp, const cm_ptx_instruction *instruction, unsigned lane,
                                 unsigned at, const cm_ptx_fragment *fragment)
{
    const cm_ptx_form *form = instruction->form;
    uint64_t first = value_of(warp, &instruction->operands[form->kind == CM_PTX_FRAGMENT_LOAD], lane);
    size_t stride = value_of(warp, &instruction->operands[2], lane);
    return first + fragment->bytes * cm_ptx_fragment_at(form->class, (cm_ptx_matrix)form->bytes, lane, at, stride);
}

/* Loads or stores a matrix by all lanes of a warp, a register of each after the other. */
static cm_ptx_outcome move_fragment(struct warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    const bool stores = instruction->form->kind == CM_PTX_FRAGMENT_STORE;
    const cm_ptx_operand *parts = &instruction->operands[stores];
    const cm_ptx_fragment fragment =
        cm_ptx_fragment_of(instruction->form->class, (cm_ptx_matrix)instruction->form->bytes);
    const unsigned size = fragment.bytes * fragment.in_one;
    uint64_t addresses[CM_PTX_WARP];
    unsigned lanes[CM_PTX_WARP];
    if (active != UINT32_MAX || parts->count != fragment.registers)
        return CM_PTX_DIVERGED;
    for (unsigned at = 0; at < parts->count; at++) {
        for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
            uint64_t *value = &warp->registers[parts->registers[at]][lane];
            lanes[lane] = lane;
            addresses[lane] = fragment_address(warp, instruction, lane, at, &fragment);
            unsigned char *memory = find_memory(warp, false, addresses[lane], size);
            if (memory == NULL)
                return CM_PTX_BAD_ADDRESS;
            *value = stores ? *value : 0;
            memcpy(stores ? (void *)memory : value, stores ? (const void *)value : memory, size);
        }
        cm_hierarchy_access(warp->run->hierarchy, stores ? CM_WAY_STORE : CM_WAY_LOAD, size, addresses, lanes,
                            CM_PTX_WARP, warp->run->facts);
    }
    return CM_PTX_DONE;
}

/* ---- divergence ---- */

static void note_places(struct warp *warp, uint32_t lanes, size_t at)
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        if (is_in(lanes, lane))
            warp->places[lane] = at;
}

/* Continues with the lanes that are furthest behind. */
static void turn_to_the_last(struct warp *warp)
{
    warp->at = warp->other = SIZE_MAX;
    warp->here = 0;
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        if (is_in(warp->present, lane) && warp->places[lane] < warp->at)
            warp->at = warp->places[lane];
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        if (!is_in(warp->present, lane))
            continue;
        if (warp->places[lane] == warp->at)
            warp->here |= UINT32_C(1) << lane;
        else if (warp->places[lane] < warp->other)
            warp->other = warp->places[lane];
    }
}

/* Sends these of the current lanes to `to`, and continues with the lanes furthest behind. */
static void go(struct warp *warp, uint32_t lanes, size_t to)
{
    if (lanes == warp->here) {
        warp->at = to;
    } else if (lanes != 0) {
        note_places(warp, warp->here, warp->at);
        note_places(warp, lanes, to);
        turn_to_the_last(warp);
    }
    if (warp->at >= warp->other) {
        note_places(warp, warp->here, warp->at);
        turn_to_the_last(warp);
    }
}

/* Executes one instruction. */
static cm_ptx_outcome step_warp(struct warp *warp)
{
    const cm_ptx_instruction *instruction = &warp->run->program->instructions[warp->at++];
    uint32_t active = active_lanes(warp, instruction);
    count_instruction(warp, instruction->form, active);
    switch (instruction->form->kind) {
    case CM_PTX_COMPUTE: compute(warp, instruction, active); return CM_PTX_DONE;
    case CM_PTX_LOAD_PARAMETER: load_parameter(warp, instruction, active); return CM_PTX_DONE;
    case CM_PTX_LOAD:
    case CM_PTX_LOAD_FAR:
    case CM_PTX_STORE:
    case CM_PTX_REDUCE:
    case CM_PTX_SHARED_LOAD:
    case CM_PTX_SHARED_STORE: return move_data(warp, instruction, active);
    case CM_PTX_BRANCH: go(warp, active, warp->run->program->labels[instruction->operands[0].value].at); break;
    case CM_PTX_MATRIX: return multiply(warp, instruction, active);
    case CM_PTX_FRAGMENT_LOAD:
    case CM_PTX_FRAGMENT_STORE: return move_fragment(warp, instruction, active);
    case CM_PTX_RETURN: go(warp, active, warp->run->program->count); break;
    }
    return CM_PTX_DONE;
}

/* ---- launches ---- */

/* Executes a warp up to the end of the program. */
static cm_ptx_outcome execute_warp(struct warp *warp)
{
    cm_ptx_outcome outcome = CM_PTX_DONE;
    size_t registers = warp->run->program->register_count;
    unsigned lanes = warp->run->threads - warp->first;
    warp->at = 0;
    warp->other = SIZE_MAX;
    warp->present = warp->here = lanes >= CM_PTX_WARP ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    memset(warp->registers, 0, registers * sizeof *warp->registers);
    while (outcome == CM_PTX_DONE && warp->at < warp->run->program->count) {
        outcome = step_warp(warp);
        if (warp->at >= warp->other) /* they meet, or the others are behind */
            go(warp, warp->here, warp->at);
    }
    return outcome;
}

/* Executes the warps of a block, which have its shared memory together. */
static cm_ptx_outcome execute_block(struct warp *warp)
{
    cm_ptx_outcome outcome = CM_PTX_DONE;
    memset(warp->shared, 0, warp->run->program->shared_size);
    cm_hierarchy_begin_block(warp->run->hierarchy);
    for (warp->first = 0; outcome == CM_PTX_DONE && warp->first < warp->run->threads; warp->first += CM_PTX_WARP)
        outcome = execute_warp(warp);
    return outcome;
}

cm_ptx_outcome cm_ptx_execute(const cm_ptx_run *run)
{
    struct warp warp = {.run = run};
    cm_ptx_outcome outcome = CM_PTX_DONE;
    warp.registers = calloc(run->program->register_count + 1, sizeof *warp.registers);
    warp.shared = calloc(run->program->shared_size + 1, 1);
    if (warp.registers == NULL || warp.shared == NULL)
        outcome = CM_PTX_NO_MEMORY;
    else
        count_launch(run);
    cm_hierarchy_begin_launch(run->hierarchy);
    for (warp.block = 0; outcome == CM_PTX_DONE && warp.block < run->blocks; warp.block++)
        outcome = execute_block(&warp);
    free(warp.registers);
    free(warp.shared);
    return outcome;
}
