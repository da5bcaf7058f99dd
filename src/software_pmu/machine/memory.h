/* The memory hierarchy: up to three levels of cache, the first apart for data and code, and TLBs, none of which changes
 * what the code computes.
 *
 * A line that is missing is brought into every level (stores allocate, too); a line that an outer level gives up leaves
 * the inner ones where the machine's caches are inclusive, and stays there else. A line that was stored to is dirty
 * where it is nearest; a level that gives it up writes it back to the next level that has it, else to memory.
 *
 * A level that the machine lacks has no line: what comes to it misses, or is written back, and goes on. So facts add up
 * on every machine: an access hits one level, or misses the third.
 *
 * Where the machine evades write-allocation, a store that no cache has the line for counts as a miss of the last level
 * (and of those that the machine lacks) when memory is read for it, which may be later or never.
 *
 * Interference: a neighbour comes and goes. Time is split into bursts of a random number of accesses; in some of them
 * the neighbour is there, and then takes, with one probability, the line that an access asks for, from the first level
 * up to a random one, before it is accessed: no eviction falls on lines that are not used. Over all bursts the share of
 * accesses that lose their line, one in 16 of them with the translation of its page, is the machine's interference;
 * because it comes in bursts, counts that suffer from it differ between repetitions by more than they are wrong on
 * average, and can be recognised by that. */
#ifndef CM_SOFTWARE_PMU_MACHINE_MEMORY_H
#define CM_SOFTWARE_PMU_MACHINE_MEMORY_H

#include "software_pmu/machine/caches.h"
#include "software_pmu/machine/evasion.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/machine/tlbs.h"

enum { CM_MEMORY_LEVELS = 3 };

typedef struct cm_memory {
    cm_cache levels[CM_MEMORY_LEVELS]; /* lines is NULL where the machine lacks the level */
    cm_cache l1i;                      /* likewise; the first level of code */
    cm_tlbs tlbs;
    cm_evasion evasion;
    unsigned line_shift;
    bool inclusive;
    uint64_t visits; /* thresholds for a random 64-bit number: that a spell has the neighbour; 0: none ever */
    uint64_t evicts; /* and that an access in such a spell loses its line */
    uint64_t burst;  /* accesses left of it */
    bool visited;    /* in this one the neighbour is there */
    uint64_t generator;
} cm_memory;

/* CM_BAD_ARGUMENT where the geometry is impossible. */
cm_status cm_memory_init(cm_memory *memory, const cm_pmu_machine *machine, cm_error *error);
void cm_memory_clear(cm_memory *memory);
void cm_memory_seed(cm_memory *memory, uint64_t seed);

/* One load or store of `bytes` (0: nothing happens). */
void cm_memory_access(cm_memory *memory, uint64_t address, size_t bytes, bool store, uint64_t *facts);
/* One store past the caches: they give up the lines that it touches. */
void cm_memory_store_past(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts);
/* What stores left half written is read: at the end of what is counted. */
void cm_memory_settle(cm_memory *memory, uint64_t *facts);
/* One line of code, by its number; nothing happens where there is no cache of code. */
void cm_memory_fetch(cm_memory *memory, uint64_t line, uint64_t *facts);

#endif
