/* What symbols are called in sentences, and the symbols that belong together by their names. */
#ifndef CM_AUDIT_SYMBOL_PARTS_H
#define CM_AUDIT_SYMBOL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>

/* Of the symbols of one benchmark. A part is a row of the table of words that some of them have. */
typedef struct cm_symbol_parts {
    size_t symbol_count;
    const char *const *symbols; /* the caller's */
    size_t part_count;
    char **parts; /* words, in the order of the table */
    bool *has;    /* parts x symbols */
    bool *left;   /* scratch, one a symbol */
} cm_symbol_parts;

enum { CM_NO_SYMBOL = -1 };

/* Reads the table, `benchmark,part,words`. `symbols` must live as long as the words. */
cm_status cm_symbol_parts_load(const char *path, const char *benchmark, size_t symbol_count, const char *const *symbols,
                               cm_symbol_parts **words, cm_error *error);
void cm_symbol_parts_free(cm_symbol_parts *words);

/* Writes what the symbols of `set`, not empty, are called among those of `universe`, which holds them: "512-bit",
 * "all but scalar", "256-bit double precision FMA and 512-bit". */
void cm_symbol_parts_describe(const cm_symbol_parts *words, const bool *set, const bool *universe, FILE *stream);

/* The symbol that has the same parts, but `to` instead of `from`, or `from` instead of `to`; the symbol itself where it
 * has neither or both. `to` may be words->part_count: the symbol without `from`. CM_NO_SYMBOL where there is none. */
ptrdiff_t cm_symbol_parts_counterpart(const cm_symbol_parts *words, size_t symbol, size_t from, size_t to);

#endif
