/* machine.csv: key,value. */
#include <inttypes.h>
#include <limits.h>

#include "software_pmu/machine/flow.h"
#include "software_pmu/model/model.h"

enum { KEY, VALUE, MACHINE_COLUMNS };

/* The members' types: uint64_t (SIZE), unsigned (NUMBER), double (RATE), text that is one of few words (the others). */
typedef enum value_kind { SIZE, NUMBER, RATE, PREDICTOR, REPLACEMENT, GPU_VENDOR, PROCESSORS } value_kind;

typedef struct machine_key {
    const char *name;
    value_kind kind;
    size_t offset; /* in cm_pmu_machine */
    uint64_t least, most;
    bool power_of_two;
    bool optional; /* may be missing: 0 or empty */
    bool of_time;  /* decides no fact on kernels */
} machine_key;

#define FIELD(name) #name, .offset = offsetof(cm_pmu_machine, name)

enum { LARGEST_CACHE = 1 << 30 };

/* The keys that are checked together, before all others. */
enum {
    LINE,
    PAGE,
    L1D,
    L1D_WAYS,
    L2,
    L2_WAYS,
    L3,
    L3_WAYS,
    DTLB,
    L1I,
    L1I_WAYS,
    ITLB,
    STLB,
    STLB_WAYS,
    ISTLB,
    ISTLB_WAYS,
    OPCACHE,
    OPCACHE_WAYS,
    HUGE_PAGE,
    DTLB_HUGE
};

