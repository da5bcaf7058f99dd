/* Instructions that all lanes of a warp execute together: products of matrices, fragments, and products of groups of
 * four warps (wgmma). These last are asynchronous: they are done when a warp waits for them, each warp's rows by
 * itself. */
#include "software_pmu/gpu/device.h"

static void collect_parts(const cm_ptx_warp *warp, const cm_ptx_operand *operand, uint64_t parts[][CM_PTX_PARTS])
{
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < operand->count; i++)
            parts[lane][i] = warp->registers[operand->registers[i]][lane];
}

/* Whether all lanes say the same of a sparse matrix, and of each of its groups of four: of these alone is it known how
 * lanes divide them. */
static bool is_uniform(const cm_ptx_warp *warp, const cm_ptx_operand *operand)
{
    uint32_t first = (uint32_t)cm_ptx_value_of(warp, operand, 0);
    bool uniform = first == (first & 15) * UINT32_C(0x11111111);
    for (unsigned lane = 1; lane < CM_PTX_WARP; lane++)
        uniform &= (uint32_t)cm_ptx_value_of(warp, operand, lane) == first;
    return uniform;
}

/* Multiplies matrices; CM_PTX_DIVERGED unless all lanes are active, and say the same of a sparse one. */
static cm_ptx_outcome multiply_warp_matrices(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    uint64_t d[CM_PTX_WARP][CM_PTX_PARTS], a[CM_PTX_WARP][CM_PTX_PARTS], b[CM_PTX_WARP][CM_PTX_PARTS];
    const cm_ptx_operand *to = &instruction->operands[0];
    const cm_ptx_operand *stored = &instruction->operands[4];
    if (active != UINT32_MAX || !is_uniform(warp, stored))
        return CM_PTX_DIVERGED;
    collect_parts(warp, &instruction->operands[1], a);
    collect_parts(warp, &instruction->operands[2], b);
    collect_parts(warp, &instruction->operands[3], d);
    cm_ptx_multiply_matrices(instruction->form->class, d, a, b, (uint32_t)cm_ptx_value_of(warp, stored, 0));
    cm_ptx_count_operations(instruction->form->class, warp->run->facts);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < to->count; i++)
            warp->registers[to->registers[i]][lane] = d[lane][i];
    return CM_PTX_DONE;
}

/* The address of a register of a lane's fragment; the first one in lane 0's operand is the warp's. */
static uint64_t fragment_address(const cm_ptx_warp *warp, const cm_ptx_instruction *instruction, unsigned lane,
                                 unsigned at, const cm_ptx_fragment *fragment)
{
    const cm_ptx_form *form = instruction->form;
    uint64_t first = cm_ptx_value_of(warp, &instruction->operands[form->kind == CM_PTX_FRAGMENT_LOAD], lane);
    size_t stride = cm_ptx_value_of(warp, &instruction->operands[2], lane);
    return first + fragment->bytes * cm_ptx_fragment_at(form->class, (cm_ptx_matrix)form->bytes, lane, at, stride);
}

