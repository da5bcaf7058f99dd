/* The memory that a process may use. */
#ifndef CM_CORE_FREE_MEMORY_H
#define CM_CORE_FREE_MEMORY_H

#include <stddef.h>

/* Bytes that can be used without taking them from other processes; 0 if unknown. */
size_t cm_free_memory(void);

#endif
