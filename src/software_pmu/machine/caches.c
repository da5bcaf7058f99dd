#include "software_pmu/machine/caches.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

cm_status cm_cache_init(cm_cache *cache, size_t sets, size_t ways, bool pseudo, cm_error *error)
{
    uint64_t *lines = NULL;
    bool *recent = NULL;
    if (sets <= SIZE_MAX / sizeof *lines / ways) {
        lines = malloc(sets * ways * sizeof *lines);
        recent = pseudo ? calloc(sets * ways, sizeof *recent) : NULL;
    }
    if (lines == NULL || (pseudo && recent == NULL)) {
        free(lines);
        free(recent);
        return cm_error_no_memory(error);
    }
    memset(lines, 0xFF, sets * ways * sizeof *lines);
    *cache = (cm_cache){lines, recent, sets, (sets & (sets - 1)) == 0 ? sets - 1 : 0, ways};
    return CM_OK;
}

void cm_cache_clear(cm_cache *cache)
{
    free(cache->lines);
    free(cache->recent);
    cache->lines = NULL;
    cache->recent = NULL;
}

static size_t first_of_set(const cm_cache *cache, uint64_t line)
{
    size_t set = cache->set_mask != 0 ? (size_t)line & cache->set_mask : (size_t)(line % cache->sets);
    return set * cache->ways;
}

/* The line's place in the set, whatever its marks, `ways` if it has none; for CM_NO_LINE a free place. */
static size_t find(const uint64_t *lines, size_t ways, uint64_t line)
{
    size_t way = 0;
    while (way < ways && (lines[way] & ~CM_MARKS) != (line & ~CM_MARKS))
        way++;
    return way;
}

static bool access_true(uint64_t *lines, size_t ways, uint64_t line, uint64_t *replaced)
{
    if ((lines[0] & ~CM_MARKS) == line)
        return true;
    size_t way = find(lines, ways, line);
    bool hit = way < ways;
    uint64_t used = hit ? lines[way] : line;
    if (!hit)
        *replaced = lines[ways - 1];
    memmove(lines + 1, lines, (hit ? way : ways - 1) * sizeof *lines);
    lines[0] = used;
    return hit;
}

static void mark(bool *recent, size_t ways, size_t used)
{
    recent[used] = true;
    for (size_t way = 0; way < ways; way++)
        if (!recent[way])
            return;
    memset(recent, 0, ways * sizeof *recent);
    recent[used] = true;
}

/* Accesses a line under replacement by one bit a line; true: a hit. */
static bool access_pseudo(uint64_t *lines, bool *recent, size_t ways, uint64_t line, uint64_t *replaced)
{
    size_t way = find(lines, ways, line);
    bool hit = way < ways;
    if (!hit)
        way = find(lines, ways, CM_NO_LINE);
    for (size_t i = 0; way == ways; i++)
        if (!recent[i] || ways == 1)
            way = i;
    if (!hit) {
        *replaced = lines[way];
        lines[way] = line;
    }
    mark(recent, ways, way);
    return hit;
}

bool cm_cache_access(cm_cache *cache, uint64_t line, uint64_t *replaced)
{
    size_t first = first_of_set(cache, line);
    uint64_t out = CM_NO_LINE;
    bool hit = cache->recent == NULL
                   ? access_true(cache->lines + first, cache->ways, line, &out)
                   : access_pseudo(cache->lines + first, cache->recent + first, cache->ways, line, &out);
    if (replaced != NULL)
        *replaced = out;
    return hit;
}

/* The line with its marks, NULL if it is not there. */
static uint64_t *held(const cm_cache *cache, uint64_t line)
{
    uint64_t *lines = cache->lines + first_of_set(cache, line);
    size_t way = find(lines, cache->ways, line);
    return way < cache->ways ? &lines[way] : NULL;
}

bool cm_cache_holds(const cm_cache *cache, uint64_t line)
{
    return held(cache, line) != NULL;
}

bool cm_cache_mark(cm_cache *cache, uint64_t line, uint64_t marks)
{
    uint64_t *found = held(cache, line);
    if (found != NULL)
        *found |= marks;
    return found != NULL;
}

bool cm_cache_use_prefetched(cm_cache *cache, uint64_t line)
{
    uint64_t *found = held(cache, line);
    if (found == NULL || (*found & CM_PREFETCHED) == 0)
        return false;
    *found &= ~CM_PREFETCHED;
    return true;
}

bool cm_cache_drop(cm_cache *cache, uint64_t line)
{
    size_t first = first_of_set(cache, line);
    uint64_t *lines = cache->lines + first;
    size_t way = find(lines, cache->ways, line);
    if (way == cache->ways)
        return false;
    bool dirty = (lines[way] & CM_DIRTY) != 0;
    if (cache->recent == NULL) {
        memmove(lines + way, lines + way + 1, (cache->ways - 1 - way) * sizeof *lines);
        way = cache->ways - 1;
    } else {
        cache->recent[first + way] = false;
    }
    lines[way] = CM_NO_LINE;
    return dirty;
}
