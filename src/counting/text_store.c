#include "counting/text_store.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024 };

struct cm_text_block {
    struct cm_text_block *next;
    size_t used, size;
    char bytes[];
};

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

/* Bytes of the UTF-8 character that begins here, 0 if none does. Overlong forms and surrogates are none. */
static size_t character_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last;               /* of the leading byte */
        unsigned char second_first, second_last; /* of the byte after it */
        size_t length;
    } forms[] = {
        {0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].second_first || text[1] > forms[i].second_last))
            return 0;
        for (size_t j = 2; j < forms[i].length; j++)
            if (text[j] < 0x80 || text[j] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

static void clean(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0';) {
        size_t length = character_length(c);
        if (length == 0)
            *c = '?';
        else if (*c < ' ' || *c == 0x7f)
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
