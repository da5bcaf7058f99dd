/* Caches, TLBs and a neighbour: accesses, and the facts of each. */
#include "software_pmu/machine/memory.h"

#include "core/base.h"

/* Share of bursts with a neighbour, at least; a rarely present neighbour evicts more then. */
static const double least_presence = 1.0 / 8;

/* Accesses: as many as a kernel's, so that each run of a kernel meets one or two bursts. */
enum { MEAN_BURST = 4096 };

/* One in PAGE_ODDS evictions of a line also evicts the translation of its page. */
enum { PAGE_ODDS = 16 };

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static unsigned shift_of(uint64_t power)
{
    return (unsigned)__builtin_ctzll(power);
}

/* A 64-bit random number is at most this with probability `share`. */
static uint64_t threshold(double share)
{
    return share < 1.0 ? (uint64_t)(share * 0x1p64) : UINT64_MAX;
}

/* CM_BAD_ARGUMENT if lines and ways do not divide the size; 0: no such level. */
static cm_status init_level(cm_cache *cache, const char *name, uint64_t size, unsigned ways,
                            const cm_pmu_machine *machine, cm_error *error)
{
    uint64_t line_size = machine->line_size;
    if (size == 0)
        return CM_OK;
    if (ways == 0 || size / line_size / ways == 0 || size % line_size != 0 || size / line_size % ways != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%s of %llu bytes cannot have %u ways of lines of %llu bytes", name,
                       (unsigned long long)size, ways, (unsigned long long)line_size);
    return cm_cache_init(cache, (size_t)(size / line_size / ways), ways, strcmp(machine->replacement, "plru") == 0,
                         error);
}

/* A store that memory answers misses the last level of the machine, and the levels that it lacks. */
static void init_evasion(cm_memory *memory, const cm_pmu_machine *machine)
{
    for (size_t i = 0; i < CM_MEMORY_LEVELS; i++)
        if (memory->levels[i].lines != NULL) {
            memory->evasion.on = machine->write_allocate_evasion != 0;
            memory->evasion.reads = CM_FACT_L1D_STORE_MISS + 4 * i;
        }
    memory->evasion.line_shift = memory->line_shift;
}

/* Sets up the prefetchers of both levels and the buffers that combine stores. */
static void init_prefetchers(cm_memory *memory, const cm_pmu_machine *machine)
{
    const unsigned page_shift = shift_of(machine->page_size) - memory->line_shift;
    memory->prefetchers[0] = (cm_prefetcher){
        .ahead = machine->l1d_prefetch_ahead, .next = machine->l1d_prefetch_next != 0, .page_shift = page_shift};
    memory->prefetchers[1] = (cm_prefetcher){
        .ahead = machine->l2_prefetch_ahead, .next = machine->l2_prefetch_next != 0, .page_shift = page_shift};
    for (size_t i = 0; i < CM_PREFETCHING_LEVELS; i++)
        memory->prefetches = memory->prefetches || cm_prefetcher_is_on(&memory->prefetchers[i]);
    memory->fills.accesses = machine->fill_accesses;
    cm_combiner_init(&memory->combining, machine);
}

cm_status cm_memory_init(cm_memory *memory, const cm_pmu_machine *machine, cm_error *error)
{
    memset(memory, 0, sizeof *memory);
    if (!is_power_of_two(machine->line_size) || !is_power_of_two(machine->page_size))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "line_size and page_size must be powers of two");
    if (!(machine->interference >= 0.0 && machine->interference <= 1.0))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "interference must lie between 0 and 1");
    memory->line_shift = shift_of(machine->line_size);
    memory->inclusive = machine->inclusive != 0;
    double presence = machine->interference > least_presence ? machine->interference : least_presence;
    if (machine->interference > 0.0) {
        memory->visits = threshold(presence);
        memory->evicts = threshold(machine->interference / presence);
    }
    cm_memory_seed(memory, 0);
    const struct {
        const char *name;
        uint64_t size;
        unsigned ways;
        cm_cache *cache;
    } levels[] = {{"l1d", machine->l1d_size, machine->l1d_ways, &memory->levels[0]},
                  {"l2", machine->l2_size, machine->l2_ways, &memory->levels[1]},
                  {"l3", machine->l3_size, machine->l3_ways, &memory->levels[2]},
                  {"l1i", machine->l1i_size, machine->l1i_ways, &memory->l1i}};
    cm_status status = cm_tlbs_init(&memory->tlbs, machine, error);
    for (size_t i = 0; i < CM_COUNT_OF(levels) && status == CM_OK; i++)
        status = init_level(levels[i].cache, levels[i].name, levels[i].size, levels[i].ways, machine, error);
    if (status != CM_OK)
        cm_memory_clear(memory);
    else {
        init_evasion(memory, machine);
        init_prefetchers(memory, machine);
        memory->plain = memory->levels[0].used != NULL && memory->tlbs.data.used != NULL && !memory->evasion.on;
    }
    return status;
}

