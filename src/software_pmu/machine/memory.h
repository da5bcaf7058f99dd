/* The memory hierarchy: up to three levels of cache, the first one separate for data and code, and TLBs. It does not
 * change the results of the code.
 *
 * A missing line is brought into every level (stores allocate, too); a line that an outer level evicts leaves the inner
 * ones if the machine's caches are inclusive, else it stays there. A stored-to line is dirty in the nearest cache; a
 * level that evicts it writes it back to the next level that has it, else to memory.
 *
 * A level that the machine lacks has no line: accesses miss it, and lines written back pass it. So facts add up on
 * every machine: an access hits one level, or misses the third.
 *
 * Prefetchers of L1D and L2 follow loads and stores. A line that a load or store finds while it is on its way is a hit,
 * and counts as a fill hit too.
 *
 * If the machine evades write-allocation, a store whose line no cache has counts as a miss of the last level (and of
 * those that the machine lacks) when memory is read for it, which may be later or never.
 *
 * Interference: a neighbour comes and goes. Time is split into bursts of a random number of accesses. In some of them
 * the neighbour is present, and before an access it evicts, with one probability, the accessed line from the first
 * level up to a random one; so every eviction hits a line in use. Over all bursts the share of accesses that lose their
 * line is the machine's interference; one in 16 of them also loses the translation of its page. Because it comes in
 * bursts, counts that suffer from it differ between repetitions by more than their average error, and can be recognised
 * by that. */
#ifndef CM_SOFTWARE_PMU_MACHINE_MEMORY_H
#define CM_SOFTWARE_PMU_MACHINE_MEMORY_H

#include "software_pmu/machine/facts.h"

