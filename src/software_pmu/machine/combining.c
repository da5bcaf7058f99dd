/* Buffers in which stores past the caches are combined to lines. */
#include "software_pmu/machine/memory.h"

void cm_combiner_init(cm_combiner *combining, const cm_pmu_machine *machine)
{
    const unsigned shift = (unsigned)__builtin_ctzll(machine->line_size);
    const uint64_t parts = machine->line_size < CM_COMBINING_PARTS ? machine->line_size : CM_COMBINING_PARTS;
    *combining = (cm_combiner){.buffers = machine->combining_buffers,
                               .line_shift = shift,
                               .part_shift = shift - (unsigned)__builtin_ctzll(parts),
                               .whole = UINT64_MAX >> (CM_COMBINING_PARTS - parts)};
}

static unsigned find_combined_line(const cm_combiner *combining, uint64_t line)
{
    unsigned at = 0;
    while (at < combining->count && combining->lines[at].line != line)
        at++;
    return at;
}

/* The line leaves its buffer. */
static void leave_buffer(cm_combiner *combining, unsigned at, uint64_t *facts)
{
    const bool whole = combining->lines[at].written == combining->whole;
    facts[whole ? CM_FACT_NT_LINES_WHOLE : CM_FACT_NT_LINES_PARTIAL]++;
    combining->count--;
    memmove(&combining->lines[at], &combining->lines[at + 1], (combining->count - at) * sizeof combining->lines[0]);
}

/* The bits of the parts from the first address to the last one, both in one line. */
static uint64_t parts_of(const cm_combiner *combining, uint64_t first, uint64_t last)
{
    const uint64_t within = (UINT64_C(1) << combining->line_shift) - 1;
    const uint64_t begin = (first & within) >> combining->part_shift, end = (last & within) >> combining->part_shift;
    return UINT64_MAX >> (CM_COMBINING_PARTS - 1 - (end - begin)) << begin;
}

/* Writes parts of a line into its buffer; a line that is whole leaves, and the oldest does if all are taken. */
static void store_parts(cm_combiner *combining, uint64_t line, uint64_t parts, uint64_t *facts)
{
    unsigned at = find_combined_line(combining, line);
    if (at == combining->count) {
        if (combining->count == combining->buffers) {
            leave_buffer(combining, 0, facts);
            at--;
        }
        combining->lines[at].line = line;
        combining->lines[at].written = 0;
        combining->count++;
    }
    combining->lines[at].written |= parts;
    if (combining->lines[at].written == combining->whole)
        leave_buffer(combining, at, facts);
}

void cm_combiner_store(cm_combiner *combining, uint64_t address, uint64_t last, uint64_t *facts)
{
    const unsigned shift = combining->line_shift;
    for (uint64_t line = address >> shift; line <= last >> shift; line++) {
        const uint64_t begin = line << shift, end = begin + ((UINT64_C(1) << shift) - 1);
        store_parts(combining, line, parts_of(combining, address > begin ? address : begin, last < end ? last : end),
                    facts);
    }
}

void cm_combiner_give_up(cm_combiner *combining, uint64_t line, uint64_t *facts)
{
    const unsigned at = find_combined_line(combining, line);
    if (at != combining->count)
        leave_buffer(combining, at, facts);
}

void cm_memory_settle(cm_memory *memory, uint64_t *facts)
{
    cm_evasion_give_up_all(&memory->evasion, facts);
    while (memory->combining.count != 0)
        leave_buffer(&memory->combining, 0, facts);
}
