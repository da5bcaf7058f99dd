/* Decoded instructions by address. */
#include "software_pmu/x86_64/step.h"

#include "core/base.h"

enum { CHUNK_STEPS = 512, FIRST_BUCKETS = 8192 };

struct cm_step_chunk {
    cm_step_chunk *next;
    size_t used;
    cm_step steps[CHUNK_STEPS];
};

cm_status cm_step_table_init(cm_step_table *table, uint32_t xcr0, cm_error *error)
{
    memset(table, 0, sizeof *table);
    ZydisDecoderInit(&table->decoder.zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    cm_isa_read(xcr0, &table->decoder.features);
    table->buckets = cm_pages_map(FIRST_BUCKETS * sizeof *table->buckets);
    if (table->buckets == NULL)
        return cm_error_no_memory(error);
    table->bucket_count = FIRST_BUCKETS;
    return CM_OK;
}

void cm_step_table_clear(cm_step_table *table)
{
    while (table->chunks != NULL) {
        cm_step_chunk *chunk = table->chunks;
        table->chunks = chunk->next;
        cm_pages_unmap(chunk, sizeof *chunk);
    }
    cm_pages_unmap(table->buckets, table->bucket_count * sizeof *table->buckets);
    table->buckets = NULL;
    cm_mappings_clear(&table->mappings);
}

/* The bucket that holds `address`, or the free one for it. */
static cm_step **find_bucket(cm_step **buckets, size_t count, uint64_t address)
{
    size_t bucket = (size_t)((address * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (count - 1);
    while (buckets[bucket] != NULL && buckets[bucket]->address != address)
        bucket = (bucket + 1) & (count - 1);
    return &buckets[bucket];
}

/* Doubles the number of buckets. */
static cm_status grow_table(cm_step_table *table, cm_error *error)
{
    size_t count = 2 * table->bucket_count;
    cm_step **buckets = cm_pages_map(count * sizeof *buckets);
    if (buckets == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < table->bucket_count; i++)
        if (table->buckets[i] != NULL)
            *find_bucket(buckets, count, table->buckets[i]->address) = table->buckets[i];
    cm_pages_unmap(table->buckets, table->bucket_count * sizeof *buckets);
    table->buckets = buckets;
    table->bucket_count = count;
    return CM_OK;
}

/* Adds an empty step for the address. */
static cm_status new_step(cm_step_table *table, uint64_t address, cm_step **step, cm_error *error)
{
    if (2 * table->step_count >= table->bucket_count) {
        cm_status status = grow_table(table, error);
        if (status != CM_OK)
            return status;
    }
    if (table->chunks == NULL || table->chunks->used == CHUNK_STEPS) {
        cm_step_chunk *chunk = cm_pages_map(sizeof *chunk);
        if (chunk == NULL)
            return cm_error_no_memory(error);
        chunk->next = table->chunks;
        table->chunks = chunk;
    }
    *step = &table->chunks->steps[table->chunks->used++];
    (*step)->address = address;
    *find_bucket(table->buckets, table->bucket_count, address) = *step;
    table->step_count++;
    return CM_OK;
}

/* Decodes the instruction at an address that is not in the table. */
static cm_status decode_new(cm_step_table *table, uint64_t address, cm_step **step, cm_error *error)
{
    size_t size = cm_mappings_readable(&table->mappings, address);
    if (table->mappings.count == 0)
        return cm_error_io(error, NULL, "/proc/self/maps, which lists the code to step, cannot be read");
    if (size == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "no code to step at 0x%llx", (unsigned long long)address);
    cm_status status = new_step(table, address, step, error);
    if (status == CM_OK)
        cm_step_decode(&table->decoder, address, (const unsigned char *)(uintptr_t)address, size, *step);
    return status;
}

cm_status cm_step_table_find(cm_step_table *table, uint64_t address, cm_step **step, cm_error *error)
{
    cm_step *known = *find_bucket(table->buckets, table->bucket_count, address);
    if (known != NULL) {
        *step = known;
        return CM_OK;
    }
    int stepped_errno = errno;
    cm_status status = decode_new(table, address, step, error);
    errno = stepped_errno;
    return status;
}

__attribute__((no_sanitize("address"))) void cm_step_table_refresh(cm_step_table *table, cm_step *step)
{
    const unsigned char *code = (const unsigned char *)(uintptr_t)step->address;
    if (cm_same_code(code, step->bytes, step->length))
        return;
    size_t size = cm_mappings_readable(&table->mappings, step->address);
    cm_step_decode(&table->decoder, step->address, code, size, step);
}

cm_status cm_step_table_add_end(cm_step_table *table, uint64_t address, cm_error *error)
{
    cm_step *step;
    cm_status status = new_step(table, address, &step, error);
    if (status == CM_OK)
        step->kind = CM_STEP_END;
    return status;
}
