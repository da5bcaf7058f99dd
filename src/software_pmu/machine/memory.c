#include "software_pmu/machine/memory.h"

#include <string.h>

#include "core/error.h"

/* Of spells that the neighbour is there for: rarely, so that it does much then. */
static const double least_presence = 1.0 / 8;

/* Accesses: as many as a kernel's, so that each run of a kernel meets one or two spells. */
enum { MEAN_BURST = 4096 };

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static unsigned shift_of(uint64_t power)
{
    return (unsigned)__builtin_ctzll(power);
}

/* For `share` of all random 64-bit numbers. */
static uint64_t threshold(double share)
{
    return share < 1.0 ? (uint64_t)(share * 0x1p64) : UINT64_MAX;
}

static cm_status init_level(cm_cache *cache, const char *name, uint64_t size, unsigned ways,
                            const cm_pmu_machine *machine, cm_error *error)
{
    uint64_t line_size = machine->line_size;
    if (size == 0)
        return CM_OK;
    if (ways == 0 || size / line_size / ways == 0 || size % line_size != 0 || size / line_size % ways != 0)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "%s of %llu bytes cannot have %u ways of lines of %llu bytes", name,
                            (unsigned long long)size, ways, (unsigned long long)line_size);
    return cm_cache_init(cache, (size_t)(size / line_size / ways), ways, strcmp(machine->replacement, "plru") == 0,
                         error);
}

cm_status cm_memory_init(cm_memory *memory, const cm_pmu_machine *machine, cm_error *error)
{
    memset(memory, 0, sizeof *memory);
    if (!is_power_of_two(machine->line_size) || !is_power_of_two(machine->page_size))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "line_size and page_size must be powers of two");
    if (!(machine->interference >= 0.0 && machine->interference <= 1.0))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "interference must lie between 0 and 1");
    memory->line_shift = shift_of(machine->line_size);
    memory->page_shift = shift_of(machine->page_size);
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
    } levels[CM_MEMORY_LEVELS] = {{"l1d", machine->l1d_size, machine->l1d_ways},
                                  {"l2", machine->l2_size, machine->l2_ways},
                                  {"l3", machine->l3_size, machine->l3_ways}};
    cm_status status = CM_OK;
    for (size_t i = 0; i < CM_MEMORY_LEVELS && status == CM_OK; i++)
        status = init_level(&memory->levels[i], levels[i].name, levels[i].size, levels[i].ways, machine, error);
    if (status == CM_OK && machine->dtlb_entries != 0)
        status = cm_cache_init(&memory->tlb, 1, machine->dtlb_entries, false, error);
    if (status != CM_OK)
        cm_memory_clear(memory);
    return status;
}

void cm_memory_clear(cm_memory *memory)
{
    for (size_t i = 0; i < CM_MEMORY_LEVELS; i++)
        cm_cache_clear(&memory->levels[i]);
    cm_cache_clear(&memory->tlb);
}

