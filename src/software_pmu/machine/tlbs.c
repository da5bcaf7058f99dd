#include "software_pmu/machine/tlbs.h"

#include <string.h>

#include "core/error.h"

static cm_status init_one(cm_cache *tlb, unsigned entries, unsigned ways, cm_error *error)
{
    if (entries == 0)
        return CM_OK;
    if (ways == 0 || entries % ways != 0)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "a TLB of %u entries cannot have %u ways", entries,
                            ways);
    return cm_cache_init(tlb, entries / ways, ways, false, error);
}

cm_status cm_tlbs_init(cm_tlbs *tlbs, const cm_pmu_machine *machine, cm_error *error)
{
    memset(tlbs, 0, sizeof *tlbs);
    tlbs->page_shift = (unsigned)__builtin_ctzll(machine->page_size);
    cm_status status = init_one(&tlbs->data, machine->dtlb_entries, machine->dtlb_entries, error);
    if (status == CM_OK)
        status = init_one(&tlbs->code, machine->itlb_entries, machine->itlb_entries, error);
    if (status == CM_OK)
        status = init_one(&tlbs->second, machine->stlb_entries, machine->stlb_ways, error);
    return status == CM_OK ? init_one(&tlbs->second_code, machine->istlb_entries, machine->istlb_ways, error) : status;
}

void cm_tlbs_clear(cm_tlbs *tlbs)
{
    cm_cache_clear(&tlbs->data);
    cm_cache_clear(&tlbs->code);
    cm_cache_clear(&tlbs->second);
    cm_cache_clear(&tlbs->second_code);
}

static cm_cache *second_of(cm_tlbs *tlbs, cm_tlb_use use)
{
    return use == CM_TLB_FETCH && tlbs->second_code.lines != NULL ? &tlbs->second_code : &tlbs->second;
}

void cm_tlbs_access(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last, uint64_t *facts)
{
    static const cm_fact misses[] = {CM_FACT_DTLB_LOAD_MISS, CM_FACT_DTLB_STORE_MISS, CM_FACT_ITLB_MISS};
    cm_cache *first = use == CM_TLB_FETCH ? &tlbs->code : &tlbs->data, *second = second_of(tlbs, use);
    bool missed = false, walked = false;
    if (first->lines == NULL)
        return;
    for (uint64_t page = address >> tlbs->page_shift; page <= last >> tlbs->page_shift; page++)
        if (!cm_cache_access(first, page, NULL)) {
            missed = true;
            walked = second->lines == NULL || !cm_cache_access(second, page, NULL) || walked;
        }
    facts[misses[use]] += missed;
    facts[CM_FACT_LOAD_WALKS + use] += walked;
}

static void forget(cm_cache *tlb, uint64_t page)
{
    if (tlb->lines != NULL)
        cm_cache_drop(tlb, page);
}

void cm_tlbs_forget(cm_tlbs *tlbs, uint64_t address, bool second)
{
    uint64_t page = address >> tlbs->page_shift;
    forget(&tlbs->data, page);
    forget(&tlbs->code, page);
    if (second) {
        forget(&tlbs->second, page);
        forget(&tlbs->second_code, page);
    }
}
