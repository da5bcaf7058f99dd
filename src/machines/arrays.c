#include "machines/timed.h"

#include <sys/mman.h>

enum { GAP = 640, HUGE_PAGE = 1 << 21 };

cm_status cm_arrays_map(cm_arrays *arrays, size_t most, cm_error *error)
{
    arrays->mapped = CM_TIMED_ARRAYS * (most + GAP) + HUGE_PAGE;
    arrays->mapping = mmap(NULL, arrays->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arrays->mapping == MAP_FAILED) {
        arrays->mapping = NULL;
        return cm_error_no_memory(error);
    }
    madvise(arrays->mapping, arrays->mapped, MADV_HUGEPAGE); /* small pages serve, too */
    arrays->start = (char *)(((uintptr_t)arrays->mapping + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    return CM_OK;
}

void cm_arrays_unmap(cm_arrays *arrays)
{
    if (arrays->mapping != NULL)
        munmap(arrays->mapping, arrays->mapped);
    *arrays = (cm_arrays){0};
}

cm_timed_memory cm_arrays_fill(const cm_arrays *arrays, size_t bytes)
{
    cm_timed_memory memory = {.bytes = bytes};
    for (size_t i = 0; i < CM_TIMED_ARRAYS; i++) {
        double *array = (double *)(void *)(arrays->start + i * (bytes + GAP));
        for (size_t k = 0; k < bytes / sizeof *array; k++)
            array[k] = 1.0;
        memory.arrays[i] = array;
    }
    return memory;
}
