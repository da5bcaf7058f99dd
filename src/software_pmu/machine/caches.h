/* A set-associative cache with least-recently-used replacement, true or by one bit a line. It holds numbers of lines
 * (or of pages: a TLB is one with a single set), no data. */
#ifndef CM_SOFTWARE_PMU_MACHINE_CACHES_H
#define CM_SOFTWARE_PMU_MACHINE_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#define CM_NO_LINE UINT64_MAX
/* Set in the number of a line that was stored to since it came in; no cache further out has this state of it. */
#define CM_DIRTY (UINT64_C(1) << 63)
/* Likewise, of a line that a prefetcher brought in and that nothing asked for since. */
#define CM_PREFETCHED (UINT64_C(1) << 61)
#define CM_MARKS (CM_DIRTY | CM_PREFETCHED)

/* A place is an index of `lines`; the last one of all is always free, and stands for none. Lines of small caches, and
 * of those with many ways, are found by chains of places: one for each value of the last bits of a line's number. */
typedef struct cm_cache {
    uint64_t *lines; /* sets x ways, and one more */
    uint64_t *used;  /* the clock when each was last used, 0: free; NULL under replacement by one bit */
    bool *recent;    /* one a line, set since its set's marks were last cleared; NULL under true LRU */
    uint32_t *heads; /* the first place of each chain */
    uint32_t *next;  /* the place behind each one in its chain; NULL: there are no chains */
    size_t head_mask;
    size_t sets;
    size_t set_mask; /* sets - 1 if sets is a power of two, else 0 */
    size_t ways;
    uint64_t clock; /* accesses so far */
} cm_cache;

/* sets, ways >= 1. `pseudo`: a used line is marked; if all lines of a set would then be marked, the others' marks are
 * cleared; the first unmarked line is the next to be replaced. */
cm_status cm_cache_init(cm_cache *cache, size_t sets, size_t ways, bool pseudo, cm_error *error);
void cm_cache_clear(cm_cache *cache);

/* Whether the line is the first of its chain, so that it needs no search. */
static inline bool cm_cache_is_first(const cm_cache *cache, uint64_t line)
{
    return (cache->lines[cache->heads[line & cache->head_mask]] & ~CM_MARKS) == line;
}

/* Of the first line of its chain. */
static inline bool cm_cache_first_is_prefetched(const cm_cache *cache, uint64_t line)
{
    return (cache->lines[cache->heads[line & cache->head_mask]] & CM_PREFETCHED) != 0;
}

/* Whether it holds `line`; afterwards it does. `replaced` (may be NULL) gets the evicted line with its marks, or
 * CM_NO_LINE; after a hit it is not set. */
bool cm_cache_access(cm_cache *cache, uint64_t line, uint64_t *replaced);

/* An access to a line that is the first of its chain, under true LRU; `marks` are set. */
static inline void cm_cache_hit(cm_cache *cache, uint64_t line, uint64_t marks)
{
    const uint32_t place = cache->heads[line & cache->head_mask];
    cache->lines[place] |= marks;
    cache->used[place] = ++cache->clock;
}

/* Whether it holds `line`; changes nothing. */
bool cm_cache_holds(const cm_cache *cache, uint64_t line);

/* Sets marks of the line; returns whether it is there. */
bool cm_cache_mark(cm_cache *cache, uint64_t line, uint64_t marks);

/* Clears the mark of a prefetched line; returns whether it was set. */
bool cm_cache_use_prefetched(cm_cache *cache, uint64_t line);

/* Removes the line; its place is the next of the set to be filled. Returns whether it was there and dirty. */
bool cm_cache_drop(cm_cache *cache, uint64_t line);

#endif