static const machine_key keys[] = {
    [LINE] = {FIELD(line_size), .kind = SIZE, .least = 16, .most = 4096, .power_of_two = true},
    [PAGE] = {FIELD(page_size), .kind = SIZE, .least = 512, .most = 1 << 30, .power_of_two = true},
    [L1D] = {FIELD(l1d_size), .kind = SIZE, .most = LARGEST_CACHE},
    [L1D_WAYS] = {FIELD(l1d_ways), .kind = NUMBER, .most = 4096},
    [L2] = {FIELD(l2_size), .kind = SIZE, .most = LARGEST_CACHE},
    [L2_WAYS] = {FIELD(l2_ways), .kind = NUMBER, .most = 4096},
    [L3] = {FIELD(l3_size), .kind = SIZE, .most = LARGEST_CACHE},
    [L3_WAYS] = {FIELD(l3_ways), .kind = NUMBER, .most = 4096},
    [DTLB] = {FIELD(dtlb_entries), .kind = NUMBER, .most = 65536},
    [L1I] = {FIELD(l1i_size), .kind = SIZE, .most = LARGEST_CACHE, .optional = true},
    [L1I_WAYS] = {FIELD(l1i_ways), .kind = NUMBER, .most = 4096, .optional = true},
    [ITLB] = {FIELD(itlb_entries), .kind = NUMBER, .most = 65536, .optional = true},
    [STLB] = {FIELD(stlb_entries), .kind = NUMBER, .most = 65536, .optional = true},
    [STLB_WAYS] = {FIELD(stlb_ways), .kind = NUMBER, .most = 4096, .optional = true},
    [ISTLB] = {FIELD(istlb_entries), .kind = NUMBER, .most = 65536, .optional = true},
    [ISTLB_WAYS] = {FIELD(istlb_ways), .kind = NUMBER, .most = 4096, .optional = true},
    [OPCACHE] = {FIELD(opcache_entries), .kind = NUMBER, .most = 65536, .optional = true},
    [OPCACHE_WAYS] = {FIELD(opcache_ways), .kind = NUMBER, .most = 4096, .optional = true},
    [HUGE_PAGE] = {FIELD(huge_page_size), .kind = SIZE, .most = 1 << 30, .power_of_two = true, .optional = true},
    [DTLB_HUGE] = {FIELD(dtlb_huge_entries), .kind = NUMBER, .most = 65536, .optional = true},
    {FIELD(predictor), .kind = PREDICTOR},
    {FIELD(wrong_path_window), .kind = NUMBER, .most = 4096},
    {FIELD(counters), .kind = NUMBER, .most = 4096},
    {FIELD(interference), .kind = RATE},
    {FIELD(replacement), .kind = REPLACEMENT, .optional = true},
    {FIELD(inclusive), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(memory_boxes), .kind = NUMBER, .least = 1, .most = 64, .optional = true},
    {FIELD(background_drift), .kind = RATE, .optional = true},
    {FIELD(background_noise), .kind = RATE, .optional = true},
    {FIELD(background_seed), .kind = NUMBER, .most = UINT32_MAX, .optional = true},
    {FIELD(write_allocate_evasion), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(reorder_window), .kind = NUMBER, .least = 1, .most = 1024, .optional = true, .of_time = true},
    {FIELD(dispatch_width), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(latency_add), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_multiply), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_multiply_add), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_divide), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_square_root), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_load), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(gpu), .kind = GPU_VENDOR, .optional = true},
    {FIELD(gpu_target), .kind = NUMBER, .most = 65535, .optional = true},
    {FIELD(gpu_sector), .kind = NUMBER, .least = 16, .most = 128, .power_of_two = true, .optional = true},
    {FIELD(gpu_devices), .kind = NUMBER, .most = 8, .optional = true},
    {FIELD(architecture), .kind = PROCESSORS, .optional = true},
    {FIELD(l1d_prefetch_ahead), .kind = NUMBER, .most = CM_PREFETCH_AHEAD, .optional = true},
    {FIELD(l1d_prefetch_next), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(l2_prefetch_ahead), .kind = NUMBER, .most = CM_PREFETCH_AHEAD, .optional = true},
    {FIELD(l2_prefetch_next), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(fill_accesses), .kind = NUMBER, .most = 4096, .optional = true},
    {FIELD(latency_l2), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_l3), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_memory), .kind = NUMBER, .least = 1, .most = 10000, .optional = true, .of_time = true},
    {FIELD(latency_stlb), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_walk), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_forward), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_int_divide), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_vector), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_load_vector), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_vector_multiply), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_add_again), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_fence), .kind = NUMBER, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_full_fence), .kind = NUMBER, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_pause), .kind = NUMBER, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_locked), .kind = NUMBER, .most = 1000, .optional = true, .of_time = true},
    {FIELD(latency_x87), .kind = NUMBER, .most = 1000, .optional = true, .of_time = true},
    {FIELD(memory_renaming), .kind = NUMBER, .most = 1000, .optional = true, .of_time = true},
    {FIELD(taken_branches), .kind = NUMBER, .most = 1, .optional = true, .of_time = true},
    {FIELD(vector_scheduler), .kind = NUMBER, .least = 1, .most = 256, .optional = true, .of_time = true},
    {FIELD(misprediction_penalty), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(memory_interval), .kind = NUMBER, .least = 1, .most = 1000, .optional = true, .of_time = true},
    {FIELD(fill_buffers), .kind = NUMBER, .least = 1, .most = 256, .optional = true, .of_time = true},
    {FIELD(store_buffer), .kind = NUMBER, .least = 1, .most = 256, .optional = true, .of_time = true},
    {FIELD(scheduler), .kind = NUMBER, .least = 1, .most = 256, .optional = true, .of_time = true},
    {FIELD(load_scheduler), .kind = NUMBER, .least = 1, .most = 256, .optional = true, .of_time = true},
    {FIELD(units_integer), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(units_vector), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(units_adder), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(units_multiplier), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(units_load), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(units_load_vector), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(units_store), .kind = NUMBER, .least = 1, .most = 64, .optional = true, .of_time = true},
    {FIELD(vector_bytes), .kind = NUMBER, .least = 1, .most = 256, .optional = true, .of_time = true},
    {FIELD(divider_bytes), .kind = NUMBER, .most = 64, .optional = true, .of_time = true},
    {FIELD(in_order), .kind = NUMBER, .most = 1, .optional = true, .of_time = true},
    {FIELD(split_accesses), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(prefetch_instructions), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(wrong_path_accesses), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(wrong_path_fetches), .kind = NUMBER, .most = 1, .optional = true},
    {FIELD(store_forwarding), .kind = NUMBER, .most = CM_FORWARDING_STORES, .optional = true},
    {FIELD(macro_fusion), .kind = NUMBER, .most = 4, .optional = true},
    {FIELD(operations), .kind = NUMBER, .most = CM_OPERATION_TABLES, .optional = true},
    {FIELD(walk_cache_entries), .kind = NUMBER, .most = 4096, .optional = true},
    {FIELD(combining_buffers), .kind = NUMBER, .most = CM_COMBINING_BUFFERS, .optional = true},
    {FIELD(opcache_operations), .kind = NUMBER, .most = 64, .optional = true},
    {FIELD(walk_accesses), .kind = NUMBER, .most = 4096, .optional = true},
    {FIELD(interrupt_every), .kind = NUMBER, .most = UINT32_MAX, .optional = true},
    {FIELD(interrupt_instructions), .kind = NUMBER, .most = 65536, .optional = true},
};

