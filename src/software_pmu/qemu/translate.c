/* Registers callbacks for the code that QEMU translates. Memory allocated here lives as long as the translation, which
 * may be as long as the process. */
#include <stdlib.h>

#include "software_pmu/qemu/plugin.h"

enum { PAGE_SHIFT = 12, PAGE_SIZE = 1 << PAGE_SHIFT, PAGES = 1 << 14 };

uint64_t cm_guest_base;

/* Pages that hold code, by a hash of their number; a full table takes no more. 0: empty, no code lies there. QEMU
 * translates in one thread at a time. */
static _Atomic uint64_t pages[PAGES];
static uint64_t except_begin, except_end;
static bool follows_registers;
static unsigned scalable_bits;

/* The last instruction of the block that was translated last, and its end. */
static struct {
    uint64_t end;
    cm_fusible fusible;
} translated;

static _Atomic uint64_t *find_page(uint64_t page)
{
    size_t at = (size_t)(page * UINT64_C(0x9E3779B97F4A7C15) >> 50) % PAGES;
    for (size_t tries = 0; tries < PAGES; tries++, at = (at + 1) % PAGES)
        if (pages[at] == page || pages[at] == 0)
            return &pages[at];
    return NULL;
}

static void note_page(uint64_t address)
{
    _Atomic uint64_t *place = find_page(address >> PAGE_SHIFT);
    if (place != NULL)
        *place = address >> PAGE_SHIFT;
}

static bool is_code(uint64_t address)
{
    const _Atomic uint64_t *place = find_page(address >> PAGE_SHIFT);
    return place != NULL && *place != 0;
}

size_t cm_copy_code(uint64_t address, uint8_t *code)
{
    size_t on_page = PAGE_SIZE - address % PAGE_SIZE, known = CM_CODE_LONGEST;
    if (!is_code(address))
        return 0;
    if (on_page < CM_CODE_LONGEST && !is_code(address + on_page))
        known = on_page;
    memset(code, 0, CM_CODE_LONGEST);
    memcpy(code, cm_host_address(address), known);
    return known;
}

void cm_translate_registers(unsigned vector_bits)
{
    static const uint8_t nothing[CM_CODE_LONGEST];
    cm_effect effect;
    scalable_bits = vector_bits;
    follows_registers = cm_decode_effect(0, nothing, vector_bits, &effect);
}

bool cm_translate_follows(void)
{
    return follows_registers;
}

/* Whether blocks are counted the general way, instruction by instruction. */
static bool follows_code(void)
{
    return follows_registers || cm_program_wants_flows();
}

void cm_translate_except(uint64_t begin, uint64_t end)
{
    except_begin = begin;
    except_end = end;
}

/* Whether its target, or outcome, is to be known. */
static bool wants_branch(cm_decoded_kind kind)
{
    if (cm_program_is_bare())
        return kind == CM_DECODED_CONDITIONAL && cm_program_wants(CM_FACT_BRANCHES_COND_TAKEN);
    return kind != CM_DECODED_PLAIN && kind != CM_DECODED_WALL && kind != CM_DECODED_JUMP;
}

/* `data` is the target of a conditional branch: all that counts is whether it is taken. */
static void on_conditional(unsigned vcpu, void *data)
{
    (void)vcpu;
    cm_counted.taken_to = (uintptr_t)data;
}

static void on_branch(unsigned vcpu, void *data)
{
    (void)vcpu;
    if (cm_counted.modelled != NULL)
        cm_counted.branch = data;
}

/* Registers the callbacks of a branch, of a prefetch, of scalable vectors, and of accesses if they are to be watched;
 * out of memory, it is not counted. `effect` may be NULL. */
static void watch_instruction(struct qemu_plugin_insn *insn, const cm_decoded *decoded, const cm_effect *effect,
                              bool watch_accesses)
{
    const bool decides = cm_program_is_bare() && decoded->target != 0; /* nothing else is to be known of it */
    const bool branches = wants_branch(decoded->kind);
    if (branches && decides)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_conditional, QEMU_PLUGIN_CB_NO_REGS,
                                               (void *)(uintptr_t)decoded->target);
    const bool accesses = watch_accesses && decoded->access_count != 0 &&
                          (decoded->access_count > 1 || follows_code() || !cm_sums_watch_access(insn, decoded));
    const bool hints = effect != NULL && effect->hint != CM_NO_HINT;
    const bool lanes = effect != NULL && effect->scalable.kind != CM_SCALABLE_NONE;
    if ((!branches || decides) && !accesses && !hints && !lanes)
        return;
    cm_decoded *watched =
        aligned_alloc(CM_DECODED_LINE, (sizeof *watched + CM_DECODED_LINE - 1) / CM_DECODED_LINE * CM_DECODED_LINE);
    if (watched == NULL)
        return;
    *watched = *decoded;
    if (branches && !decides)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_branch, QEMU_PLUGIN_CB_NO_REGS, watched);
    if (hints)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, cm_on_hint, QEMU_PLUGIN_CB_NO_REGS, watched);
    if (lanes)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, cm_on_scalable, QEMU_PLUGIN_CB_NO_REGS, watched);
    if (!accesses)
        return;
    qemu_plugin_register_vcpu_mem_cb(insn, decoded->access_count == 1 ? cm_on_access : cm_on_accesses,
                                     QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, watched);
}

