/* Translations: TLBs of data and code with two levels, huge pages, and caches of page walks. */
#include "software_pmu/machine/memory.h"

#include "core/base.h"

static cm_status init_one(cm_cache *tlb, unsigned entries, unsigned ways, cm_error *error)
{
    if (entries == 0)
        return CM_OK;
    if (ways == 0 || entries % ways != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a TLB of %u entries cannot have %u ways", entries, ways);
    return cm_cache_init(tlb, entries / ways, ways, false, error);
}

cm_status cm_tlbs_init(cm_tlbs *tlbs, const cm_pmu_machine *machine, cm_error *error)
{
    memset(tlbs, 0, sizeof *tlbs);
    tlbs->page_shift = (unsigned)__builtin_ctzll(machine->page_size);
    tlbs->walks.accesses = machine->walk_accesses;
    tlbs->huge_shift = machine->huge_page_size != 0 ? (unsigned)__builtin_ctzll(machine->huge_page_size) : 0;
    cm_status status = init_one(&tlbs->data, machine->dtlb_entries, machine->dtlb_entries, error);
    CM_THEN(status, init_one(&tlbs->data_huge, machine->dtlb_huge_entries, machine->dtlb_huge_entries, error));
    CM_THEN(status, init_one(&tlbs->code, machine->itlb_entries, machine->itlb_entries, error));
    CM_THEN(status, init_one(&tlbs->second, machine->stlb_entries, machine->stlb_ways, error));
    for (size_t i = 0; i < CM_WALK_LEVELS && status == CM_OK; i++)
        status = init_one(&tlbs->tables[i], machine->walk_cache_entries, machine->walk_cache_entries, error);
    return status == CM_OK ? init_one(&tlbs->second_code, machine->istlb_entries, machine->istlb_ways, error) : status;
}

void cm_tlbs_clear(cm_tlbs *tlbs)
{
    cm_cache_clear(&tlbs->data);
    cm_cache_clear(&tlbs->data_huge);
    cm_cache_clear(&tlbs->code);
    cm_cache_clear(&tlbs->second);
    cm_cache_clear(&tlbs->second_code);
    for (size_t i = 0; i < CM_WALK_LEVELS; i++)
        cm_cache_clear(&tlbs->tables[i]);
}

cm_status cm_tlbs_set_huge(cm_tlbs *tlbs, uint64_t start, uint64_t size, cm_error *error)
{
    uint64_t within = (UINT64_C(1) << tlbs->huge_shift) - 1;
    if (size != 0 && tlbs->huge_shift == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the modelled machine has no huge pages");
    if (((start | size) & within) != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "expected whole huge pages of %llu bytes",
                       (unsigned long long)within + 1);
    tlbs->huge_start = start;
    tlbs->huge_size = size;
    return CM_OK;
}

/* A page with its name in the TLBs; huge ones have names of their own. */
typedef struct tlb_page {
    uint64_t name;
    uint64_t end; /* the address after it */
    bool huge;
} tlb_page;

enum { HUGE_BIT = 62 };

static tlb_page page_of(const cm_tlbs *tlbs, uint64_t address)
{
    bool huge = cm_tlbs_is_huge(tlbs, address);
    unsigned shift = huge ? tlbs->huge_shift : tlbs->page_shift;
    uint64_t number = address >> shift;
    return (tlb_page){number | (uint64_t)huge << HUGE_BIT, (number + 1) << shift, huge};
}

static cm_cache *first_of(cm_tlbs *tlbs, cm_tlb_use use, bool huge)
{
    if (use == CM_TLB_FETCH)
        return &tlbs->code;
    return huge && tlbs->data_huge.lines != NULL ? &tlbs->data_huge : &tlbs->data;
}

/* The entries of page tables that a walk reads: an entry is 8 bytes, and a huge page has none of the last level. */
static unsigned walk_tables(cm_tlbs *tlbs, tlb_page page)
{
    enum { ENTRY_SHIFT = 3 };
    const unsigned bits = tlbs->page_shift - ENTRY_SHIFT;
    unsigned steps = 1, shift = tlbs->page_shift + bits + (page.huge ? bits : 0);
    for (size_t level = page.huge ? 1 : 0; level < CM_WALK_LEVELS; level++, steps++, shift += bits)
        if (shift >= HUGE_BIT || cm_cache_access(&tlbs->tables[level], (page.end - 1) >> shift, NULL))
            break;
    return steps;
}

static void begin_walk(cm_walks *walks, uint64_t page)
{
    if (walks->accesses == 0)
        return;
    walks->until = walks->clock + walks->accesses;
    walks->walkers[walks->next].page = page;
    walks->walkers[walks->next].until = walks->until;
    walks->next = (walks->next + 1) % CM_WALKERS;
}

static bool is_walked(const cm_walks *walks, uint64_t page)
{
    for (unsigned i = 0; i < CM_WALKERS && walks->clock <= walks->until; i++)
        if (walks->walkers[i].page == page && walks->clock <= walks->walkers[i].until)
            return true;
    return false;
}

/* Looks a page up in both levels, and walks the tables if neither has it. */
static void look_up_page(cm_tlbs *tlbs, cm_tlb_use use, tlb_page page, cm_tlb_misses *missed)
{
    cm_cache *second = use == CM_TLB_FETCH && tlbs->second_code.lines != NULL ? &tlbs->second_code : &tlbs->second;
    if (cm_cache_access(first_of(tlbs, use, page.huge), page.name, NULL)) {
        missed->merged = missed->merged || is_walked(&tlbs->walks, page.name);
        return;
    }
    missed->first = true;
    missed->huge = page.huge || missed->huge;
    if (second->lines != NULL && cm_cache_access(second, page.name, NULL))
        return;
    missed->second = true;
    begin_walk(&tlbs->walks, page.name);
    if (tlbs->tables[0].lines != NULL)
        missed->steps += walk_tables(tlbs, page);
}

cm_tlb_misses cm_tlbs_translate(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last)
{
    cm_tlb_misses missed = {0};
    if (first_of(tlbs, use, false)->lines == NULL)
        return missed;
    for (tlb_page page = page_of(tlbs, address);; page = page_of(tlbs, page.end)) {
        look_up_page(tlbs, use, page, &missed);
        if (last < page.end)
            return missed;
    }
}

void cm_tlbs_access(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last, uint64_t *facts)
{
    static const cm_fact misses[] = {CM_FACT_DTLB_LOAD_MISS, CM_FACT_DTLB_STORE_MISS, CM_FACT_ITLB_MISS};
    const cm_tlb_misses missed = cm_tlbs_translate(tlbs, use, address, last);
    if (!missed.first && use != CM_TLB_FETCH)
        facts[CM_FACT_LOAD_WALKS_MERGED + use] += missed.merged;
    if (!missed.first)
        return;
    facts[misses[use]]++;
    facts[CM_FACT_LOAD_WALKS + use] += missed.second;
    facts[CM_FACT_LOAD_WALK_STEPS + use] += missed.steps;
    facts[CM_FACT_LOAD_WALK_MISSES + use] += missed.steps > 1;
    if (missed.huge && use != CM_TLB_FETCH) {
        facts[CM_FACT_DTLB_LOAD_MISS_HUGE + use]++;
        facts[CM_FACT_LOAD_WALKS_HUGE + use] += missed.second;
    }
}

static void forget_page(cm_cache *tlb, uint64_t page)
{
    if (tlb->lines != NULL)
        cm_cache_drop(tlb, page);
}

void cm_tlbs_forget(cm_tlbs *tlbs, uint64_t address, bool second)
{
    uint64_t page = page_of(tlbs, address).name;
    forget_page(&tlbs->data, page);
    forget_page(&tlbs->data_huge, page);
    forget_page(&tlbs->code, page);
    if (second) {
        forget_page(&tlbs->second, page);
        forget_page(&tlbs->second_code, page);
    }
}
