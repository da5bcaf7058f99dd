/* A set-associative cache with true least-recently-used replacement. It holds numbers of lines (or of pages: a TLB is
 * one of a single set), no data. */
#ifndef CM_COUNTING_SOFTWARE_CACHES_H
#define CM_COUNTING_SOFTWARE_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

typedef struct cm_cache {
    uint64_t *lines; /* sets x ways, each set from most to least recently used */
    size_t sets;
    size_t set_mask; /* sets - 1 where sets is a power of two, else 0 */
    size_t ways;
} cm_cache;

/* sets, ways >= 1. */
cm_status cm_cache_init(cm_cache *cache, size_t sets, size_t ways, cm_error *error);
void cm_cache_clear(cm_cache *cache);

/* Whether it holds `line`; afterwards it does, as the most recently used of its set. */
bool cm_cache_access(cm_cache *cache, uint64_t line);

/* Empties one place: `place` modulo all places, counted set by set. */
void cm_cache_evict(cm_cache *cache, uint64_t place);

#endif
