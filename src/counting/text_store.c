#include "counting/counting.h"

/* Replaces control characters and bytes that are not UTF-8. */
static void clean_text(char *text)
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
    char *copy = cm_arena_text(&store->arena, text);
    if (copy == NULL)
        return NULL;
    clean_text(copy);
    store->recent[store->next_recent++ % CM_TEXTS_RECENT] = copy;
    return copy;
}

void cm_text_store_clear(cm_text_store *store)
{
    cm_arena_clear(&store->arena);
    *store = (cm_text_store){0};
}
