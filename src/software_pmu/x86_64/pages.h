/* Memory straight from the system.
 *
 * Between two steps the stepped code may stand in the middle of malloc, fopen or any other function of the C library,
 * its locks taken and its lists half linked. So nothing that runs there calls them: memory comes from here, files are
 * read with system calls, and errno is put back. */
#ifndef CM_SOFTWARE_PMU_X86_64_PAGES_H
#define CM_SOFTWARE_PMU_X86_64_PAGES_H

#include <stddef.h>

/* Zeroed; NULL if there is none. */
void *cm_pages_map(size_t size);
/* NULL: no operation. */
void cm_pages_unmap(void *pages, size_t size);

#endif