enum { KEYS = CM_COUNT_OF(keys) };

typedef struct machine_words {
    const char *noun, *expected, *list[5];
} machine_words;

static const machine_words words[] = {
    [PREDICTOR] = {"predictor", "none, bimodal, gshare or tage", {"none", "bimodal", "gshare", "tage"}},
    [REPLACEMENT] = {"replacement", "lru or plru", {"lru", "plru"}},
    [GPU_VENDOR] = {"GPU", "nvidia or amd", {"nvidia", "amd"}},
    [PROCESSORS] = {"architecture", "x86_64, aarch64, ppc64le or riscv64", {"x86_64", "aarch64", "ppc64le", "riscv64"}},
};

typedef struct machine_reading {
    const cm_csv *csv;
    cm_pmu_machine *machine;
    size_t lines[KEYS]; /* of each key; 0: not seen */
    bool time_alone;    /* no key that was seen decides facts on kernels */
} machine_reading;

/* Takes a whole number within the key's limits. */
static cm_status take_whole(const machine_reading *reading, const cm_csv_row *row, const machine_key *key,
                            cm_error *error)
{
    size_t value = 0;
    cm_status status = cm_csv_size(reading->csv, row, VALUE, &value, error);
    if (status != CM_OK)
        return status;
    if (value < key->least || value > key->most)
        return CM_CSV_FAULT(reading->csv, row->line, error, "%s is %zu, expected %" PRIu64 " to %" PRIu64, key->name,
                            value, key->least, key->most);
    if (key->power_of_two && (value & (value - 1)) != 0)
        return CM_CSV_FAULT(reading->csv, row->line, error, "%s is %zu, expected a power of two", key->name, value);
    char *field = (char *)reading->machine + key->offset;
    if (key->kind == SIZE)
        memcpy(field, &(uint64_t){value}, sizeof(uint64_t));
    else
        memcpy(field, &(unsigned){(unsigned)value}, sizeof(unsigned));
    return CM_OK;
}

/* Reads the value of a key that is a rate, from 0 to 1. */
static cm_status take_rate(const machine_reading *reading, const cm_csv_row *row, const machine_key *key,
                           cm_error *error)
{
    double value = 0.0;
    cm_status status = cm_csv_number(reading->csv, row, VALUE, &value, error);
    if (status != CM_OK)
        return status;
    if (!(value >= 0.0 && value <= 1.0))
        return CM_CSV_FAULT(reading->csv, row->line, error, "%s is %s, expected 0 to 1", key->name, row->fields[VALUE]);
    memcpy((char *)reading->machine + key->offset, &value, sizeof value);
    return CM_OK;
}

/* Reads the value of a key that is one of a few words. */
static cm_status take_word(const machine_reading *reading, const cm_csv_row *row, const machine_key *key,
                           cm_error *error)
{
    const machine_words *known = &words[key->kind];
    for (size_t i = 0; known->list[i] != NULL; i++)
        if (strcmp(known->list[i], row->fields[VALUE]) == 0) {
            strcpy((char *)reading->machine + key->offset, known->list[i]);
            return CM_OK;
        }
    return CM_CSV_FAULT(reading->csv, row->line, error, "unknown %s '%.40s', expected %s", known->noun,
                        row->fields[VALUE], known->expected);
}

