/* Accesses of natural programs that miss caches and TLBs, as often as the class has it. */
#include "programs/programs.h"

/* If so many of the accesses beyond the second cache, or so many instructions, miss the first TLB, they move on by
 * pages. If few of them walk, or miss all caches, their lines come again. */
static const double mostly_pages = 0.3, many_pages = 0.004, few = 0.25;

/* ---- rates ---- */

/* A rate between both, for things that come together. */
static double between(double one, double other)
{
    return sqrt(one * other);
}

/* The rates of loads, or of stores, by the level of memory that answers. */
static cm_accesses accesses_of(const double *natural, bool loads)
{
    const cm_fact l1d_hit = loads ? CM_FACT_L1D_LOAD_HIT : CM_FACT_L1D_STORE_HIT;
    const cm_fact l2_hit = loads ? CM_FACT_L2_LOAD_HIT : CM_FACT_L2_STORE_HIT;
    const cm_fact l3_hit = loads ? CM_FACT_L3_LOAD_HIT : CM_FACT_L3_STORE_HIT;
    cm_accesses found = {.kind = loads ? CM_WORK_LOAD : CM_WORK_STORE,
                         .far = loads ? CM_WORK_LOAD_FAR : CM_WORK_STORE_FAR,
                         .memory = natural[loads ? CM_FACT_L3_LOAD_MISS : CM_FACT_L3_STORE_MISS],
                         .pages = natural[loads ? CM_FACT_DTLB_LOAD_MISS : CM_FACT_DTLB_STORE_MISS],
                         .walks = natural[loads ? CM_FACT_LOAD_WALKS : CM_FACT_STORE_WALKS]};
    found.beyond = found.memory + natural[l3_hit];
    found.missing = found.beyond + natural[l2_hit];
    found.all = found.missing + natural[l1d_hit];
    return found;
}

/* How accesses go on from one to the next: through lines or pages, new ones or again. */
static cm_onward_way choose_way(const cm_accesses of[2])
{
    double beyond = of[0].beyond + of[1].beyond, pages = of[0].pages + of[1].pages;
    bool from_memory = of[0].memory + of[1].memory >= few * beyond;
    bool walk = of[0].walks + of[1].walks >= few * pages;
    if (pages > many_pages)
        return CM_PAGES;
    if (pages > mostly_pages * beyond)
        return walk && from_memory ? CM_PAGES : CM_PAGES_AGAIN;
    return from_memory ? CM_LINES : CM_LINES_AGAIN;
}

void cm_accesses_find(cm_composing *work)
{
    work->of[0] = accesses_of(work->natural, true);
    work->of[1] = accesses_of(work->natural, false);
    work->way = choose_way(work->of);
}

static bool is_whole(const cm_composing *work, size_t row, cm_work_kind kind)
{
    return work->available[row] && cm_work_table[row].kind == kind && !cm_work_table[row].split;
}

/* Draws accesses of a kind, each width as often as the class has it; NULL: the class has none. */
static const cm_work *draw_accesses(cm_composing *work, cm_work_kind kind)
{
    const cm_work *chosen = NULL;
    double total = 0.0;
    for (size_t i = 0; i < cm_work_table_size; i++) {
        double rate = is_whole(work, i, kind) ? cm_work_rate(&cm_work_table[i], work->natural) : 0.0;
        total += rate;
        if (rate > 0.0 && cm_random_share(&work->random) * total < rate)
            chosen = &cm_work_table[i];
    }
    return chosen;
}

bool cm_composing_can(const cm_composing *work, cm_work_kind kind)
{
    for (size_t i = 0; i < cm_work_table_size; i++)
        if (cm_work_table[i].kind == kind && work->available[i])
            return true;
    return false;
}

/* The rate of accesses to far pages, which walk and miss all caches; at CM_PAGES at least the rate of new pages beyond
 * one an iteration. */
double cm_far_rate(const cm_composing *work, const cm_accesses *of)
{
    return work->way == CM_PAGES ? fmax(of->walks, of->pages - 1.0 / CM_NATURAL_INSTRUCTIONS)
                                 : between(of->walks, of->memory);
}

/* Far accesses walk, which misses all caches. The others move on by pages or by lines, and around. */
static void add_missing(cm_composing *work, const cm_accesses *of)
{
    double walked = cm_composing_can(work, of->far) ? cm_far_rate(work, of) : 0.0;
    double away = of->beyond;
    if (work->way == CM_PAGES)
        away = fmax(of->beyond, of->pages);
    else if (work->way == CM_PAGES_AGAIN)
        away = fmin(between(of->beyond, of->pages), 3.0 * of->beyond);
    double left = fmax(0.0, of->missing - walked);
    const cm_work *row = draw_accesses(work, of->kind);
    away = fmin(left, fmax(0.0, away - walked));
    if (row == NULL)
        return;
    cm_composing_add(work, row, CM_ONWARD, CM_NATURAL_INSTRUCTIONS * away);
    cm_composing_add(work, row, CM_AROUND, CM_NATURAL_INSTRUCTIONS * (left - away));
}

/* Loads come last: their lines are ahead, so that they meet new pages. Then stores to the first line around of loads,
 * as many as dirty lines leave the first cache beside those that stores fetched: only in phases, which come after it.
 */
void cm_composing_add_missing(cm_composing *work)
{
    static const double seldom = 0.99;
    add_missing(work, &work->of[1]);
    unsigned first = work->slots[CM_AROUND];
    add_missing(work, &work->of[0]);
    unsigned last = work->slots[CM_AROUND];
    double dirty = work->natural[CM_FACT_L1D_WRITTEN_BACK] - work->of[1].missing;
    const cm_work *row = draw_accesses(work, work->of[1].kind);
    if (last == first || row == NULL || dirty <= 0.0)
        return;
    work->slots[CM_AROUND] = first;
    cm_composing_add(work, row, CM_AROUND, fmin(CM_NATURAL_INSTRUCTIONS * dirty, seldom));
    work->slots[CM_AROUND] = last;
}
