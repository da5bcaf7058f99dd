/* A cache with sets and ways, and the lines that it replaces. */
#include "software_pmu/machine/memory.h"

#include "core/base.h"

/* Caches of more lines are searched way by way: the chains of so many would not stay in the caches of this machine. */
enum { MOST_CHAINED = 2048, MOST_SEARCHED = 32 };

/* The cache's arrays for that many lines; false without memory. Without chains, one empty head remains. */
static bool allocate_lines(cm_cache *cache, size_t count, bool pseudo)
{
    const bool chained = count <= MOST_CHAINED || cache->ways > MOST_SEARCHED;
    size_t heads = 1;
    while (chained && heads < count)
        heads *= 2;
    cache->lines = malloc((count + 1) * sizeof *cache->lines);
    cache->used = pseudo ? NULL : malloc(count * sizeof *cache->used);
    cache->recent = pseudo ? calloc(count, sizeof *cache->recent) : NULL;
    cache->heads = malloc(heads * sizeof *cache->heads);
    cache->next = chained ? malloc(count * sizeof *cache->next) : NULL;
    cache->head_mask = heads - 1;
    return cache->lines != NULL && (cache->used != NULL || cache->recent != NULL) && cache->heads != NULL &&
           (cache->next != NULL || !chained);
}

cm_status cm_cache_init(cm_cache *cache, size_t sets, size_t ways, bool pseudo, cm_error *error)
{
    cm_cache made = {.sets = sets, .set_mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0, .ways = ways};
    const size_t count = sets <= UINT32_MAX / ways ? sets * ways : UINT32_MAX;
    if (count == UINT32_MAX || !allocate_lines(&made, count, pseudo)) {
        cm_cache_clear(&made);
        return cm_error_no_memory(error);
    }
    memset(made.lines, 0xFF, (count + 1) * sizeof *made.lines);
    for (size_t i = 0; made.used != NULL && i < count; i++)
        made.used[i] = cm_cache_stamp(0, (uint32_t)i);
    for (size_t i = 0; i <= made.head_mask; i++)
        made.heads[i] = (uint32_t)count;
    *cache = made;
    return CM_OK;
}

void cm_cache_clear(cm_cache *cache)
{
    CM_FREE(cache->lines, cache->used, cache->recent, cache->heads, cache->next);
    *cache = (cm_cache){0};
}

static uint32_t none(const cm_cache *cache)
{
    return (uint32_t)(cache->sets * cache->ways);
}

/* The first place of the line's set. */
static size_t find_set(const cm_cache *cache, uint64_t line)
{
    return cache->ways * (cache->set_mask != 0 ? (size_t)line & cache->set_mask : (size_t)(line % cache->sets));
}

static uint32_t find_in_set(const cm_cache *cache, uint64_t line)
{
    const size_t first = find_set(cache, line);
    for (size_t way = 0; way < cache->ways; way++)
        if ((cache->lines[first + way] & ~CM_MARKS) == line)
            return (uint32_t)(first + way);
    return none(cache);
}

/* The line's place, whatever its marks. */
static uint32_t find_place(const cm_cache *cache, uint64_t line)
{
    const uint32_t end = none(cache);
    uint32_t place = cache->heads[line & cache->head_mask];
    if (cache->next == NULL)
        return find_in_set(cache, line);
    while (place != end && (cache->lines[place] & ~CM_MARKS) != line)
        place = cache->next[place];
    return place;
}

/* Takes the place out of the chain of its line. */
static void unlink_place(cm_cache *cache, uint32_t place)
{
    uint32_t *link = &cache->heads[cache->lines[place] & cache->head_mask];
    if (cache->next == NULL)
        return;
    while (*link != place)
        link = &cache->next[*link];
    *link = cache->next[place];
}

/* Makes the place the first in the chain of its line. */
static void link_place(cm_cache *cache, uint32_t place)
{
    uint32_t *head = &cache->heads[cache->lines[place] & cache->head_mask];
    if (cache->next == NULL)
        return;
    cache->next[place] = *head;
    *head = place;
}