/* Takes one key; an error for an unknown or repeated one, or a wrong value. */
static cm_status take_key(machine_reading *reading, const cm_csv_row *row, cm_error *error)
{
    size_t at = 0;
    if (cm_model_key_is_of_events(row->fields[KEY]))
        return CM_OK;
    if (row->count > MACHINE_COLUMNS && row->fields[MACHINE_COLUMNS][0] != '\0')
        return CM_CSV_FAULT(reading->csv, row->line, error,
                            "'%.40s' follows a value, but only conflict and fault have a third column",
                            row->fields[MACHINE_COLUMNS]);
    while (at < KEYS && strcmp(keys[at].name, row->fields[KEY]) != 0)
        at++;
    if (at == KEYS)
        return CM_CSV_FAULT(reading->csv, row->line, error, "unknown key '%.80s'", row->fields[KEY]);
    if (reading->lines[at] != 0)
        return CM_CSV_FAULT(reading->csv, row->line, error, "duplicate key '%s', which line %zu holds", keys[at].name,
                            reading->lines[at]);
    reading->lines[at] = row->line;
    reading->time_alone &= keys[at].of_time;
    switch (keys[at].kind) {
    case RATE: return take_rate(reading, row, &keys[at], error);
    case SIZE:
    case NUMBER: return take_whole(reading, row, &keys[at], error);
    default: return take_word(reading, row, &keys[at], error);
    }
}

/* Takes all rows; an error names a missing key. */
static cm_status take_keys(cm_csv *csv, bool inherited, machine_reading *reading, cm_error *error)
{
    cm_csv_row row;
    cm_status status = CM_OK;
    while (cm_csv_more(csv, &row, &status, error))
        status = take_key(reading, &row, error);
    for (size_t i = 0; i < KEYS && status == CM_OK && !inherited; i++)
        if (reading->lines[i] == 0 && !keys[i].optional)
            status = CM_CSV_FAULT(csv, cm_csv_header(csv).line, error, "the key '%s' is missing", keys[i].name);
    return status;
}

/* A level has size and ways, or neither; the size is a multiple of whole sets, and not below the level before. */
static cm_status check_level(const machine_reading *reading, size_t key, uint64_t size, unsigned ways,
                             uint64_t previous, cm_error *error)
{
    const char *path = cm_csv_path(reading->csv), *name = keys[key].name;
    uint64_t line_size = reading->machine->line_size;
    if ((size == 0) != (ways == 0))
        return cm_error_set(error, CM_BAD_INPUT, path, reading->lines[key + 1], 0,
                            "%s is %" PRIu64 " and %s is %u, expected both or neither to be 0", name, size,
                            keys[key + 1].name, ways);
    if (size == 0)
        return CM_OK;
    if (size % (line_size * ways) != 0)
        return cm_error_set(error, CM_BAD_INPUT, path, reading->lines[key], 0,
                            "%s is %" PRIu64 ", expected a multiple of line_size * %s = %" PRIu64, name, size,
                            keys[key + 1].name, line_size * ways);
    if (key != L1D && key != L1I && (previous == 0 || size < previous))
        return cm_error_set(error, CM_BAD_INPUT, path, reading->lines[key], 0,
                            "%s is %" PRIu64 ", expected at least %s, which is %" PRIu64 "%s", name, size,
                            keys[key - 2].name, previous, previous == 0 ? ": the cache before it does not exist" : "");
    return CM_OK;
}

/* A second TLB, or operation cache, has both entries and ways, or neither; it consists of whole sets, and the TLB is
 * not smaller than the first. */
static cm_status check_tlb(const machine_reading *reading, size_t key, unsigned entries, unsigned ways, size_t first,
                           unsigned previous, cm_error *error)
{
    const char *path = cm_csv_path(reading->csv), *name = keys[key].name;
    if ((entries == 0) != (ways == 0))
        return cm_error_set(error, CM_BAD_INPUT, path, reading->lines[entries == 0 ? key + 1 : key], 0,
                            "%s is %u and %s is %u, expected both or neither to be 0", name, entries,
                            keys[key + 1].name, ways);
    if (entries == 0)
        return CM_OK;
    if (entries % ways != 0)
        return cm_error_set(error, CM_BAD_INPUT, path, reading->lines[key], 0,
                            "%s is %u, expected a multiple of %s, which is %u", name, entries, keys[key + 1].name,
                            ways);
    if (key != OPCACHE && (previous == 0 || entries < previous))
        return cm_error_set(error, CM_BAD_INPUT, path, reading->lines[key], 0,
                            "%s is %u, expected at least %s, which is %u%s", name, entries, keys[first].name, previous,
                            previous == 0 ? ": the TLB before it does not exist" : "");
    return CM_OK;
}

