/* Memory for copies of instructions, within reach of the original code. */
#include "software_pmu/x86_64/step.h"

#include <sys/mman.h>

#include "core/files.h"

/* A cache: a page with the switch, one with its data (context.h; this structure is in its middle), then slots. */
enum {
    SLOT_ALIGNMENT = 32,
    SLOTS_START = 2 * CM_CACHE_PAGE,
    CACHE_SIZE = SLOTS_START + (1 << 20),
    JUMP_SIZE = 5,
};

/* Largest distance to a target: well within the 2 GiB that a displacement reaches from anywhere in a cache. */
static const uint64_t reach = (UINT64_C(1) << 31) - (UINT64_C(1) << 24);
static const uint64_t stride = UINT64_C(1) << 24;

/* A cache of code; this structure lies in the cache's own data page. */
struct cm_code_cache {
    unsigned char *base;
    size_t used; /* bytes from base */
    cm_code_cache *next;
};

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

static unsigned char *map_at(uint64_t address)
{
    void *memory = mmap((void *)(uintptr_t)address, CACHE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static bool is_in_reach(const cm_code_cache *cache, uint64_t target)
{
    uint64_t base = (uint64_t)(uintptr_t)cache->base;
    return (base > target ? base - target : target - base) < reach;
}

/* Maps memory within reach of `target`: the nearest gap in a few hundred addresses below and above it. It stays
 * writable and executable: to change a page's protection for each slot took a fifth of a sweep of code. */
static unsigned char *map_near(uint64_t target)
{
    uint64_t aligned = target & ~(uint64_t)(CM_CACHE_PAGE - 1);
    for (uint64_t distance = stride; distance < reach; distance += stride) {
        uint64_t addresses[] = {aligned - distance, aligned + distance};
        for (size_t i = 0; i < 2; i++) {
            if (i == 0 && distance + CM_CACHE_PAGE > aligned)
                continue;
            unsigned char *memory = map_at(addresses[i]);
            if (memory == NULL)
                continue;
            if ((uint64_t)(uintptr_t)memory == addresses[i])
                return memory;
            munmap(memory, CACHE_SIZE); /* an old kernel treated the address only as a hint */
        }
    }
    return NULL;
}

/* Maps a cache within reach of `target`, with the switch in its first page. */
static cm_status cache_create(uint64_t target, cm_code_cache **result, cm_error *error)
{
    unsigned char *memory = map_near(target);
    if (memory == NULL && (errno == EACCES || errno == EPERM))
        return CM_FAIL(error, CM_UNSUPPORTED, "the system refuses executable memory (%s), which stepping code needs",
                       strerror(errno));
    if (memory == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "no memory within 2 GiB of the code at 0x%llx",
                       (unsigned long long)target);
    memcpy(memory, cm_switch_template, cm_switch_size);
    cm_code_cache *cache = (cm_code_cache *)(void *)(memory + CM_CACHE_PAGE + CM_CACHE_PAGE / 2);
    *cache = (cm_code_cache){.base = memory, .used = SLOTS_START};
    *result = cache;
    return CM_OK;
}

/* Finds a cache with space within reach of `target`, or creates one. */
static cm_status find_cache(cm_code_caches *caches, uint64_t target, size_t size, cm_code_cache **result,
                            cm_error *error)
{
    for (cm_code_cache *cache = caches->first; cache != NULL; cache = cache->next)
        if (cache->used + size <= CACHE_SIZE && is_in_reach(cache, target)) {
            *result = cache;
            return CM_OK;
        }
    cm_status status = cache_create(target, result, error);
    if (status == CM_OK) {
        (*result)->next = caches->first;
        caches->first = *result;
    }
    return status;
}

static void write_displacement(unsigned char *at, int64_t displacement)
{
    int32_t value = (int32_t)displacement;
    memcpy(at, &value, sizeof value);
}

/* Writes the code and the jump after it; displacements count from the ends of the instruction and the jump. */
static void write_slot(const cm_code_cache *cache, unsigned char *slot, const cm_code *code)
{
    memcpy(slot, code->bytes, code->length);
    if (code->displacement_offset != 0)
        write_displacement(slot + code->displacement_offset,
                           (int64_t)(code->target - ((uint64_t)(uintptr_t)slot + code->displacement_end)));
    unsigned char *jump = slot + code->length;
    const unsigned char *exit = cache->base + (code->is_integer ? cm_switch_exit_integer : cm_switch_exit);
    jump[0] = 0xE9;
    write_displacement(jump + 1, exit - (jump + JUMP_SIZE));
}

/* Places the code in a cache near its target, and gives the functions to run it. */
static cm_status place_code(cm_code_caches *caches, const cm_code *code, cm_slot *slot, cm_error *error)
{
    cm_code_cache *cache;
    size_t size = code->length + JUMP_SIZE;
    cm_status status =
        find_cache(caches, code->displacement_offset != 0 ? code->target : code->address, size, &cache, error);
    if (status != CM_OK)
        return status;
    unsigned char *copy = cache->base + cache->used;
    write_slot(cache, copy, code);
    cache->used += (size + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    const void *enter = cache->base + (code->is_integer ? cm_switch_enter_integer : cm_switch_enter);
    memcpy(&slot->enter, &enter, sizeof enter); /* an object's address becomes a function's */
    slot->code = copy;
    return CM_OK;
}

static bool is_known(const cm_known_slot *known, const cm_code *code)
{
    return known->length == code->length && known->is_integer == code->is_integer &&
           memcmp(known->slot.code, code->bytes, code->length) == 0;
}

/* Code that is not relative to RIP runs anywhere: equal code is placed once. */
static cm_status place_once(cm_code_caches *caches, const cm_code *code, cm_slot *slot, cm_error *error)
{
    if (code->displacement_offset != 0)
        return place_code(caches, code, slot, error);
    cm_known_slot *known = &caches->known[cm_checksum(CM_CHECKSUM_START, code->bytes, code->length) % CM_KNOWN_SLOTS];
    cm_status status = is_known(known, code) ? CM_OK : place_code(caches, code, &known->slot, error);
    known->length = status == CM_OK ? code->length : 0;
    known->is_integer = code->is_integer;
    *slot = known->slot;
    return status;
}

cm_status cm_code_caches_place(cm_code_caches *caches, const cm_code *code, cm_slot *slot, cm_error *error)
{
    int stepped_errno = errno;
    cm_status status = place_once(caches, code, slot, error);
    errno = stepped_errno;
    return status;
}

cm_status cm_code_caches_prepare(cm_code_caches *caches, uint64_t address, cm_error *error)
{
    cm_code_cache *cache;
    return find_cache(caches, address, CM_CODE_SIZE + JUMP_SIZE, &cache, error);
}

void cm_code_caches_clear(cm_code_caches *caches)
{
    while (caches->first != NULL) {
        cm_code_cache *cache = caches->first;
        caches->first = cache->next;
        munmap(cache->base, CACHE_SIZE);
    }
}
