/* Pages of memory mapped. */
#include "software_pmu/x86_64/step.h"

#include <sys/mman.h>

void *cm_pages_map(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

void cm_pages_unmap(void *pages, size_t size)
{
    if (pages != NULL)
        munmap(pages, size);
}
