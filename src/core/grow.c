#include "core/grow.h"

#include <stdint.h>
#include <stdlib.h>

void *cm_grow_beyond(void *items, size_t count, size_t *room, size_t size)
{
    size_t grown_room = cm_grow_room(count);
    if (grown_room < count || grown_room > SIZE_MAX / size)
        return NULL;
    void *grown = realloc(items, grown_room * size);
    if (grown != NULL)
        *room = grown_room;
    return grown;
}

void *cm_grow_by_one(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return items;
    size_t grown_room = count == 0 ? 1 : 2 * count;
    return grown_room > count && grown_room <= SIZE_MAX / size ? realloc(items, grown_room * size) : NULL;
}
