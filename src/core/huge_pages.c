/* Transparent huge pages (Linux, Documentation/admin-guide/mm/transhuge.rst). */
#include "core/system.h"

#include <sys/mman.h>

#include "core/files.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define SETTINGS "/sys/kernel/mm/transparent_hugepage/"

/* The number in a file of settings; 0 if it cannot be read. */
static size_t read_setting(const char *path)
{
    size_t number = 0;
    FILE *file = cm_input_stream(path);
    if (file == NULL)
        return 0;
    if (fscanf(file, "%zu", &number) != 1)
        number = 0;
    fclose(file);
    return number;
}

size_t cm_huge_page_size(void)
{
    size_t size = read_setting(SETTINGS "hpage_pmd_size");
    return (size & (size - 1)) == 0 ? size : 0;
}

/* Maps whole pages, aligned, and asks the system to make them huge. */
static cm_status map_pages(cm_huge_pages *pages, size_t size, size_t page, cm_error *error)
{
    pages->size = (size + page - 1) / page * page;
    pages->mapped = pages->size + page;
    void *mapping =
        mmap(NULL, pages->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return cm_error_no_memory(error);
    pages->mapping = mapping;
    pages->start = pages->mapping + (page - (uintptr_t)pages->mapping % page) % page;
    if (madvise(pages->start, pages->size, MADV_HUGEPAGE) != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the system has no huge pages");
    return CM_OK;
}

/* Whether the page is huge: after one byte of it was touched, all of it is in memory. */
static bool is_whole(const char *start, size_t page)
{
    enum { MOST = 4096 };
    unsigned char resident[MOST];
    size_t small = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < page; at += small * MOST) {
        size_t length = page - at < small * MOST ? page - at : small * MOST;
        if (mincore((void *)(uintptr_t)(start + at), length, resident) != 0)
            return false;
        for (size_t i = 0; i < length / small; i++)
            if ((resident[i] & 1) == 0)
                return false;
    }
    return true;
}

/* Asks once more for a page that came small: the system moves others' pages out of the way then (Linux 6.1). */
static bool collapse_page(char *start, size_t page)
{
    return madvise(start, page, MADV_COLLAPSE) == 0 && is_whole(start, page);
}

/* The number of huge pages from the start. It stops at the first small one, to touch no memory in vain. */
static size_t touch_pages(const cm_huge_pages *pages, size_t page, bool written)
{
    for (size_t at = 0; at < pages->size; at += page) {
        volatile char *byte = pages->start + at;
        if (written)
            *byte = 0;
        else
            (void)*byte;
        if (!is_whole(pages->start + at, page) && !(written && collapse_page(pages->start + at, page)))
            return at / page;
    }
    return pages->size / page;
}

cm_status cm_huge_pages_map(cm_huge_pages *pages, size_t size, bool written, cm_error *error)
{
    size_t page = cm_huge_page_size();
    *pages = (cm_huge_pages){0};
    if (page == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the system has no huge pages");
    cm_status status = map_pages(pages, size, page, error);
    if (status != CM_OK)
        return status;
    size_t given = touch_pages(pages, page, written), wanted = pages->size / page;
    if (given == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the system gives small pages for huge ones (" SETTINGS "enabled)");
    if (given != wanted)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the system gives %zu huge pages of %zu, then small ones: its memory is in pieces", given,
                       wanted);
    return CM_OK;
}

/* Looks at bit 56 of the page's entry (Linux, Documentation/admin-guide/mm/pagemap.rst): some systems give the process
 * a page of its own though use_zero_page is on. */
bool cm_huge_zeros_are_shared(void)
{
    uint64_t entry = 0;
    cm_huge_pages pages;
    bool known = false;
    int file = cm_input_descriptor(AT_FDCWD, "/proc/self/pagemap", O_RDONLY);
    if (file >= 0 && cm_huge_pages_map(&pages, 1, false, NULL) == CM_OK) {
        off_t at = (off_t)((uintptr_t)pages.start / (size_t)sysconf(_SC_PAGESIZE) * sizeof entry);
        known = pread(file, &entry, sizeof entry, at) == sizeof entry;
        cm_huge_pages_unmap(&pages);
    }
    if (file >= 0)
        close(file);
    return known && (entry >> 56 & 1) == 0;
}

void cm_huge_pages_unmap(cm_huge_pages *pages)
{
    if (pages->mapping != NULL)
        munmap(pages->mapping, pages->mapped);
    *pages = (cm_huge_pages){0};
}
