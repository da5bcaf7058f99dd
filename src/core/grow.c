/* Arrays that grow. */
#include "core/base.h"

void *cm_grow_beyond(void *items, size_t count, size_t *capacity, size_t size)
{
    size_t grown_capacity = cm_grow_capacity(count);
    if (grown_capacity < count || grown_capacity > SIZE_MAX / size)
        return NULL;
    void *grown = realloc(items, grown_capacity * size);
    if (grown != NULL)
        *capacity = grown_capacity;
    return grown;
}
