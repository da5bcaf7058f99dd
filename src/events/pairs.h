/* Tables of two columns of text: equivalent metrics, and other names of events. */
#ifndef CM_EVENTS_PAIRS_H
#define CM_EVENTS_PAIRS_H

#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_pair {
    char *first, *second; /* neither is empty */
} cm_pair;

typedef struct cm_pairs {
    size_t count;
    cm_pair *items; /* in the order of the rows */
} cm_pairs;

/* `columns` are those of the header. CM_BAD_INPUT if a field is empty. */
cm_status cm_pairs_load(const char *path, const char *const columns[2], cm_pairs **pairs, cm_error *error);
void cm_pairs_free(cm_pairs *pairs);

/* The second text of the first row whose pattern (fnmatch, ignoring case) fits "text" or, if the pattern has ": ",
 * "section: text"; NULL: none does. `pairs` may be NULL. */
const char *cm_pairs_match(const cm_pairs *pairs, const char *section, const char *text);

#endif
