#include "software_pmu/gpu/device.h"

#include <sys/mman.h>

/* Each kernel has a piece on each device. A piece is at most as large as a GPU's memory: sanitizers end a program that
 * asks for an impossible size. */
enum { MOST_PIECES = 1024 };
static const size_t most_bytes = (size_t)1 << 30;

static struct {
    uint64_t start;
    size_t size;
} pieces[MOST_PIECES];

/* The piece found last: a kernel works on one piece. */
static size_t last;

void *cm_device_memory_create(size_t size)
{
    size_t free_piece = 0;
    while (free_piece < MOST_PIECES && pieces[free_piece].size != 0)
        free_piece++;
    if (free_piece == MOST_PIECES || size == 0 || size > most_bytes)
        return NULL;
    /* Pages of its own: only those that a kernel reaches take memory. */
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    pieces[free_piece].start = (uint64_t)(uintptr_t)memory;
    pieces[free_piece].size = size;
    return memory;
}

bool cm_device_memory_free(uint64_t address)
{
    for (size_t i = 0; i < MOST_PIECES; i++)
        if (pieces[i].size != 0 && pieces[i].start == address) {
            munmap((void *)(uintptr_t)address, pieces[i].size);
            pieces[i].size = 0;
            return true;
        }
    return false;
}

static bool piece_holds(size_t i, uint64_t address, size_t size)
{
    return pieces[i].size >= size && address >= pieces[i].start && address - pieces[i].start <= pieces[i].size - size;
}

bool cm_device_memory_reaches(uint64_t address, size_t size)
{
    for (size_t i = 0; i < MOST_PIECES && !piece_holds(last, address, size); i++)
        last = i;
    return piece_holds(last, address, size);
}