/* The place from `first` on that was used longest ago, the first free one if there is one. Ways are looked at by turns,
 * so that no comparison waits for the one before. */
static size_t oldest(const uint64_t *used, size_t first, size_t ways)
{
    enum { TURNS = 4 };
    uint64_t least[TURNS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    size_t way = 0;
    for (; way + TURNS <= ways; way += TURNS)
        for (size_t i = 0; i < TURNS; i++)
            least[i] = cm_sooner(least[i], used[first + way + i]);
    for (; way < ways; way++)
        least[0] = cm_sooner(least[0], used[first + way]);
    const uint64_t stamp = cm_sooner(cm_sooner(least[0], least[1]), cm_sooner(least[2], least[3]));
    return first + (stamp - first) % CM_CACHE_PLACES;
}

/* Marks the place as used, under replacement by one bit a line. */
static void mark_used(bool *recent, size_t ways, size_t used)
{
    if (recent[used]) /* and another one is not, if there is one */
        return;
    recent[used] = true;
    for (size_t way = 0; way < ways; way++)
        if (!recent[way])
            return;
    memset(recent, 0, ways * sizeof *recent);
    recent[used] = true;
}

/* The same way of replacement: a free place, else the first that is not marked. */
static size_t unmarked(const uint64_t *lines, const bool *recent, size_t ways)
{
    for (size_t way = 0; way < ways; way++)
        if (lines[way] == CM_NO_LINE)
            return way;
    for (size_t way = 0; way < ways; way++)
        if (!recent[way])
            return way;
    return 0;
}

/* The place of its set that the line shall have. */
static uint32_t choose_victim(const cm_cache *cache, uint64_t line)
{
    const size_t first = find_set(cache, line);
    return (uint32_t)(cache->used != NULL ? oldest(cache->used, first, cache->ways)
                                          : first + unmarked(cache->lines + first, cache->recent + first, cache->ways));
}

bool cm_cache_access(cm_cache *cache, uint64_t line, uint64_t *replaced)
{
    uint32_t place = find_place(cache, line);
    const bool hit = place != none(cache);
    if (!hit) {
        place = choose_victim(cache, line);
        if (replaced != NULL)
            *replaced = cache->lines[place];
    }
    if (!hit || !cm_cache_is_first(cache, line)) {
        if (cache->lines[place] != CM_NO_LINE)
            unlink_place(cache, place);
        cache->lines[place] = hit ? cache->lines[place] : line;
        link_place(cache, place);
    }
    if (cache->used != NULL)
        cache->used[place] = cm_cache_stamp(++cache->clock, place);
    else
        mark_used(cache->recent + place / cache->ways * cache->ways, cache->ways, place % cache->ways);
    return hit;
}

bool cm_cache_holds(const cm_cache *cache, uint64_t line)
{
    return find_place(cache, line) != none(cache);
}

bool cm_cache_mark(cm_cache *cache, uint64_t line, uint64_t marks)
{
    const uint32_t place = find_place(cache, line);
    if (place == none(cache))
        return false;
    cache->lines[place] |= marks;
    return true;
}

bool cm_cache_use_prefetched(cm_cache *cache, uint64_t line)
{
    const uint32_t place = find_place(cache, line);
    if (place == none(cache) || (cache->lines[place] & CM_PREFETCHED) == 0)
        return false;
    cache->lines[place] &= ~CM_PREFETCHED;
    return true;
}

bool cm_cache_drop(cm_cache *cache, uint64_t line)
{
    const uint32_t place = find_place(cache, line);
    if (place == none(cache))
        return false;
    const bool dirty = (cache->lines[place] & CM_DIRTY) != 0;
    unlink_place(cache, place);
    cache->lines[place] = CM_NO_LINE;
    if (cache->used != NULL)
        cache->used[place] = cm_cache_stamp(0, place);
    else
        cache->recent[place] = false;
    return dirty;
}
