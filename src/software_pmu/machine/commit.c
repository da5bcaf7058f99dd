/* The cycles in which instructions leave the window, and what the oldest operation waits for in the others. */
#include "software_pmu/machine/modelled.h"

enum { MOST = CM_FACT_COMMITS_4 - CM_FACT_COMMITS_0 };

/* The cycles that two spans have in common. */
static uint64_t overlap(uint64_t from, uint64_t until, uint64_t begin, uint64_t end)
{
    const uint64_t first = from > begin ? from : begin, last = until < end ? until : end;
    return last > first ? last - first : 0;
}

/* The operation waits for a load or a store from `from` to `until`. */
static void count_access(const cm_leaving *leaving, uint64_t from, uint64_t until, uint64_t *facts)
{
    const uint64_t in_l1 = overlap(from, until, leaving->lacked_l1, leaving->lacked_l2);
    const uint64_t in_l2 = overlap(from, until, leaving->lacked_l2, UINT64_MAX);
    facts[CM_FACT_WAITS_ACCESS] += until - from;
    facts[CM_FACT_WAITS_L1_MISS] += in_l1;
    facts[CM_FACT_WAITS_L2_MISS] += in_l2;
    if (leaving->vectors)
        return;
    facts[CM_FACT_WAITS_ACCESS_GENERAL] += until - from;
    facts[CM_FACT_WAITS_L1_MISS_GENERAL] += in_l1;
    facts[CM_FACT_WAITS_L2_MISS_GENERAL] += in_l2;
}

/* No operation leaves from `from` to `until`, when this one does. */
static void count_waits(const cm_leaving *leaving, uint64_t from, uint64_t until, uint64_t *facts)
{
    const uint64_t empty = overlap(from, until, 0, leaving->entry);
    const uint64_t access = overlap(from, until, leaving->entry, leaving->accessed);
    const uint64_t rest = until - from - empty - access;
    facts[CM_FACT_COMMITS_0] += until - from;
    facts[CM_FACT_WAITS_EMPTY] += empty;
    if (access != 0)
        count_access(leaving, from + empty, from + empty + access, facts);
    facts[leaving->branches ? CM_FACT_WAITS_BRANCH : CM_FACT_WAITS_EXECUTION] += rest;
    if (leaving->vectors && !leaving->branches)
        facts[CM_FACT_WAITS_EXECUTION_VECTOR] += rest;
}

void cm_commit_end(cm_commit *commit, uint64_t *facts)
{
    if (!commit->begun)
        return;
    facts[CM_FACT_COMMITS_0 + (commit->instructions < MOST ? commit->instructions : MOST)]++;
    facts[CM_FACT_COMMITS_OF_PARTS] += commit->instructions == 0;
    *commit = (cm_commit){.width = commit->width, .cycle = commit->cycle + 1};
}

void cm_commit_add(cm_commit *commit, const cm_leaving *leaving, uint64_t *facts)
{
    const bool full = commit->operations == commit->width && !leaving->fused;
    if (full || leaving->done > commit->cycle)
        cm_commit_end(commit, facts);
    if (leaving->done > commit->cycle) {
        count_waits(leaving, commit->cycle, leaving->done, facts);
        commit->cycle = leaving->done;
    }
    commit->begun = true;
    commit->operations += !leaving->fused;
    commit->instructions += leaving->whole;
}
