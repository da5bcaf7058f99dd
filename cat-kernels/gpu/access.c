/* The facts of accesses to memory, from their description: the instructions beside them, and bytes, sectors and
 * transactions of a warp. */
#include <stdlib.h>
#include <string.h>

#include "cat-kernels/gpu/gpu.h"

static const cm_gpu_access accesses[CM_GPU_SECTIONS - CM_GPU_COMPUTING] = {
#define ROW(id, name, kind, bytes, stride, place, words) {CM_GPU_KIND_##kind, CM_GPU_PLACE_##place, bytes, stride},
    CM_GPU_ACCESS_ROWS(ROW)
#undef ROW
};

const cm_gpu_access *cm_gpu_access_of(cm_gpu_class class)
{
    return class >= CM_GPU_COMPUTING && class < CM_GPU_SECTIONS ? &accesses[class - CM_GPU_COMPUTING] : NULL;
}

unsigned cm_gpu_access_shift(const cm_gpu_access *access, unsigned turn)
{
    enum { SPARSE_STRIDE = 32, APART = 16, ROW = 1024 };
    return access->stride >= SPARSE_STRIDE ? turn % 2 * APART : turn % 4 * ROW;
}

unsigned cm_gpu_access_region(const cm_gpu_access *access)
{
    switch (access->kind) {
    case CM_GPU_KIND_STORE: return 2 * CM_GPU_REGION;
    case CM_GPU_KIND_REDUCE: return 3 * CM_GPU_REGION;
    default: return access->place == CM_GPU_PLACE_FAR ? CM_GPU_REGION : 0;
    }
}

/* NVIDIA: a load's result goes into a sum, so that no compiler drops the load; an address in memory is a product and a
 * sum. AMD: a chase waits for its load. Both: a stream's cursor moves on and is kept within bounds; the result of a
 * chase is masked. */
cm_gpu_beside cm_gpu_access_beside(const cm_gpu_access *access, cm_gpu_vendor vendor)
{
    bool nvidia = vendor == CM_GPU_NVIDIA, stream = access->place == CM_GPU_PLACE_STREAM;
    bool chase = access->kind == CM_GPU_KIND_CHASE, load = access->kind == CM_GPU_KIND_LOAD;
    cm_gpu_beside beside = {.add = stream + (chase && (stream || !nvidia)),
                            .logic = stream + (chase || (load && nvidia)),
                            .multiply = nvidia && (stream || chase)};
    beside.add += !nvidia && stream;
    return beside;
}

/* ---- bytes and transactions ---- */

enum { MOST_LANES = 64, BANKS = 32, WORD = 4 };

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The number of different ones among numbers, which are sorted. */
static unsigned count_different(uint64_t *numbers, unsigned count)
{
    unsigned different = 0;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    for (unsigned i = 0; i < count; i++)
        different += i == 0 || numbers[i] != numbers[i - 1];
    return different;
}

/* The sectors that the active lanes reach; all addresses are multiples of the access's size. */
static unsigned count_sectors(const cm_gpu_access *access, uint64_t active, unsigned sector)
{
    uint64_t sectors[MOST_LANES];
    unsigned count = 0;
    for (unsigned lane = 0; lane < MOST_LANES; lane++)
        if ((active >> lane & 1) != 0)
            sectors[count++] = (uint64_t)lane * access->stride / sector;
    return count_different(sectors, count);
}

/* The most words of a single bank that lanes from `first` on reach. */
static unsigned count_of_a_bank(const cm_gpu_access *access, uint64_t active, unsigned first, unsigned lanes)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < BANKS; bank++) {
        uint64_t words[MOST_LANES * 4];
        unsigned count = 0;
        for (unsigned lane = first; lane < first + lanes; lane++)
            for (unsigned part = 0; (active >> lane & 1) != 0 && part < access->bytes / WORD; part++) {
                uint64_t word = (uint64_t)lane * access->stride / WORD + part;
                if (word % BANKS == bank)
                    words[count++] = word;
            }
        unsigned different = count_different(words, count);
        most = different > most ? different : most;
    }
    return most;
}

/* Shared memory takes as many lanes at a time as have 128 bytes; the words of a bank one after another. */
static void add_shared(const cm_gpu_access *access, uint64_t active, uint64_t *facts)
{
    unsigned stores = access->kind == CM_GPU_KIND_STORE, lanes = BANKS * WORD / access->bytes;
    facts[CM_GPU_SHARED_LOAD_REQUESTS + stores]++;
    for (unsigned first = 0; first < MOST_LANES; first += lanes) {
        unsigned transactions = count_of_a_bank(access, active, first, lanes);
        facts[CM_GPU_SHARED_LOAD_TRANSACTIONS + stores] += transactions;
        facts[CM_GPU_SHARED_LOAD_CONFLICTS + stores] += transactions > 0 ? transactions - 1 : 0;
    }
}

void cm_gpu_access_facts(const cm_gpu_access *access, uint64_t active, const cm_gpu_sectors *sectors, uint64_t *facts)
{
    uint64_t asked = (uint64_t)__builtin_popcountll(active) * access->bytes;
    if (active == 0)
        return;
    if (access->place == CM_GPU_PLACE_SHARED) {
        add_shared(access, active, facts);
        return;
    }
    switch (access->kind) {
    case CM_GPU_KIND_STORE:
        facts[CM_GPU_STORE_REQUESTS]++;
        facts[CM_GPU_ASKED_STORE_BYTES] += asked;
        facts[CM_GPU_L2_STORE_HIT_BYTES + (access->place == CM_GPU_PLACE_STREAM)] +=
            (uint64_t)count_sectors(access, active, sectors->stored) * sectors->stored;
        break;
    case CM_GPU_KIND_REDUCE:
        facts[CM_GPU_ATOMIC_REQUESTS]++;
        facts[CM_GPU_L2_ATOMIC_BYTES] += (uint64_t)count_sectors(access, active, sectors->stored) * sectors->stored;
        break;
    default:
        facts[CM_GPU_LOAD_REQUESTS]++;
        facts[CM_GPU_ASKED_LOAD_BYTES] += asked;
        facts[CM_GPU_L1_LOAD_HIT_BYTES + access->place] +=
            (uint64_t)count_sectors(access, active, sectors->loaded) * sectors->loaded;
    }
}

cm_gpu_sectors cm_gpu_sectors_of(cm_gpu_vendor vendor, unsigned target)
{
    enum { GFX942 = 0x942 };
    if (vendor == CM_GPU_NVIDIA)
        return (cm_gpu_sectors){32, 32};
    return (cm_gpu_sectors){target >= GFX942 ? 128 : 64, 64};
}
