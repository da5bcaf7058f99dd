/* Executes and counts warps, one after the other: each instruction in all active lanes. Lanes that diverged are
 * executed separately, those furthest behind first, until they meet. */
#include <stdlib.h>

#include "software_pmu/gpu/device.h"

static bool is_in(uint32_t lanes, unsigned lane)
{
    return (lanes >> lane & 1) != 0;
}

uint64_t cm_ptx_value_of(const cm_ptx_warp *warp, const cm_ptx_operand *operand, unsigned lane)
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

static uint32_t active_lanes(const cm_ptx_warp *warp, const cm_ptx_instruction *instruction)
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
static void count_instruction(const cm_ptx_warp *warp, const cm_ptx_form *form, uint32_t active)
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
static void compute_lanes(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    const cm_ptx_operand *operands = instruction->operands;
    uint64_t *to = warp->registers[operands[0].registers[0]];
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++) {
        if (!is_in(active, lane))
            continue;
        uint64_t c = cm_ptx_value_of(warp, &operands[3], lane);
        if (instruction->form->operands == 5)
            c = (c & UINT32_MAX) | cm_ptx_value_of(warp, &operands[4], lane) << 32;
        to[lane] = instruction->form->compute(cm_ptx_value_of(warp, &operands[1], lane),
                                              cm_ptx_value_of(warp, &operands[2], lane), c);
    }
}

/* Moves data between the memory at `at` and the lane's registers: one of `size` bytes, or several of four. */
static void move_lane(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, unsigned lane, unsigned char *at)
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

unsigned char *cm_ptx_find_memory(const cm_ptx_warp *warp, bool shared, uint64_t at, size_t size)
{
    const cm_ptx_program *program = warp->run->program;
    if (at % size != 0)
        return NULL;
    if (shared)
        return at <= program->shared_size && size <= program->shared_size - at ? warp->shared + at : NULL;
    return warp->run->reaches(at, size) ? (unsigned char *)(uintptr_t)at : NULL;
}

/* Loads or stores in the active lanes; CM_PTX_BAD_ADDRESS outside the memory. */
static cm_ptx_outcome move_data(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
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
        uint64_t at = cm_ptx_value_of(warp, &instruction->operands[loads], lane);
        unsigned char *memory = cm_ptx_find_memory(warp, shared, at, instruction->form->bytes);
        if (memory == NULL)
            return CM_PTX_BAD_ADDRESS;
        move_lane(warp, instruction, lane, memory);
        warp->group.written |= kind == CM_PTX_SHARED_STORE;
        lanes[count] = lane;
        addresses[count++] = at;
    }
    cm_hierarchy_access(warp->run->hierarchy, ways[kind], instruction->form->bytes, addresses, lanes, count,
                        warp->run->facts);
    return CM_PTX_DONE;
}

static void load_parameter(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    uint64_t value = 0;
    memcpy(&value, &warp->run->parameters[instruction->operands[1].value], instruction->form->bytes);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        if (is_in(active, lane))
            warp->registers[instruction->operands[0].registers[0]][lane] = value;
}

/* ---- divergence ---- */

static void note_places(cm_ptx_warp *warp, uint32_t lanes, size_t at)
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        if (is_in(lanes, lane))
            warp->places[lane] = at;
}

/* Continues with the lanes that are furthest behind. */
static void turn_to_the_last(cm_ptx_warp *warp)
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
static void send_lanes(cm_ptx_warp *warp, uint32_t lanes, size_t to)
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
static cm_ptx_outcome step_warp(cm_ptx_warp *warp)
{
    const cm_ptx_instruction *instruction = &warp->run->program->instructions[warp->at++];
    uint32_t active = active_lanes(warp, instruction);
    count_instruction(warp, instruction->form, active);
    switch (instruction->form->kind) {
    case CM_PTX_COMPUTE: compute_lanes(warp, instruction, active); return CM_PTX_DONE;
    case CM_PTX_LOAD_PARAMETER: load_parameter(warp, instruction, active); return CM_PTX_DONE;
    case CM_PTX_LOAD:
    case CM_PTX_LOAD_FAR:
    case CM_PTX_STORE:
    case CM_PTX_REDUCE:
    case CM_PTX_SHARED_LOAD:
    case CM_PTX_SHARED_STORE: return move_data(warp, instruction, active);
    case CM_PTX_BRANCH: send_lanes(warp, active, warp->run->program->labels[instruction->operands[0].value].at); break;
    case CM_PTX_MATRIX:
    case CM_PTX_FRAGMENT_LOAD:
    case CM_PTX_FRAGMENT_STORE:
    case CM_PTX_PROXY_FENCE:
    case CM_PTX_GROUP_FENCE:
    case CM_PTX_GROUP_PRODUCT:
    case CM_PTX_GROUP_COMMIT:
    case CM_PTX_GROUP_WAIT: return cm_ptx_step_matrices(warp, instruction, active);
    case CM_PTX_RETURN: send_lanes(warp, active, warp->run->program->count); break;
    }
    return CM_PTX_DONE;
}

/* ---- launches ---- */

/* Executes a warp up to the end of the program. */
static cm_ptx_outcome execute_warp(cm_ptx_warp *warp)
{
    cm_ptx_outcome outcome = CM_PTX_DONE;
    size_t registers = warp->run->program->register_count;
    unsigned lanes = warp->run->threads - warp->first;
    warp->at = 0;
    warp->other = SIZE_MAX;
    warp->present = warp->here = lanes >= CM_PTX_WARP ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    warp->group = (cm_ptx_group){0};
    memset(warp->registers, 0, registers * sizeof *warp->registers);
    while (outcome == CM_PTX_DONE && warp->at < warp->run->program->count) {
        outcome = step_warp(warp);
        if (warp->at >= warp->other) /* they meet, or the others are behind */
            send_lanes(warp, warp->here, warp->at);
    }
    return outcome;
}

/* Executes the warps of a block, which have its shared memory together. */
static cm_ptx_outcome execute_block(cm_ptx_warp *warp)
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
    cm_ptx_warp warp = {.run = run};
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