/* Loads or stores a matrix by all lanes of a warp, a register of each after the other. */
static cm_ptx_outcome move_fragment(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
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
            unsigned char *memory = cm_ptx_find_memory(warp, false, addresses[lane], size);
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

/* ---- groups of warps ---- */

/* Whether the operand is the same in all lanes. */
static bool is_same(const cm_ptx_warp *warp, const cm_ptx_operand *operand)
{
    bool same = true;
    for (unsigned lane = 1; lane < CM_PTX_WARP; lane++)
        same &= cm_ptx_value_of(warp, operand, lane) == cm_ptx_value_of(warp, operand, 0);
    return same;
}

/* Whether the operands behind D, A and B are as kernels have them: factors of 1, nothing transposed. */
static bool is_plain(const cm_ptx_warp *warp, const cm_ptx_instruction *instruction)
{
    enum { SCALE_A = 4, TRANSPOSES = 6 };
    bool plain = true;
    for (unsigned i = SCALE_A; i < instruction->form->operands; i++)
        plain &= cm_ptx_value_of(warp, &instruction->operands[i], 0) == (i < TRANSPOSES);
    return plain;
}

/* Begins a product; CM_PTX_DIVERGED unless a whole group of warps has one to begin, behind a fence of its registers and
 * one of its writes to shared memory. */
static cm_ptx_outcome begin_product(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    cm_ptx_group *group = &warp->group;
    const cm_ptx_operand *operands = instruction->operands;
    if (active != UINT32_MAX || warp->run->threads % CM_GPU_GROUP != 0 || !group->fenced || group->written ||
        group->count == CM_PTX_PENDING || !is_same(warp, &operands[1]) || !is_same(warp, &operands[2]) ||
        !is_plain(warp, instruction))
        return CM_PTX_DIVERGED;
    group->pending[group->count++] =
        (cm_ptx_product){instruction, cm_ptx_value_of(warp, &operands[1], 0), cm_ptx_value_of(warp, &operands[2], 0),
                         cm_ptx_value_of(warp, &operands[3], 0) != 0, group->commits};
    return CM_PTX_DONE;
}

/* Does a product; CM_PTX_BAD_ADDRESS if A or B is not in shared memory. */
static cm_ptx_outcome finish_product(cm_ptx_warp *warp, const cm_ptx_product *product)
{
    enum { WARPS = CM_GPU_GROUP / CM_PTX_WARP };
    uint64_t d[CM_PTX_WARP][CM_PTX_PARTS] = {{0}};
    const cm_gpu_class class = product->instruction->form->class;
    const cm_ptx_operand *to = &product->instruction->operands[0];
    const cm_ptx_shared shared = {warp->shared, warp->run->program->shared_size, product->a, product->b,
                                  warp->first / CM_PTX_WARP % WARPS};
    if (product->adds)
        collect_parts(warp, to, d);
    if (!cm_ptx_multiply_shared(class, d, &shared))
        return CM_PTX_BAD_ADDRESS;
    cm_ptx_count_operations(class, warp->run->facts);
    for (unsigned lane = 0; lane < CM_PTX_WARP; lane++)
        for (unsigned i = 0; i < to->count; i++)
            warp->registers[to->registers[i]][lane] = d[lane][i];
    return CM_PTX_DONE;
}

/* Does the products of all commits but the last `kept`; those that no commit followed go on. */
static cm_ptx_outcome wait_for_products(cm_ptx_warp *warp, uint64_t kept)
{
    cm_ptx_group *group = &warp->group;
    cm_ptx_outcome outcome = CM_PTX_DONE;
    unsigned done = 0;
    while (outcome == CM_PTX_DONE && done < group->count && group->pending[done].commit + kept < group->commits)
        outcome = finish_product(warp, &group->pending[done++]);
    group->count -= done;
    memmove(group->pending, group->pending + done, group->count * sizeof group->pending[0]);
    group->fenced = false;
    return outcome;
}

cm_ptx_outcome cm_ptx_step_matrices(cm_ptx_warp *warp, const cm_ptx_instruction *instruction, uint32_t active)
{
    switch (instruction->form->kind) {
    case CM_PTX_MATRIX: return multiply_warp_matrices(warp, instruction, active);
    case CM_PTX_FRAGMENT_LOAD:
    case CM_PTX_FRAGMENT_STORE: return move_fragment(warp, instruction, active);
    case CM_PTX_GROUP_PRODUCT: return begin_product(warp, instruction, active);
    case CM_PTX_GROUP_WAIT: return wait_for_products(warp, cm_ptx_value_of(warp, &instruction->operands[0], 0));
    case CM_PTX_GROUP_COMMIT: warp->group.commits++; break;
    case CM_PTX_GROUP_FENCE: warp->group.fenced = true; break;
    default: warp->group.written = false;
    }
    return CM_PTX_DONE;
}
