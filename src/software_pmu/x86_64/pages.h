/* Memory straight from the system.
 *
 * Between two steps the stepped code may be inside malloc, fopen or any other function of the C library, with its locks
 * taken and its lists half linked. So the code that runs there calls none of them: it gets memory from here, reads
 * files with system calls, and restores errno. */
#ifndef CM_SOFTWARE_PMU_X86_64_PAGES_H
#define CM_SOFTWARE_PMU_X86_64_PAGES_H

#include <stddef.h>

/* Zeroed; NULL if there is none. */
void *cm_pages_map(size_t size);
/* NULL: no operation. */
void cm_pages_unmap(void *pages, size_t size);

#endif
