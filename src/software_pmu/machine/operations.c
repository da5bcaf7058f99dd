/* Operations that instructions take, and their origin: the operation cache, the decoders or microcode. */
#include "software_pmu/machine/modelled.h"

/* An instruction of more operations than this is microcoded, by the values of a machine's `operations`. The values 0
 * and 3 have no such instruction. */
static const uint8_t decoded[CM_OPERATION_TABLES + 1] = {1, 4, 2, 2};

/* The fields of an entry's name behind its window. */
enum { OFFSET_SHIFT = 48, PART_SHIFT = 54, MOST_PARTS = 64, NOWHERE = -1 };

size_t cm_code_add(cm_code_part parts[static CM_CODE_PARTS], size_t count, uint64_t address,
                   const cm_operations *operations)
{
    if (count == 0 || parts[count - 1].first / CM_CODE_WINDOW != address / CM_CODE_WINDOW) {
        if (count == CM_CODE_PARTS)
            return count;
        parts[count++] = (cm_code_part){.first = address};
    }
    cm_code_part *part = &parts[count - 1];
    part->last = address;
    for (size_t i = 0; i <= CM_OPERATION_TABLES; i++) {
        const unsigned taken = operations->more[i] + 1u;
        const bool microcoded = taken > decoded[i] || (i != 0 && operations->repeated);
        uint16_t *sum = microcoded ? &part->microcoded[i] : &part->operations[i];
        *sum = (uint16_t)(*sum + taken);
        if (i == CM_MICRO_FUSING && !microcoded)
            part->micro_fused = (uint16_t)(part->micro_fused + operations->micro_fused);
    }
    return count;
}

/* Facts of one kind of path. */
typedef struct operation_facts {
    cm_fact microcode, cached, decoded, hit, miss;
} operation_facts;

static const operation_facts retired = {CM_FACT_MICROCODE_OPERATIONS, CM_FACT_OPCACHE_OPERATIONS,
                                        CM_FACT_DECODER_OPERATIONS, CM_FACT_OPCACHE_HIT, CM_FACT_OPCACHE_MISS};
static const operation_facts wrong = {CM_FACT_MICROCODE_WRONG_OPERATIONS, CM_FACT_OPCACHE_WRONG_OPERATIONS,
                                      CM_FACT_DECODER_WRONG_OPERATIONS, CM_FACT_OPCACHE_WRONG_HIT,
                                      CM_FACT_OPCACHE_WRONG_MISS};

/* Looks for the entry that execution comes to; it is there afterwards. */
static void look_up_entry(cm_opcache *opcache, const operation_facts *of, uint64_t *facts)
{
    const uint64_t name = opcache->name | (uint64_t)(opcache->parts % MOST_PARTS) << PART_SHIFT;
    opcache->held = 0;
    opcache->found = cm_cache_access(&opcache->entries, name, NULL);
    facts[opcache->found ? of->hit : of->miss]++;
}

/* Counts the operations of a part of code by their origin; those of the last window go on in its entry. */
static void deliver_operations(cm_opcache *opcache, const cm_code_part *part, unsigned operations,
                               const operation_facts *of, uint64_t *facts)
{
    const uint64_t window = part->first / CM_CODE_WINDOW;
    const bool goes_on = window == opcache->window && part->first > opcache->last;
    if (operations == 0 && !goes_on)
        return;
    opcache->last = part->last;
    if (!goes_on) {
        opcache->window = window;
        opcache->name = window | (part->first % CM_CODE_WINDOW) << OFFSET_SHIFT;
        opcache->parts = 0;
        look_up_entry(opcache, of, facts);
    }
    while (operations != 0) {
        if (opcache->held == opcache->holds) {
            opcache->parts++;
            look_up_entry(opcache, of, facts);
        }
        const unsigned places = opcache->holds - opcache->held, taken = operations < places ? operations : places;
        facts[opcache->found ? of->cached : of->decoded] += taken;
        opcache->held += taken;
        operations -= taken;
    }
}

static void count_operations(cm_modelled *modelled, const cm_code_part *part, unsigned operations,
                             const operation_facts *of)
{
    modelled->facts[of->microcode] += part->microcoded[modelled->table];
    if (modelled->opcache.entries.lines != NULL)
        deliver_operations(&modelled->opcache, part, operations, of, modelled->facts);
    else
        modelled->facts[of->decoded] += operations;
}

void cm_modelled_operate(cm_modelled *modelled, const cm_code_part *parts, size_t count, bool fused)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned operations = parts[i].operations[modelled->table] - (fused && i + 1 == count);
        modelled->facts[CM_FACT_OPERATIONS] += operations + parts[i].microcoded[modelled->table];
        modelled->facts[CM_FACT_MICRO_FUSED] += modelled->table == CM_MICRO_FUSING ? parts[i].micro_fused : 0;
        count_operations(modelled, &parts[i], operations, &retired);
    }
}

void cm_modelled_pass_operations(cm_modelled *modelled, const cm_passed *passed)
{
    cm_code_part parts[CM_CODE_PARTS];
    cm_code_add(parts, 0, passed->address, &passed->operations);
    count_operations(modelled, parts, parts[0].operations[modelled->table], &wrong);
}

void cm_opcache_leave(cm_opcache *opcache)
{
    opcache->window = (uint64_t)NOWHERE;
}