/* A block with room for the codes of its instructions, or NULL if memory is short. */
static cm_block *make_block(uint64_t address, size_t length)
{
    cm_block *block = calloc(1, sizeof *block);
    uint8_t(*codes)[CM_CODE_LONGEST] = calloc(length, sizeof *codes);
    if (block == NULL || codes == NULL) {
        free(block);
        free(codes);
        return NULL;
    }
    *block = (cm_block){.address = address, .length = length, .codes = codes};
    return block;
}

static cm_effect *make_effects(const cm_block *block, const cm_decoded *decoded)
{
    cm_effect *effects = follows_registers ? malloc(block->length * sizeof *effects) : NULL;
    for (size_t i = 0; effects != NULL && i < block->length; i++)
        if (!cm_decode_effect(decoded[i].address, block->codes[i], scalable_bits, &effects[i])) {
            free(effects);
            return NULL;
        }
    return effects;
}

static void keep_parts(cm_block *block, const cm_code_part *parts, size_t count)
{
    block->parts = cm_program_is_bare() ? NULL : malloc(count * sizeof *parts);
    if (block->parts == NULL)
        return;
    memcpy(block->parts, parts, count * sizeof *parts);
    block->part_count = count;
}

/* The rules that fuse instruction i with the one before it, which may end the block before, at the end of a page. */
static unsigned fusion_rules(const cm_block *block, const cm_decoded *decoded, size_t i)
{
    if (i != 0)
        return cm_fusion_rules(&decoded[i - 1].fusible, &decoded[i].fusible);
    return translated.end == block->address ? cm_fusion_rules(&translated.fusible, &decoded[0].fusible) : 0;
}

/* Decodes the code. If x86-64 code reaches the next page, QEMU may have read only a part of the last instruction, which
 * then belongs to another block. Adds the facts of one run to `by`; returns whether each run counts alike. */
static bool decode_block(struct qemu_plugin_tb *tb, cm_block *block, cm_decoded *decoded, uint32_t *by)
{
    const cm_vectors none = {0}; /* branches and accesses do not depend on vectors */
    uint64_t end = block->address;
    bool scalable = false;
    cm_code_part parts[CM_CODE_PARTS];
    size_t part_count = 0;
    for (size_t i = 0; i < block->length; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        size_t size = qemu_plugin_insn_size(insn);
        memcpy(block->codes[i], qemu_plugin_insn_data(insn), size);
        cm_decode(end, block->codes[i], &none, &decoded[i]);
        if (decoded[i].length > size) {
            block->length = i;
            break;
        }
        decoded[i].place = (uint16_t)i;
        block->fusion = fusion_rules(block, decoded, i);
        cm_sums_note(&decoded[i], by);
        part_count = cm_code_add(parts, part_count, decoded[i].address, &decoded[i].operations);
        scalable = scalable || decoded[i].scalable;
        block->repeated = decoded[i].repeated ? decoded[i].address : 0;
        end += decoded[i].length;
    }
    if (block->length > 0)
        translated.end = end, translated.fusible = decoded[block->length - 1].fusible;
    block->bytes = end - block->address;
    keep_parts(block, parts, part_count);
    block->flows = cm_program_wants_flows() ? malloc(block->length * sizeof *block->flows) : NULL;
    for (size_t i = 0; block->flows != NULL && i < block->length; i++)
        cm_decode_flow(block->codes[i], &block->flows[i]);
    block->effects = make_effects(block, decoded);
    note_page(end - 1);
    return !scalable && block->repeated == 0 && !follows_code();
}

/* Decodes the code, and watches its branches, and accesses unless they count alike in each run; returns whether all
 * does.
 */
static bool read_block(struct qemu_plugin_tb *tb, cm_block *block, uint32_t *by)
{
    cm_decoded *decoded = calloc(block->length, sizeof *decoded);
    if (decoded == NULL) {
        block->length = 0; /* it is not counted */
        return false;
    }
    const bool alike = decode_block(tb, block, decoded, by);
    const bool watched = cm_sums_want_accesses() && !(alike && cm_sums_note_accesses(decoded, block->length, by));
    for (size_t i = 0; i < block->length; i++)
        watch_instruction(qemu_plugin_tb_get_insn(tb, i), &decoded[i],
                          block->effects != NULL ? &block->effects[i] : NULL, watched);
    free(decoded);
    return alike;
}

void cm_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    uint64_t address = qemu_plugin_tb_vaddr(tb);
    (void)id;
    cm_guest_base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(tb, 0)) - address;
    note_page(address);
    bool excepted = address >= except_begin && address < except_end;
    cm_block *block = excepted ? NULL : make_block(address, qemu_plugin_tb_n_insns(tb));
    if (block == NULL)
        return;
    uint32_t by[CM_FACT_COUNT] = {0};
    if (read_block(tb, block, by) && cm_sums_watch_block(tb, block, by)) {
        free(block->flows);
        free(block->effects);
        free(block->codes);
        free(block);
    } else {
        qemu_plugin_register_vcpu_tb_exec_cb(tb, cm_on_block, QEMU_PLUGIN_CB_NO_REGS, block);
    }
}
