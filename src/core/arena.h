/* Memory for many small things, which are never moved and are freed together. */
#ifndef CM_CORE_ARENA_H
#define CM_CORE_ARENA_H

#include <stddef.h>

#include "core/shared.h"

typedef struct cm_arena {
    struct cm_arena_block *blocks; /* NULL: empty; the newest first */
} cm_arena;

/* `size` bytes, aligned for any type; NULL without memory. */
CM_SHARED void *cm_arena_allocate(cm_arena *arena, size_t size);
/* A copy of `text`; NULL without memory. */
CM_SHARED char *cm_arena_text(cm_arena *arena, const char *text);
/* Moves everything allocated in `other` to `arena`. */
void cm_arena_join(cm_arena *arena, cm_arena *other);
/* Frees everything and leaves the arena empty. */
CM_SHARED void cm_arena_clear(cm_arena *arena);

#endif