void cm_memory_clear(cm_memory *memory)
{
    for (size_t i = 0; i < CM_MEMORY_LEVELS; i++)
        cm_cache_clear(&memory->levels[i]);
    cm_cache_clear(&memory->l1i);
    cm_tlbs_clear(&memory->tlbs);
}

void cm_memory_seed(cm_memory *memory, uint64_t seed)
{
    /* splitmix64, so that close seeds lead to different numbers; xorshift must not start with 0 */
    uint64_t z = seed + UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    memory->generator = z != 0 ? z : 1;
    memory->burst = 0;
}

/* xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled". */
static uint64_t next_random(cm_memory *memory)
{
    uint64_t x = memory->generator;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    memory->generator = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/* Writes a dirty line that leaves `level` back to the next level that has it, else to memory. */
static void write_back(cm_memory *memory, size_t level, uint64_t line, uint64_t *facts)
{
    bool taken = false;
    for (size_t i = level; i < CM_MEMORY_LEVELS && !taken; i++) {
        taken = i != level && memory->levels[i].lines != NULL && cm_cache_mark(&memory->levels[i], line, CM_DIRTY);
        if (!taken)
            facts[CM_FACT_L1D_WRITTEN_BACK + i]++;
    }
}

static void drop_code(cm_memory *memory, uint64_t line)
{
    if (memory->l1i.lines != NULL)
        cm_cache_drop(&memory->l1i, line);
}

/* Removes the line from the levels before `end`. */
static void take_away(cm_memory *memory, size_t end, uint64_t line, uint64_t *facts)
{
    cm_evasion_give_up(&memory->evasion, line, facts);
    drop_code(memory, line);
    for (size_t i = 0; i < end; i++)
        if (memory->levels[i].lines != NULL && cm_cache_drop(&memory->levels[i], line))
            write_back(memory, i, line, facts);
}

/* An access in a burst with the neighbour, or the first one of a burst: with the machine's probability, evicts the line
 * before it is accessed, as a neighbour would. */
static void meet_neighbour(cm_memory *memory, uint64_t line, uint64_t *facts)
{
    if (memory->burst == 0) {
        memory->burst = 1 + next_random(memory) % (2 * MEAN_BURST);
        memory->visited = next_random(memory) <= memory->visits;
    }
    memory->burst--;
    if (!memory->visited || next_random(memory) > memory->evicts)
        return;
    uint64_t draw = next_random(memory) >> 32;
    size_t end = 1 + draw % CM_MEMORY_LEVELS;
    take_away(memory, end, line, facts);
    if (draw / CM_MEMORY_LEVELS % PAGE_ODDS == 0)
        cm_tlbs_forget(&memory->tlbs, line << memory->line_shift, end == CM_MEMORY_LEVELS);
}

static void advance_burst(cm_memory *memory, uint64_t line, uint64_t *facts)
{
    if (memory->burst != 0 && !memory->visited)
        memory->burst--;
    else if (memory->visits != 0)
        meet_neighbour(memory, line, facts);
}

/* Completes an eviction: inner levels of an inclusive machine lose the line, too; a dirty one is written back. */
static void replace_line(cm_memory *memory, size_t level, uint64_t replaced, uint64_t *facts)
{
    if (replaced == CM_NO_LINE)
        return;
    uint64_t line = replaced & ~CM_MARKS;
    bool dirty = (replaced & CM_DIRTY) != 0;
    cm_evasion_give_up(&memory->evasion, line, facts);
    if (memory->inclusive)
        drop_code(memory, line);
    for (size_t inner = 0; memory->inclusive && inner < level; inner++)
        if (memory->levels[inner].lines != NULL && cm_cache_drop(&memory->levels[inner], line)) {
            facts[CM_FACT_L1D_WRITTEN_BACK + inner]++;
            dirty = true;
        }
    if (dirty)
        write_back(memory, level, line, facts);
}

size_t cm_memory_find_line(cm_memory *memory, size_t begin, cm_cache *first, uint64_t line, uint64_t *facts)
{
    size_t level = begin;
    for (; level < CM_MEMORY_LEVELS; level++) {
        cm_cache *cache = level == begin ? first : &memory->levels[level];
        uint64_t replaced = CM_NO_LINE;
        if (cache->lines == NULL)
            continue;
        const bool hit = cm_cache_access(cache, line, &replaced);
        if (hit && memory->prefetches && level < CM_PREFETCHING_LEVELS)
            facts[CM_FACT_L1D_PREFETCH_USED + level] += cm_cache_use_prefetched(cache, line);
        if (hit)
            break;
        replace_line(memory, level, replaced, facts);
    }
    return level;
}

/* A prefetcher of the level asks for a line: the first level behind that has it gives it to those before. */
static void prefetch_line(cm_memory *memory, size_t level, uint64_t line, uint64_t *facts)
{
    if (cm_cache_holds(&memory->levels[level], line))
        return;
    if (level == 0 && memory->fills.accesses != 0)
        cm_fills_begin(&memory->fills, line);
    size_t found = cm_memory_find_line(memory, level, &memory->levels[level], line, facts);
    cm_cache_mark(&memory->levels[level], line, CM_PREFETCHED);
    memory->asked[memory->asked_count++] = (cm_asked_line){line, found};
    for (size_t i = level; i <= found && i < CM_MEMORY_LEVELS; i++)
        facts[CM_FACT_L1D_PREFETCH_MISS + 2 * i - (i == found)]++;
}

/* Prefetchers of the levels that saw the access: L1D's all, L2's the misses of L1D. `found`: the line's level. */
static void prefetch_lines(cm_memory *memory, uint64_t line, size_t found, uint64_t *facts)
{
    uint64_t lines[CM_PREFETCH_MOST];
    for (size_t level = 0; level < CM_PREFETCHING_LEVELS && level <= found; level++) {
        cm_prefetcher *prefetcher = &memory->prefetchers[level];
        if (memory->levels[level].lines == NULL || !cm_prefetcher_is_on(prefetcher))
            continue;
        size_t count = cm_prefetcher_follow(prefetcher, line, level < found, lines);
        for (size_t i = 0; i < count; i++)
            prefetch_line(memory, level, lines[i], facts);
    }
}

/* A store makes the line dirty in the nearest cache. */
static void soil_line(cm_memory *memory, uint64_t line)
{
    for (size_t i = 0; i < CM_MEMORY_LEVELS; i++)
        if (memory->levels[i].lines != NULL) {
            cm_cache_mark(&memory->levels[i], line, CM_DIRTY);
            return;
        }
}

/* The part within the line of an access from `address` to `last`; `level` had the line. */
static void evade_part(cm_memory *memory, uint64_t line, uint64_t address, uint64_t last, bool store, size_t level,
                       uint64_t *facts)
{
    uint64_t begin = line << memory->line_shift, end = (line + 1) << memory->line_shift;
    begin = address > begin ? address : begin;
    end = last + 1 < end ? last + 1 : end;
    if (store)
        cm_evasion_store(&memory->evasion, begin, end, level == CM_MEMORY_LEVELS, facts);
    else
        cm_evasion_give_up(&memory->evasion, line, facts);
}

/* Whether the line, which `level` had, is on its way; one that misses the first level begins it. */
static bool is_filling(cm_memory *memory, uint64_t line, size_t level)
{
    if (level != 0)
        cm_fills_begin(&memory->fills, line);
    return level == 0 && cm_fills_have(&memory->fills, line, 0);
}

/* Whether the line, the first of its chain in L1D, was asked for before, and is there. */
static bool is_settled(const cm_memory *memory, uint64_t line)
{
    return !cm_cache_first_is_prefetched(&memory->levels[0], line) &&
           (memory->fills.accesses == 0 || !cm_fills_have(&memory->fills, line, 1));
}

/* An access within a line that the first level and TLB have without a search, as most are; false: it is none. */
static bool access_quickly(cm_memory *memory, uint64_t address, uint64_t last, bool store, uint64_t *facts)
{
    const uint64_t line = address >> memory->line_shift, page = address >> memory->tlbs.page_shift;
    if (!memory->plain || line != last >> memory->line_shift || cm_tlbs_is_huge(&memory->tlbs, address) ||
        !cm_cache_is_first(&memory->levels[0], line) || !cm_cache_is_first(&memory->tlbs.data, page) ||
        !is_settled(memory, line) || memory->fills.clock < memory->tlbs.walks.until)
        return false;
    cm_cache_hit(&memory->levels[0], line, store ? CM_DIRTY : 0);
    cm_cache_hit(&memory->tlbs.data, page, 0);
    facts[store ? CM_FACT_L1D_STORE_HIT : CM_FACT_L1D_LOAD_HIT]++;
    memory->fills.clock++;
    if (memory->prefetches) {
        memory->asked_count = 0;
        prefetch_lines(memory, line, 0, facts);
    }
    return true;
}

void cm_memory_access(cm_memory *memory, uint64_t address, size_t bytes, bool store, uint64_t *facts)
{
    uint64_t last = address + bytes - 1;
    uint64_t first_line = address >> memory->line_shift, last_line = last >> memory->line_shift;
    if (bytes == 0)
        return;
    advance_burst(memory, first_line, facts);
    if (access_quickly(memory, address, last, store, facts))
        return;
    memory->tlbs.walks.clock = ++memory->fills.clock;
    cm_tlbs_access(&memory->tlbs, store ? CM_TLB_STORE : CM_TLB_LOAD, address, last, facts);
    size_t found = 0;
    bool filling = false;
    for (uint64_t line = first_line; line <= last_line; line++) {
        if (memory->combining.count != 0)
            cm_combiner_give_up(&memory->combining, line, facts);
        size_t level = cm_memory_find_line(memory, 0, &memory->levels[0], line, facts);
        found = level > found ? level : found;
        if (memory->fills.accesses != 0)
            filling = is_filling(memory, line, level) || filling;
        if (store)
            soil_line(memory, line);
        if (memory->evasion.on)
            evade_part(memory, line, address, last, store, level, facts);
        if (memory->prefetches) {
            memory->asked_count = 0;
            prefetch_lines(memory, line, level, facts);
        }
    }
    if (first_line != last_line)
        facts[store ? CM_FACT_SPLIT_STORES : CM_FACT_SPLIT_LOADS]++;
    /* Hits and misses of the levels up to the one that had the line, CM_MEMORY_LEVELS for memory. */
    for (size_t i = 0; i <= found && i < CM_MEMORY_LEVELS; i++) {
        size_t fact = CM_FACT_L1D_LOAD_HIT + 4 * i + (store ? 2 : 0) + (i < found ? 1 : 0);
        facts[fact] += !memory->evasion.on || found < CM_MEMORY_LEVELS || !store || fact < memory->evasion.reads;
    }
    facts[CM_FACT_L1D_LOAD_FILL_HIT] += filling && found == 0 && !store;
}

void cm_memory_store_past(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts)
{
    if (bytes == 0)
        return;
    uint64_t last = address + bytes - 1;
    uint64_t first_line = address >> memory->line_shift, last_line = last >> memory->line_shift;
    cm_tlbs_access(&memory->tlbs, CM_TLB_STORE, address, last, facts);
    facts[CM_FACT_SPLIT_STORES] += first_line != last_line;
    for (uint64_t line = first_line; line <= last_line; line++)
        take_away(memory, CM_MEMORY_LEVELS, line, facts);
    if (memory->combining.buffers != 0)
        cm_combiner_store(&memory->combining, address, last, facts);
}

/* A fetch of a line that the first level and TLB have without a search; false: it is none. */
static bool fetch_quickly(cm_memory *memory, uint64_t line, uint64_t address, uint64_t *facts)
{
    const uint64_t page = address >> memory->tlbs.page_shift;
    if (!memory->plain || memory->tlbs.code.used == NULL || cm_tlbs_is_huge(&memory->tlbs, address) ||
        !cm_cache_is_first(&memory->l1i, line) || !cm_cache_is_first(&memory->tlbs.code, page))
        return false;
    cm_cache_hit(&memory->l1i, line, 0);
    cm_cache_hit(&memory->tlbs.code, page, 0);
    facts[CM_FACT_L1I_FETCH_HIT]++;
    return true;
}

void cm_memory_fetch(cm_memory *memory, uint64_t line, uint64_t *facts)
{
    uint64_t address = line << memory->line_shift;
    if (memory->l1i.lines == NULL)
        return;
    advance_burst(memory, line, facts);
    if (fetch_quickly(memory, line, address, facts))
        return;
    memory->tlbs.walks.clock = memory->fills.clock;
    cm_tlbs_access(&memory->tlbs, CM_TLB_FETCH, address, address, facts);
    cm_evasion_give_up(&memory->evasion, line, facts);
    size_t found = cm_memory_find_line(memory, 0, &memory->l1i, line, facts);
    for (size_t i = 0; i <= found && i < CM_MEMORY_LEVELS; i++)
        facts[CM_FACT_L1I_FETCH_HIT + 2 * i + (i < found ? 1 : 0)]++;
}
