/* Caches of a GPU: of each block, and behind these of all. */
#include "software_pmu/gpu/device.h"

#include <stdlib.h>

enum {
    BANKS = 32,
    WORD = 4,
    AT_A_TIME = BANKS * WORD,
    MOST_SECTORS = 4 * CM_HIERARCHY_LANES,
    MOST_STORED = 64,
    MOST_OF_LINE = 16
};

typedef struct line {
    uint64_t address, used; /* in lines; when it was used last */
    uint32_t epoch;         /* it holds nothing if the cache has been emptied since */
    uint32_t sectors;       /* a bit for each that it holds */
} line;

typedef struct cache {
    size_t sets, ways;
    uint32_t epoch;
    line *lines;
} cache;

struct cm_hierarchy {
    unsigned line, sector, stored; /* bits of an address within a line and a sector: of loads, of stores and atomics */
    uint64_t clock;
    cache first, second;
};

static bool create_cache(cache *created, uint64_t size, unsigned ways, uint64_t line_size)
{
    created->epoch = 1;
    created->ways = ways;
    created->sets = ways != 0 ? size / line_size / ways : 0;
    created->lines = calloc(created->sets * created->ways + 1, sizeof *created->lines);
    return created->lines != NULL;
}

/* A machine without a file, a device: its target says the sectors, and the caches hold all that kernels keep in them.
 */
static cm_pmu_machine usual(const cm_pmu_machine *machine)
{
    cm_pmu_machine made = *machine;
    cm_gpu_vendor vendor = strcmp(machine->gpu, "amd") == 0 ? CM_GPU_AMD : CM_GPU_NVIDIA;
    made.gpu_sector = cm_gpu_sectors_of(vendor, machine->gpu_target).loaded;
    made.line_size = 128;
    made.l1d_size = 16 << 10;
    made.l2_size = 4 << 20;
    made.l1d_ways = made.l2_ways = 16;
    return made;
}

cm_hierarchy *cm_hierarchy_create(const cm_pmu_machine *described)
{
    cm_pmu_machine made = described->line_size == 0 ? usual(described) : *described;
    const cm_pmu_machine *machine = &made;
    cm_hierarchy *created = calloc(1, sizeof *created);
    if (created == NULL)
        return NULL;
    unsigned size = (unsigned)machine->line_size, sector = machine->gpu_sector;
    if (sector == 0 || sector > size)
        sector = size;
    unsigned stored = sector < MOST_STORED ? sector : MOST_STORED;
    if (size / stored > MOST_OF_LINE)
        sector = stored = size / MOST_OF_LINE;
    created->line = (unsigned)__builtin_ctz(size);
    created->sector = (unsigned)__builtin_ctz(sector);
    created->stored = (unsigned)__builtin_ctz(stored);
    if (!create_cache(&created->first, machine->l1d_size, machine->l1d_ways, machine->line_size) ||
        !create_cache(&created->second, machine->l2_size, machine->l2_ways, machine->line_size)) {
        cm_hierarchy_free(created);
        return NULL;
    }
    return created;
}

void cm_hierarchy_free(cm_hierarchy *hierarchy)
{
    if (hierarchy == NULL)
        return;
    free(hierarchy->first.lines);
    free(hierarchy->second.lines);
    free(hierarchy);
}

void cm_hierarchy_begin_block(cm_hierarchy *hierarchy)
{
    hierarchy->first.epoch++;
}

void cm_hierarchy_begin_launch(cm_hierarchy *hierarchy)
{
    hierarchy->first.epoch++;
    hierarchy->second.epoch++;
}

/* ---- caches ---- */

/* The line's own place in its set, or else the one that was used least recently. */
static line *find_line(const cache *of, uint64_t address)
{
    line *set = &of->lines[address % of->sets * of->ways], *oldest = set;
    for (size_t way = 0; way < of->ways; way++) {
        if (set[way].epoch == of->epoch && set[way].address == address)
            return &set[way];
        if (oldest->epoch == of->epoch && (set[way].epoch != of->epoch || set[way].used < oldest->used))
            oldest = &set[way];
    }
    return oldest;
}

/* Whether the cache holds the sectors; from then on it does. */
static bool touch_line(cm_hierarchy *hierarchy, cache *of, uint64_t address, uint32_t sectors)
{
    if (of->sets == 0)
        return false;
    line *found = find_line(of, address);
    bool here = found->epoch == of->epoch && found->address == address;
    if (!here)
        *found = (line){.address = address, .epoch = of->epoch};
    bool hit = (found->sectors & sectors) == sectors;
    found->sectors |= sectors;
    found->used = ++hierarchy->clock;
    return hit;
}

/* The bits of a sector in its line, of 2^size bytes: caches keep one for as much as a store moves. */
static uint32_t sector_of(const cm_hierarchy *hierarchy, uint64_t at, unsigned size)
{
    uint32_t bits = (UINT32_C(1) << (1u << (size - hierarchy->stored))) - 1;
    return bits << ((at & ((UINT64_C(1) << hierarchy->line) - 1)) >> hierarchy->stored);
}

