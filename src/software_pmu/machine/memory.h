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

#include "software_pmu/machine/caches.h"
#include "software_pmu/machine/evasion.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/machine/fills.h"
#include "software_pmu/machine/prefetcher.h"
#include "software_pmu/machine/tlbs.h"

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
/* Reads the lines that stores have written only partly; called at the end of counting. */
void cm_memory_settle(cm_memory *memory, uint64_t *facts);
/* One line of code, by its number; does nothing if there is no cache of code. */
void cm_memory_fetch(cm_memory *memory, uint64_t line, uint64_t *facts);

/* The level, from `begin` on, that has the line, CM_MEMORY_LEVELS for memory; afterwards all levels up to it have the
 * line. `first`: the cache of level `begin`, of data or code. */
size_t cm_memory_find_line(cm_memory *memory, size_t begin, cm_cache *first, uint64_t line, uint64_t *facts);

#endif
