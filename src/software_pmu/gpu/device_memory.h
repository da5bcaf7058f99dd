/* Memory of the software GPU's devices: pages of the process's own memory, and whether an address belongs to one. */
#ifndef CM_SOFTWARE_PMU_GPU_DEVICE_MEMORY_H
#define CM_SOFTWARE_PMU_GPU_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *cm_device_memory_create(size_t size);   /* zeros; NULL if there is no memory */
bool cm_device_memory_free(uint64_t address); /* false if there is no such piece */
/* Whether all these bytes belong to a device. */
bool cm_device_memory_reaches(uint64_t address, size_t size);

#endif
