/* Facts of blocks summed up by QEMU's inline operations. */
#include "software_pmu/qemu/plugin.h"

#include <stdlib.h>

/* Sums are filled up to one of these numbers with sums of 0, so that no loop has an end to be predicted. */
#define FOR_EACH_SIZE(macro)                                                                                           \
    macro(0) macro(1) macro(2) macro(3) macro(4) macro(6) macro(8) macro(12) macro(16) macro(24)

typedef struct counted_block {
    uint64_t address;
    size_t bytes; /* of code to be fetched */
    unsigned fusion;
    cm_code_part *parts;
    size_t part_count;
    cm_sum sums[];
} counted_block;

typedef struct counted_access {
    uint64_t instruction;
    uint16_t bytes;
    bool load, store;
    cm_sum sums[];
} counted_access;

/* ---- sums ---- */

/* Counts the number and width of these accesses; no cache sees them, because their addresses are unknown. */
static void note_unplaced(const cm_decoded_unplaced *unplaced, uint32_t *by)
{
    unsigned bytes = unplaced->bytes;
    by[unplaced->store ? CM_FACT_STORES : CM_FACT_LOADS] += unplaced->count;
    by[unplaced->store ? CM_FACT_STORE_BYTES : CM_FACT_LOAD_BYTES] += unplaced->count * bytes;
    if (cm_access_has_width(bytes))
        by[(unplaced->store ? CM_FACT_STORES_1 : CM_FACT_LOADS_1) + __builtin_ctz(bytes)] += unplaced->count;
}

void cm_sums_note(const cm_decoded *decoded, uint32_t *by)
{
    by[CM_FACT_INSTRUCTIONS]++;
    for (size_t k = 0; k < decoded->fact_count; k++)
        by[decoded->facts[k]]++;
    by[decoded->lanes_fact] += decoded->lanes;
    note_unplaced(&decoded->unplaced, by);
}

size_t cm_sums_pack(const uint32_t *by, cm_sum *sums)
{
    size_t count = 0;
    for (uint32_t fact = 0; fact < CM_FACT_COUNT; fact++)
        if (by[fact] != 0 && cm_program_wants(fact)) {
            if (sums != NULL)
                sums[count] = (cm_sum){fact, by[fact]};
            count++;
        }
    return count;
}

/* ---- callbacks ---- */

static inline void add_sums(uint64_t *facts, const cm_sum *sums, size_t count)
{
#pragma GCC unroll 24
    for (size_t i = 0; i < count; i++)
        facts[sums[i].fact] += sums[i].by;
}

/* A branch led to the block, its code is fetched, or the thread's machine is yet to be found; returns that. */
static __attribute__((noinline)) cm_modelled *enter(const counted_block *block)
{
    if (cm_counted.modelled == NULL)
        cm_counted.modelled = cm_program_join();
    if (cm_counted.modelled == NULL)
        return NULL;
    if (cm_counted.branch != NULL)
        cm_branch_led_to(block->address);
    cm_modelled_go_on(cm_counted.modelled);
    if (block->bytes != 0)
        cm_modelled_fetch(cm_counted.modelled, block->address, block->bytes);
    return cm_counted.modelled;
}

/* Counts a block when it begins to run, by sums made at its translation. */
static inline void run_block(const counted_block *block, size_t count)
{
    cm_modelled *modelled = cm_counted.modelled;
    if (modelled == NULL || cm_counted.branch != NULL || block->bytes != 0)
        modelled = enter(block);
    if (modelled == NULL)
        return;
    cm_counted.opened = NULL;
    cm_counted.repeating = 0;
    cm_registers_forget(&cm_counted.registers);
    const bool fused = cm_modelled_pair(modelled, block->fusion);
    if (modelled->operates)
        cm_modelled_operate(modelled, block->parts, block->part_count, fused);
    add_sums(modelled->facts, block->sums, count);
}

/* QEMU may report an access in parts. */
static inline void run_access(const counted_access *access, uint64_t address, size_t count)
{
    cm_modelled *modelled = cm_counted.modelled;
    if (cm_counted.opened == access || modelled == NULL)
        return;
    cm_counted.opened = access;
    modelled->instruction = access->instruction;
    add_sums(modelled->facts, access->sums, count);
    if (access->load)
        cm_modelled_access(modelled, address, access->bytes, false);
    if (access->store)
        cm_modelled_access(modelled, address, access->bytes, true);
}

static inline void run_decided(const counted_block *block, size_t count)
{
    run_block(block, count);
    if (cm_counted.modelled != NULL)
        cm_decide_conditional(cm_counted.modelled, block->address);
}

#define DEFINE(count)                                                                                                  \
    static void block_##count(unsigned vcpu, void *data)                                                               \
    {                                                                                                                  \
        (void)vcpu;                                                                                                    \
        run_block(data, count);                                                                                        \
    }                                                                                                                  \
    static void decided_##count(unsigned vcpu, void *data)                                                             \
    {                                                                                                                  \
        (void)vcpu;                                                                                                    \
        run_decided(data, count);                                                                                      \
    }                                                                                                                  \
    static void access_##count(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)                \
    {                                                                                                                  \
        (void)vcpu, (void)info;                                                                                        \
        run_access(data, address, count);                                                                              \
    }
