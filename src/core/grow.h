/* Arrays that grow as elements come, here alone. */
#ifndef CM_CORE_GROW_H
#define CM_CORE_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* What an array gets room for that must hold `count` elements: half of it more, so that they come in constant time
 * each. For arrays that share one room. */
static inline size_t cm_grow_room(size_t count)
{
    return count + count / 2 + 16;
}

/* The array `items`, moved where it must be, with room for more than `count` elements of `size` bytes, and *room what
 * it has room for now. NULL where memory is short; then `items` is as it was. */
void *cm_grow_beyond(void *items, size_t count, size_t *room, size_t size);

/* The same for `count` elements, at least one; *room is 0 for NULL. */
static inline void *cm_grow(void *items, size_t count, size_t *room, size_t size)
{
    return count <= *room ? items : cm_grow_beyond(items, count, room, size);
}

/* Room for one element behind `count` of them, in an array that grew by this function alone: it is full where `count`
 * is 0 or a power of two, so nobody needs to keep what it has room for. NULL where memory is short. Here, not in
 * grow.c, because the program needs it too, and the library hides its own. */
static inline void *cm_grow_by_one(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return items;
    size_t room = count == 0 ? 1 : 2 * count;
    return room > count && room <= SIZE_MAX / size ? realloc(items, room * size) : NULL;
}

#endif
