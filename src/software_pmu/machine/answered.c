/* The answers of caches and TLBs, told by the facts that they counted. */
#include "software_pmu/machine/modelled.h"

static struct cm_time_misses misses_of(const uint64_t *facts)
{
    struct cm_time_misses misses = {
        .tlbs = facts[CM_FACT_DTLB_LOAD_MISS] + facts[CM_FACT_DTLB_STORE_MISS] + facts[CM_FACT_ITLB_MISS],
        .walks = facts[CM_FACT_LOAD_WALKS] + facts[CM_FACT_STORE_WALKS] + facts[CM_FACT_FETCH_WALKS]};
    for (size_t i = 0; i < CM_MEMORY_LEVELS; i++)
        misses.levels += facts[CM_FACT_L1D_LOAD_MISS + 4 * i] + facts[CM_FACT_L1D_STORE_MISS + 4 * i] +
                         facts[CM_FACT_L1I_FETCH_MISS + 2 * i];
    return misses;
}

void cm_time_before(cm_time *time, const uint64_t *facts)
{
    time->before = misses_of(facts);
}

void cm_time_fetched(cm_time *time, const uint64_t *facts)
{
    const struct cm_time_misses now = misses_of(facts);
    uint64_t cycles = 0;
    for (uint64_t left = now.levels - time->before.levels; left != 0; left -= cm_sooner(left, CM_MEMORY_LEVELS))
        cycles += time->levels[cm_sooner(left, CM_MEMORY_LEVELS)]; /* lines, one behind the other */
    cycles += (now.walks - time->before.walks) * time->machine.latency_walk;
    time->fetched = time->entry + cycles;
}

void cm_time_accessed(cm_time *time, cm_timed_access access, const cm_memory *memory, const uint64_t *facts)
{
    const struct cm_time_misses now = misses_of(facts);
    if (time->access_count == CM_TIME_ACCESSES)
        return;
    access.level = (uint8_t)cm_sooner(now.levels - time->before.levels, CM_MEMORY_LEVELS);
    access.tlb_missed = now.tlbs != time->before.tlbs;
    access.walked = now.walks != time->before.walks;
    for (size_t i = 0; i < memory->asked_count && time->asked_count < CM_TIME_ACCESSES; i++)
        time->asked[time->asked_count++] = memory->asked[i];
    access.asked = (uint16_t)time->asked_count;
    time->accesses[time->access_count++] = access;
}
