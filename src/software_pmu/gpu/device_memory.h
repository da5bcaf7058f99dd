/* Memory of the software GPU's devices: the process's own, of which is known what belongs to a device. */
#ifndef CM_SOFTWARE_PMU_GPU_DEVICE_MEMORY_H
#define CM_SOFTWARE_PMU_GPU_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *cm_device_memory_create(size_t size);   /* NULL where there is none; not zeroed */
bool cm_device_memory_free(uint64_t address); /* false where that is none */
/* Whether all these bytes are a device's. */
bool cm_device_memory_reaches(uint64_t address, size_t size);

#endif