void cm_memory_seed(cm_memory *memory, uint64_t seed)
{
    /* splitmix64, so that seeds that lie close together lead to different numbers; xorshift needs anything but 0 */
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

/* A dirty line leaves `level` for the next that has it, else for memory. */
static void write_back(cm_memory *memory, size_t level, uint64_t line, uint64_t *facts)
{
    bool taken = false;
    for (size_t i = level; i < CM_MEMORY_LEVELS && !taken; i++) {
        if (memory->levels[i].lines == NULL)
            continue;
        taken = i != level && cm_cache_mark(&memory->levels[i], line);
        if (!taken)
            facts[CM_FACT_L1D_WRITTEN_BACK + i]++;
    }
}

/* The levels before `end` give up the line. */
static void take_away(cm_memory *memory, size_t end, uint64_t line, uint64_t *facts)
{
    for (size_t i = 0; i < end; i++)
        if (memory->levels[i].lines != NULL && cm_cache_drop(&memory->levels[i], line))
            write_back(memory, i, line, facts);
}

static void interfere(cm_memory *memory, uint64_t line, uint64_t *facts)
{
    if (memory->burst == 0) {
        memory->burst = 1 + next_random(memory) % (2 * MEAN_BURST);
        memory->visited = next_random(memory) <= memory->visits;
    }
    memory->burst--;
    if (!memory->visited || next_random(memory) > memory->evicts)
        return;
    take_away(memory, 1 + (next_random(memory) >> 32) % CM_MEMORY_LEVELS, line, facts);
}

/* A level that gives up a line, inclusive of what inner ones have of it. */
static void replace(cm_memory *memory, size_t level, uint64_t replaced, uint64_t *facts)
{
    if (replaced == CM_NO_LINE)
        return;
    uint64_t line = replaced & ~CM_DIRTY;
    bool dirty = replaced != line;
    for (size_t inner = 0; memory->inclusive && inner < level; inner++)
        if (memory->levels[inner].lines != NULL && cm_cache_drop(&memory->levels[inner], line)) {
            facts[CM_FACT_L1D_WRITTEN_BACK + inner]++;
            dirty = true;
        }
    if (dirty)
        write_back(memory, level, line, facts);
}

/* The level that has the line, CM_MEMORY_LEVELS for memory; each one before it is filled. */
static size_t find_line(cm_memory *memory, uint64_t line, uint64_t *facts)
{
    size_t level = 0;
    for (; level < CM_MEMORY_LEVELS; level++) {
        uint64_t replaced = CM_NO_LINE;
        if (memory->levels[level].lines == NULL)
            continue;
        if (cm_cache_access(&memory->levels[level], line, &replaced))
            break;
        replace(memory, level, replaced, facts);
    }
    return level;
}

/* A store changes the line where it is nearest. */
static void soil(cm_memory *memory, uint64_t line)
{
    for (size_t i = 0; i < CM_MEMORY_LEVELS; i++)
        if (memory->levels[i].lines != NULL) {
            cm_cache_mark(&memory->levels[i], line);
            return;
        }
}

static bool is_in_tlb(cm_memory *memory, uint64_t first_page, uint64_t last_page)
{
    bool hit = true;
    if (memory->tlb.lines == NULL)
        return true;
    for (uint64_t page = first_page; page <= last_page; page++)
        hit = cm_cache_access(&memory->tlb, page, NULL) && hit;
    return hit;
}

static void translate(cm_memory *memory, uint64_t address, uint64_t last, bool store, uint64_t *facts)
{
    if (!is_in_tlb(memory, address >> memory->page_shift, last >> memory->page_shift))
        facts[store ? CM_FACT_DTLB_STORE_MISS : CM_FACT_DTLB_LOAD_MISS]++;
}

void cm_memory_access(cm_memory *memory, uint64_t address, size_t bytes, bool store, uint64_t *facts)
{
    if (bytes == 0)
        return;
    uint64_t last = address + bytes - 1;
    uint64_t first_line = address >> memory->line_shift, last_line = last >> memory->line_shift;
    if (memory->visits != 0)
        interfere(memory, first_line, facts);
    translate(memory, address, last, store, facts);
    size_t found = 0;
    for (uint64_t line = first_line; line <= last_line; line++) {
        size_t level = find_line(memory, line, facts);
        found = level > found ? level : found;
        if (store)
            soil(memory, line);
    }
    if (first_line != last_line)
        facts[store ? CM_FACT_SPLIT_STORES : CM_FACT_SPLIT_LOADS]++;
    for (size_t i = 0; i <= found && i < CM_MEMORY_LEVELS; i++)
        if (memory->levels[i].lines != NULL)
            facts[CM_FACT_L1D_LOAD_HIT + 4 * i + (store ? 2 : 0) + (i < found ? 1 : 0)]++;
}

void cm_memory_store_past(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts)
{
    if (bytes == 0)
        return;
    uint64_t last = address + bytes - 1;
    uint64_t first_line = address >> memory->line_shift, last_line = last >> memory->line_shift;
    translate(memory, address, last, true, facts);
    facts[CM_FACT_SPLIT_STORES] += first_line != last_line;
    for (uint64_t line = first_line; line <= last_line; line++)
        take_away(memory, CM_MEMORY_LEVELS, line, facts);
}
