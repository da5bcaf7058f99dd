/* Parts of symbols' names, and the symbols that belong together by them. */
#ifndef CM_AUDIT_SYMBOL_PARTS_H
#define CM_AUDIT_SYMBOL_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/audit.h>
#include <catmint/error.h>

#include "core/arena.h"

/* The parts of one benchmark's symbols. A part is a row of the table of words that some symbols have. */
typedef struct cm_symbol_parts {
    size_t symbol_count;
    const char *const *symbols; /* the caller's */
    size_t part_count;
    char **words; /* one a part, in the order of the table */
    bool *has;    /* parts x symbols */
    bool *left;   /* scratch, one a symbol */
} cm_symbol_parts;

enum { CM_NO_SYMBOL = -1 };

/* Reads the table, `benchmark,part,words`. `symbols` must live as long as the parts. */
cm_status cm_symbol_parts_load(const char *path, const char *benchmark, size_t symbol_count, const char *const *symbols,
                               cm_symbol_parts **parts, cm_error *error);
void cm_symbol_parts_free(cm_symbol_parts *parts);

/* Makes the finding one about the symbols of `set`, not empty: their names, and as few groups as tell them from the
 * others of `universe`, which holds them. False if memory is short. */
bool cm_symbol_parts_group(const cm_symbol_parts *parts, const bool *set, const bool *universe, cm_arena *arena,
                           cm_audit_finding *finding);

/* The symbol that has the same parts, but `to` instead of `from`, or `from` instead of `to`; the symbol itself if it
 * has neither or both. `to` may be parts->part_count: the symbol without `from`. CM_NO_SYMBOL if there is none. */
ptrdiff_t cm_symbol_parts_counterpart(const cm_symbol_parts *parts, size_t symbol, size_t from, size_t to);

#endif
