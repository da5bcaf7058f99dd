#include "counting/counting.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

enum { BLOCK_SIZE = 64 * 1024 };

struct cm_text_block {
    struct cm_text_block *next;
    size_t used, size;
    char bytes[];
};

/* The newest block, or a new one if it has too little space; NULL without memory. */
static struct cm_text_block *block_with_room(cm_text_store *store, size_t size)
{
    struct cm_text_block *block = store->blocks;
    if (block != NULL && block->size - block->used >= size)
        return block;
    size_t block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    block = malloc(sizeof *block + block_size);
    if (block == NULL)
        return NULL;
    *block = (struct cm_text_block){.next = store->blocks, .size = block_size};
    store->blocks = block;
    return block;
}

/* Replaces control characters and bytes that are not UTF-8. */
static void clean(char *text)
{
    enum { LONGEST = 4 }; /* the NUL ends any sequence before that */
    for (char *c = text; *c != '\0';) {
        size_t length = cm_utf8_length(c, LONGEST);
        if (length == 0)
            *c = '?';
        else if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
        c += length != 0 ? length : 1;
    }
}

const char *cm_text_store_add(cm_text_store *store, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return "";
    for (size_t i = 0; i < CM_TEXTS_RECENT; i++)
        if (store->recent[i] != NULL && strcmp(store->recent[i], text) == 0)
            return store->recent[i];
    size_t size = strlen(text) + 1;
    struct cm_text_block *block = block_with_room(store, size);
    if (block == NULL)
        return NULL;
    char *copy = block->bytes + block->used;
    block->used += size;
    memcpy(copy, text, size);
    clean(copy);
    store->recent[store->next_recent++ % CM_TEXTS_RECENT] = copy;
    return copy;
}

void cm_text_store_clear(cm_text_store *store)
{
    while (store->blocks != NULL) {
        struct cm_text_block *next = store->blocks->next;
        free(store->blocks);
        store->blocks = next;
    }
    *store = (cm_text_store){0};
}
