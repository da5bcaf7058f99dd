/* Parts of symbols that metrics cannot do without, such as a precision: bases/needed-parts.csv. */
#ifndef CM_TABLES_NEEDED_PARTS_H
#define CM_TABLES_NEEDED_PARTS_H

#include <stdbool.h>

#include <catmint/error.h>
#include <catmint/tables.h>

/* "S_" is how a symbol begins, "_512" how it ends, "_FMA_" what it holds; anything else is a whole symbol. */
bool cm_symbol_has_part(const char *symbol, const char *part);

/* What each metric lacks where only the basis' symbols are left, in words ("half precision", or "FMA in half precision"
 * where others of half precision are left; with " and " between several): parts on which it has weight, though on no
 * symbol that is left. One text a metric of `whole`, NULL where it lacks none; the caller frees each, and the array,
 * with cm_lacking_free. */
cm_status cm_lacking_find(const char *benchmark, const cm_signatures *whole, const cm_basis *basis, char ***lacking,
                          cm_error *error);
void cm_lacking_free(size_t metrics, char **lacking);

#endif
