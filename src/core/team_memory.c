/* Memory that a team and its caller share. */
#include <sys/mman.h>

#include "core/system.h"

void *cm_team_memory_create(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void cm_team_memory_free(void *memory, size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}
