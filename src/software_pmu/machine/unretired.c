/* Accesses that do not retire: prefetches and those of wrong paths. */
#include "software_pmu/machine/flow.h"

/* Counts hits and misses from the level `begin` to the one that had the line; `first` is the fact of L1's hits. */
static void count_unretired_levels(cm_fact first, size_t begin, size_t found, uint64_t *facts)
{
    for (size_t i = begin; i <= found && i < CM_MEMORY_LEVELS; i++)
        facts[first + 2 * i + (i < found)]++;
}

/* `miss` is the fact of misses of the first TLB, walks behind it; `steps` is that of walks. */
static void translate_access(cm_memory *memory, cm_tlb_use use, uint64_t address, uint64_t last, cm_fact miss,
                             cm_fact steps, uint64_t *facts)
{
    memory->tlbs.walks.clock = memory->fills.clock;
    const cm_tlb_misses missed = cm_tlbs_translate(&memory->tlbs, use, address, last);
    facts[miss] += missed.first;
    facts[miss + 1] += missed.first && missed.second;
    facts[steps] += missed.steps;
}

/* Brings a line of data to the level `begin` and those behind it; returns the level that had it. */
static size_t bring_line(cm_memory *memory, size_t begin, uint64_t line, uint64_t *facts)
{
    if (memory->evasion.on)
        cm_evasion_give_up(&memory->evasion, line, facts);
    const size_t found = cm_memory_find_line(memory, begin, &memory->levels[begin], line, facts);
    if (begin == 0 && found != 0 && memory->fills.accesses != 0)
        cm_fills_begin(&memory->fills, line);
    return found;
}

void cm_memory_hint(cm_memory *memory, cm_hint hint, uint64_t address, uint64_t *facts)
{
    const uint64_t line = address >> memory->line_shift;
    translate_access(memory, CM_TLB_LOAD, address, address, CM_FACT_DTLB_HINT_MISS, CM_FACT_HINT_WALK_STEPS, facts);
    size_t begin = 0;
    if (hint == CM_HINT_L2 && memory->levels[0].lines != NULL && !cm_cache_holds(&memory->levels[0], line))
        begin = 1;
    facts[CM_FACT_L1D_HINT_MISS] += begin;
    count_unretired_levels(CM_FACT_L1D_HINT_HIT, begin, bring_line(memory, begin, line, facts), facts);
}

void cm_memory_wrong_load(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts)
{
    const uint64_t last = address + bytes - 1;
    size_t found = 0;
    translate_access(memory, CM_TLB_LOAD, address, last, CM_FACT_DTLB_WRONG_LOAD_MISS, CM_FACT_WRONG_LOAD_WALK_STEPS,
                     facts);
    for (uint64_t line = address >> memory->line_shift; line <= last >> memory->line_shift; line++) {
        const size_t level = bring_line(memory, 0, line, facts);
        found = level > found ? level : found;
    }
    count_unretired_levels(CM_FACT_L1D_WRONG_LOAD_HIT, 0, found, facts);
}

void cm_memory_wrong_store(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts)
{
    translate_access(memory, CM_TLB_STORE, address, address + bytes - 1, CM_FACT_DTLB_WRONG_STORE_MISS,
                     CM_FACT_WRONG_STORE_WALK_STEPS, facts);
}

void cm_memory_wrong_fetch(cm_memory *memory, uint64_t line, uint64_t *facts)
{
    const uint64_t address = line << memory->line_shift;
    if (memory->l1i.lines == NULL)
        return;
    translate_access(memory, CM_TLB_FETCH, address, address, CM_FACT_ITLB_WRONG_FETCH_MISS,
                     CM_FACT_WRONG_FETCH_WALK_STEPS, facts);
    count_unretired_levels(CM_FACT_L1I_WRONG_FETCH_HIT, 0, cm_memory_find_line(memory, 0, &memory->l1i, line, facts),
                           facts);
}
