/* The memory that a process may take. */
#ifndef CM_CORE_FREE_MEMORY_H
#define CM_CORE_FREE_MEMORY_H

#include <stddef.h>

/* Bytes that can be used without taking them from others, 0 if unknown. */
size_t cm_free_memory(void);

#endif
