/* Interrupts: one is due every so many instructions, and is taken behind the next branch. Its handler is the same each
 * time: a quarter of its instructions load, an eighth store, a sixteenth are branches, in lines of code and data of its
 * own, one of each for 16 instructions. It uses caches, TLBs and prefetchers as the program does, and counts in facts
 * of the kernel. */
#include "software_pmu/machine/modelled.h"

static const uint64_t handler_code = UINT64_C(0xFFFFFFFF81000000), handler_data = UINT64_C(0xFFFF888000000000);

/* Instructions of a part, their loads, stores and bytes of an access, and the bytes of its code and of its data. */
enum { INSTRUCTIONS = 16, LOADS = 4, STORES = 2, BYTES = 8, SPAN = 64 };

typedef struct fact_range {
    cm_fact first, last;
} fact_range;

size_t cm_fact_of_kernel(size_t fact)
{
    static const fact_range rows[] = {{CM_FACT_INSTRUCTIONS, CM_FACT_BRANCHES_COND_TAKEN},
                                      {CM_FACT_L1D_LOAD_HIT, CM_FACT_DTLB_STORE_MISS},
                                      {CM_FACT_L1I_FETCH_HIT, CM_FACT_FETCH_WALKS}};
    size_t kernel = CM_FACT_KERNEL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (fact >= rows[i].first && fact <= rows[i].last)
            return kernel + (fact - rows[i].first);
        kernel += rows[i].last - rows[i].first + 1;
    }
    return CM_FACT_COUNT;
}

bool cm_fact_is_known_of_kernel(size_t fact)
{
    static const fact_range never[] = {{CM_FACT_BRANCHES_UNCOND, CM_FACT_RETURNS},
                                       {CM_FACT_FP, CM_FACT_CALLS_INDIRECT},
                                       {CM_FACT_LOCKED_LOADS, CM_FACT_FP_H_SCALAR_COMPLEX},
                                       {CM_FACT_UPDATES, CM_FACT_PREFETCHES_W}};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        if (fact >= never[i].first && fact <= never[i].last)
            return true;
    return cm_fact_of_kernel(fact) != CM_FACT_COUNT;
}

/* The accesses of a part of the handler. */
static void access_memory(cm_modelled *modelled, uint64_t offset, uint64_t *facts)
{
    const uint64_t line = (handler_code + offset) >> modelled->memory.line_shift, data = handler_data + offset;
    if (modelled->decoded[line % CM_DECODED_LINES] != line)
        cm_memory_fetch(&modelled->memory, line, facts);
    modelled->decoded[line % CM_DECODED_LINES] = line;
    for (unsigned i = 0; i < LOADS; i++)
        cm_memory_access(&modelled->memory, data + (uint64_t)i * BYTES, BYTES, false, facts);
    for (unsigned i = 0; i < STORES; i++)
        cm_memory_access(&modelled->memory, data + (uint64_t)i * BYTES, BYTES, true, facts);
}

/* Runs the handler once: its instructions count as the kernel's, its accesses go through the caches. */
static void run_handler(cm_modelled *modelled)
{
    const uint64_t parts = modelled->interrupts.instructions / INSTRUCTIONS;
    uint64_t facts[CM_FACT_COUNT] = {[CM_FACT_INSTRUCTIONS] = modelled->interrupts.instructions,
                                     [CM_FACT_LOADS] = parts * LOADS,
                                     [CM_FACT_STORES] = parts * STORES,
                                     [CM_FACT_LOAD_BYTES] = parts * LOADS * BYTES,
                                     [CM_FACT_STORE_BYTES] = parts * STORES * BYTES,
                                     [CM_FACT_BRANCHES_COND] = parts,
                                     [CM_FACT_BRANCHES_COND_TAKEN] = parts};
    for (uint64_t part = 0; part < parts && modelled->predictor != NULL; part++)
        access_memory(modelled, part * SPAN, facts);
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++)
        if (cm_fact_of_kernel(fact) != CM_FACT_COUNT)
            modelled->facts[cm_fact_of_kernel(fact)] += facts[fact];
}

void cm_modelled_interrupt(cm_modelled *modelled)
{
    cm_interrupts *interrupts = &modelled->interrupts;
    const uint64_t skid = modelled->facts[CM_FACT_INSTRUCTIONS] - interrupts->due;
    modelled->facts[CM_FACT_INTERRUPTS]++;
    modelled->facts[CM_FACT_INTERRUPT_SKID] += skid;
    interrupts->due += interrupts->every * (1 + skid / interrupts->every);
    /* Stores leave their buffers, and code is decoded anew. */
    cm_memory_settle(&modelled->memory, modelled->facts);
    modelled->forwarding = (cm_forwarding){.stores = modelled->forwarding.stores};
    cm_opcache_leave(&modelled->opcache);
    run_handler(modelled);
}

void cm_modelled_take_facts(cm_modelled *modelled, const uint64_t *facts)
{
    if (modelled->interrupts.every != 0)
        modelled->interrupts.due += facts[CM_FACT_INSTRUCTIONS] - modelled->facts[CM_FACT_INSTRUCTIONS];
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++)
        modelled->facts[fact] = facts[fact];
}