/* The later and the sooner of two moments. */
static inline uint64_t cm_later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static inline uint64_t cm_sooner(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* ---- caches ---- */

/* A set-associative cache with least-recently-used replacement, true or by one bit a line. It holds numbers of lines
 * (or of pages: a TLB is one with a single set), no data. */

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
    uint64_t *used;  /* when each was last used (cm_cache_stamp); NULL under replacement by one bit */
    bool *recent;    /* one a line, set since its set's marks were last cleared; NULL under true LRU */
    uint32_t *heads; /* the first place of each chain */
    uint32_t *next;  /* the place behind each one in its chain; NULL: there are no chains */
    size_t head_mask, sets;
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

/* Whether a prefetcher brought the first line of the chain in which `line` would be, and nothing asked for it since. */
static inline bool cm_cache_first_is_prefetched(const cm_cache *cache, uint64_t line)
{
    return (cache->lines[cache->heads[line & cache->head_mask]] & CM_PREFETCHED) != 0;
}

/* Whether it holds `line`; afterwards it does. `replaced` (may be NULL) gets the evicted line with its marks, or
 * CM_NO_LINE; after a hit it is not set. */
bool cm_cache_access(cm_cache *cache, uint64_t line, uint64_t *replaced);

/* A set has so many places at most. */
enum { CM_CACHE_PLACES = 1 << 16 };

/* The clock of an access above the last bits of its place: the least of a set is that of the oldest line. Free places
 * have a clock of 0. */
static inline uint64_t cm_cache_stamp(uint64_t clock, uint32_t place)
{
    return clock * CM_CACHE_PLACES + place % CM_CACHE_PLACES;
}

/* An access to a line that is the first of its chain, under true LRU; `marks` are set. */
static inline void cm_cache_hit(cm_cache *cache, uint64_t line, uint64_t marks)
{
    const uint32_t place = cache->heads[line & cache->head_mask];
    cache->lines[place] |= marks;
    cache->used[place] = cm_cache_stamp(++cache->clock, place);
}

/* Whether it holds `line`; changes nothing. */
bool cm_cache_holds(const cm_cache *cache, uint64_t line);

/* Sets marks of the line; returns whether it is there. */
bool cm_cache_mark(cm_cache *cache, uint64_t line, uint64_t marks);

/* Clears the mark of a prefetched line; returns whether it was set. */
bool cm_cache_use_prefetched(cm_cache *cache, uint64_t line);

/* Removes the line; its place is the next of the set to be filled. Returns whether it was there and dirty. */
bool cm_cache_drop(cm_cache *cache, uint64_t line);

/* ---- tlbs ---- */

/* Translations of pages: a first TLB for data and one for instructions, and behind them a second one for both, or one
 * for each. A miss of all of them is a page walk, through tables of four levels. Walks keep which tables they read: one
 * reads the entry of the last level, and of each level before it whose table is not kept.
 *
 * Huge pages have entries of their own in the first TLB of data, or share those of small ones, and share the second. */

typedef enum cm_tlb_use { CM_TLB_LOAD, CM_TLB_STORE, CM_TLB_FETCH } cm_tlb_use;

enum { CM_WALK_LEVELS = 3 }; /* whose tables are kept: the last one, and those before it but the first */

/* Walks that are on their way, for so many loads and stores. Another access to the page waits for the same walk. */
enum { CM_WALKERS = 4 };

typedef struct cm_walks {
    unsigned accesses; /* that a walk is on its way for; 0: its translation is there at once */
    unsigned next;     /* walker */
    uint64_t clock;    /* accesses so far */
    uint64_t until;    /* the clock when none is on its way any more */
    struct {
        uint64_t page, until;
    } walkers[CM_WALKERS];
} cm_walks;

/* `lines` is NULL if the machine lacks the TLB, or keeps no tables. */
typedef struct cm_tlbs {
    cm_cache tables[CM_WALK_LEVELS]; /* of the last level first */
    cm_cache data, data_huge, code, second, second_code;
    cm_walks walks;
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
    bool merged;    /* it misses none, and waits for a walk on its way */
    unsigned steps; /* of its walks */
} cm_tlb_misses;

/* One access to the bytes from `address` to `last`, in no fact. */
cm_tlb_misses cm_tlbs_translate(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last);
/* The same, counted. */
void cm_tlbs_access(cm_tlbs *tlbs, cm_tlb_use use, uint64_t address, uint64_t last, uint64_t *facts);

/* Removes the address' page from the first TLBs, with `second` from the others, too. */
void cm_tlbs_forget(cm_tlbs *tlbs, uint64_t address, bool second);

/* ---- evasion ---- */

/* Write-allocate evasion: lines that stores missed in every cache, and that were not read from memory yet. If stores
 * then write a line completely, each next to the one before, upwards or downwards, it is never read. A line that is
 * given up before that is read. */

/* Lines at a time: the fill buffers of a processor. One more gives up the oldest. */
enum { CM_EVASION_LINES = 16 };

typedef struct cm_evasion_line {
    uint64_t line;
    uint64_t begin, end; /* addresses written so far, without `end` */
} cm_evasion_line;

typedef struct cm_evasion {
    bool on;
    unsigned line_shift;
    size_t reads; /* first of the facts that a read counts: a store's miss of the last level, then of each level that
                   * the machine lacks */
    size_t count;
    cm_evasion_line lines[CM_EVASION_LINES]; /* the oldest first */
} cm_evasion;

/* A store to `begin` up to `end`, all in one line; `missed`: no cache had it. */
void cm_evasion_store(cm_evasion *evasion, uint64_t begin, uint64_t end, bool missed, uint64_t *facts);
/* The line is given up: another access touches it, or a cache evicts it. */
void cm_evasion_give_up(cm_evasion *evasion, uint64_t line, uint64_t *facts);
void cm_evasion_give_up_all(cm_evasion *evasion, uint64_t *facts);

/* ---- fills ---- */

/* Fill buffers: lines that a first-level cache has asked for, and that are still on their way. Time is counted in
 * accesses. A line that is accessed again on its way is found in its fill buffer. */

enum { CM_FILL_BUFFERS = 16 };

typedef struct cm_fills {
    unsigned accesses; /* that a line is on its way for; 0: it is there at once */
    uint64_t clock;    /* accesses so far */
    unsigned next;     /* buffer */
    struct {
        uint64_t line, until;
    } buffers[CM_FILL_BUFFERS];
} cm_fills;

static inline void cm_fills_begin(cm_fills *fills, uint64_t line)
{
    fills->buffers[fills->next].line = line;
    fills->buffers[fills->next].until = fills->clock + fills->accesses;
    fills->next = (fills->next + 1) % CM_FILL_BUFFERS;
}

/* `later`: at so many accesses from now. */
static inline bool cm_fills_have(const cm_fills *fills, uint64_t line, unsigned later)
{
    for (unsigned i = 0; i < CM_FILL_BUFFERS; i++)
        if (fills->buffers[i].line == line && fills->clock + later <= fills->buffers[i].until)
            return true;
    return false;
}

/* ---- combining ---- */

/* Buffers in which non-temporal stores are combined to lines. A line leaves its buffer whole, as soon as all of it is
 * written, or in part: the oldest one when another line needs a buffer, one that a load or another kind of store
 * touches, and all when counting ends. */

enum { CM_COMBINING_BUFFERS = 16, CM_COMBINING_PARTS = 64 };

typedef struct cm_combiner {
    unsigned buffers; /* 0: they are not modelled */
    unsigned count;   /* in use */
    unsigned line_shift, part_shift;
    uint64_t whole; /* the bits of all parts */
    struct {
        uint64_t line, written;    /* a bit for each part of the line */
    } lines[CM_COMBINING_BUFFERS]; /* the oldest first */
} cm_combiner;

void cm_combiner_init(cm_combiner *combining, const cm_pmu_machine *machine);
/* A store to the bytes from `address` to `last`. */
void cm_combiner_store(cm_combiner *combining, uint64_t address, uint64_t last, uint64_t *facts);
/* Something else touches the line. */
void cm_combiner_give_up(cm_combiner *combining, uint64_t line, uint64_t *facts);

/* ---- forwarding ---- */

/* The store buffer, as loads see it: the youngest stores, which have not reached the cache. A load takes its value from
 * the youngest one that has all of its bytes, waits for one that has a part of them, and takes one whose address has
 * the same last 12 bits for such a one until the addresses are compared whole. */

/* Parts: of the last 12 bits of addresses, which overlapping accesses share. */
enum { CM_FORWARDING_STORES = 64, CM_FORWARDING_PARTS = 64 };

typedef struct cm_forwarding {
    unsigned stores; /* that the buffer holds, at most CM_FORWARDING_STORES; 0: it is not modelled */
    unsigned next;   /* the oldest of all, to be replaced */
    struct cm_held_store {
        uint64_t address;
        size_t bytes; /* 0: none */
    } held[CM_FORWARDING_STORES];
    int parts[CM_FORWARDING_PARTS]; /* held stores that reach each part */
} cm_forwarding;

void cm_forwarding_store(cm_forwarding *forwarding, uint64_t address, size_t bytes);
/* Counts the load in at most one of the facts. */
void cm_forwarding_load(const cm_forwarding *forwarding, uint64_t address, size_t bytes, uint64_t *facts);

/* ---- prefetcher ---- */

/* A hardware prefetcher of one cache level. It follows one stream of lines in each page: once two steps in a row have
 * the same length, up or down, it asks for the lines that follow at that distance. It may also ask for the line after
 * each line that misses. It never leaves the page. */

/* Streams at a time; one more takes the place of the one not used for longest. */
enum { CM_PREFETCH_STREAMS = 16 };
/* Pages whose stream is found without a search: the last one of all whose numbers leave the same remainder. */
enum { CM_PREFETCH_PAGES = 64 };
/* Lines asked for after an access, at most. */
enum { CM_PREFETCH_AHEAD = 16, CM_PREFETCH_MOST = CM_PREFETCH_AHEAD + 1 };

typedef struct cm_prefetch_stream {
    uint64_t page, line;
    int64_t step;  /* lines, of the last two accesses; 0: there was one only */
    uint64_t used; /* `clock` at the last access; 0: the place is free */
} cm_prefetch_stream;

typedef struct cm_prefetcher {
    unsigned ahead;      /* lines of a stream, at most CM_PREFETCH_AHEAD; 0: it follows none */
    bool next;           /* asks for the line after one that misses */
    unsigned page_shift; /* of numbers of lines: log2 of the lines of a page */
    uint64_t clock;
    cm_prefetch_stream streams[CM_PREFETCH_STREAMS];
    uint8_t of_page[CM_PREFETCH_PAGES]; /* the stream that a page had last */
} cm_prefetcher;

static inline bool cm_prefetcher_is_on(const cm_prefetcher *prefetcher)
{
    return prefetcher->ahead != 0 || prefetcher->next;
}

/* An access to `line`. Returns how many `lines` it asks for, in the order in which the stream will come to them. */
size_t cm_prefetcher_follow(cm_prefetcher *prefetcher, uint64_t line, bool missed,
                            uint64_t lines[static CM_PREFETCH_MOST]);

/* ---- memory ---- */

enum { CM_MEMORY_LEVELS = 3, CM_PREFETCHING_LEVELS = 2 };

/* A line that a prefetcher asked for. */
typedef struct cm_asked_line {
    uint64_t line;
    uint64_t level; /* that had it, CM_MEMORY_LEVELS for memory */
} cm_asked_line;

typedef struct cm_memory {
    cm_cache levels[CM_MEMORY_LEVELS]; /* `lines` is NULL if the machine lacks the level */
    cm_cache l1i;                      /* likewise; the first level of code */
    cm_tlbs tlbs;
    cm_evasion evasion;
    bool plain;      /* an access that the first level and TLB answer changes nothing else */
    bool prefetches; /* some level has a prefetcher */
    cm_prefetcher prefetchers[CM_PREFETCHING_LEVELS];
    cm_fills fills;
    cm_combiner combining;
    cm_asked_line asked[CM_PREFETCHING_LEVELS * CM_PREFETCH_MOST]; /* during the last access */
    size_t asked_count;
    unsigned line_shift;
    bool inclusive;
    uint64_t visits; /* threshold of random 64-bit numbers for bursts with the neighbour; 0: none */
    uint64_t evicts; /* threshold for an access in such a burst to lose its line */
    uint64_t burst;  /* accesses left of the burst */
    bool visited;    /* the neighbour is present in this burst */
    uint64_t generator;
} cm_memory;

/* CM_BAD_ARGUMENT if the geometry is impossible. */
cm_status cm_memory_init(cm_memory *memory, const cm_pmu_machine *machine, cm_error *error);
void cm_memory_clear(cm_memory *memory);
void cm_memory_seed(cm_memory *memory, uint64_t seed);

/* One load or store of `bytes` (0: nothing happens). */
void cm_memory_access(cm_memory *memory, uint64_t address, size_t bytes, bool store, uint64_t *facts);
/* One store past the caches, which lose the lines that it touches. */
void cm_memory_store_past(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts);
/* Reads the lines that stores have written only partly, and empties buffers; called at the end of counting. */
void cm_memory_settle(cm_memory *memory, uint64_t *facts);
/* One line of code, by its number; does nothing if there is no cache of code. */
void cm_memory_fetch(cm_memory *memory, uint64_t line, uint64_t *facts);

/* The level, from `begin` on, that has the line, CM_MEMORY_LEVELS for memory; afterwards all levels up to it have the
 * line. `first`: the cache of level `begin`, of data or code. */
size_t cm_memory_find_line(cm_memory *memory, size_t begin, cm_cache *first, uint64_t line, uint64_t *facts);

#endif
