/* Memory that is freed all at once. */
#include "core/base.h"

enum { BLOCK_SIZE = 1 << 18 };

struct cm_arena_block {
    struct cm_arena_block *next;
    size_t used, size;
    max_align_t data[];
};

void *cm_arena_allocate(cm_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct cm_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < size) {
        size_t block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = malloc(sizeof *block + block_size);
        if (block == NULL)
            return NULL;
        block->next = arena->blocks;
        block->used = 0;
        block->size = block_size;
        arena->blocks = block;
    }
    void *piece = (char *)block->data + block->used;
    block->used += size;
    return piece;
}

char *cm_arena_text(cm_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cm_arena_allocate(arena, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

void cm_arena_join(cm_arena *arena, cm_arena *other)
{
    struct cm_arena_block **end = &other->blocks;
    while (*end != NULL)
        end = &(*end)->next;
    *end = arena->blocks;
    arena->blocks = other->blocks;
    other->blocks = NULL;
}

void cm_arena_clear(cm_arena *arena)
{
    while (arena->blocks != NULL) {
        struct cm_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
