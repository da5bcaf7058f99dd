/* Descriptions of symbols: bases/symbols.csv. */
#ifndef CM_TABLES_SYMBOL_WORDS_H
#define CM_TABLES_SYMBOL_WORDS_H

#include <catmint/error.h>

typedef struct cm_symbol_words cm_symbol_words;

/* Loads rows of benchmark, symbol, expression over facts (which may be empty, and is not parsed), description.
 * CM_BAD_INPUT if a symbol appears twice, or has no description. */
cm_status cm_symbol_words_load(const char *path, cm_symbol_words **words, cm_error *error);
void cm_symbol_words_free(cm_symbol_words *words);

/* The description; NULL if there is none, as for a basis of the user's own; `words` may be NULL. */
const char *cm_symbol_words_find(const cm_symbol_words *words, const char *benchmark, const char *symbol);
/* The expression over facts; NULL likewise, "" if the row has none. */
const char *cm_symbol_words_expression(const cm_symbol_words *words, const char *benchmark, const char *symbol);

#endif
