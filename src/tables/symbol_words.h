/* What symbols count, in words: bases/symbols.csv. */
#ifndef CM_TABLES_SYMBOL_WORDS_H
#define CM_TABLES_SYMBOL_WORDS_H

#include <catmint/error.h>

typedef struct cm_symbol_words cm_symbol_words;

/* Rows of benchmark, symbol, expression over facts (which may be empty, and is not looked at), description.
 * CM_BAD_INPUT where a symbol stands twice, or one has no description. */
cm_status cm_symbol_words_load(const char *path, cm_symbol_words **words, cm_error *error);
void cm_symbol_words_free(cm_symbol_words *words);

/* NULL where there are none, as of a basis of the user's own; `words` may be NULL. */
const char *cm_symbol_words_find(const cm_symbol_words *words, const char *benchmark, const char *symbol);
/* The expression over facts; NULL likewise, "" where it has none. */
const char *cm_symbol_words_expression(const cm_symbol_words *words, const char *benchmark, const char *symbol);

#endif
