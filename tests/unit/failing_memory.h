/* Allocations that fail: the linker leads the library's calls of malloc, calloc and realloc here
 * (catmint_failing_memory in CMakeLists.txt). For one source of a program. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static atomic_long allocations_left = -1; /* of all threads; negative: no limit */

static bool refused(void)
{
    long left = atomic_load(&allocations_left);
    while (left > 0 && !atomic_compare_exchange_weak(&allocations_left, &left, left - 1))
        ;
    return left == 0;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refused() ? NULL : __real_realloc(memory, size);
}

#endif