static void load_sector(cm_hierarchy *hierarchy, uint64_t at, bool far, uint64_t *facts)
{
    uint64_t address = at >> hierarchy->line;
    uint32_t sectors = sector_of(hierarchy, at, hierarchy->sector);
    size_t answers = CM_GPU_L1_LOAD_HIT_BYTES;
    if (far || !touch_line(hierarchy, &hierarchy->first, address, sectors))
        answers = touch_line(hierarchy, &hierarchy->second, address, sectors) ? CM_GPU_L2_LOAD_HIT_BYTES
                                                                              : CM_GPU_L2_LOAD_MISS_BYTES;
    facts[CM_FACT_GPU_ACCESSES + answers] += UINT64_C(1) << hierarchy->sector;
}

/* A list of different numbers; most lanes have a larger one than those before. */
typedef struct set {
    uint64_t numbers[MOST_SECTORS], largest;
    unsigned count;
} set;

static void add_number(set *to, uint64_t number)
{
    for (unsigned i = to->count; number <= to->largest && i > 0; i--)
        if (to->numbers[i - 1] == number)
            return;
    to->numbers[to->count++] = number;
    to->largest = number > to->largest ? number : to->largest;
}

/* Counts one access of a warp, whose lanes share the sectors that they touch. */
static void access_caches(cm_hierarchy *hierarchy, cm_hierarchy_way way, unsigned bytes, const uint64_t *addresses,
                          unsigned count, uint64_t *facts)
{
    bool loads = way == CM_WAY_LOAD || way == CM_WAY_LOAD_FAR;
    unsigned sector = loads ? hierarchy->sector : hierarchy->stored;
    set sectors;
    sectors.count = 0;
    sectors.largest = 0;
    for (unsigned i = 0; i < count; i++)
        for (uint64_t at = addresses[i] >> sector; at <= (addresses[i] + bytes - 1) >> sector; at++)
            add_number(&sectors, at);
    for (unsigned i = 0; i < sectors.count; i++) {
        uint64_t at = sectors.numbers[i] << sector;
        if (loads) {
            load_sector(hierarchy, at, way == CM_WAY_LOAD_FAR, facts);
            continue;
        }
        bool hit = touch_line(hierarchy, &hierarchy->second, at >> hierarchy->line, sector_of(hierarchy, at, sector));
        size_t moved = way != CM_WAY_STORE ? CM_GPU_L2_ATOMIC_BYTES
                       : hit               ? CM_GPU_L2_STORE_HIT_BYTES
                                           : CM_GPU_L2_STORE_MISS_BYTES;
        facts[CM_FACT_GPU_ACCESSES + moved] += UINT64_C(1) << sector;
    }
}

/* ---- shared memory ---- */

/* Takes the lanes in groups of as many as have 128 bytes; within a group the words of a bank one after another. */
static void access_banks(unsigned stores, unsigned bytes, const uint64_t *addresses, const unsigned *lanes,
                         unsigned count, uint64_t *facts)
{
    unsigned group = AT_A_TIME / bytes;
    for (unsigned first = 0; first < CM_HIERARCHY_LANES; first += group) {
        unsigned most = 0;
        set words;
        words.count = 0;
        words.largest = 0;
        for (unsigned i = 0; i < count; i++)
            for (unsigned part = 0; lanes[i] / group == first / group && part < bytes; part += WORD)
                add_number(&words, (addresses[i] + part) / WORD);
        unsigned of_bank[BANKS] = {0};
        for (unsigned i = 0; i < words.count; i++) {
            unsigned more = ++of_bank[words.numbers[i] % BANKS];
            most = more > most ? more : most;
        }
        facts[CM_FACT_GPU_ACCESSES + CM_GPU_SHARED_LOAD_TRANSACTIONS + stores] += most;
        facts[CM_FACT_GPU_ACCESSES + CM_GPU_SHARED_LOAD_CONFLICTS + stores] += most != 0 ? most - 1 : 0;
    }
}

void cm_hierarchy_access(cm_hierarchy *hierarchy, cm_hierarchy_way way, unsigned bytes, const uint64_t *addresses,
                         const unsigned *lanes, unsigned count, uint64_t *facts)
{
    static const cm_gpu_access_fact requests[] = {[CM_WAY_LOAD] = CM_GPU_LOAD_REQUESTS,
                                                  [CM_WAY_LOAD_FAR] = CM_GPU_LOAD_REQUESTS,
                                                  [CM_WAY_STORE] = CM_GPU_STORE_REQUESTS,
                                                  [CM_WAY_REDUCE] = CM_GPU_ATOMIC_REQUESTS,
                                                  [CM_WAY_SHARED_LOAD] = CM_GPU_SHARED_LOAD_REQUESTS,
                                                  [CM_WAY_SHARED_STORE] = CM_GPU_SHARED_STORE_REQUESTS};
    uint64_t *of_accesses = &facts[CM_FACT_GPU_ACCESSES];
    if (count == 0)
        return;
    of_accesses[requests[way]]++;
    if (way == CM_WAY_SHARED_LOAD || way == CM_WAY_SHARED_STORE) {
        access_banks(way == CM_WAY_SHARED_STORE, bytes, addresses, lanes, count, facts);
        return;
    }
    if (way == CM_WAY_LOAD || way == CM_WAY_LOAD_FAR)
        of_accesses[CM_GPU_ASKED_LOAD_BYTES] += (uint64_t)bytes * count;
    if (way == CM_WAY_STORE)
        of_accesses[CM_GPU_ASKED_STORE_BYTES] += (uint64_t)bytes * count;
    access_caches(hierarchy, way, bytes, addresses, count, facts);
}
