/* The modelled machine whole: memory, wrong paths, forwarding, operations, time. */
#include "software_pmu/machine/modelled.h"

#include "core/base.h"

/* Sets up wrong paths, store forwarding and operations, if the machine has them. */
static cm_status init_habits(cm_modelled *modelled, const cm_pmu_machine *machine, cm_error *error)
{
    modelled->hints = machine->prefetch_instructions != 0;
    modelled->wrong_fetches = machine->wrong_path_fetches != 0;
    modelled->forwarding.stores = machine->store_forwarding;
    modelled->table = machine->operations;
    modelled->operates = machine->operations != 0 || machine->opcache_entries != 0;
    modelled->watches = machine->wrong_path_accesses != 0 || machine->store_forwarding != 0;
    if (machine->wrong_path_accesses == 0)
        return CM_OK;
    modelled->expected = calloc(1, sizeof *modelled->expected);
    return modelled->expected != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Sets up the operation cache; a shape that none can have is a bad argument. */
static cm_status init_opcache(cm_opcache *opcache, const cm_pmu_machine *machine, cm_error *error)
{
    const unsigned entries = machine->opcache_entries, ways = machine->opcache_ways;
    if (entries == 0)
        return CM_OK;
    if (ways == 0 || entries % ways != 0 || machine->opcache_operations == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "an operation cache of %u entries cannot have %u ways, and %u operations an entry", entries,
                       ways, machine->opcache_operations);
    opcache->holds = machine->opcache_operations;
    cm_opcache_leave(opcache);
    return cm_cache_init(&opcache->entries, entries / ways, ways, false, error);
}

cm_status cm_modelled_init(cm_modelled *modelled, const cm_pmu_machine *machine, cm_error *error)
{
    *modelled = (cm_modelled){.wrong_path_window = machine->wrong_path_window, .fusion = machine->macro_fusion};
    modelled->interrupts =
        (cm_interrupts){.every = machine->interrupt_every,
                        .instructions = machine->interrupt_instructions,
                        .due = machine->interrupt_every != 0 ? machine->interrupt_every : UINT64_MAX};
    cm_status status = cm_memory_init(&modelled->memory, machine, error);
    if (status != CM_OK || machine->predictor[0] == '\0')
        return status;
    status = cm_predictor_create(machine->predictor, &modelled->predictor, error);
    CM_THEN(status, init_opcache(&modelled->opcache, machine, error));
    return status == CM_OK ? init_habits(modelled, machine, error) : status;
}

void cm_modelled_clear(cm_modelled *modelled)
{
    free(modelled->expected);
    cm_cache_clear(&modelled->opcache.entries);
    cm_predictor_free(modelled->predictor);
    cm_memory_clear(&modelled->memory);
}

void cm_modelled_fetch_line(cm_modelled *modelled, uint64_t line)
{
    modelled->decoded[line % CM_DECODED_LINES] = line;
    cm_memory_fetch(&modelled->memory, line, modelled->facts);
}

/* Counts in the fact of the width, of the facts by width that begin with `first`. */
static void count_width(cm_modelled *modelled, cm_fact first, size_t bytes)
{
    if (cm_access_has_width(bytes))
        modelled->facts[(size_t)first + (size_t)__builtin_ctzll(bytes)]++;
}

/* Hands an access to all parts of the machine that remember it. */
static void watch_access(cm_modelled *modelled, uint64_t address, size_t bytes, bool store)
{
    if (bytes == 0)
        return;
    if (modelled->expected != NULL)
        cm_expected_note(modelled->expected, modelled->instruction, store, address, bytes);
    if (modelled->forwarding.stores == 0)
        return;
    if (store)
        cm_forwarding_store(&modelled->forwarding, address, bytes);
    else
        cm_forwarding_load(&modelled->forwarding, address, bytes, modelled->facts);
}

void cm_modelled_access(cm_modelled *modelled, uint64_t address, size_t bytes, bool store)
{
    if (modelled->watches)
        watch_access(modelled, address, bytes, store);
    if (modelled->predictor != NULL)
        cm_memory_access(&modelled->memory, address, bytes, store, modelled->facts);
    else if (bytes != 0 &&
             address >> modelled->memory.line_shift != (address + bytes - 1) >> modelled->memory.line_shift)
        modelled->facts[store ? CM_FACT_SPLIT_STORES : CM_FACT_SPLIT_LOADS]++;
}

void cm_modelled_load(cm_modelled *modelled, uint64_t address, size_t bytes, bool locked)
{
    modelled->facts[CM_FACT_LOADS]++;
    count_width(modelled, CM_FACT_LOADS_1, bytes);
    modelled->facts[CM_FACT_LOAD_BYTES] += bytes;
    modelled->facts[CM_FACT_LOCKED_LOADS] += locked;
    cm_modelled_access(modelled, address, bytes, false);
}

static void count_store(cm_modelled *modelled, size_t bytes)
{
    modelled->facts[CM_FACT_STORES]++;
    count_width(modelled, CM_FACT_STORES_1, bytes);
    modelled->facts[CM_FACT_STORE_BYTES] += bytes;
}

void cm_modelled_store(cm_modelled *modelled, uint64_t address, size_t bytes)
{
    count_store(modelled, bytes);
    cm_modelled_access(modelled, address, bytes, true);
}

void cm_modelled_nt_store(cm_modelled *modelled, uint64_t address, size_t bytes)
{
    count_store(modelled, bytes);
    modelled->facts[CM_FACT_NT_STORES]++;
    if (modelled->watches)
        watch_access(modelled, address, bytes, true);
    cm_memory_store_past(&modelled->memory, address, bytes, modelled->facts);
}

void cm_modelled_hint(cm_modelled *modelled, cm_hint hint, uint64_t address)
{
    if (modelled->hints)
        cm_memory_hint(&modelled->memory, hint, address, modelled->facts);
}

void cm_modelled_conditional(cm_modelled *modelled, const cm_path *path, const cm_path_step *branch, bool taken)
{
    if (taken) {
        modelled->facts[CM_FACT_BRANCHES_COND_TAKEN]++;
        modelled->facts[CM_FACT_COND_EXECUTED_TAKEN]++;
    }
    if (modelled->predictor == NULL)
        return;
    bool predicted = cm_predictor_predict(modelled->predictor, branch->address);
    if (predicted != taken) {
        modelled->facts[CM_FACT_MISPREDICTED_COND]++;
        modelled->facts[taken ? CM_FACT_MISPREDICTED_COND_TAKEN : CM_FACT_MISPREDICTED_COND_NTAKEN]++;
        cm_wrong_path_walk(modelled, path, branch, predicted);
        cm_opcache_leave(&modelled->opcache);
    }
    cm_predictor_learn(modelled->predictor, branch->address, taken);
}

void cm_modelled_indirect(cm_modelled *modelled, uint64_t address, uint64_t target)
{
    if (!cm_predictor_indirect(modelled->predictor, address, target))
        modelled->facts[CM_FACT_MISPREDICTED_INDIRECT]++;
}

void cm_modelled_return(cm_modelled *modelled, uint64_t target)
{
    if (!cm_predictor_return(modelled->predictor, target))
        modelled->facts[CM_FACT_MISPREDICTED_RETURNS]++;
}
