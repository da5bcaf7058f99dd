/* Arrays that grow; all of catmint's do it here. */
#ifndef CM_CORE_GROW_H
#define CM_CORE_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The capacity of an array that must hold `count` elements: half as many more, so that appending takes constant time.
 * For several arrays that share one capacity. */
static inline size_t cm_grow_capacity(size_t count)
{
    return count + count / 2 + 16;
}

/* Grows `items` to hold more than `count` elements of `size` bytes, and sets *capacity to the new capacity. Returns the
 * array, which may have moved; NULL without memory: then `items` is unchanged. */
void *cm_grow_beyond(void *items, size_t count, size_t *capacity, size_t size);

/* The same for `count` elements, at least one; *capacity is 0 for NULL. */
static inline void *cm_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    return count <= *capacity ? items : cm_grow_beyond(items, count, capacity, size);
}

/* Makes space for one element behind `count` of them, in an array that grows by this function alone: it is full if
 * `count` is 0 or a power of two, so its capacity is not stored. NULL without memory. It is inline because the program
 * needs it too, and the library hides its own functions. */
static inline void *cm_grow_by_one(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return items;
    size_t capacity = count == 0 ? 1 : 2 * count;
    return capacity > count && capacity <= SIZE_MAX / size ? realloc(items, capacity * size) : NULL;
}

#endif