/* Huge pages are larger than small ones, and only a machine that has them has entries for them. */
static cm_status check_huge(const machine_reading *reading, cm_error *error)
{
    const cm_pmu_machine *machine = reading->machine;
    if (machine->huge_page_size != 0 && machine->huge_page_size <= machine->page_size)
        return CM_CSV_FAULT(reading->csv, reading->lines[HUGE_PAGE], error,
                            "huge_page_size is %" PRIu64 ", expected more than page_size, which is %" PRIu64,
                            machine->huge_page_size, machine->page_size);
    if (machine->dtlb_huge_entries != 0 && (machine->huge_page_size == 0 || machine->dtlb_entries == 0))
        return CM_CSV_FAULT(reading->csv, reading->lines[DTLB_HUGE], error,
                            "dtlb_huge_entries is %u, expected 0: %s is 0 or missing", machine->dtlb_huge_entries,
                            machine->huge_page_size == 0 ? "huge_page_size" : "dtlb_entries");
    return CM_OK;
}

/* Checks that the sizes of caches, TLBs and pages fit together. */
static cm_status check_geometry(const machine_reading *reading, cm_error *error)
{
    const cm_pmu_machine *of = reading->machine;
    if (of->page_size < of->line_size)
        return CM_CSV_FAULT(reading->csv, reading->lines[PAGE], error,
                            "page_size is %" PRIu64 ", expected at least line_size, which is %" PRIu64, of->page_size,
                            of->line_size);
    cm_status status = check_level(reading, L1D, of->l1d_size, of->l1d_ways, 0, error);
    CM_THEN(status, check_level(reading, L2, of->l2_size, of->l2_ways, of->l1d_size, error));
    CM_THEN(status, check_level(reading, L3, of->l3_size, of->l3_ways, of->l2_size, error));
    CM_THEN(status, check_level(reading, L1I, of->l1i_size, of->l1i_ways, 0, error));
    CM_THEN(status, check_tlb(reading, STLB, of->stlb_entries, of->stlb_ways, DTLB, of->dtlb_entries, error));
    CM_THEN(status, check_tlb(reading, ISTLB, of->istlb_entries, of->istlb_ways, ITLB, of->itlb_entries, error));
    CM_THEN(status, check_tlb(reading, OPCACHE, of->opcache_entries, of->opcache_ways, 0, 0, error));
    if (status == CM_OK && (of->opcache_entries == 0) != (of->opcache_operations == 0))
        status = CM_CSV_FAULT(reading->csv, reading->lines[OPCACHE], error,
                              "opcache_entries is %u and opcache_operations is %u, expected both or neither to be 0",
                              of->opcache_entries, of->opcache_operations);
    return status == CM_OK ? check_huge(reading, error) : status;
}

cm_status cm_model_machine_read(const char *path, bool inherited, cm_pmu_machine *machine, bool *time_alone,
                                cm_error *error)
{
    static const char *const columns[MACHINE_COLUMNS] = {"key", "value"};
    cm_csv *csv = NULL;
    cm_pmu_machine read = inherited ? *machine : (cm_pmu_machine){0};
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, cm_csv_expect(csv, MACHINE_COLUMNS, columns, true, error));
    machine_reading reading = {.csv = csv, .machine = &read, .time_alone = true};
    CM_THEN(status, take_keys(csv, inherited, &reading, error));
    CM_THEN(status, check_geometry(&reading, error));
    if (status == CM_OK)
        *machine = read;
    *time_alone = reading.time_alone;
    cm_csv_close(csv);
    return status;
}
