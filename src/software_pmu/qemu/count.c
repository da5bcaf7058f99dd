/* Counts translated code when it runs. */
#include <stdlib.h>

#include "software_pmu/qemu/plugin.h"

__thread cm_counter cm_counted;

/* ---- straight-line code ---- */

/* Returns whether scalable vectors matter; `vectors` becomes their state after the block. */
static bool sum_facts(const cm_block *block, cm_vectors *vectors, uint32_t *by)
{
    cm_decoded decoded = {.address = block->address};
    bool scalable = false;
    for (size_t i = 0; i < block->length; i++) {
        cm_decode(decoded.address + decoded.length, block->codes[i], vectors, &decoded);
        cm_sums_note(&decoded, by);
        *vectors = decoded.vectors;
        if (cm_translate_follows())
            memset(vectors->masks, 0, sizeof vectors->masks); /* scalable.c counts their lanes */
        scalable = scalable || decoded.scalable;
    }
    return scalable;
}

static const cm_sums *find_sums(cm_block *block)
{
    for (const cm_sums *sums = block->sums; sums != NULL; sums = sums->next)
        if (!sums->scalable || memcmp(sums->around, &cm_counted.vectors, sizeof *sums->around) == 0)
            return sums;
    return NULL;
}

/* The sums of the block. Other threads may count the block at the same time. NULL if memory runs out. */
static const cm_sums *sum_up(cm_block *block)
{
    uint32_t by[CM_FACT_COUNT] = {0};
    cm_vectors behind = cm_counted.vectors;
    bool scalable = sum_facts(block, &behind, by);
    const size_t count = cm_sums_pack(by, NULL), size = sizeof(cm_sums) + count * sizeof(cm_sum);
    cm_sums *sums = malloc(size + 2 * sizeof *sums->around);
    if (sums == NULL)
        return NULL;
    *sums = (cm_sums){
        .next = block->sums, .count = (uint32_t)count, .scalable = scalable, .around = (void *)((char *)sums + size)};
    sums->around[0] = cm_counted.vectors;
    sums->around[1] = behind;
    cm_sums_pack(by, sums->sums);
    while (!__atomic_compare_exchange_n(&block->sums, &sums->next, sums, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        continue;
    return sums;
}

/* Adds the block's facts, which are summed once for each state of vectors. */
static void add_block_sums(cm_block *block, cm_modelled *modelled)
{
    const cm_sums *sums = find_sums(block);
    if (sums == NULL)
        sums = sum_up(block);
    if (sums == NULL)
        return;
    if (sums->scalable)
        cm_counted.vectors = sums->around[1];
    for (size_t i = 0; i < sums->count; i++)
        modelled->facts[sums->sums[i].fact] += sums->sums[i].by;
}

static uint64_t mispredictions(void)
{
    const uint64_t *facts = cm_counted.modelled->facts;
    return facts[CM_FACT_MISPREDICTED_COND] + facts[CM_FACT_MISPREDICTED_INDIRECT] +
           facts[CM_FACT_MISPREDICTED_RETURNS];
}

/* Caches and TLBs are about to be asked. */
static void look_before(void)
{
    if (cm_counted.time != NULL)
        cm_time_before(cm_counted.time, cm_counted.modelled->facts);
}

/* As `enter_block`, with time. */
static void enter_in_time(const cm_block *block)
{
    const uint64_t mispredicted = mispredictions();
    const cm_decoded *branch = cm_counted.branch;
    const bool taken = branch != NULL && block->address != branch->address + branch->length;
    cm_branch_led_to(block->address);
    const cm_time_end how = mispredictions() != mispredicted ? CM_TIME_MISPREDICTED
                            : taken                          ? CM_TIME_TAKEN
                                                             : CM_TIME_GOES_ON;
    cm_time_begin(cm_counted.time, block->flows, block->length, how, cm_counted.modelled->facts);
    const bool interrupted = cm_modelled_go_on(cm_counted.modelled);
    look_before();
    if (block->bytes != 0)
        cm_modelled_fetch(cm_counted.modelled, block->address, block->bytes);
    cm_time_fetched(cm_counted.time, cm_counted.modelled->facts);
    if (interrupted)
        cm_time_interrupted(cm_counted.time);
}

/* The last branch led to the block, whose code is fetched. */
static void enter_block(const cm_block *block)
{
    if (cm_counted.branch != NULL)
        cm_branch_led_to(block->address);
    cm_modelled_go_on(cm_counted.modelled);
    if (block->bytes != 0)
        cm_modelled_fetch(cm_counted.modelled, block->address, block->bytes);
}

void cm_on_block(unsigned vcpu, void *data)
{
    cm_block *block = data;
    (void)vcpu;
    if (cm_counted.modelled == NULL)
        cm_counted.modelled = cm_program_join();
    if (cm_counted.modelled == NULL)
        return;
    cm_counted.opened = NULL;
    cm_decide_conditional(cm_counted.modelled, block->address);
    if (cm_counted.time != NULL)
        enter_in_time(block);
    else
        enter_block(block);
    cm_registers_begin(&cm_counted.registers, block->effects, block->length);
    const bool fused = cm_modelled_pair(cm_counted.modelled, block->fusion);
    if (cm_counted.modelled->operates && block->address != cm_counted.repeating)
        cm_modelled_operate(cm_counted.modelled, block->parts, block->part_count, fused);
    add_block_sums(block, cm_counted.modelled);
    if (block->flows != NULL && cm_counted.flows != NULL)
        cm_counted.modelled->facts[CM_FACT_IN_CORE_CYCLES] +=
            cm_flows_add(cm_counted.flows, block->flows, block->length);
    if (block->address == cm_counted.repeating) {
        cm_counted.modelled->facts[CM_FACT_INSTRUCTIONS]--;
        cm_counted.modelled->facts[CM_FACT_STRING_INSTRUCTIONS]--;
    }
    cm_counted.repeating = block->repeated;
}

/* ---- branches ---- */

/* Counts a conditional branch once the address behind it is known. */
static void resolve_conditional(const cm_decoded *branch, uint64_t led_to)
{
    const bool taken = branch->target != 0 ? led_to == branch->target : led_to != branch->address + branch->length;
    uint64_t *facts = cm_counted.modelled->facts;
    if (cm_counted.modelled->predictor != NULL) {
        cm_walk_conditional(branch, taken);
        return;
    }
    facts[CM_FACT_BRANCHES_COND_TAKEN] += taken;
    facts[CM_FACT_COND_EXECUTED_TAKEN] += taken;
}

void cm_branch_led_to(uint64_t address)
{
    if (cm_counted.branch == NULL)
        return;
    const cm_decoded *branch = cm_counted.branch;
    cm_modelled *modelled = cm_counted.modelled;
    cm_counted.branch = NULL;
    if (branch->kind == CM_DECODED_CONDITIONAL)
        resolve_conditional(branch, address);
    if (modelled->predictor == NULL)
        return;
    if (branch->kind == CM_DECODED_RETURN)
        cm_modelled_return(modelled, address);
    if (branch->kind == CM_DECODED_JUMP_INDIRECT || branch->kind == CM_DECODED_CALL_INDIRECT)
        cm_modelled_indirect(modelled, branch->address, address);
    if (branch->kind == CM_DECODED_CALL || branch->kind == CM_DECODED_CALL_INDIRECT)
        cm_predictor_call(modelled->predictor, branch->address + branch->length);
}

/* ---- memory ---- */

static void look_behind(const cm_decoded_access *access, uint16_t place, bool store, uint64_t address)
{
    const cm_timed_access timed = {
        .address = address, .place = place, .store = store, .bytes = (uint16_t)access->bytes};
    const cm_modelled *modelled = cm_counted.modelled;
    if (cm_counted.time != NULL)
        cm_time_accessed(cm_counted.time, timed, &modelled->memory, modelled->facts);
}

/* Counts one access of an instruction, and the time that passes with it. */
static void count_access(const cm_decoded *decoded, const cm_decoded_access *access, uint64_t address)
{
    cm_modelled *modelled = cm_counted.modelled;
    const uint16_t place = decoded->place;
    modelled->instruction = decoded->address;
    cm_registers_learn(&cm_counted.registers, place, address, cm_host_address(address));
    look_before();
    if (access->load) {
        cm_modelled_load(modelled, address, access->bytes, access->locked);
        look_behind(access, place, false, address);
        look_before();
    }
    if (access->non_temporal)
        cm_modelled_nt_store(modelled, address, access->bytes);
    else if (access->store)
        cm_modelled_store(modelled, address, access->bytes);
    if (access->store)
        look_behind(access, place, true, address);
    modelled->facts[CM_FACT_UPDATES] += access->load && access->store;
    if (decoded->operations.repeated)
        cm_modelled_repeat(modelled, 1);
}

/* Whether these bytes belong to an access that has begun. */
static bool is_part(cm_open_access *open, bool store, uint64_t address, unsigned bytes)
{
    unsigned *left = store ? &open->store_left : &open->load_left;
    if (!open->begun || address < open->address || *left < bytes)
        return false;
    *left -= bytes;
    return true;
}

/* Begins an access that QEMU reports in parts. */
static void begin_access(const cm_decoded *decoded, size_t i, bool store, uint64_t address, unsigned bytes)
{
    const cm_decoded_access *access = &decoded->accesses[i];
    cm_open_access *open = &cm_counted.accesses[i];
    *open = (cm_open_access){.address = address,
                             .load_left = access->load ? access->bytes : 0,
                             .store_left = access->store ? access->bytes : 0,
                             .begun = !access->scattered};
    is_part(open, store, address, bytes);
    count_access(decoded, access, address);
}

/* QEMU executes a store-exclusive as an exchange, and may load a value before it stores; the decoder decides which
 * accesses an instruction has. */
static bool may_begin(const cm_decoded *decoded, size_t i, bool store)
{
    const cm_decoded_access *access = &decoded->accesses[i];
    return !cm_counted.accesses[i].begun && (store ? access->store : access->load);
}

/* An instruction is executed at most once in each run of its block. */
void cm_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const cm_decoded *decoded = data;
    (void)vcpu, (void)info;
    if (cm_counted.modelled == NULL || (cm_counted.opened == decoded && !decoded->accesses[0].scattered))
        return;
    cm_counted.opened = decoded;
    count_access(decoded, &decoded->accesses[0], address);
}

void cm_on_accesses(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const cm_decoded *decoded = data;
    bool store = qemu_plugin_mem_is_store(info);
    unsigned bytes = 1u << qemu_plugin_mem_size_shift(info);
    (void)vcpu;
    if (cm_counted.modelled == NULL)
        return;
    for (size_t i = 0; cm_counted.opened != decoded && i < decoded->access_count; i++)
        cm_counted.accesses[i].begun = false;
    cm_counted.opened = decoded;
    for (size_t i = 0; i < decoded->access_count; i++)
        if (is_part(&cm_counted.accesses[i], store, address, bytes))
            return;
    for (size_t i = 0; i < decoded->access_count; i++)
        if (may_begin(decoded, i, store)) {
            begin_access(decoded, i, store, address, bytes);
            return;
        }
}

void cm_on_hint(unsigned vcpu, void *data)
{
    const cm_decoded *decoded = data;
    cm_registers *registers = &cm_counted.registers;
    uint64_t address = 0;
    (void)vcpu;
    if (cm_counted.modelled != NULL && cm_registers_address(registers, decoded->place, &address))
        cm_modelled_hint(cm_counted.modelled, (cm_hint)registers->effects[decoded->place].hint, address);
}

/* An access, or its part in a line. */
static void count_part(const cm_decoded *decoded, unsigned bytes, bool store, uint64_t address)
{
    const cm_decoded_access access = {.bytes = (uint16_t)bytes, .load = !store, .store = store};
    look_before();
    cm_modelled_access(cm_counted.modelled, address, bytes, store);
    look_behind(&access, decoded->place, store, address);
}

/* One that is wider than a line is an access in each of its lines. */
void cm_count_unreported(const cm_decoded *decoded, unsigned bytes, bool store, uint64_t address)
{
    cm_modelled *modelled = cm_counted.modelled;
    const uint64_t size = UINT64_C(1) << modelled->memory.line_shift, end = address + bytes;
    modelled->instruction = decoded->address;
    if (bytes <= size) {
        count_part(decoded, bytes, store, address);
        return;
    }
    modelled->facts[store ? CM_FACT_STORES : CM_FACT_LOADS] += (end - 1) / size - address / size;
    for (uint64_t at = address; at < end;) {
        const uint64_t line_end = (at / size + 1) * size, part_end = line_end < end ? line_end : end;
        count_part(decoded, (unsigned)(part_end - at), store, at);
        at = part_end;
    }
}
