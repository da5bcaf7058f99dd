/* Memory in huge pages, where the system gives them. */
#ifndef CM_CORE_HUGE_PAGES_H
#define CM_CORE_HUGE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_huge_pages {
    char *start;   /* NULL: none */
    size_t size;   /* bytes, whole pages */
    char *mapping; /* what they are part of */
    size_t mapped; /* bytes of that */
} cm_huge_pages;

/* Bytes of a page, 0 if the system gives none. */
size_t cm_huge_page_size(void);

/* At least `size` bytes of zeros, in huge pages that are there when this returns. `written`: each has memory of its
 * own; else they may be read only, and share one page. CM_UNSUPPORTED with the reason where the system gives small
 * pages instead: it was asked for each page what it gave. Free with cm_huge_pages_unmap, also after a failure. */
cm_status cm_huge_pages_map(cm_huge_pages *pages, size_t size, bool written, cm_error *error);
void cm_huge_pages_unmap(cm_huge_pages *pages);

#endif
