/* Memory in huge pages, if the system has them. */
#ifndef CM_CORE_HUGE_PAGES_H
#define CM_CORE_HUGE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_huge_pages {
    char *start;   /* NULL: none */
    size_t size;   /* bytes, whole pages */
    char *mapping; /* the mapping that holds them */
    size_t mapped; /* its size in bytes */
} cm_huge_pages;

/* Bytes of a page, 0 if the system gives none. */
size_t cm_huge_page_size(void);

/* At least `size` bytes of zeros, in huge pages that are in memory when this returns. `written`: each page has memory
 * of its own; otherwise pages may only be read, and share one. CM_UNSUPPORTED with the reason if the system gave a
 * small page; each is checked. Free with cm_huge_pages_unmap, also after a failure. */
cm_status cm_huge_pages_map(cm_huge_pages *pages, size_t size, bool written, cm_error *error);
void cm_huge_pages_unmap(cm_huge_pages *pages);

#endif
