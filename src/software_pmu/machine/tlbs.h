/* Translations of pages: a first TLB for data and one for instructions, and behind them a second one for both, or one
 * for each. A miss of all of them is a page walk.
 *
 * Huge pages have entries of their own in the first TLB of data, or share those of small ones, and share the second. */
#ifndef CM_SOFTWARE_PMU_MACHINE_TLBS_H
#define CM_SOFTWARE_PMU_MACHINE_TLBS_H

#include "software_pmu/machine/caches.h"
#include "software_pmu/machine/facts.h"

typedef enum cm_tlb_use { CM_TLB_LOAD, CM_TLB_STORE, CM_TLB_FETCH } cm_tlb_use;

/* `lines` is NULL if the machine lacks the TLB. */
typedef struct cm_tlbs {
    cm_cache data, data_huge, code, second, second_code;
    unsigned page_shift, huge_shift; /* huge_shift is 0 if there are no huge pages */
    uint64_t huge_start, huge_size;  /* address range of the huge pages */
} cm_tlbs;

/* The page size must be a power of two. */
cm_status cm_tlbs_init(cm_tlbs *tlbs, const cm_pmu_machine *machine, cm_error *error);
void cm_tlbs_clear(cm_tlbs *tlbs);

/* Makes this range alone huge pages. CM_UNSUPPORTED without any, CM_BAD_ARGUMENT if it is no multiple of them. */
cm_status cm_tlbs_set_huge(cm_tlbs *tlbs, uint64_t start, uint64_t size, cm_error *error);

static inline bool cm_tlbs_is_huge(const cm_tlbs *tlbs, uint64_t address)
{
    return address - tlbs->huge_start < tlbs->huge_size;
}

/* The TLBs that an access misses, in one of its pages or in several. */
typedef struct cm_tlb_misses {
    bool first, second, huge;
} cm_tlb_misses;

/* One access to the bytes from `address` to `last`, in no fact. */
cm_tlb_misses cm_tlbs_translate(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last);
/* The same, counted. */
void cm_tlbs_access(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last, uint64_t *facts);

/* Removes the address' page from the first TLBs, with `second` from the others, too. */
void cm_tlbs_forget(cm_tlbs *tlbs, uint64_t address, bool second);

#endif
