#include "counting/software/caches.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static const uint64_t no_line = UINT64_MAX;

cm_status cm_cache_init(cm_cache *cache, size_t sets, size_t ways, cm_error *error)
{
    uint64_t *lines = NULL;
    if (sets <= SIZE_MAX / sizeof *lines / ways)
        lines = malloc(sets * ways * sizeof *lines);
    if (lines == NULL)
        return cm_error_no_memory(error);
    memset(lines, 0xFF, sets * ways * sizeof *lines);
    *cache = (cm_cache){lines, sets, (sets & (sets - 1)) == 0 ? sets - 1 : 0, ways};
    return CM_OK;
}

void cm_cache_clear(cm_cache *cache)
{
    free(cache->lines);
    cache->lines = NULL;
}

bool cm_cache_access(cm_cache *cache, uint64_t line)
{
    size_t set = cache->set_mask != 0 ? (size_t)line & cache->set_mask : (size_t)(line % cache->sets);
    uint64_t *lines = cache->lines + set * cache->ways;
    if (lines[0] == line)
        return true;
    size_t way = 1;
    while (way < cache->ways && lines[way] != line)
        way++;
    bool hit = way < cache->ways;
    memmove(lines + 1, lines, (hit ? way : cache->ways - 1) * sizeof *lines);
    lines[0] = line;
    return hit;
}

void cm_cache_evict(cm_cache *cache, uint64_t place)
{
    size_t set = (size_t)(place / cache->ways % cache->sets), way = (size_t)(place % cache->ways);
    uint64_t *lines = cache->lines + set * cache->ways;
    memmove(lines + way, lines + way + 1, (cache->ways - 1 - way) * sizeof *lines);
    lines[cache->ways - 1] = no_line;
}
