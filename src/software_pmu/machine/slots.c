/* The slots of time: which operations fill, and why others are lost. */
#include "software_pmu/machine/modelled.h"

/* Adds lost slots and stalls to the facts of their cause. */
static void count_lost(cm_time_cause cause, uint64_t slots, uint64_t stalls, uint64_t *facts)
{
    static const struct {
        cm_fact slots, part, stalls;
    } rows[] = {
        [CM_LOST_WRONG_PATH] = {CM_FACT_SLOTS_BAD_SPECULATION, CM_FACT_SLOTS_WRONG_PATH, CM_FACT_STALL_BAD_SPECULATION},
        [CM_LOST_RECOVERY] = {CM_FACT_SLOTS_BAD_SPECULATION, CM_FACT_COUNT, CM_FACT_STALL_BAD_SPECULATION},
        [CM_LOST_FRONTEND] = {CM_FACT_SLOTS_FRONTEND, CM_FACT_COUNT, CM_FACT_STALL_FRONTEND},
        [CM_LOST_MEMORY] = {CM_FACT_SLOTS_BACKEND, CM_FACT_SLOTS_BACKEND_MEMORY, CM_FACT_STALL_MEMORY},
        [CM_LOST_CORE] = {CM_FACT_SLOTS_BACKEND, CM_FACT_COUNT, CM_FACT_STALL_CORE}};
    facts[CM_FACT_SLOTS] += slots;
    facts[rows[cause].slots] += slots;
    if (rows[cause].part != CM_FACT_COUNT)
        facts[rows[cause].part] += slots;
    if (cause == CM_LOST_WRONG_PATH) /* operations enter */
        return;
    facts[CM_FACT_STALL_CYCLES] += stalls;
    facts[rows[cause].stalls] += stalls;
}

void cm_time_lose(cm_time *time, uint64_t until, cm_time_cause cause, uint64_t *facts)
{
    if (until <= time->entry)
        return;
    const uint64_t cycles = until - time->entry;
    count_lost(cause, cycles * time->width - time->entered, cycles - (time->entered != 0), facts);
    facts[CM_FACT_CYCLES] += cycles;
    time->entry = until;
    time->entered = 0;
}

void cm_time_wait(cm_time *time, uint64_t until, uint64_t *facts)
{
    cm_time_lose(time, cm_sooner(until, time->missing), CM_LOST_MEMORY, facts);
    cm_time_lose(time, until, CM_LOST_CORE, facts);
}

void cm_time_fill(cm_time *time, uint64_t *facts)
{
    cm_time_wait(time, cm_later(time->left[time->next], time->held), facts);
    cm_time_lose(time, time->fetched, CM_LOST_FRONTEND, facts);
    if (time->entered == time->width)
        cm_time_lose(time, time->entry + 1, CM_LOST_CORE, facts); /* none are left to lose */
    time->entered++;
    facts[CM_FACT_SLOTS]++;
    facts[CM_FACT_SLOTS_RETIRED]++;
}

/* The operations that the window has room for, behind those that have not left. */
static uint64_t free_places(const cm_time *time)
{
    unsigned places = 0, at = time->next;
    while (places < time->window && time->left[at] <= time->entry) {
        at = at + 1 == time->window ? 0 : at + 1;
        places++;
    }
    return places;
}

void cm_time_mispredict(cm_time *time, uint64_t resolved, uint64_t *facts)
{
    cm_time_lose(time, cm_sooner(resolved, time->entry + 1 + free_places(time) / time->width), CM_LOST_WRONG_PATH,
                 facts);
    cm_time_wait(time, resolved, facts);
    cm_time_lose(time, cm_later(resolved, time->entry) + time->machine.misprediction_penalty, CM_LOST_RECOVERY, facts);
}
