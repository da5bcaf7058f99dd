/* What is watched of the code that QEMU translates. What is allocated here lives as long as the translation, which may
 * be the process. */
#include <stdlib.h>
#include <string.h>

#include "software_pmu/qemu/plugin.h"

enum { PAGE_SHIFT = 12, PAGES = 1 << 14 };

/* Pages that hold code, by a hash of their number; a full table forgets none, and takes no more. 0: empty, no code lies
 * there. */
static uint64_t pages[PAGES];
static uint64_t except_begin, except_end;

static uint64_t *find_page(uint64_t page)
{
    size_t at = (size_t)(page * UINT64_C(0x9E3779B97F4A7C15) >> 50) % PAGES;
    for (size_t tries = 0; tries < PAGES; tries++, at = (at + 1) % PAGES)
        if (pages[at] == page || pages[at] == 0)
            return &pages[at];
    return NULL;
}

static void note_page(uint64_t address)
{
    uint64_t *place = find_page(address >> PAGE_SHIFT);
    if (place != NULL)
        *place = address >> PAGE_SHIFT;
}

bool cm_is_code(uint64_t address)
{
    const uint64_t *place = find_page(address >> PAGE_SHIFT);
    return place != NULL && *place != 0;
}

void cm_translate_except(uint64_t begin, uint64_t end)
{
    except_begin = begin;
    except_end = end;
}

static void watch(struct qemu_plugin_insn *insn, const cm_decoded *decoded)
{
    bool branches =
        decoded->kind != CM_DECODED_PLAIN && decoded->kind != CM_DECODED_WALL && decoded->kind != CM_DECODED_JUMP;
    bool accesses = decoded->load_bytes != 0 || decoded->store_bytes != 0;
    if (!branches && !accesses)
        return;
    cm_site *site = calloc(1, sizeof *site);
    if (site == NULL)
        return;
    site->decoded = *decoded;
    if (branches)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, cm_on_branch, QEMU_PLUGIN_CB_NO_REGS, site);
    if (!accesses)
        return;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, cm_on_access_begin, QEMU_PLUGIN_CB_NO_REGS, site);
    qemu_plugin_register_vcpu_mem_cb(insn, cm_on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, site);
}

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

void cm_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    uint64_t address = qemu_plugin_tb_vaddr(tb);
    size_t length = qemu_plugin_tb_n_insns(tb);
    (void)id;
    cm_counted.guest_base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(tb, 0)) - address;
    note_page(address);
    cm_block *block = address >= except_begin && address < except_end ? NULL : make_block(address, length);
    if (block == NULL)
        return;
    cm_decoded decoded = {.address = address};
    for (size_t i = 0; i < length; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const void *code = qemu_plugin_insn_data(insn);
        memcpy(block->codes[i], code, cm_code_length(code));
        cm_decode(decoded.address + decoded.length, block->codes[i], 0, &decoded);
        watch(insn, &decoded);
    }
    note_page(decoded.address + decoded.length - 1);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, cm_on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}
