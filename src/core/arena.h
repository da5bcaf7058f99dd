/* Memory for many small things: given out piece by piece, never moved, given back all at once. */
#ifndef CM_CORE_ARENA_H
#define CM_CORE_ARENA_H

#include <stddef.h>

typedef struct cm_arena {
    struct cm_arena_block *blocks; /* NULL: empty; the newest first */
} cm_arena;

/* `size` bytes, aligned for any type; NULL where there is no memory. */
void *cm_arena_allocate(cm_arena *arena, size_t size);
/* A copy of `text`; NULL where there is no memory. */
char *cm_arena_text(cm_arena *arena, const char *text);
/* Moves all that `other` gave out to `arena`. */
void cm_arena_join(cm_arena *arena, cm_arena *other);
/* Gives back everything and leaves the arena empty. */
void cm_arena_clear(cm_arena *arena);

#endif
