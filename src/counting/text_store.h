/* Stores many short texts that are freed together: names and descriptions of tens of thousands of events. */
#ifndef CM_COUNTING_TEXT_STORE_H
#define CM_COUNTING_TEXT_STORE_H

#include <stddef.h>

enum { CM_TEXTS_RECENT = 4 };

/* Zero-initialised: empty. */
typedef struct cm_text_store {
    struct cm_text_block *blocks;        /* the newest first */
    const char *recent[CM_TEXTS_RECENT]; /* shared if the same text is added again, as reasons and hints are */
    size_t next_recent;
} cm_text_store;

/* A copy of `text` that lives as long as the store, with control characters replaced by blanks and bytes that are not
 * UTF-8 by question marks; "" for NULL or "". NULL without memory. */
const char *cm_text_store_add(cm_text_store *store, const char *text);
void cm_text_store_clear(cm_text_store *store);

#endif