FOR_EACH_SIZE(DEFINE)

typedef struct callbacks {
    size_t count;
    qemu_plugin_vcpu_udata_cb_t block, decided; /* without and with the outcome of a conditional branch before it */
    qemu_plugin_vcpu_mem_cb_t access;
} callbacks;

#define ROW(count) {count, block_##count, decided_##count, access_##count},
static const callbacks callback_rows[] = {FOR_EACH_SIZE(ROW)};

/* The callbacks for that many sums; NULL: there are too many. */
static const callbacks *row_for(size_t count)
{
    for (size_t i = 0; i < sizeof callback_rows / sizeof callback_rows[0]; i++)
        if (callback_rows[i].count >= count)
            return &callback_rows[i];
    return NULL;
}

/* ---- registration ---- */

bool cm_sums_watch_block(struct qemu_plugin_tb *tb, const cm_block *block, const uint32_t *by)
{
    const callbacks *row = row_for(cm_sums_pack(by, NULL));
    counted_block *counted = row != NULL ? calloc(1, sizeof *counted + row->count * sizeof counted->sums[0]) : NULL;
    if (counted == NULL)
        return false;
    *counted = (counted_block){.address = block->address,
                               .bytes = cm_program_is_bare() ? 0 : block->bytes,
                               .fusion = block->fusion,
                               .parts = block->parts,
                               .part_count = block->part_count};
    cm_sums_pack(by, counted->sums);
    const bool decides = cm_program_is_bare() && cm_program_wants(CM_FACT_BRANCHES_COND_TAKEN);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, decides ? row->decided : row->block, QEMU_PLUGIN_CB_NO_REGS, counted);
    return true;
}

/* Adds the facts of one side of an access. */
static void note_side(cm_fact number, cm_fact first_width, cm_fact bytes_fact, unsigned bytes, uint32_t *by)
{
    by[number]++;
    by[bytes_fact] += bytes;
    if (cm_access_has_width(bytes))
        by[first_width + __builtin_ctz(bytes)]++;
}

bool cm_sums_want_accesses(void)
{
    static const struct {
        cm_fact first, last;
    } of_accesses[] = {{CM_FACT_LOADS, CM_FACT_STORE_BYTES},
                       {CM_FACT_LOCKED_LOADS, CM_FACT_SPLIT_STORES},
                       {CM_FACT_LOADS_1, CM_FACT_NT_STORES}};
    bool wanted = !cm_program_is_bare();
    for (size_t i = 0; i < sizeof of_accesses / sizeof of_accesses[0]; i++)
        for (size_t fact = of_accesses[i].first; fact <= of_accesses[i].last; fact++)
            wanted = wanted || cm_program_wants(fact);
    return wanted;
}

/* Adds the facts of an access to one place. */
static void note_access(const cm_decoded_access *access, uint32_t *by)
{
    if (access->load)
        note_side(CM_FACT_LOADS, CM_FACT_LOADS_1, CM_FACT_LOAD_BYTES, access->bytes, by);
    if (access->store)
        note_side(CM_FACT_STORES, CM_FACT_STORES_1, CM_FACT_STORE_BYTES, access->bytes, by);
    by[CM_FACT_LOCKED_LOADS] += access->load && access->locked;
    by[CM_FACT_UPDATES] += access->load && access->store;
}

bool cm_sums_note_accesses(const cm_decoded *decoded, size_t count, uint32_t *by)
{
    if (!cm_program_is_bare() || cm_program_wants(CM_FACT_SPLIT_LOADS) || cm_program_wants(CM_FACT_SPLIT_STORES))
        return false;
    uint32_t with[CM_FACT_COUNT];
    memcpy(with, by, sizeof with);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < decoded[i].access_count; k++) {
            const cm_decoded_access *access = &decoded[i].accesses[k];
            if (access->scattered || access->non_temporal || access->locked)
                return false;
            note_access(access, with);
        }
    if (row_for(cm_sums_pack(with, NULL)) == NULL)
        return false;
    memcpy(by, with, sizeof with);
    return true;
}

bool cm_sums_watch_access(struct qemu_plugin_insn *insn, const cm_decoded *decoded)
{
    const cm_decoded_access *access = &decoded->accesses[0];
    uint32_t by[CM_FACT_COUNT] = {0};
    if (access->scattered || access->non_temporal || decoded->operations.repeated)
        return false;
    note_access(access, by);
    const callbacks *row = row_for(cm_sums_pack(by, NULL));
    counted_access *watched = calloc(1, sizeof *watched + row->count * sizeof watched->sums[0]);
    if (watched == NULL)
        return true;
    *watched = (counted_access){decoded->address, access->bytes, access->load, access->store};
    cm_sums_pack(by, watched->sums);
    qemu_plugin_register_vcpu_mem_cb(insn, row->access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, watched);
    return true;
}
