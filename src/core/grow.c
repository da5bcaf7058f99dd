#include "core/grow.h"

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
