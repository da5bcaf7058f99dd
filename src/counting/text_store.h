/* Keeps many short texts until all go at once: names and descriptions of tens of thousands of events. */
#ifndef CM_COUNTING_TEXT_STORE_H
#define CM_COUNTING_TEXT_STORE_H

#include <stddef.h>

enum { CM_TEXTS_RECENT = 4 };

/* Zero-initialised: empty. */
typedef struct cm_text_store {
    struct cm_text_block *blocks;        /* the newest first */
    const char *recent[CM_TEXTS_RECENT]; /* shared when the same text comes again, as reasons and hints do */
    size_t next_recent;
} cm_text_store;

/* A copy of `text` that lives as long as the store, control characters replaced by blanks and what is not UTF-8 by
 * question marks; "" for NULL or "". NULL when out of memory. */
const char *cm_text_store_add(cm_text_store *store, const char *text);
void cm_text_store_clear(cm_text_store *store);

#endif
