#include "programs/programs.h"

#include <sys/mman.h>

/* Bytes, the largest first, so that each begins at a multiple of twice its size; and strides: the first buffer line by
 * line, the second every third line, the third a page at a time. The first has more pages than a second TLB holds. */
static const size_t sizes[CM_WORK_BUFFERS] = {(size_t)16 << 20, (size_t)128 << 10, (size_t)4 << 10};
static const size_t strides[CM_WORK_BUFFERS] = {4160, 192, 64};

enum { VECTOR_BYTES = 64 };

cm_status cm_program_pages_map(size_t size, cm_program_pages *pages, cm_error *error)
{
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return cm_error_no_memory(error);
    madvise(start, size, MADV_NOHUGEPAGE); /* fails on a kernel without huge pages, which is fine */
    *pages = (cm_program_pages){start, size};
    return CM_OK;
}

void cm_program_pages_unmap(cm_program_pages *pages)
{
    if (pages->start != NULL)
        munmap(pages->start, pages->size);
    *pages = (cm_program_pages){0};
}

cm_status cm_program_pages_execute(const cm_program_pages *pages, cm_error *error)
{
    __builtin___clear_cache((char *)pages->start, (char *)pages->start + pages->size);
    if (mprotect(pages->start, pages->size, PROT_READ | PROT_EXEC) == 0)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "programs get no executable memory: %s", strerror(errno));
}

/* Fills the constants: ones in each precision. */
static void fill_ones(unsigned char *start, cm_program_memory *memory)
{
    static const uint16_t half = 0x3c00;
    static const float single = 1.0f;
    static const double whole = 1.0;
    static const struct {
        const void *value;
        size_t size;
    } ones[CM_FP_PRECISIONS] = {{&half, sizeof half}, {&single, sizeof single}, {&whole, sizeof whole}};
    for (size_t i = 0; i < CM_FP_PRECISIONS; i++) {
        memory->ones[i] = start + i * VECTOR_BYTES;
        for (size_t at = 0; at < VECTOR_BYTES; at += ones[i].size)
            memcpy(start + i * VECTOR_BYTES + at, ones[i].value, ones[i].size);
    }
}

cm_status cm_program_memory_create(cm_program_pages *pages, cm_program_memory *memory, cm_error *error)
{
    size_t most = 2 * sizes[0], all = CM_PROGRAM_PAGE; /* space after the last buffer, and for constants */
    for (size_t i = 0; i < CM_WORK_BUFFERS; i++)
        all += 2 * sizes[i];
    cm_status status = cm_program_pages_map(all + most, pages, error);
    if (status != CM_OK)
        return status;
    uintptr_t at = ((uintptr_t)pages->start + most - 1) / most * most;
    for (size_t i = 0; i < CM_WORK_BUFFERS; i++) {
        memory->buffers[i] = (void *)at;
        memory->sizes[i] = sizes[i];
        memory->strides[i] = strides[i];
        at += 2 * sizes[i];
    }
    fill_ones((unsigned char *)at, memory);
    return CM_OK;
}
